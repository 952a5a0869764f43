// SPDX-License-Identifier: Apache-2.0
// A workload on all fabrics, as reports have it.
#include <optional>
#include <vector>

#include "common/description.hpp"
#include "cosim/report/json.hpp"
#include "cosim/report/report_rows.hpp"
#include "cosim/report/worst_forms.hpp"
#include "sim/report/rtl_forms.hpp"

namespace kernbench::cosim {
namespace {

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

}  // namespace
}  // namespace kernbench::cosim

namespace kernbench::common {

using cosim::OfferedLoad;
using cosim::RunRow;
using cosim::WorkloadRow;

template <>
const Description<OfferedLoad>& description_of() {
  static const auto kAll =
      Description<OfferedLoad>()
          .add("load", &OfferedLoad::load, "packets, or flits, per sender and cycle")
          .at_least(0)
          .add("senders", &OfferedLoad::senders)
          .add("warmup_cycles", &OfferedLoad::warmup, "before the measurement")
          .add("cycles", &OfferedLoad::cycles, "measured");
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

}  // namespace kernbench::common
