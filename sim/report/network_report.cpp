// SPDX-License-Identifier: Apache-2.0
#include "sim/report/network_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "common/description.hpp"
#include "common/report_envelope.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/report_writer.hpp"
#include "sim/report/rtl_forms.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

/// The data of the report of a network.
struct NetworkReport {
  const NetworkRegression& network;
  const topology::MazeLinks& links;
};
struct NetworkModelRow {
  const NetworkRegression& network;
};
struct NetworkTotalsRow {
  const NetworkRegression& network;
};
struct NodeRow {
  std::string name;
  std::uint64_t accepted = 0;
  std::uint64_t delivered = 0;
};
/// Latencies in cycles; the second one has their histogram.
struct LatencyRow {
  LatencyHistogram latency;
};
struct HistogramRow {
  LatencyRow row;
};
struct QosLatencies {
  const NetworkTraffic& traffic;
};
struct AllLatencies {
  const NetworkTraffic& traffic;
};

constexpr std::size_t kShownHoles = 20;  // as failures of a case; the reports have a list of all

/// Returns nothing without copies.
std::optional<LatencyRow> latency_row(const LatencyHistogram& latency) {
  return latency.copies() == 0 ? std::nullopt : std::optional(LatencyRow{latency});
}

std::optional<HistogramRow> histogram_row(const LatencyHistogram& latency) {
  return latency.copies() == 0 ? std::nullopt : std::optional(HistogramRow{{latency}});
}

std::vector<std::array<std::uint64_t, 2>> pairs_of(const HistogramRow& row) {
  std::vector<std::array<std::uint64_t, 2>> pairs;
  const std::vector<std::uint64_t>& counts = row.row.latency.counts();
  for (std::size_t cycles = 0; cycles < counts.size(); ++cycles) {
    if (counts[cycles] != 0) pairs.push_back({cycles, counts[cycles]});
  }
  return pairs;
}

std::vector<CountedLink> network_links(const NetworkReport& report) {
  const NetworkTraffic& traffic = report.network.sum.traffic;
  std::vector<CountedLink> rows;
  for (const topology::MazeLink& link : report.links.links()) {
    rows.push_back(counted_link(report.links, link, traffic.link_packets, traffic.link_stalls));
  }
  return rows;
}

