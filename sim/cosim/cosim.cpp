#include "sim/cosim/cosim.hpp"

#include <algorithm>

#include "common/parallel.hpp"

namespace kernbench::sim {

using common::Outcome;
using common::SimTime;

namespace {

void judge(CosimResult& result) {
  for (const FabricRun& run : result.runs) {
    if (run.outcome == Outcome::Pass || result.outcome != Outcome::Pass) continue;
    result.outcome = run.outcome;
    result.reason = run.reason;
  }
  const FabricRun* cycle = result.run(FabricKind::Cycle);
  const FabricRun* rtl = result.run(FabricKind::Rtl);
  if (result.outcome != Outcome::Pass || cycle == nullptr || rtl == nullptr) return;
  result.reason = first_difference(*cycle, *rtl);
  if (!result.reason.empty()) result.outcome = Outcome::Mismatch;
}

}  // namespace

const FabricRun* CosimResult::run(FabricKind kind) const {
  const auto found = std::find_if(runs.begin(), runs.end(),
                                  [&](const FabricRun& run) { return run.fabric == kind; });
  return found == runs.end() ? nullptr : &*found;
}

const FabricRun* CosimResult::reference() const {
  for (const FabricKind kind : {FabricKind::Rtl, FabricKind::Cycle, FabricKind::Analytic}) {
    const FabricRun* found = run(kind);
    if (found != nullptr && found->outcome == Outcome::Pass) return found;
  }
  return nullptr;
}

std::vector<CosimResult> run_cosim(const topology::SipSpec& sip,
                                   const std::vector<CosimWorkload>& workloads,
                                   const CosimOptions& options) {
  std::vector<CosimResult> results(workloads.size());
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    results[i].workload = workloads[i];
    results[i].runs.resize(options.fabrics.size());
  }
  common::in_parallel(
      workloads.size() * options.fabrics.size(), options.jobs, [&](std::size_t job) {
        CosimResult& result = results[job / options.fabrics.size()];
        const std::size_t fabric = job % options.fabrics.size();
        FabricRunOptions run = options.run;
        if (options.trace_first && &result == &results.front()) {
          run.trace = model::fabric::PacketTrace::Detail::AllPackets;
        }
        result.runs[fabric] = run_on_fabric(options.fabrics[fabric], sip, result.workload, run);
        if (options.run_done) options.run_done(result.workload, result.runs[fabric]);
      });
  for (CosimResult& result : results) judge(result);
  return results;
}

std::optional<model::fabric::LostTime> lost_time_of(const CosimResult& result,
                                                    std::size_t transfer) {
  const FabricRun* cycle = result.run(FabricKind::Cycle);
  if (cycle == nullptr || cycle->trace == nullptr ||
      transfer >= cycle->trace->transfers().size()) {  // it failed before
    return std::nullopt;
  }
  const model::fabric::TracedTransfer& traced = cycle->trace->transfers()[transfer];
  if (traced.transfer.type != model::fabric::TransferType::Unicast || traced.missing != 0) {
    return std::nullopt;
  }
  return model::fabric::lost_time(traced, cycle->trace->links());
}

double accepted_load(const CosimWorkload& workload, const FabricRun& run,
                     const topology::SipSpec& sip) {
  const OfferedLoad& offered = *workload.offered;
  const SimTime period = SimTime::from_ns(sip.maze.clock_ns);
  const SimTime begin = period * static_cast<std::int64_t>(offered.warmup);
  const SimTime end = period * static_cast<std::int64_t>(offered.warmup + offered.cycles);
  std::uint64_t packets = 0;
  for (std::size_t i = 0; i < run.played.size(); ++i) {
    const auto& done = run.played[i].done;
    if (!done || *done <= begin || *done > end) continue;
    packets += (workload.transfers[i].bytes * 8 + sip.maze.flit_bits - 1) / sip.maze.flit_bits;
  }
  return static_cast<double>(packets) / static_cast<double>(offered.cycles) /
         static_cast<double>(offered.senders);
}

std::vector<double> link_utilization(const FabricRun& run, const topology::SipSpec& sip) {
  SimTime last;
  for (const auto& played : run.played) last = std::max(last, played.done.value_or(last));
  const double cycles = static_cast<double>(last.ps()) /
                        static_cast<double>(SimTime::from_ns(sip.maze.clock_ns).ps());
  std::vector<double> utilization;
  for (const std::uint64_t packets : run.link_packets) {
    utilization.push_back(cycles == 0 ? 0 : static_cast<double>(packets) / cycles);
  }
  return utilization;
}

}  // namespace kernbench::sim
