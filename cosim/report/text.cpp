// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/enum_names.hpp"
#include "common/hash.hpp"
#include "common/text_lines.hpp"
#include "common/text_table.hpp"
#include "model/fabric/noc/noc_base.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::cosim {

using common::Outcome;

namespace {

constexpr std::size_t kColumns = 12;    // of the table of runs
constexpr std::size_t kWorstShown = 3;  // largest errors of each workload

std::string ns_cell(double ps) {
  return common::fixed_text(ps / 1000, 1);
}
std::string ns_cell(std::int64_t ps) {
  return ns_cell(static_cast<double>(ps));
}
std::string percent_cell(double share) {
  return common::fixed_text(100 * share, 2);
}

/// Returns the line that stands above the rows of a workload.
std::string title_of(const Workload& workload) {
  return workload.offered ? fmt::format("{}, load {:.2f}", workload.name, workload.offered->load)
                          : workload.name;
}

void add_run(common::TextTable& table, const WorkloadResult& result, const FabricRun& run,
             const topology::SipSpec& sip) {
  const Workload& workload = result.workload;
  const std::string fabric = fmt::format("  {}", common::name_of(kFabricKindNames, run.fabric));
  if (run.outcome != Outcome::Pass) {
    table.add_line(fabric + ": " + failed_place(run) + run.reason);
    return;
  }
  const LatencySummary latency = summarize(run, first_measured(workload, sip));
  std::vector<std::string> cells = {
      fabric,
      sim::grouped(run.transfers),
      sim::grouped(run.packets),
      run.clocked ? sim::grouped(run.clocked->cycles) : "-",
      workload.offered ? fmt::format("{:.4f}", accepted_load(workload, run, sip)) : "-",
      ns_cell(latency.mean),
      ns_cell(latency.median),
      ns_cell(latency.p95),
      ns_cell(latency.max)};
  const FabricRun* reference = result.reference();
  if (reference != nullptr && reference != &run && run.fabric == FabricKind::Analytic) {
    const LatencyError error = latency_error(run, *reference);
    for (const double share : {error.median, error.p95, error.max}) {
      cells.push_back(percent_cell(share));
    }
  }
  cells.resize(kColumns);
  table.add(std::move(cells));
  for (const FabricRun& between : run.between_sips) {
    std::vector<std::string> its_cells = {
        "    between SIPs", sim::grouped(between.transfers), sim::counted(between.packets, "flit"),
        between.clocked ? sim::grouped(between.clocked->cycles) : "-"};
    its_cells.resize(kColumns);
    table.add(std::move(its_cells));
  }
  if (run.fabric == FabricKind::Rtl && result.run(FabricKind::Cycle) != nullptr &&
      result.outcome == Outcome::Pass) {
    table.add_line(fmt::format("  rtl equals cycle in every {}", unit_of(sip)));
  }
}

/// Adds the operations of a machine with the largest errors of the analytic fabric.
void add_worst_operations(common::TextTable& table, const WorkloadResult& result) {
  const FabricRun* analytic = result.run(FabricKind::Analytic);
  const FabricRun* reference = result.reference();
  if (analytic == nullptr || reference == nullptr || analytic == reference ||
      analytic->outcome != Outcome::Pass || result.outcome != Outcome::Pass) {
    return;
  }
  const std::vector<std::size_t> worst = latency_error(*analytic, *reference, kWorstShown).worst;
  if (!worst.empty()) table.add_line(title_of(result.workload));
  for (const std::size_t operation : worst) {
    table.add({"  " + sim::grouped(operation), ns_cell(reference->latency(operation).ps()),
               ns_cell(analytic->latency(operation).ps()),
               reference->machine->operations[operation]});
  }
}

/// Adds the transfers with the largest errors of the analytic fabric, their paths, and where they
/// lost most time over the cycle reference.
void add_worst_transfers(common::TextTable& table, const WorkloadResult& result) {
  const FabricRun* analytic = result.run(FabricKind::Analytic);
  const FabricRun* cycle = result.run(FabricKind::Cycle);
  if (analytic == nullptr || cycle == nullptr || cycle->clocked->traces.empty() ||
      analytic->outcome != Outcome::Pass || cycle->outcome != Outcome::Pass) {
    return;
  }
  const topology::MazeLinks& links = cycle->clocked->traces.front()->links();
  const std::vector<std::size_t> worst = latency_error(*analytic, *cycle, kWorstShown).worst;
  if (!worst.empty()) table.add_line(title_of(result.workload));
  for (const std::size_t transfer : worst) {
    const auto lost = lost_time_of(result, transfer);
    const model::fabric::TimedTransfer& sent = result.workload.transfers[transfer];
    table.add({"  " + sim::grouped(transfer), ns_cell(cycle->latency(transfer).ps()),
               ns_cell(analytic->latency(transfer).ps()),
               lost ? lost->path(links)
                    : fmt::format("{} from {}",
                                  common::name_of(model::fabric::kTransferTypeNames, sent.type),
                                  links.coordinates(sent.src))});
    if (lost) {
      table.add_line(common::wrapped_from("    in the cycle reference: ", lost->place(links)));
    }
  }
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
      for (const FabricRun* network : networks_of(run)) {
        if (!network->rtl) continue;
        for (const sim::CheckerResult& checker : network->rtl->checkers) {
          checks[checker.name].first += checker.checks;
          checks[checker.name].second += checker.failures;
        }
      }
    }
  }
  std::string text;
  for (const auto& [name, counts] : checks) {
    text += counts.first != 0 ? fmt::format("  {:<22} {:>14} compared, {} failed\n", name,
                                            sim::grouped(counts.first), sim::grouped(counts.second))
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
  common::TextTable runs({"fabric", "transfers", fmt::format("{}s", unit_of(sip)), "cycles",
                          "accepted", "mean (ns)", "median (ns)", "95 % (ns)", "largest (ns)",
                          "median error (%)", "95 % error (%)", "largest error (%)"});
  common::TextTable worst(
      {"transfer or operation", "cycle (ns)", "analytic (ns)", "path or operation"});
  for (const WorkloadResult& result : results) {
    runs.add_line(title_of(result.workload));
    for (const FabricRun& run : result.runs) add_run(runs, result, run, sip);
    if (result.workload.machine != nullptr) {
      add_worst_operations(worst, result);
    } else {
      add_worst_transfers(worst, result);
    }
  }
  std::string text = runs.text(colour);
  if (!worst.empty()) {
    text += "\nlargest errors of the analytic fabric\n" + worst.text(colour);
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

std::string network_title(const topology::SipSpec& sip) {
  if (sip.inter_cube == topology::InterCube::Noc) return sip.noc_topology->topology()->name();
  return fmt::format("MAZE {}x{}", sip.cube_mesh_w, sip.cube_mesh_h);
}

std::string text_of_routers(const topology::NocSpec& noc) {
  return model::fabric::text_of(model::fabric::noc_settings(noc));
}

}  // namespace kernbench::cosim
