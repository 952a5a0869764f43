// SPDX-License-Identifier: Apache-2.0
#include "sim/report/network_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/report_envelope.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/report_writer.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownHoles = 20;  // as failures of a case; the reports have a list of all

/// Returns null without copies.
Json latency_row(const LatencyHistogram& latency) {
  if (latency.copies() == 0) return nullptr;
  return {{"copies", latency.copies()},
          {"mean", latency.mean()},
          {"median", latency.percentile(500)},
          {"p99", latency.percentile(990)},
          {"longest", latency.longest()}};
}

/// Returns a row with pairs of a latency and the copies that took it.
Json histogram_row(const LatencyHistogram& latency) {
  Json row = latency_row(latency);
  if (row.is_null()) return row;
  Json pairs = Json::array();
  for (std::size_t cycles = 0; cycles < latency.counts().size(); ++cycles) {
    if (latency.counts()[cycles] != 0) pairs.push_back({cycles, latency.counts()[cycles]});
  }
  row["histogram_cycles"] = std::move(pairs);
  return row;
}

Json network_cases_json(const NetworkRegression& network) {
  Json rows = Json::array();
  for (const NetworkCaseRun& one : network.cases) {
    const NetworkCase& spec = one.spec;
    const NetworkResult& result = one.result;
    const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    rows.push_back({{"suite", spec.suite},
                    {"name", spec.name},
                    {"seed", spec.seed},
                    {"failed_node", spec.failed ? Json(*spec.failed) : Json()},
                    {"outcome", common::name(result.outcome)},
                    {"reason", result.failure.text},
                    {"command", one.command},
                    {"wave", or_null(one.wave)},
                    {"wave_setup", or_null(one.wave_setup)},
                    {"view", or_null(one.view)},
                    {"cycles", result.cycles},
                    {"accepted", result.accepted},
                    {"delivered", result.delivered},
                    {"latency",
                     {{"low", latency_row(result.traffic.of_qos(0))},
                      {"high", latency_row(result.traffic.of_qos(1))}}},
                    {"output", rtl_text_json(result.rtl_text)},
                    {"host", {{"seconds", result.seconds}}}});
  }
  return rows;
}

/// Returns one count, also for a regression that ended before its first case.
std::uint64_t at_or_0(const std::vector<std::uint64_t>& counts, std::size_t at) {
  return at < counts.size() ? counts[at] : 0;
}

Json network_links_json(const NetworkTraffic& traffic, const topology::MazeLinks& links) {
  Json rows = Json::array();
  for (const topology::MazeLink& link : links.links()) {
    const std::size_t at = std::size_t{link.to.port} * links.nodes() + link.to.node;
    rows.push_back({{"name", links.link_name(link)},
                    {"depth", link.depth},
                    {"packets", at_or_0(traffic.link_packets, at)},
                    {"stalls", at_or_0(traffic.link_stalls, at)}});
  }
  return rows;
}

CoverageSummary coverage_of(const NetworkRegression& network) {
  return network.sum.coverage ? network.sum.coverage->summary() : CoverageSummary{};
}

/// Returns a case of the missed bins.
CaseResult missed_bins(const NetworkRegression& network, const CoverageSummary& coverage) {
  CaseResult result;
  result.suite = "coverage goals";
  result.pattern = kCoveragePattern;
  result.seed = network.seed;
  result.command = network.command;
  result.outcome = common::Outcome::Mismatch;
  const std::uint64_t missed = coverage.total() - coverage.hit();
  result.reason = fmt::format("{} {} missed", counted(missed, "bin"), missed == 1 ? "was" : "were");
  for (const std::string& hole : network.sum.coverage->holes(kShownHoles)) {
    result.failures.push_back({"coverage", "missed_bin", 0, std::nullopt, hole});
  }
  return result;
}

}  // namespace

