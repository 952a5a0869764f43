// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/enum_names.hpp"
#include "common/hash.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using common::Outcome;

namespace {

std::string share_text(double share) {
  return fmt::format("{:.2f}%", 100 * share);
}

std::string text_of_row(const WorkloadResult& result, const FabricRun& run,
                        const topology::SipSpec& sip) {
  const Workload& workload = result.workload;
  std::string row =
      fmt::format("{:<18} {:>5} {:<9} {:>9} {:>9} {:>9}", workload.name,
                  workload.offered ? fmt::format("{:.2f}", workload.offered->load) : "-",
                  common::name_of(kFabricKindNames, run.fabric), run.transfers, run.packets,
                  run.clocked ? fmt::format("{}", run.clocked->cycles) : "-");
  if (run.outcome != Outcome::Pass) return row + "  " + failed_place(run) + run.reason + "\n";
  const LatencySummary latency = summarize(run, first_measured(workload, sip));
  row +=
      fmt::format(" {:>8} {:>9} {:>9} {:>9} {:>9}",
                  workload.offered ? fmt::format("{:.4f}", accepted_load(workload, run, sip)) : "-",
                  sim::ns_text(latency.mean), sim::ns_text(static_cast<double>(latency.median)),
                  sim::ns_text(static_cast<double>(latency.p95)),
                  sim::ns_text(static_cast<double>(latency.max)));
  const FabricRun* reference = result.reference();
  if (reference != nullptr && reference != &run && run.fabric == FabricKind::Analytic) {
    const LatencyError error = latency_error(run, *reference);
    row += fmt::format("  {:>7} {:>7} {:>8}", share_text(error.median), share_text(error.p95),
                       share_text(error.max));
  } else if (run.fabric == FabricKind::Rtl && result.run(FabricKind::Cycle) != nullptr &&
             result.outcome == Outcome::Pass) {
    row += "  equals cycle in every packet";
  }
  return row + "\n";
}

/// Returns the operations of a machine with the largest errors of the analytic fabric.
std::string text_of_operations(const WorkloadResult& result) {
  constexpr std::size_t kShown = 3;
  const FabricRun* analytic = result.run(FabricKind::Analytic);
  const FabricRun* reference = result.reference();
  if (analytic == nullptr || reference == nullptr || analytic == reference ||
      analytic->outcome != Outcome::Pass || result.outcome != Outcome::Pass) {
    return "";
  }
  std::string text;
  for (const std::size_t operation : latency_error(*analytic, *reference, kShown).worst) {
    text +=
        fmt::format("{:<18} {:>5} {:>9} {:>9} {:>9}  {}\n", result.workload.name, "-", operation,
                    sim::ns_text(static_cast<double>(reference->latency(operation).ps())),
                    sim::ns_text(static_cast<double>(analytic->latency(operation).ps())),
                    reference->machine->operations[operation]);
  }
  return text;
}

/// Returns the transfers with the largest errors of the analytic fabric, their paths, and where
/// they lost most time over the cycle reference.
std::string text_of_offenders(const WorkloadResult& result) {
  constexpr std::size_t kShown = 3;
  const FabricRun* analytic = result.run(FabricKind::Analytic);
  const FabricRun* cycle = result.run(FabricKind::Cycle);
  if (result.workload.machine != nullptr) return text_of_operations(result);
  if (analytic == nullptr || cycle == nullptr || cycle->clocked->traces.empty() ||
      analytic->outcome != Outcome::Pass || cycle->outcome != Outcome::Pass) {
    return "";
  }
  const Workload& workload = result.workload;
  std::string text;
  for (const std::size_t transfer : latency_error(*analytic, *cycle, kShown).worst) {
    text += fmt::format("{:<18} {:>5} {:>9} {:>9} {:>9}  ", workload.name,
                        workload.offered ? fmt::format("{:.2f}", workload.offered->load) : "-",
                        transfer, sim::ns_text(static_cast<double>(cycle->latency(transfer).ps())),
                        sim::ns_text(static_cast<double>(analytic->latency(transfer).ps())));
    const topology::MazeLinks& links = cycle->clocked->traces.front()->links();
    const auto lost = lost_time_of(result, transfer);
    if (lost) {
      text += fmt::format("{:<34} {}\n", lost->path(links), lost->place(links));
    } else {
      const model::fabric::TimedTransfer& sent = workload.transfers[transfer];
      text +=
          fmt::format("{} from {}\n", common::name_of(model::fabric::kTransferTypeNames, sent.type),
                      links.coordinates(sent.src));
    }
  }
  return text;
}

/// Returns the hashes of the numbers that machines computed, for workloads that passed.
std::string text_of_numbers(const std::vector<WorkloadResult>& results) {
  std::string text;
  for (const WorkloadResult& result : results) {
    const std::optional<MachineResults>& machine = result.runs.front().machine;
    if (result.outcome != Outcome::Pass || !machine || !machine->result_hash) continue;
    text +=
        fmt::format("  {:<22} {}, {} operations\n", result.workload.name,
                    common::hex64(*machine->result_hash), sim::grouped(machine->operations.size()));
  }
  return text.empty() ? text : "\nhash of the computed numbers, equal over all fabrics\n" + text;
}

std::string text_of_checks(const std::vector<WorkloadResult>& results) {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> checks;  // compared, failed
  for (const WorkloadResult& result : results) {
    for (const FabricRun& run : result.runs) {
      if (!run.rtl) continue;
      for (const sim::CheckerResult& checker : run.rtl->checkers) {
        checks[checker.name].first += checker.checks;
        checks[checker.name].second += checker.failures;
      }
    }
  }
  std::string text;
  for (const auto& [name, counts] : checks) {
    text += counts.first != 0 ? fmt::format("  {:<22} {:>14} compared, {} failed\n", name,
                                            counts.first, counts.second)
                              : fmt::format("  {:<22} {:>14}: no run was as long as its window\n",
                                            name, "not checked");
  }
  return text.empty() ? text : "\ncheckers of the RTL\n" + text;
}

std::string text_of_coverage(const std::vector<WorkloadResult>& results) {
  const sim::CoverageSummary coverage = rtl_coverage(results);
  if (coverage.groups.empty()) return "";
  return fmt::format("functional coverage of the RTL: {} of {} bins, {}\n",
                     sim::grouped(coverage.hit()), sim::grouped(coverage.total()),
                     sim::percent(coverage.hit(), coverage.total()));
}

}  // namespace

