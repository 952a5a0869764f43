// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/cosim.hpp"

#include <algorithm>
#include <atomic>

#include "common/archive.hpp"
#include "common/progress.hpp"
#include "cosim/run/divergence.hpp"
#include "cosim/run/fabric_run_archive.hpp"
#include "cosim/run/rtl_flits.hpp"
#include "model/fabric/analytic/stated_errors.hpp"
#include "model/fabric/noc/noc_fabric.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using common::Outcome;
using common::SimTime;

namespace {

/// Finds where cycle reference and RTL differ, by running both side by side.
void find_parting(WorkloadResult& result, const FabricRun& rtl, const topology::SipSpec& sip,
                  const FabricRunOptions& options) {
  FabricRunOptions of_maze = options;
  const std::size_t mazes = result.workload.machine == nullptr ? 1 : rtl.machine->sent.size();
  for (std::size_t maze = 0; maze < mazes; ++maze) {
    TransferWorkload workload = result.workload;
    if (result.workload.machine != nullptr) workload.transfers = rtl.machine->sent[maze];
    if (maze != 0) of_maze.rtl.fault.reset();
    FabricRun run = run_side_by_side(sip, workload, of_maze);
    if (run.outcome == Outcome::Pass) continue;
    run.mazes = mazes;
    run.failed_maze = maze;
    result.reason += "; " + failed_place(run) + run.reason;
    result.parting = std::move(run);
    result.parting_workload = std::move(workload);
    return;
  }
}

void judge(WorkloadResult& result, const topology::SipSpec& sip, const FabricRunOptions& options) {
  if (result.runs.empty()) {
    result.outcome = Outcome::Vacuous;
    result.reason = "no fabric ran it";
    return;
  }
  for (const FabricRun& run : result.runs) {
    if (run.outcome == Outcome::Pass || result.outcome != Outcome::Pass) continue;
    result.outcome = run.outcome;
    result.reason = failed_place(run) + run.reason;
  }
  if (result.outcome != Outcome::Pass) return;
  result.reason = unlike_operations(result.runs);
  if (!result.reason.empty()) result.outcome = Outcome::Mismatch;
  const FabricRun* cycle = result.run(FabricKind::Cycle);
  const FabricRun* rtl = result.run(FabricKind::Rtl);
  if (result.outcome != Outcome::Pass || cycle == nullptr || rtl == nullptr) return;
  result.reason = first_difference(*cycle, *rtl);
  if (result.reason.empty()) return;
  result.outcome = Outcome::Mismatch;
  // With the nodes that are built, and with routers, lockstep compares the RTL with its reference
  // in every cycle.
  if (options.nodes == model::fabric::MazeNodeKind::Ideal) find_parting(result, *rtl, sip, options);
}

/// Returns the coverage of one kind that all runs over the RTL have together: of the fabrics of
/// SIPs, or of the network between them.
template <class Coverage>
std::optional<Coverage> merged_coverage(const std::vector<WorkloadResult>& results,
                                        std::optional<Coverage> RtlResults::*coverage,
                                        bool between_sips = false) {
  std::optional<Coverage> all;
  for (const WorkloadResult& result : results) {
    const FabricRun* run = result.run(FabricKind::Rtl);
    if (run != nullptr && between_sips) {
      run = run->between_sips.empty() ? nullptr : &run->between_sips.front();
    }
    if (run == nullptr || !run->rtl) continue;
    const std::optional<Coverage>& one = (*run->rtl).*coverage;
    if (one) merge_coverage(all, *one);
  }
  return all;
}

sim::CoverageSummary coverage_of_sips(const std::vector<WorkloadResult>& results) {
  if (const auto links = merged_coverage(results, &RtlResults::coverage)) return links->summary();
  if (const auto network = merged_coverage(results, &RtlResults::network_coverage)) {
    return network->summary();
  }
  const auto hits = merged_coverage(results, &RtlResults::noc_hits);
  return hits ? sim::summary_of(*results.front().noc->bins, *hits) : sim::CoverageSummary{};
}

/// State of a workload whose runs several threads execute.
struct Started {
  enum class Choice : std::uint8_t { Open, Run, Skip };
  std::atomic<Choice> choice{Choice::Open};
  std::atomic<std::size_t> ended{0};  ///< runs

