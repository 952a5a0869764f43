// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/coverage_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "sim/cover/coverage_reader.hpp"

namespace kernbench::sim {

using common::BadInput;
using common::Diagnostics;
using maze::Shape;
using nlohmann::json;

namespace {

constexpr const char* kKind = "coverage";

/// Formats the words of one port: 16 hexadecimal digits each, separated by a blank.
std::string hex_words(const std::uint64_t* words, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) text += ' ';
    text += common::hex64(words[i]);
  }
  return text;
}

json payload_json(const Shape& shape, const std::vector<maze::Payload>& seen) {
  json ports = json::array();
  for (unsigned port = 0; port < shape.ports(); ++port) {
    ports.push_back(hex_words(seen.data() + std::size_t{port} * shape.nodes(), shape.nodes()));
  }
  return ports;
}

json packets_json(const Shape& shape, const std::vector<std::uint64_t>& counts) {
  json ports = json::array();
  auto next = counts.begin();
  for (unsigned port = 0; port < shape.ports(); ++port, next += shape.nodes()) {
    ports.push_back(std::vector<std::uint64_t>(next, next + shape.nodes()));
  }
  return ports;
}

json deep_json(const Shape& shape, const DeepBins& bins) {
  json data;
  DeepBins::visit_storage(
      bins,
      [&](const std::string& name, const std::vector<maze::BitPlane>& planes) {
        json& list = data[name] = json::array();
        for (const maze::BitPlane& plane : planes) {
          list.push_back(hex_words(plane.data(), std::size_t{shape.ports()} * shape.words()));
        }
      },
      [&](const std::string& name, const std::vector<std::uint8_t>& flags) {
        std::string text;
        for (const std::uint8_t flag : flags) text += flag != 0 ? '1' : '0';
        data[name] = text;
      });
  return data;
}

json summary_json(const CoverageSummary& summary) {
  json groups = json::array();
  for (const CoverageGroup& group : summary.groups) {
    groups.push_back({{"name", group.name}, {"hit", group.hit}, {"total", group.total}});
  }
  return {{"hit", summary.hit()}, {"total", summary.total()}, {"groups", std::move(groups)}};
}

json runs_json(const std::vector<CoveredRun>& runs) {
  json list = json::array();
  for (const CoveredRun& run : runs) {
    list.push_back({{"model", run.model}, {"outcome", common::name(run.outcome)}});
  }
  return list;
}

std::string design(const Shape& shape) {
  return fmt::format("{}x{} with {} data bits", shape.nx, shape.ny, shape.flit_w);
}

/// Returns why two results cannot be merged, or "" when they can.
std::string difference(const CoverageData& coverage, const CoverageData& first,
                       const std::string& first_path) {
  if (!(coverage.shape() == first.shape())) {
    return fmt::format("this is the coverage of another design: {}, but '{}' is of {}",
                       design(coverage.shape()), first_path, design(first.shape()));
  }
  if (coverage.at_least() != first.at_least()) {
    return fmt::format("the goal is {} packets on every link, but {} in '{}'", coverage.at_least(),
                       first.at_least(), first_path);
  }
  if (coverage.deep().has_value() != first.deep().has_value()) {
    return fmt::format("deep coverage was {} here, but {} in '{}'",
                       coverage.deep() ? "collected" : "not collected",
                       first.deep() ? "collected" : "not collected", first_path);
  }
  return {};
}

}  // namespace