std::string text_report(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip,
                        common::Colour colour) {
  std::string text = common::bold(
      fmt::format("{:<18} {:>5} {:<9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9}  {:>7} {:>7} "
                  "{:>8}",
                  "workload", "load", "fabric", "transfers", "packets", "cycles", "accepted",
                  "mean ns", "median", "p95", "max", "err med", "p95", "max"),
      colour);
  text += "\n";
  for (const WorkloadResult& result : results) {
    for (const FabricRun& run : result.runs) text += text_of_row(result, run, sip);
  }
  std::string offenders;
  for (const WorkloadResult& result : results) offenders += text_of_offenders(result);
  if (!offenders.empty()) {
    text += fmt::format(
        "\nlargest errors\n{}\n{}",
        common::bold(fmt::format("{:<18} {:>5} {:>9} {:>9} {:>9}  {:<34} {}", "workload", "load",
                                 "number", "cycle ns", "analytic", "path or operation",
                                 "where the cycle reference lost most"),
                     colour),
        offenders);
  }
  if (!results.empty()) text += fmt::format("\ntimes: {}\n", grade_of(results).text());
  text += text_of_numbers(results) + text_of_checks(results) + text_of_coverage(results);
  std::size_t passed = 0;
  for (const WorkloadResult& result : results) {
    if (result.outcome == Outcome::Pass) {
      ++passed;
      continue;
    }
    text += fmt::format("\n{}: {}\n", result.workload.name, result.reason);
  }
  if (!results.empty() &&
      std::ranges::all_of(results, [](const WorkloadResult& r) { return r.runs.size() == 1; })) {
    text += "\none fabric: its times are compared with nothing\n";
  }
  text +=
      fmt::format("\n{}  {} of {} workloads\n",
                  outcome_of(results) == Outcome::Pass ? "PASS" : "FAIL", passed, results.size());
  return text;
}

}  // namespace kernbench::cosim
