// SPDX-License-Identifier: Apache-2.0
#include "sim/report/soak.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/diagnostics.hpp"
#include "sim/report/number_text.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

using common::BadInput;
using nlohmann::json;

namespace {

json failure_json(const SoakFailure& failure) {
  return {{"seed", failure.seed},
          {"suite", failure.suite},
          {"reason", failure.reason},
          {"command", failure.command}};
}

template <typename Value>
Value value_of(const json& object, const char* key) {
  return object.at(key).get<Value>();
}

SoakFailure read_failure(const json& item) {
  return {value_of<std::uint64_t>(item, "seed"), value_of<std::string>(item, "suite"),
          value_of<std::string>(item, "reason"), value_of<std::string>(item, "command")};
}

/// Throws json::exception for missing keys and wrong types.
Soak read_data(const json& data) {
  Soak soak;
  soak.config = value_of<std::string>(data, "config");
  soak.config_hash = value_of<std::string>(data, "config_hash");
  soak.model_hash = value_of<std::string>(data, "model_hash");
  const json& shape = data.at("shape");
  soak.shape = {value_of<unsigned>(shape, "nx"), value_of<unsigned>(shape, "ny"),
                value_of<unsigned>(shape, "flit_w")};
  soak.first_seed = value_of<std::uint64_t>(data, "first_seed");
  soak.chunks = value_of<std::uint64_t>(data, "chunks");
  soak.cases = value_of<std::uint64_t>(data, "cases");
  soak.cycles = value_of<std::uint64_t>(data, "cycles");
  soak.packets = value_of<std::uint64_t>(data, "packets");
  soak.failing_cases = value_of<std::uint64_t>(data, "failing_cases");
  for (const json& item : data.at("failures")) soak.failures.push_back(read_failure(item));
  soak.link_packets = value_of<std::vector<std::uint64_t>>(data, "link_packets");
  soak.link_longest_stalls = value_of<std::vector<std::uint64_t>>(data, "link_longest_stalls");
  return soak;
}

}  // namespace

void Soak::add(const RegressionResult& chunk) {
  ++chunks;
  link_packets.resize(shape.links());
  link_longest_stalls.resize(shape.links());
  for (std::size_t i = 0; i < link_packets.size(); ++i) {
    link_packets[i] += chunk.link_packets[i];
    link_longest_stalls[i] = std::max(link_longest_stalls[i], chunk.link_longest_stalls[i]);
  }
  for (const CaseResult& one : chunk.cases) {
    ++cases;
    cycles += one.cycles;
    packets += one.delivered;
    if (one.outcome == common::Outcome::Pass) continue;
    ++failing_cases;
    if (failures.size() < kKeptFailures) {
      failures.push_back({one.seed, one.suite, one.reason, one.command});
    }
  }
}

common::Outcome outcome_of(const Soak& soak) {
  if (soak.failing_cases != 0) return common::Outcome::Mismatch;
  return soak.packets == 0 ? common::Outcome::Vacuous : common::Outcome::Pass;
}

void write_soak(const std::filesystem::path& path, const Soak& soak,
                common::ReportEnvelope header) {
  header.kind = "soak";
  header.outcome = outcome_of(soak);
  header.seed = soak.first_seed;
  header.config_hash = soak.config_hash;
  json failures = json::array();
  for (const SoakFailure& failure : soak.failures) failures.push_back(failure_json(failure));
  header.data = {
      {"config", soak.config},
      {"config_hash", soak.config_hash},
      {"model_hash", soak.model_hash},
      {"shape", {{"nx", soak.shape.nx}, {"ny", soak.shape.ny}, {"flit_w", soak.shape.flit_w}}},
      {"first_seed", soak.first_seed},
      {"chunks", soak.chunks},
      {"cases", soak.cases},
      {"cycles", soak.cycles},
      {"packets", soak.packets},
      {"failing_cases", soak.failing_cases},
      {"failures", std::move(failures)},
      {"link_packets", soak.link_packets},
      {"link_longest_stalls", soak.link_longest_stalls}};
  common::write_report(path, header);
}

Soak read_soak(const std::filesystem::path& path) {
  const common::ReportEnvelope report = common::read_report(path, "soak");
  Soak soak;
  try {
    soak = read_data(report.data);
  } catch (const json::exception& error) {
    throw BadInput(fmt::format("{}: damaged: {}", path.string(), error.what()));
  }
  const auto links = soak.shape.links();
  if (soak.link_packets.size() != links || soak.link_longest_stalls.size() != links) {
    throw BadInput(fmt::format("{}: damaged: it must have {} links", path.string(), links));
  }
  return soak;
}

std::string soak_summary(const Soak& soak, std::uint64_t goal) {
  std::string text = fmt::format("{} in {} and {} cycles; {} of {} packets\n",
                                 counted(soak.chunks, "chunk"), counted(soak.cases, "case"),
                                 grouped(soak.cycles), grouped(soak.packets), grouped(goal));
  if (!soak.link_packets.empty()) {
    const auto [few, many] = std::ranges::minmax(soak.link_packets);
    const auto [brief, longest] = std::ranges::minmax(soak.link_longest_stalls);
    text += fmt::format("each link: {} to {} packets; longest stall {} to {} cycles\n",
                        grouped(few), grouped(many), grouped(brief), grouped(longest));
  }
  for (const SoakFailure& failure : soak.failures) {
    text += fmt::format("failed: {} seed {}: {}\n  run again: {}\n", failure.suite, failure.seed,
                        failure.reason, failure.command);
  }
  if (soak.failing_cases > soak.failures.size()) {
    text += fmt::format("{} in all\n", counted(soak.failing_cases, "failing case"));
  }
  return text;
}

std::string soak_links(const Soak& soak) {
  const topology::MazeLinks links(soak.shape.nx, soak.shape.ny);
  std::string text = fmt::format("{:<28} {:>18} {:>14}\n", "link", "packets", "longest stall");
  for (const topology::MazeLink& link : links.links()) {
    const std::size_t at = std::size_t{link.to.port} * soak.shape.nodes() + link.to.node;
    text += fmt::format("{:<28} {:>18} {:>14}\n", links.link_name(link),
                        grouped(soak.link_packets[at]), grouped(soak.link_longest_stalls[at]));
  }
  return text;
}

}  // namespace kernbench::sim