  /// Returns whether to run the workload. The first call decides for all fabrics.
  bool decide(bool run) {
    Choice open = Choice::Open;
    choice.compare_exchange_strong(open, run ? Choice::Run : Choice::Skip);
    return choice == Choice::Run;
  }
};

}  // namespace

const FabricRun* WorkloadResult::run(FabricKind kind) const {
  const auto found = std::find_if(runs.begin(), runs.end(),
                                  [&](const FabricRun& run) { return run.fabric == kind; });
  return found == runs.end() ? nullptr : &*found;
}

const FabricRun* WorkloadResult::reference() const {
  for (const FabricKind kind : {FabricKind::Rtl, FabricKind::Cycle, FabricKind::Analytic}) {
    const FabricRun* found = run(kind);
    if (found != nullptr && found->outcome == Outcome::Pass) return found;
  }
  return nullptr;
}

Outcome outcome_of(const std::vector<WorkloadResult>& results) {
  if (results.empty()) return Outcome::Vacuous;
  Outcome outcome = Outcome::Pass;
  for (const WorkloadResult& result : results) outcome = common::worst(outcome, result.outcome);
  return outcome;
}

common::Grade grade_of(const FabricRun& run) {
  if (run.fabric != FabricKind::Analytic) return {};
  return run.at_routers ? model::fabric::analytic_noc_grade() : model::fabric::analytic_grade();
}

common::Grade grade_of(const std::vector<WorkloadResult>& results) {
  for (const WorkloadResult& result : results) {
    for (const FabricRun& run : result.runs) {
      common::Grade grade = grade_of(run);
      if (grade != common::Grade{}) return grade;
    }
  }
  return {};
}

std::vector<WorkloadResult> run_cosim(const topology::SipSpec& sip,
                                      const std::vector<Workload>& workloads,
                                      const Options& options) {
  const std::size_t fabrics = options.fabrics.size();
  std::vector<WorkloadResult> results(workloads.size());
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    results[i].workload = workloads[i];
    results[i].runs.resize(fabrics);
    results[i].noc = options.run.noc;
    results[i].noc_between_sips = options.run.noc_between_sips;
  }
  std::vector<Started> started(workloads.size());
  std::atomic<bool> failed{false};
  common::StepProgress progress("runs", workloads.size() * fabrics);
  const auto run_of = [&](std::size_t part) -> FabricRun& {
    return results[part / fabrics].runs[part % fabrics];
  };
  const auto ended = [&](std::size_t part) {
    WorkloadResult& result = results[part / fabrics];
    if (options.run_done) options.run_done(result.workload, run_of(part));
    if (++started[part / fabrics].ended == fabrics) {
      judge(result, sip, options.run);
      if (result.outcome != Outcome::Pass) failed = true;
    }
    progress.step();
  };
  const auto compute = [&](std::size_t part) {
    if (!started[part / fabrics].decide(!(options.fail_fast && failed))) return true;
    const Workload& workload = workloads[part / fabrics];
    FabricRunOptions run = options.run;
    // The lost time of single transfers says little about an operation of many.
    if (workload.machine != nullptr) run.trace.reset();
    if (options.trace_first && part / fabrics == 0) {
      run.trace = model::fabric::PacketTrace::Detail::AllPackets;
    }
    const FabricKind kind = options.fabrics[part % fabrics];
    run_of(part) = workload.machine != nullptr ? run_on_fabric(kind, sip, *workload.machine, run)
                                               : run_on_fabric(kind, sip, workload, run);
    ended(part);
    return true;
  };
  const bool complete = common::run_loop(
      options.parts, options.jobs,
      {.count = workloads.size() * fabrics,
       .compute = compute,
       .bytes_of = [&](std::size_t part) { return common::archived(run_of(part)); },
       .take =
           [&](std::size_t part, const std::string& bytes) {
             common::unarchive(bytes, run_of(part));
             ended(part);
           }});
  if (!complete) throw common::PartsInterrupted();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (started[i].ended != 0 && kept++ != i) results[kept - 1] = std::move(results[i]);
  }
  results.resize(kept);
  return results;
}