json coverage_json(const CoverageData& coverage) {
  const Shape& shape = coverage.shape();
  json data;
  data["schema"] = kCoverageSchema;
  data["shape"] = {{"nx", shape.nx}, {"ny", shape.ny}, {"flit_w", shape.flit_w}};
  data["at_least"] = coverage.at_least();
  for (std::size_t i = 0; i < kFabricBinNames.size(); ++i) {
    data["fabric"][std::string(kFabricBinNames[i])] = coverage.fabric(static_cast<FabricBin>(i));
  }
  for (std::size_t i = 0; i < kLinkBins.size(); ++i) {
    json& ports = data["links"][std::string(kLinkBins[i].name)] = json::array();
    for (unsigned port = 0; port < shape.ports(); ++port) {
      ports.push_back(hex_words(coverage.link(static_cast<LinkBin>(i)).port(port), shape.words()));
    }
  }
  for (std::size_t i = 0; i < kStageBinNames.size(); ++i) {
    json& ports = data["stages"][std::string(kStageBinNames[i])] = json::array();
    for (unsigned port = 0; port < shape.ports(); ++port) {
      ports.push_back(hex_words(coverage.stages(static_cast<StageBin>(i), port),
                                std::size_t{coverage.depth(port)} * shape.words()));
    }
  }
  data["payload"] = {{"rises", payload_json(shape, coverage.rises())},
                     {"falls", payload_json(shape, coverage.falls())}};
  for (const auto& [name, kind] : kBackPressureNames) {
    data["packets"][std::string(name)] = packets_json(shape, coverage.packets(kind));
  }
  if (coverage.deep()) data["deep"] = deep_json(shape, *coverage.deep());
  data["summary"] = summary_json(coverage.summary());
  data["missed"] = coverage.missed();
  return data;
}

void write_coverage_file(const std::filesystem::path& path, const CoverageData& coverage,
                         const std::vector<CoveredRun>& runs, common::ReportEnvelope header) {
  header.kind = kKind;
  header.data = coverage_json(coverage);
  header.data["runs"] = runs_json(runs);
  common::write_report(path, header);
}

CoverageOfRuns read_coverage_file(const std::filesystem::path& path) {
  const common::ReportEnvelope report = common::read_report(path, kKind);
  Diagnostics diagnostics;
  CoverageReader reader(report.data, path.string(), diagnostics);
  std::optional<CoverageData> coverage = reader.read();
  diagnostics.throw_if_any();
  json written = coverage_json(*coverage);
  written["runs"] = runs_json(reader.runs());
  if (written != report.data) {
    diagnostics.error({path.string()},
                      "'summary' and 'missed' do not follow from the bins: the file was changed "
                      "after it had been written");
    diagnostics.throw_if_any();
  }
  return {std::move(*coverage), reader.runs()};
}

CoverageOfRuns merge_coverage_files(const std::vector<std::filesystem::path>& paths,
                                    const MergeRules& rules) {
  if (paths.empty()) throw BadInput("no coverage files to merge");
  Diagnostics diagnostics;
  std::optional<CoverageOfRuns> merged;
  std::string first_path;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string name = paths[i].string();
    if (std::find(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(i), paths[i]) !=
        paths.begin() + static_cast<std::ptrdiff_t>(i)) {
      diagnostics.error({name}, "given twice: its packets would count twice");
      continue;
    }
    try {
      CoverageOfRuns file = read_coverage_file(paths[i]);
      if (const std::string failed = failed_runs_text(file.runs);
          !failed.empty() && !rules.failed_runs) {
        diagnostics.error({name}, failed, "--accept-failed counts what such runs covered");
      }
      if (!merged) {
        merged = std::move(file);
        first_path = name;
      } else if (const std::string reason = difference(file.coverage, merged->coverage, first_path);
                 !reason.empty()) {
        diagnostics.error({name}, reason);
        continue;
      } else {
        merged->coverage.merge(file.coverage);
        merged->runs.insert(merged->runs.end(), file.runs.begin(), file.runs.end());
      }
      const std::string& model = merged->runs.front().model;
      const auto other = std::ranges::find_if(
          merged->runs, [&](const CoveredRun& run) { return run.model != model; });
      if (other != merged->runs.end() && !rules.other_models) {
        diagnostics.error({name},
                          fmt::format("this is the coverage of model {}, but '{}' is of model {}",
                                      other->model, first_path, model),
                          "--accept-other-models merges the coverage of different RTL");
        std::erase_if(merged->runs, [&](const CoveredRun& run) { return run.model != model; });
      }
    } catch (const BadInput& error) {
      for (const common::Diagnostic& d : error.diagnostics().errors()) {
        diagnostics.error(d.position, d.message, d.hint);
      }
    }
  }
  diagnostics.throw_if_any();
  return std::move(*merged);
}

}  // namespace kernbench::sim