nlohmann::json network_data(const NetworkRegression& network) {
  const maze::Shape& shape = network.shape;
  const topology::MazeLinks links(shape.nx, shape.ny);
  const NetworkTraffic& traffic = network.sum.traffic;
  const auto passed = std::count_if(network.cases.begin(), network.cases.end(), [](auto& one) {
    return one.result.outcome == common::Outcome::Pass;
  });
  Json nodes = Json::array();
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    nodes.push_back({{"name", links.coordinates(node)},
                     {"accepted", at_or_0(traffic.accepted, node)},
                     {"delivered", at_or_0(traffic.delivered, node)}});
  }
  Json coverage = coverage_json(coverage_of(network));
  coverage["required"] = network.full_coverage;
  return {{"shape", {{"nx", shape.nx}, {"ny", shape.ny}, {"flit_w", shape.flit_w}}},
          {"model",
           {{"hash", network.model_hash},
            {"checkers", network.checkers},
            {"rtl_checks", rtl_checks_json(network.rtl_checks)}}},
          {"totals",
           {{"planned", network.planned},
            {"cases", network.cases.size()},
            {"passed", passed},
            {"cycles", network.sum.cycles},
            {"accepted", network.sum.accepted},
            {"delivered", network.sum.delivered}}},
          {"cases", network_cases_json(network)},
          {"nodes", std::move(nodes)},
          {"links", network_links_json(traffic, links)},
          {"coverage", std::move(coverage)},
          {"latency",
           {{"low", histogram_row(traffic.of_qos(0))},
            {"high", histogram_row(traffic.of_qos(1))},
            {"unicast", histogram_row(traffic.of_type(0))},
            {"column", histogram_row(traffic.of_type(1))},
            {"row", histogram_row(traffic.of_type(2))},
            {"broadcast", histogram_row(traffic.of_type(3))}}},
          {"host", {{"seconds", network.seconds}}}};
}

RegressionResult as_regression(const NetworkRegression& network) {
  RegressionResult result;
  result.config = fmt::format("network {}x{}", network.shape.nx, network.shape.ny);
  result.config_hash = network.config_hash;
  result.revision = network.revision;
  result.command = network.command;
  result.seed = network.seed;
  result.shape = network.shape;
  result.model_hash = network.model_hash;
  result.checkers = network.checkers;
  result.rtl_checks = network.rtl_checks;
  result.outcome = network.outcome;
  result.full_coverage = network.full_coverage;
  result.planned = network.planned;
  result.link_packets = network.sum.traffic.link_packets;
  result.link_stalls = network.sum.traffic.link_stalls;
  result.seconds = network.seconds;
  for (const NetworkCaseRun& run : network.cases) {
    const NetworkResult& one = run.result;
    CaseResult& row = result.cases.emplace_back();
    row.suite = run.spec.suite;
    row.name = run.spec.name;
    row.seed = run.spec.seed;
    row.outcome = one.outcome;
    row.reason = one.failure.text;
    row.command = run.command;
    row.wave = run.wave;
    row.wave_setup = run.wave_setup;
    row.view = run.view;
    row.cycles = one.cycles;
    row.delivered = one.delivered;
    row.mean_latency = one.traffic.of_all().mean();
    row.rtl_text = one.rtl_text;
    row.seconds = one.seconds;
  }
  const CoverageSummary coverage = coverage_of(network);
  if (network.full_coverage && coverage.hit() != coverage.total() &&
      network.outcome != common::Outcome::Interrupted) {
    result.cases.push_back(missed_bins(network, coverage));
  }
  return result;
}

std::vector<std::string> write_network_reports(const std::filesystem::path& folder,
                                               const NetworkRegression& network) {
  common::ReportEnvelope report;
  report.kind = "network-report";
  report.outcome = network.outcome;
  report.seed = network.seed;
  report.config_hash = network.config_hash;
  report.revision = network.revision;
  report.command = network.command;
  report.data = network_data(network);
  return write_files(folder, {{kNetworkReports[0], common::render_report(report)},
                              {kNetworkReports[1], network_html(network)},
                              {kNetworkReports[2], junit_report(as_regression(network))}});
}

}  // namespace kernbench::sim
