// SPDX-License-Identifier: Apache-2.0
#include "sim/report/json_report.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/description.hpp"
#include "common/hash.hpp"
#include "sim/report/regression_digest.hpp"
#include "sim/report/rtl_forms.hpp"

namespace kernbench::sim {

namespace {

/// The data of the report of a regression.
struct RegressionReport {
  const RegressionResult& result;
  const CoverageSummary& coverage;
  const RegressionDigest& digest;
  const topology::MazeLinks& links;
};
struct ModelOfRun {
  const RegressionResult& result;
};
struct TotalsOfRun {
  const RegressionReport& report;
};
struct CaseRow {
  const CaseResult& one;
  Ports ports;
};
/// Latencies in cycles; the second one has their histogram.
struct LatencyRow {
  LatencyHistogram latency;
};
struct HistogramRow {
  LatencyRow row;
};
struct QosLatencies {
  const UserTraffic& traffic;
};
struct AllLatencies {
  const UserTraffic& traffic;
};
struct NodeRow {
  std::string name;
  std::uint64_t accepted = 0;
  std::uint64_t delivered = 0;
};
struct StalledLink {
  CountedLink link;
  std::uint64_t longest_stall = 0;
};
struct FaultKindRow {
  const KillRow& row;
  std::map<std::string, KillCell> by_checker;
};

std::vector<CaseRow> cases_of(const RegressionReport& report) {
  std::vector<CaseRow> rows;
  for (const CaseResult& one : report.result.cases)
    rows.push_back({one, ports_of(report.result, report.links)});
  return rows;
}

/// Returns all links in the order of MazeLinks: by source node, then by port.
std::vector<StalledLink> links_of(const RegressionReport& report) {
  std::vector<StalledLink> rows;
  const RegressionResult& result = report.result;
  if (result.noc) {
    for (std::size_t i = 0; i < result.noc->channels.size(); ++i) {
      rows.push_back({{result.noc->channels[i], result.noc->stages[i],
                       count_at(result.link_packets, i), count_at(result.link_stalls, i)},
                      count_at(result.link_longest_stalls, i)});
    }
    return rows;
  }
  for (const topology::MazeLink& link : report.links.links()) {
    rows.push_back({counted_link(report.links, link, result.link_packets, result.link_stalls),
                    count_at(result.link_longest_stalls, place_of(report.links, link))});
  }
  return rows;
}

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

std::vector<NodeRow> nodes_of(const RegressionReport& report) {
  std::vector<NodeRow> rows;
  const std::optional<UserTraffic>& users = report.result.users;
  const std::optional<NocNames>& noc = report.result.noc;
  const auto count = noc ? static_cast<unsigned>(noc->nodes.size()) : report.result.shape.nodes();
  for (unsigned node = 0; users && node < count; ++node) {
    rows.push_back({noc ? noc->nodes[node] : report.links.coordinates(node),
                    count_at(users->accepted, node), count_at(users->delivered, node)});
  }
  return rows;
}

/// Words of the condition of members that only a network has.
constexpr const char* kOfNetwork = "the design is a network";

std::vector<FaultKindRow> kill_matrix_of(const RegressionReport& report) {
  std::vector<FaultKindRow> rows;
  const KillMatrix& kills = report.digest.kills;
  for (const KillRow& row : kills.rows) {
    FaultKindRow& kind = rows.emplace_back(FaultKindRow{row, {}});
    for (std::size_t i = 0; i < kills.checkers.size(); ++i) {
      kind.by_checker[kills.checkers[i]] = row.cells[i];
    }
  }
  return rows;
}

/// Returns nothing unless there are proofs of this RTL.
std::optional<Proofs> proofs_of(const RegressionReport& report) {
  const std::optional<Proofs>& known = report.result.proofs;
  return known && known->state == Proofs::State::OfThisRtl ? known : std::nullopt;
}

}  // namespace

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::AllLatencies;
using sim::CaseRow;
using sim::FaultKindRow;
using sim::HistogramRow;
using sim::HostRow;
using sim::JudgedCoverage;
using sim::KillCell;
using sim::LatencyRow;
using sim::ModelOfRun;
using sim::NocNames;
using sim::NodeRow;
using sim::Proofs;
using sim::QosLatencies;
using sim::RegressionReport;
using sim::StalledLink;
using sim::TotalsOfRun;

template <>
const Description<ModelOfRun>& description_of() {
  static const auto kAll =
      Description<ModelOfRun>()
          .add(
              "hash", [](const auto& model) { return model.result.model_hash; },
              "of the sources of the verilated model")
          .add(
              "checkers", [](const auto& model) { return model.result.checkers; },
              "true if it has its SystemVerilog checkers")
          .add(
              "rtl_checks", [](const auto& model) { return model.result.rtl_checks; },
              "in the sources of the RTL")
          .add(
              "structure", [](const auto& model) { return model.result.structure; },
              "state of its check; empty when none was asked")
          .one_of({"checked", "findings", "not checked", "not checked (--no-structure)", ""});
  return kAll;
}

template <>
const Description<NocNames>& description_of() {
  static const auto kAll =
      Description<NocNames>()
          .add("topology", &NocNames::topology)
          .add(
              "nodes", [](const auto& noc) { return noc.nodes.size(); }, "routers")
          .add(
              "channels", [](const auto& noc) { return noc.channels.size(); }, "one-way")
          .add("classes", &NocNames::classes, "virtual channels of the routes")
          .add("lanes", &NocNames::lanes, "virtual channels of each class")
          .add("slots", &NocNames::slots, "flits that a virtual channel of an input holds")
          .add("flit_bits", &NocNames::flit_bits);
  return kAll;
}

template <>
const Description<TotalsOfRun>& description_of() {
  static const auto kAll =
      Description<TotalsOfRun>()
          .add(
              "planned", [](const auto& all) { return all.report.result.planned; }, "cases")
          .add(
              "not_run", [](const auto& all) { return all.report.result.not_run; },
              "planned cases that were not started after a failure")
          .add(
              "cases", [](const auto& all) { return all.report.result.cases.size(); }, "that ran")
          .add(
              "passed", [](const auto& all) { return all.report.digest.passed; }, "cases")
          .add("cycles", [](const auto& all) { return all.report.digest.cycles; })
          .add(
              "delivered", [](const auto& all) { return all.report.digest.delivered; },
              "packets, over all links")
          .add("checks", [](const auto& all) { return all.report.digest.checks; })
          .add("links", [](const auto& all) { return all.report.result.links(); })
          .add(
              "links_delivered", [](const auto& all) { return all.report.digest.live_links; },
              "links with at least one packet")
          .add("faults_injected",
               [](const auto& all) { return all.report.digest.kills.injected(); })
          .add("faults_caught", [](const auto& all) { return all.report.digest.kills.caught(); });
  return kAll;
}

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
const Description<NodeRow>& description_of() {
  static const auto kAll = Description<NodeRow>()
                               .add("name", &NodeRow::name)
                               .add("accepted", &NodeRow::accepted, "packets at its A")
                               .add("delivered", &NodeRow::delivered, "copies at its B");
  return kAll;
}

template <>
const Description<CaseRow>& description_of() {
  static const auto kAll =
      Description<CaseRow>()
          .add("suite", [](const auto& row) { return row.one.suite; })
          .add("name", [](const auto& row) { return sim::filled(row.one.name); })
          .absent_unless("suite and seed do not name the case")
          .add("seed", [](const auto& row) { return row.one.seed; })
          .add(
              "failed_node", [](const auto& row) { return row.one.failed_node; },
              "node of a network without a clock")
          .absent_unless("a node failed")
          .add("outcome", [](const auto& row) { return row.one.outcome; })
          .add(
              "reason", [](const auto& row) { return row.one.reason; },
              "empty if the outcome is pass")
          .add(
              "known", [](const auto& row) { return sim::filled(row.one.known); },
              "why the failure is known, and until when")
          .absent_unless("the failure is known")
          .add(
              "command", [](const auto& row) { return row.one.command; },
              "runs exactly this case again")
          .add("pattern", [](const auto& row) { return row.one.pattern; })
          .add("back_pressure", [](const auto& row) { return row.one.back_pressure; })
          .add("cycles", [](const auto& row) { return row.one.cycles; })
          .add("delivered", [](const auto& row) { return row.one.delivered; })
          .add(
              "mean_latency", [](const auto& row) { return row.one.mean_latency; },
              "cycles from acceptance to delivery")
          .at_least(0)
          .add(
              "accepted",
              [](const auto& row) {
                return row.one.users ? std::optional(row.one.users->packets()) : std::nullopt;
              },
              "packets at A; delivered counts copies at B")
          .absent_unless(sim::kOfNetwork)
          .add(
              "latency",
              [](const auto& row) {
                return row.one.users ? std::optional(QosLatencies{*row.one.users}) : std::nullopt;
              },
              "in cycles from A to B, by QoS level; null without copies")
          .absent_unless(sim::kOfNetwork)
          // In hexadecimal: many JSON readers keep only 53 bits of a number.
          .add("output_hash", [](const auto& row) { return hex64(row.one.output_hash); })
          .hash()
          .add("checkers", [](const auto& row) { return row.one.checkers; })
          .add(
              "not_checked", [](const auto& row) { return row.one.not_checked; },
              "what the run was too short for")
          .add(
              "failures",
              [](const auto& row) { return sim::failure_rows(row.ports, row.one.failures); },
              "the first ones, by cycle")
          .add(
              "output", [](const auto& row) { return sim::printed(row.one.rtl_text); },
              "text that the RTL printed")
          .or_null()
          .add(
              "fault", [](const auto& row) { return sim::fault_row(row.ports, row.one.fault); },
              "the fault that the case injected")
          .or_null()
          .add(
              "cause", [](const auto& row) { return sim::filled(row.one.page); },
              "page of the cause, relative to the report folder")
          .or_null()
          .optional()  // reports of 0.3.0 have none
          .add(
              "wave", [](const auto& row) { return sim::filled(row.one.wave); },
              "waves of the failure, relative to the report folder")
          .or_null()
          .add(
              "wave_setup", [](const auto& row) { return sim::filled(row.one.wave_setup); },
              "the setup of GTKWave beside them")
          .or_null()
          .add(
              "view", [](const auto& row) { return sim::filled(row.one.view); },
              "command that opens the waves")
          .or_null()
          .add("host", [](const auto& row) { return HostRow{row.one.seconds}; });
  return kAll;
}

template <>
const Description<StalledLink>& description_of() {
  static const auto kAll = Description<StalledLink>()
                               .add_members(&StalledLink::link)
                               .add("longest_stall", &StalledLink::longest_stall, "cycles");
  return kAll;
}

template <>
const Description<KillCell>& description_of() {
  static const auto kAll =
      Description<KillCell>()
          .add("attached", &KillCell::attached, "cases with an effective fault and this checker")
          .add("caught", &KillCell::caught, "cases in which it noticed the fault")
          .add("alone", &KillCell::alone, "cases in which no other checker noticed it");
  return kAll;
}

template <>
const Description<FaultKindRow>& description_of() {
  static const auto kAll = Description<FaultKindRow>()
                               .add("fault", [](const auto& kind) { return kind.row.fault; })
                               .add("cases", [](const auto& kind) { return kind.row.cases; })
                               .add(
                                   "injected", [](const auto& kind) { return kind.row.injected; },
                                   "cases in which it took effect")
                               .add(
                                   "caught", [](const auto& kind) { return kind.row.caught; },
                                   "cases in which any checker noticed it")
                               .add("by_checker", &FaultKindRow::by_checker);
  return kAll;
}

template <>
const Description<Proofs>& description_of() {
  static const auto kAll =
      Description<Proofs>()
          .add("proven", &Proofs::proven, "properties")
          .add("refuted", &Proofs::refuted)
          .add("undecided", &Proofs::undecided)
          .add(
              "report", [](const auto& proofs) { return sim::filled(proofs.link); },
              "path of their page relative to the report folder")
          .or_null();
  return kAll;
}

template <>
const Description<RegressionReport>& description_of() {
  static const auto kAll =
      Description<RegressionReport>()
          .add(
              "config", [](const auto& all) { return all.result.config; },
              "path of the regression file as given")
          .add("shape",
               [](const auto& all) {
                 return all.result.noc ? std::nullopt : std::optional(all.result.shape);
               })
          .absent_unless("the design is a MAZE")
          .add(
              "network", [](const auto& all) { return all.result.noc; }, "of any topology")
          .absent_unless("the design is a network of any topology")
          .add("model", [](const auto& all) { return ModelOfRun{all.result}; })
          .add("totals", [](const auto& all) { return TotalsOfRun{all}; })
          .add("cases", sim::cases_of,
               "in configuration order, then those of the coverage goals and of the structure")
          .add("nodes", sim::nodes_of)
          .absent_unless(sim::kOfNetwork)
          .add("links", sim::links_of, "by sending node, then by port")
          .add(
              "latency",
              [](const auto& all) {
                return all.result.users ? std::optional(AllLatencies{*all.result.users})
                                        : std::nullopt;
              },
              "in cycles from A to B, by QoS level and by type; null without copies")
          .absent_unless(sim::kOfNetwork)
          .add(
              "coverage",
              [](const auto& all) {
                return JudgedCoverage{all.coverage, all.result.full_coverage};
              },
              "merged over the cases")
          .add("kill_matrix", sim::kill_matrix_of, "by kind of injected fault")
          .add("proofs", sim::proofs_of, "of the same RTL")
          .or_null()
          .add("host", [](const auto& all) { return HostRow{all.result.seconds}; });
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim {

const plot::ReportKind kRegressionReport = {
    .name = "regression",
    .command = "sim",
    .about = "A regression of the RTL: of TOPO, of its network, or of a network of any topology",
    .envelope = {.grade = false, .seed = true},
    .form = common::form_of<RegressionReport>,
    .has_own_page = true};

nlohmann::json regression_data(const RegressionResult& result, const CoverageSummary& coverage) {
  const RegressionDigest digest(result);
  const topology::MazeLinks links(result.shape.nx, result.shape.ny);
  return common::to_json(RegressionReport{result, coverage, digest, links});
}

}  // namespace kernbench::sim
