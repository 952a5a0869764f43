// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/harness.hpp"

#include <algorithm>

namespace kernbench::sim {

using maze::BitPlane;

namespace {

constexpr std::uint64_t kHeartbeatCycles = 2048;
// Most cycles after the end of a run that a waveform shows.
constexpr std::uint64_t kTracedAfterEnd = 200;

bool all_zero(const BitPlane& plane) {
  return std::all_of(plane.data(), plane.data() + plane.size(), [](auto w) { return w == 0; });
}

}  // namespace

Harness::Harness(Dut& dut, Stimulus& stimulus)
    : stimulus_(stimulus),
      cycles_(dut),
      intended_(dut.info().shape, dut.ports()),
      before_reset_(dut.info().shape, dut.ports()) {}

RunEnd Harness::run(const RunPlan& plan) {
  cycles_.begin();
  StopReason reason = StopReason::Drained;
  reset({});
  auto next_reset = plan.resets.begin();
  // Numbers of cycles:
  std::uint64_t run = 0;
  std::uint64_t drained = 0;
  std::uint64_t quiet = 0;    // consecutive
  std::uint64_t failing = 0;  // since the first failure
  for (;;) {
    const bool running = run < plan.cycles && !stimulus_.exhausted();
    if (running && next_reset != plan.resets.end() && next_reset->at == run) {
      reset(*next_reset);
      ++next_reset;
    }
    cycle(running ? Phase::Run : Phase::Drain);
    if (running) ++run;
    if (cycles_.failed() && failing++ >= plan.after_failure) {
      reason = StopReason::Failed;
      break;
    }
    if (heartbeat_ && cycles_.now() % kHeartbeatCycles == 0 && !heartbeat_(cycles_.now())) {
      reason = StopReason::Interrupted;
      break;
    }
    if (running) continue;
    quiet = is_quiet() ? quiet + 1 : 0;
    if (quiet == plan.quiet_cycles) break;
    if (++drained > plan.drain_limit) {
      reason = StopReason::DrainLimit;
      break;
    }
  }
  // Decided twice: at the end, extensions look for missing packets only if the run has not failed,
  // and may themselves report failures.
  cycles_.end({failed_or(reason), cycles_.now()});
  const RunEnd end{failed_or(reason), cycles_.now()};
  for (std::uint64_t i = 0; i < kTracedAfterEnd && cycles_.tracing(); ++i) {
    cycle(run < plan.cycles && !stimulus_.exhausted() ? Phase::Run : Phase::Drain);
    ++run;
  }
  cycles_.close(reason != StopReason::Interrupted);
  return end;
}

StopReason Harness::failed_or(StopReason reason) const {
  return reason == StopReason::Drained && cycles_.failed() ? StopReason::Failed : reason;
}

void Harness::cycle(Phase phase) {
  stimulus_.drive(cycles_.now(), phase, cycles_.source_fired(), intended_);
  cycles_.cycle(intended_, phase == Phase::Reset, phase == Phase::Drain);
}

void Harness::reset(const ResetEvent& event) {
  for (std::uint64_t i = 0; i < event.cycles(); ++i) {
    const ResetCycle part = event.cycle(i);
    if (part == ResetCycle{}) {
      cycle(Phase::Reset);
      continue;
    }
    if (part.from == ClockMoment::Low) {
      // Until the assertion the nodes go on as in any other cycle.
      stimulus_.drive(cycles_.now(), Phase::Run, cycles_.source_fired(), intended_);
      before_reset_ = intended_;
    }
    stimulus_.drive(cycles_.now(), Phase::Reset, cycles_.source_fired(), intended_);
    cycles_.reset_cycle(before_reset_, intended_, part);
  }
}

bool Harness::is_quiet() const {
  return all_zero(intended_.out_valid) && all_zero(cycles_.observed().in_valid);
}

}  // namespace kernbench::sim
