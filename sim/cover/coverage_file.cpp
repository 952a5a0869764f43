// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/coverage_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "sim/cover/coverage_form.hpp"
#include "sim/cover/coverage_reader.hpp"

namespace kernbench::sim {

using common::BadInput;
using common::Diagnostics;
using maze::Shape;
using nlohmann::json;

namespace {

/// Members that pages leave out: the bits from which the summary follows.
constexpr std::array<std::string_view, 6> kBits = {"fabric",  "links",   "stages",
                                                   "payload", "packets", "deep"};

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

const plot::ReportKind kCoverageReport = {.name = "coverage",
                                          .command = "coverage merge",
                                          .about = "Functional coverage of one or several runs",
                                          .envelope = {.grade = false},
                                          .form = common::form_of<CoverageFile>,
                                          .drawn = kBits};

json coverage_json(const CoverageData& coverage, const std::vector<CoveredRun>& runs) {
  return common::to_json(CoverageFile{coverage, runs});
}

void write_coverage_file(const std::filesystem::path& path, const CoverageData& coverage,
                         const std::vector<CoveredRun>& runs, common::ReportEnvelope header) {
  header.kind = kCoverageReport.name;
  header.data = coverage_json(coverage, runs);
  common::write_report(path, header);
}

CoverageOfRuns read_coverage_file(const std::filesystem::path& path) {
  const common::ReportEnvelope report =
      common::read_report(path, std::string(kCoverageReport.name));
  CoverageOfRuns read = coverage_of_json(report.data, path.string());
  if (coverage_json(read.coverage, read.runs) != report.data) {
    Diagnostics diagnostics;
    diagnostics.error({path.string()},
                      "'summary' and 'missed' do not follow from the bins: the file was changed "
                      "after it had been written");
    diagnostics.throw_if_any();
  }
  return read;
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
