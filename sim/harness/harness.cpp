// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/harness.hpp"

namespace kernbench::sim {

namespace {

constexpr std::uint64_t kHeartbeatCycles = 2048;
// Most cycles after the end of a run that a waveform shows.
constexpr std::uint64_t kTracedAfterEnd = 200;

}  // namespace

template <class Frame>
HarnessOf<Frame>::HarnessOf(typename Frame::Design& dut, Driver& stimulus)
    : stimulus_(stimulus),
      cycles_(dut),
      intended_(Frame::inputs_of(dut)),
      before_reset_(Frame::inputs_of(dut)) {}

template <class Frame>
RunEnd HarnessOf<Frame>::run(const RunPlan& plan) {
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
    quiet = cycles_.frame().is_quiet(intended_) ? quiet + 1 : 0;
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

template <class Frame>
StopReason HarnessOf<Frame>::failed_or(StopReason reason) const {
  return reason == StopReason::Drained && cycles_.failed() ? StopReason::Failed : reason;
}

template <class Frame>
void HarnessOf<Frame>::cycle(Phase phase) {
  stimulus_.drive(cycles_.now(), phase, cycles_.frame().feedback(), intended_);
  cycles_.cycle(intended_, phase == Phase::Reset, phase == Phase::Drain);
}

template <class Frame>
void HarnessOf<Frame>::reset(const ResetEvent& event) {
  for (std::uint64_t i = 0; i < event.cycles(); ++i) {
    const ResetCycle part = event.cycle(i);
    if (part == ResetCycle{}) {
      cycle(Phase::Reset);
      continue;
    }
    if (part.from == ClockMoment::Low) {
      // Until the assertion the nodes go on as in any other cycle.
      stimulus_.drive(cycles_.now(), Phase::Run, cycles_.frame().feedback(), intended_);
      before_reset_ = intended_;
    }
    stimulus_.drive(cycles_.now(), Phase::Reset, cycles_.frame().feedback(), intended_);
    cycles_.reset_cycle(before_reset_, intended_, part);
  }
}

template class HarnessOf<PlaneFrame>;
template class HarnessOf<NocFrame>;

}  // namespace kernbench::sim