std::vector<NodeRow> network_nodes(const NetworkReport& report) {
  const NetworkTraffic& traffic = report.network.sum.traffic;
  std::vector<NodeRow> rows;
  for (unsigned node = 0; node < report.network.shape.nodes(); ++node) {
    rows.push_back({report.links.coordinates(node), count_at(traffic.accepted, node),
                    count_at(traffic.delivered, node)});
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

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::AllLatencies;
using sim::HistogramRow;
using sim::HostRow;
using sim::JudgedCoverage;
using sim::LatencyRow;
using sim::NetworkCaseRun;
using sim::NetworkModelRow;
using sim::NetworkReport;
using sim::NetworkTotalsRow;
using sim::NodeRow;
using sim::QosLatencies;

template <>
const Description<LatencyRow>& description_of() {
  static const auto kAll =
      Description<LatencyRow>()
          .add("copies", [](const auto& row) { return row.latency.copies(); })
          .at_least(1)
          .add("mean", [](const auto& row) { return row.latency.mean(); })
          .at_least(0)
          .add("median", [](const auto& row) { return row.latency.percentile(500); })
          .add("p99", [](const auto& row) { return row.latency.percentile(990); })
          .add("longest", [](const auto& row) { return row.latency.longest(); });
  return kAll;
}

template <>
const Description<HistogramRow>& description_of() {
  static const auto kAll =
      Description<HistogramRow>()
          .add_members(&HistogramRow::row)
          .add("histogram_cycles", sim::pairs_of, "pairs of a latency and the copies that took it");
  return kAll;
}

template <>
const Description<QosLatencies>& description_of() {
  const auto of = [](unsigned qos) {
    return [qos](const QosLatencies& all) { return sim::latency_row(all.traffic.of_qos(qos)); };
  };
  static const auto kAll =
      Description<QosLatencies>().add("low", of(0)).or_null().add("high", of(1)).or_null();
  return kAll;
}

template <>
const Description<AllLatencies>& description_of() {
  const auto of_qos = [](unsigned qos) {
    return [qos](const AllLatencies& all) { return sim::histogram_row(all.traffic.of_qos(qos)); };
  };
  const auto of_type = [](unsigned type) {
    return
        [type](const AllLatencies& all) { return sim::histogram_row(all.traffic.of_type(type)); };
  };
  static const auto kAll = Description<AllLatencies>()
                               .add("low", of_qos(0))
                               .or_null()
                               .add("high", of_qos(1))
                               .or_null()
                               .add("unicast", of_type(0))
                               .or_null()
                               .add("column", of_type(1))
                               .or_null()
                               .add("row", of_type(2))
                               .or_null()
                               .add("broadcast", of_type(3))
                               .or_null();
  return kAll;
}

template <>
const Description<NetworkCaseRun>& description_of() {
  static const auto kAll =
      Description<NetworkCaseRun>()
          .add("suite", [](const auto& run) { return run.spec.suite; })
          .add("name", [](const auto& run) { return run.spec.name; })
          .add("seed", [](const auto& run) { return run.spec.seed; })
          .add("failed_node", [](const auto& run) { return run.spec.failed; })
          .or_null()
          .add("outcome", [](const auto& run) { return run.result.outcome; })
          .add(
              "reason", [](const auto& run) { return run.result.failure.text; },
              "empty if the outcome is pass")
          .add("command", &NetworkCaseRun::command, "runs exactly this case again")
          .add(
              "wave", [](const auto& run) { return sim::filled(run.wave); },
              "relative to the report folder")
          .or_null()
          .add(
              "wave_setup", [](const auto& run) { return sim::filled(run.wave_setup); },
              "the setup of GTKWave beside it")
          .or_null()
          .add(
              "view", [](const auto& run) { return sim::filled(run.view); },
              "command that opens the waves")
          .or_null()
          .add("cycles", [](const auto& run) { return run.result.cycles; })
          .add(
              "accepted", [](const auto& run) { return run.result.accepted; }, "packets at A")
          .add(
              "delivered", [](const auto& run) { return run.result.delivered; }, "copies at B")
          .add(
              "latency", [](const auto& run) { return QosLatencies{run.result.traffic}; },
              "in cycles from A to B, by QoS level; null without copies")
          .add(
              "output", [](const auto& run) { return sim::printed(run.result.rtl_text); },
              "text that the RTL printed")
          .or_null()
          .add("host", [](const auto& run) { return HostRow{run.result.seconds}; });
  return kAll;
}

template <>
const Description<NetworkModelRow>& description_of() {
  static const auto kAll =
      Description<NetworkModelRow>()
          .add(
              "hash", [](const auto& model) { return model.network.model_hash; },
              "of the sources of the verilated model")
          .add(
              "checkers", [](const auto& model) { return model.network.checkers; },
              "true if it has its SystemVerilog checkers")
          .add(
              "rtl_checks", [](const auto& model) { return model.network.rtl_checks; },
              "in the sources of the RTL");
  return kAll;
}

template <>
const Description<NetworkTotalsRow>& description_of() {
  static const auto kAll =
      Description<NetworkTotalsRow>()
          .add(
              "planned", [](const auto& all) { return all.network.planned; }, "cases")
          .add(
              "cases", [](const auto& all) { return all.network.cases.size(); }, "that ran")
          .add(
              "passed",
              [](const auto& all) {
                const auto& cases = all.network.cases;
                return static_cast<std::size_t>(std::count_if(
                    cases.begin(), cases.end(),
                    [](const auto& one) { return one.result.outcome == Outcome::Pass; }));
              },
              "cases")
          .add("cycles", [](const auto& all) { return all.network.sum.cycles; })
          .add(
              "accepted", [](const auto& all) { return all.network.sum.accepted; }, "packets at A")
          .add(
              "delivered", [](const auto& all) { return all.network.sum.delivered; },
              "copies at B");
  return kAll;
}

template <>
const Description<NodeRow>& description_of() {
  static const auto kAll = Description<NodeRow>()
                               .add("name", &NodeRow::name)
                               .add("accepted", &NodeRow::accepted, "packets at its A")
                               .add("delivered", &NodeRow::delivered, "copies at its B");
  return kAll;
}

template <>
const Description<NetworkReport>& description_of() {
  static const auto kAll =
      Description<NetworkReport>()
          .add("shape", [](const auto& all) { return all.network.shape; })
          .add("model", [](const auto& all) { return NetworkModelRow{all.network}; })
          .add("totals", [](const auto& all) { return NetworkTotalsRow{all.network}; })
          .add("cases", [](const auto& all) { return all.network.cases; })
          .add("nodes", sim::network_nodes)
          .add("links", sim::network_links, "by sending node, then by port")
          .add(
              "coverage",
              [](const auto& all) {
                return JudgedCoverage{sim::coverage_of(all.network), all.network.full_coverage};
              },
              "merged over the cases")
          .add(
              "latency", [](const auto& all) { return AllLatencies{all.network.sum.traffic}; },
              "in cycles from A to B, by QoS level and by type; null without copies")
          .add("host", [](const auto& all) { return HostRow{all.network.seconds}; });
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim {

const plot::ReportKind kNetworkReport = {.name = "network-report",
                                         .command = "sim --network",
                                         .about = "A regression of a network",
                                         .envelope = {.grade = false, .seed = true},
                                         .form = common::form_of<NetworkReport>,
                                         .has_own_page = true};

nlohmann::json network_data(const NetworkRegression& network) {
  const topology::MazeLinks links(network.shape.nx, network.shape.ny);
  return common::json_of(NetworkReport{network, links});
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
  report.kind = kNetworkReport.name;
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
