// SPDX-License-Identifier: Apache-2.0
// The run of a workload on one fabric, as reports have it.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/description.hpp"
#include "common/hash.hpp"
#include "cosim/report/json.hpp"
#include "cosim/report/report_rows.hpp"
#include "cosim/report/worst_forms.hpp"
#include "sim/report/rtl_forms.hpp"

namespace kernbench::cosim {
namespace {

using common::Outcome;

struct LatencyRow {
  RunRow of;
  LatencySummary summary;
};
struct ErrorRow {
  RunRow of;
  const FabricRun& reference;
  LatencyError error;
};

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
template <typename Row>
const RtlResults& rtl_of(const Row& row) {
  static const RtlResults kNone;
  return row.run.rtl ? *row.run.rtl : kNone;
}

std::optional<BetweenRow> between_sips(const RunRow& row) {
  if (row.run.between_sips.empty()) return std::nullopt;
  return BetweenRow{row.run.between_sips.front()};
}

/// Returns a getter of a value that only some runs have.
template <typename Part, typename Value>
auto if_any(std::optional<Part> FabricRun::*part, Value value) {
  return [part, value](const auto& row) {
    using Result = decltype(value(*(row.run.*part)));
    return row.run.*part ? std::optional<Result>(value(*(row.run.*part))) : std::nullopt;
  };
}

}  // namespace
}  // namespace kernbench::cosim

namespace kernbench::common {

using cosim::BetweenRow;
using cosim::ErrorRow;
using cosim::LatencyError;
using cosim::LatencyRow;
using cosim::LatencySummary;
using cosim::RunRow;

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
const Description<BetweenRow>& description_of() {
  using cosim::ClockedResults;
  using cosim::FabricRun;
  static const auto kAll =
      Description<BetweenRow>()
          .add("transfers", [](const auto& row) { return row.run.transfers; })
          .add("flits", [](const auto& row) { return row.run.packets; })
          .add("cycles",
               cosim::if_any(&FabricRun::clocked,
                             [](const ClockedResults& run) { return run.cycles; }),
               "cycles that were stepped, without idle ones; null for analytic")
          .or_null()
          .add("flit_hash",
               cosim::if_any(&FabricRun::clocked,
                             [](const ClockedResults& run) { return hex64(run.packet_hash); }),
               "hash of the flits that entered and left the network, and when")
          .hash()
          .or_null()
          .add("channels",
               cosim::if_any(&FabricRun::clocked,
                             [](const ClockedResults& run) { return run.link_packets; }),
               "flits of each channel")
          .or_null()
          .add("checkers", [](const auto& row) { return cosim::rtl_of(row).checkers; })
          .add("failures",
               [](const auto& row) {
                 return sim::failure_rows(sim::Ports::of_users({}), cosim::rtl_of(row).failures);
               })
          .add("fault",
               [](const auto& row) {
                 return sim::fault_row(sim::Ports::of_users({}), cosim::rtl_of(row).fault);
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
          .add(
              "packets", [](const auto& row) { return row.run.packets; }, "flits over routers")
          .add("cycles",
               cosim::if_any(&FabricRun::clocked,
                             [](const ClockedResults& run) { return run.cycles; }),
               "cycles that were stepped, without idle ones; null for analytic")
          .or_null()
          .add("packet_hash",
               cosim::if_any(&FabricRun::clocked,
                             [](const ClockedResults& run) { return hex64(run.packet_hash); }),
               "hash of the packets or flits that left a link, and when")
          .hash()
          .or_null()
          .add("accepted", cosim::accepted,
               "packets or flits delivered per sender and measured cycle, of synthetic traffic")
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
          .or_null()
          .add("between_sips", cosim::between_sips, "the network between the SIPs of a machine")
          .absent_unless("routers join the SIPs");
  return kAll;
}

}  // namespace kernbench::common
