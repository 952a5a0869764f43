// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/harness/cycle_runner.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/run_end.hpp"
#include "sim/stimulus/reset_plan.hpp"
#include "sim/stimulus/stimulus.hpp"

namespace kernbench::sim {

/// Lengths of a run's phases, in cycles.
struct RunPlan {
  std::uint64_t cycles = 1000;     ///< run cycles, in which packets may start
  std::vector<ResetEvent> resets;  ///< after the first one of four clocks; `at` ascending
  /// Cycles without a packet at any port after which the design counts as empty: more than the
  /// longest way through it. The deepest link of TOPO has 7 stages (16x16).
  std::uint64_t quiet_cycles = 16;
  std::uint64_t drain_limit = 10'000;  ///< longest time to empty the design
  std::uint64_t after_failure = 8;     ///< cycles after the first failure, to show its effects
};

/// Runs a design through the phases of a plan, driven by a stimulus, and decides when to stop.
/// Checkers and collectors are attached as Extensions, a fault injector as a tap.
template <class Frame>
class HarnessOf {
 public:
  using Driver = StimulusOf<typename Frame::Feedback, typename Frame::Inputs>;

  HarnessOf(typename Frame::Design& dut, Driver& stimulus);

  void add(Extension& extension) { cycles_.add(extension); }
  void set_tap(typename Frame::Interceptor* tap) { cycles_.set_tap(tap); }
  void set_trace(TraceWindow window, Extension* watch) {
    cycles_.set_trace(std::move(window), watch);
  }
  /// Sets a function that is called every few thousand cycles and returns false to interrupt the
  /// run.
  void set_heartbeat(std::function<bool(std::uint64_t cycle)> beat) {
    heartbeat_ = std::move(beat);
  }

  RunEnd run(const RunPlan& plan);

 private:
  void cycle(Phase phase);
  void reset(const ResetEvent& event);
  /// Returns `reason`, or Failed when the design drained but an extension has failed.
  [[nodiscard]] StopReason failed_or(StopReason reason) const;

  Driver& stimulus_;
  CycleRunnerOf<Frame> cycles_;
  std::function<bool(std::uint64_t)> heartbeat_;
  typename Frame::Inputs intended_;
  typename Frame::Inputs before_reset_;
};

extern template class HarnessOf<PlaneFrame>;
extern template class HarnessOf<NocFrame>;

using Harness = HarnessOf<PlaneFrame>;

}  // namespace kernbench::sim
