// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/description.hpp"
#include "common/hash.hpp"
#include "cosim/report/json.hpp"
#include "cosim/report/transfer_paths.hpp"
#include "cosim/report/worst_forms.hpp"
#include "sim/report/rtl_forms.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::cosim {
namespace {

using common::Outcome;

// The parts of a report are views of the results; they do not outlive them.

/// The SIP of all workloads.
struct Place {
  const topology::SipSpec& sip;
  TransferPaths paths;
};
struct CosimReport {
  const Place& place;
  const std::vector<WorkloadResult>& results;
  std::size_t not_run = 0;
};
struct WorkloadRow {
  const Place& place;
  const WorkloadResult& result;
};
struct RunRow {
  const Place& place;
  const WorkloadResult& result;
  const FabricRun& run;
};
struct LatencyRow {
  RunRow of;
  LatencySummary summary;
};
struct ErrorRow {
  RunRow of;
  const FabricRun& reference;
  LatencyError error;
};
struct LinksRow {
  const Place& place;
  const FabricRun& run;
};
struct WindowsRow {
  const FabricRun& run;
};
/// A network of routers.
struct NetworkRow {
  const topology::SipSpec& sip;
};

std::optional<NetworkRow> network(const CosimReport& report) {
  if (report.place.sip.inter_cube != topology::InterCube::Noc) return std::nullopt;
  return NetworkRow{report.place.sip};
}

/// Returns the operations of the reference run; nothing for a list of transfers.
std::optional<std::vector<OperationRow>> operations(const WorkloadRow& row) {
  if (row.result.workload.machine == nullptr) return std::nullopt;
  std::vector<OperationRow> rows;
  const FabricRun* const reference = row.result.reference();
  if (reference == nullptr) return rows;
  for (std::size_t i = 0; i < reference->machine->operations.size(); ++i) {
    rows.push_back({row.result, i});
  }
  return rows;
}

std::optional<std::vector<sim::FailureRow>> parting(const WorkloadRow& row) {
  if (!row.result.parting) return std::nullopt;
  return sim::failure_rows(*row.place.paths.maze(), row.result.parting->rtl->failures);
}

std::optional<LinksRow> links(const WorkloadRow& row) {
  const FabricRun* const run = run_of_links(row.result);
  return run == nullptr ? std::nullopt : std::optional(LinksRow{row.place, *run});
}

/// Returns the utilization of each link to six decimals, which keeps 896 links readable.
std::vector<double> utilization(const LinksRow& row) {
  std::vector<double> shares = link_utilization(row.run, row.place.sip);
  for (double& share : shares) share = std::round(share * 1e6) / 1e6;
  return shares;
}

bool are_counts(std::string_view text) {
  return text.find_first_not_of("0123456789 ") == std::string_view::npos &&
         !text.starts_with(' ') && !text.ends_with(' ') &&
         text.find("  ") == std::string_view::npos;
}
constexpr common::TextRule kCountsRule = {"^([0-9]+( [0-9]+)*)?$", "whole numbers", are_counts};

/// Returns one text per window: a number a line would take six times the space.
std::vector<std::string> window_texts(const WindowsRow& row) {
  std::vector<std::string> texts;
  for (const auto& packets : row.run.clocked->link_windows.packets) {
    texts.push_back(fmt::format("{}", fmt::join(packets, " ")));
  }
  return texts;
}

bool is_complete(const RunRow& row) {
  return row.run.outcome == Outcome::Pass;
}

std::size_t transfers_done(const RunRow& row) {
  std::size_t done = 0;
  for (const auto& played : row.run.played) done += played.done ? 1 : 0;
  return done;
}

std::optional<std::string> result_hash(const RunRow& row) {
  if (!row.run.machine || !row.run.machine->result_hash) return std::nullopt;
  return common::hex64(*row.run.machine->result_hash);
}

std::optional<double> accepted(const RunRow& row) {
  if (!is_complete(row) || !row.result.workload.offered) return std::nullopt;
  return accepted_load(row.result.workload, row.run, row.place.sip);
}

std::optional<LatencyRow> latency(const RunRow& row) {
  if (!is_complete(row)) return std::nullopt;
  return LatencyRow{row, summarize(row.run, first_measured(row.result.workload, row.place.sip))};
}

std::vector<std::array<std::uint64_t, 2>> histogram(const LatencyRow& row) {
  std::vector<std::array<std::uint64_t, 2>> pairs;
  for (const auto& [cycles, count] :
       latency_histogram(row.of.result.workload, row.of.run, row.of.place.sip)) {
    pairs.push_back({cycles, count});
  }
  return pairs;
}

/// Returns the errors of the analytic fabric.
std::optional<ErrorRow> error(const RunRow& row) {
  const FabricRun* const reference = row.result.reference();
  const bool is_compared = is_complete(row) && row.run.fabric == FabricKind::Analytic &&
                           reference != nullptr && reference != &row.run;
  if (!is_compared) return std::nullopt;
  return ErrorRow{row, *reference, latency_error(row.run, *reference)};
}

std::vector<std::variant<TransferRow, OperationRow>> worst(const ErrorRow& row) {
  std::vector<std::variant<TransferRow, OperationRow>> rows;
  for (const std::size_t index : row.error.worst) {
    if (row.of.result.workload.machine != nullptr) {
      rows.emplace_back(OperationRow{row.of.result, index});
    } else {
      rows.emplace_back(TransferRow{row.of.place.paths, row.of.result, index});
    }
  }
  return rows;
}

/// Returns what only RTL has; nothing in it for another fabric.
const RtlResults& rtl_of(const RunRow& row) {
  static const RtlResults kNone;
  return row.run.rtl ? *row.run.rtl : kNone;
}

/// Returns a getter of a value that only some runs have.
template <typename Part, typename Value>
auto if_any(std::optional<Part> FabricRun::*part, Value value) {
  return [part, value](const RunRow& row) {
    using Result = decltype(value(*(row.run.*part)));
    return row.run.*part ? std::optional<Result>(value(*(row.run.*part))) : std::nullopt;
  };
}

}  // namespace
}  // namespace kernbench::cosim