model::fabric::MazeNodeKind nodes_of(const std::vector<WorkloadResult>& results) {
  return results.empty() ? model::fabric::MazeNodeKind::Maze : results.front().runs.front().nodes;
}

std::optional<model::fabric::LostTime> lost_time_of(const WorkloadResult& result,
                                                    std::size_t transfer) {
  const FabricRun* cycle = result.run(FabricKind::Cycle);
  if (result.workload.machine != nullptr || cycle == nullptr || cycle->clocked->traces.empty() ||
      transfer >= cycle->clocked->traces.front()->transfers().size()) {  // the run failed earlier
    return std::nullopt;
  }
  const model::fabric::PacketTrace& trace = *cycle->clocked->traces.front();
  const model::fabric::TracedTransfer& traced = trace.transfers()[transfer];
  if (traced.transfer.type != model::fabric::TransferType::Unicast || traced.missing != 0) {
    return std::nullopt;
  }
  return model::fabric::lost_time(traced, trace.links());
}

std::size_t first_measured(const Workload& workload, const topology::SipSpec& sip) {
  if (!workload.offered) return 0;
  const SimTime begin = period_of(sip) * static_cast<std::int64_t>(workload.offered->warmup);
  const auto first = std::find_if(workload.transfers.begin(), workload.transfers.end(),
                                  [&](const auto& transfer) { return transfer.at >= begin; });
  return static_cast<std::size_t>(first - workload.transfers.begin());
}

double accepted_load(const Workload& workload, const FabricRun& run, const topology::SipSpec& sip) {
  const OfferedLoad& offered = *workload.offered;
  const SimTime period = period_of(sip);
  const SimTime begin = period * static_cast<std::int64_t>(offered.warmup);
  const SimTime end = period * static_cast<std::int64_t>(offered.warmup + offered.cycles);
  std::uint64_t packets = 0;
  for (std::size_t i = 0; i < run.played.size(); ++i) {
    const auto& done = run.played[i].done;
    if (!done || *done <= begin || *done > end) continue;
    packets += model::fabric::packets_of(workload.transfers[i].bytes, packet_bits_of(sip));
  }
  return static_cast<double>(packets) / static_cast<double>(offered.cycles) /
         static_cast<double>(offered.senders);
}

sim::CoverageSummary rtl_coverage(const std::vector<WorkloadResult>& results) {
  sim::CoverageSummary summary = coverage_of_sips(results);
  if (const auto hits = merged_coverage(results, &RtlResults::noc_hits, true)) {
    sim::CoverageSummary between = sim::summary_of(*results.front().noc_between_sips->bins, *hits);
    for (sim::CoverageGroup& group : between.groups) {
      group.name = "between SIPs: " + group.name;
      summary.groups.push_back(std::move(group));
    }
  }
  return summary;
}

std::vector<double> link_utilization(const FabricRun& run, const topology::SipSpec& sip) {
  SimTime last;
  for (const auto& played : run.played) last = std::max(last, played.done.value_or(last));
  const double cycles = static_cast<double>(last.ps()) / static_cast<double>(period_of(sip).ps()) *
                        static_cast<double>(run.mazes);
  std::vector<double> utilization;
  for (const std::uint64_t packets : run.clocked->link_packets) {
    utilization.push_back(cycles == 0 ? 0 : static_cast<double>(packets) / cycles);
  }
  return utilization;
}

}  // namespace kernbench::cosim