namespace kernbench::common {

using cosim::CosimReport;
using cosim::ErrorRow;
using cosim::LatencyError;
using cosim::LatencyRow;
using cosim::LatencySummary;
using cosim::LinksRow;
using cosim::NetworkRow;
using cosim::OfferedLoad;
using cosim::OperationRow;
using cosim::RunRow;
using cosim::TransferRow;
using cosim::WindowsRow;
using cosim::WorkloadRow;

template <>
const Description<OfferedLoad>& description_of() {
  static const auto kAll = Description<OfferedLoad>()
                               .add("load", &OfferedLoad::load, "packets per sender and cycle")
                               .at_least(0)
                               .add("senders", &OfferedLoad::senders)
                               .add("warmup_cycles", &OfferedLoad::warmup, "before the measurement")
                               .add("cycles", &OfferedLoad::cycles, "measured");
  return kAll;
}

template <>
const Description<LatencySummary>& description_of() {
  static const auto kAll = Description<LatencySummary>()
                               .add("mean_ps", &LatencySummary::mean)
                               .at_least(0)
                               .add("median_ps", &LatencySummary::median)
                               .at_least(0)
                               .add("p95_ps", &LatencySummary::p95, "by nearest rank")
                               .at_least(0)
                               .add("max_ps", &LatencySummary::max)
                               .at_least(0);
  return kAll;
}

template <>
const Description<LatencyRow>& description_of() {
  static const auto kAll =
      Description<LatencyRow>()
          .add_members(&LatencyRow::summary)
          .add("histogram_cycles", cosim::histogram,
               "pairs of a latency, rounded up, and the transfers that took it");
  return kAll;
}

template <>
const Description<LatencyError>& description_of() {
  static const auto kAll =
      Description<LatencyError>()
          .add("median", &LatencyError::median, "share of the latency of the reference")
          .at_least(0)
          .add("p95", &LatencyError::p95)
          .at_least(0)
          .add("max", &LatencyError::max)
          .at_least(0)
          .add("mean_signed", &LatencyError::mean_signed, "positive if slower than the reference");
  return kAll;
}

template <>
const Description<ErrorRow>& description_of() {
  static const auto kAll =
      Description<ErrorRow>()
          .add("reference", [](const auto& row) { return row.reference.fabric; })
          .one_of({"cycle", "rtl"})
          .add_members(&ErrorRow::error)
          .add("worst", cosim::worst, "the largest errors first");
  return kAll;
}

template <>
const Description<RunRow>& description_of() {
  using cosim::ClockedResults;
  using cosim::FabricRun;
  static const auto kAll =
      Description<RunRow>()
          .add("fabric", [](const auto& row) { return row.run.fabric; })
          .add("outcome", [](const auto& row) { return row.run.outcome; })
          .add(
              "reason", [](const auto& row) { return row.run.reason; },
              "empty if the outcome is pass")
          .add("transfers_done", cosim::transfers_done, "or operations of a machine")
          .add("result_hash", cosim::result_hash, "hash of the numbers that a machine computed")
          .hash()
          .or_null()
          .add("packets", [](const auto& row) { return row.run.packets; })
          .add("cycles",
               cosim::if_any(&FabricRun::clocked,
                             [](const ClockedResults& run) { return run.cycles; }),
               "cycles that were stepped, without idle ones; null for analytic")
          .or_null()
          .add("packet_hash",
               cosim::if_any(&FabricRun::clocked,
                             [](const ClockedResults& run) { return hex64(run.packet_hash); }),
               "hash of the packets that left a link, and when")
          .hash()
          .or_null()
          .add("accepted", cosim::accepted,
               "packets delivered per sender and measured cycle, of synthetic traffic")
          .at_least(0)
          .or_null()
          .add(
              "grade", [](const auto& row) { return cosim::grade_of(row.run); },
              "of the times of this fabric")
          .add("latency", cosim::latency, "null unless all completed; without the warm-up")
          .or_null()
          .add("error", cosim::error, "of the analytic fabric, if another completed")
          .or_null()
          .add("checkers", [](const auto& row) { return cosim::rtl_of(row).checkers; })
          .add("failures",
               [](const auto& row) {
                 return sim::failure_rows(cosim::ports_of(row.run, row.place.paths.maze()),
                                          cosim::rtl_of(row).failures);
               })
          .add("fault",
               [](const auto& row) {
                 return sim::fault_row(cosim::ports_of(row.run, row.place.paths.maze()),
                                       cosim::rtl_of(row).fault);
               })
          .or_null()
          .add(
              "model_hash",
              [](const auto& row) { return sim::filled(cosim::rtl_of(row).build_hash); },
              "of the RTL")
          .or_null();
  return kAll;
}

template <>
const Description<WindowsRow>& description_of() {
  static const auto kAll =
      Description<WindowsRow>()
          .add(
              "window_cycles", [](const auto& row) { return row.run.clocked->link_windows.cycles; },
              "length of a window: 16, doubled until 40 windows suffice")
          .add(
              "sips", [](const auto& row) { return row.run.mazes; },
              "fabrics whose packets are added up")
          .at_least(1)
          .add("packets", cosim::window_texts,
               "a text for each window from time 0: the packets of every link")
          .rule(cosim::kCountsRule);
  return kAll;
}

template <>
const Description<LinksRow>& description_of() {
  static const auto kAll =
      Description<LinksRow>()
          .add("fabric", [](const auto& row) { return row.run.fabric; })
          .one_of({"cycle", "rtl"})
          .add(
              "complete", [](const auto& row) { return row.run.outcome == Outcome::Pass; },
              "false if the run ended early")
          .add(
              "packets", [](const auto& row) { return row.run.clocked->link_packets; },
              "of each link, by node * ports + port of the sender; by channel without a MAZE")
          .add("utilization", cosim::utilization,
               "packets per link and cycle to the last completion")
          .refine([](ValueForm& list) {
            list.items().least = 0;
            list.items().most = 1;
          })
          .add("load", [](const auto& row) { return WindowsRow{row.run}; });
  return kAll;
}

template <>
const Description<WorkloadRow>& description_of() {
  static const auto kAll =
      Description<WorkloadRow>()
          .add("name", [](const auto& row) { return row.result.workload.name; })
          .add(
              "outcome", [](const auto& row) { return row.result.outcome; },
              "over all fabrics; pass: cycle reference and RTL agree in every packet")
          .add(
              "reason", [](const auto& row) { return row.result.reason; },
              "empty if the outcome is pass")
          .add(
              "offered", [](const auto& row) { return row.result.workload.offered; },
              "null unless it is synthetic traffic")
          .or_null()
          .add("transfers",
               [](const auto& row) {
                 return row.result.runs.empty() ? 0 : row.result.runs.front().transfers;
               })
          .add("operations", cosim::operations, "of a machine, in the order of the program")
          .or_null()
          .add("parting", cosim::parting,
               "the first difference of cycle reference and RTL; null without one")
          .or_null()
          .add("runs",
               [](const auto& row) {
                 std::vector<RunRow> runs;
                 for (const auto& run : row.result.runs) {
                   runs.push_back({row.place, row.result, run});
                 }
                 return runs;
               })
          .add("links", cosim::links, "null unless a clocked fabric ran")
          .or_null();
  return kAll;
}

template <>
const Description<NetworkRow>& description_of() {
  static const auto kAll =
      Description<NetworkRow>()
          .add("topology", [](const auto& row) { return row.sip.noc_topology->topology()->name(); })
          .add(
              "lanes", [](const auto& row) { return row.sip.noc.lanes; },
              "virtual channels of each class of the routes")
          .at_least(1)
          .add(
              "slots", [](const auto& row) { return row.sip.noc.slots; },
              "flits that an input holds for a virtual channel")
          .at_least(1)
          .add(
              "stages", [](const auto& row) { return row.sip.noc.stages; },
              "registers of each link")
          .add(
              "packet_flits", [](const auto& row) { return row.sip.noc.packet_flits; },
              "most flits of a packet")
          .at_least(1);
  return kAll;
}

template <>
const Description<CosimReport>& description_of() {
  static const auto kAll =
      Description<CosimReport>()
          .add(
              "shape",
              [](const auto& report) {
                const topology::SipSpec& sip = report.place.sip;
                return maze::Shape{sip.cube_mesh_w, sip.cube_mesh_h, cosim::packet_bits_of(sip)};
              },
              "of the cubes")
          .add("network", cosim::network, "that joins the cubes; null: a MAZE")
          .or_null()
          .add("period_ps",
               [](const auto& report) { return cosim::period_of(report.place.sip).ps(); })
          .at_least(1)
          .add(
              "order", [](const auto& report) { return report.place.sip.maze.order; }, "of a MAZE")
          .add(
              "nodes", [](const auto& report) { return cosim::nodes_of(report.results); },
              "those of the MAZE as they are built, or ideal ones")
          .add(
              "failed_node", [](const auto& report) { return report.place.sip.maze.failed_node; },
              "the node that has failed")
          .or_null()
          .add(
              "coverage",
              [](const auto& report) {
                auto coverage = cosim::rtl_coverage(report.results);
                return coverage.groups.empty() ? std::nullopt : std::optional(std::move(coverage));
              },
              "over all runs of rtl; null if none was collected")
          .or_null()
          .add("workloads",
               [](const auto& report) {
                 std::vector<WorkloadRow> rows;
                 for (const auto& result : report.results) rows.push_back({report.place, result});
                 return rows;
               })
          .add("not_run", &CosimReport::not_run, "workloads that were not started after a failure")
          .at_least(1)
          .absent_unless("there are any");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::cosim {

const plot::ReportKind kCosimReport = {.name = "cosim-report",
                                       .command = "cosim",
                                       .about = "Transfers between cubes on several fabrics",
                                       .form = common::form_of<CosimReport>,
                                       .has_own_page = true};

nlohmann::json json_data(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip,
                         std::size_t not_run) {
  const Place place{sip, TransferPaths(sip)};
  return common::to_json(CosimReport{place, results, not_run});
}

}  // namespace kernbench::cosim
