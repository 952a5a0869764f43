// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/harness/cycle_runner.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/run_end.hpp"
#include "sim/stimulus/driver.hpp"
#include "sim/stimulus/reset_plan.hpp"

namespace kernbench::sim {

/// Lengths of a run's phases, in cycles.
struct RunPlan {
  std::uint64_t cycles = 1000;         ///< run cycles, in which the driver may start packets
  std::vector<ResetEvent> resets;      ///< after the first one of four clocks; `at` ascending
  std::uint64_t drain_limit = 10'000;  ///< longest time to empty the fabric
  std::uint64_t after_failure = 8;     ///< cycles after the first failure, to show its effects
};

/// Runs a fabric through the phases of a plan, driven by a Driver, and decides when to stop.
/// Checkers and collectors are attached as Extensions, a fault injector as a Tap.
class Harness {
 public:
  Harness(MazeDut& dut, Driver& driver);

  void add(Extension& extension) { cycles_.add(extension); }
  void set_tap(Tap* tap) { cycles_.set_tap(tap); }
  void set_trace(TraceWindow window) { cycles_.set_trace(std::move(window)); }
  /// Sets a function that is called every few thousand cycles and returns false to interrupt the
  /// run.
  void set_heartbeat(std::function<bool(std::uint64_t cycle)> beat) {
    heartbeat_ = std::move(beat);
  }

  RunEnd run(const RunPlan& plan);

 private:
  void cycle(Phase phase);
  void reset(const ResetEvent& event);
  /// Returns `reason`, or Failed when the fabric drained but an extension has failed.
  [[nodiscard]] StopReason failed_or(StopReason reason) const;
  [[nodiscard]] bool fabric_quiet() const;

  Driver& driver_;
  CycleRunner cycles_;
  std::function<bool(std::uint64_t)> heartbeat_;
  maze::TopoInputs intended_;
  maze::TopoInputs before_reset_;
};

}  // namespace kernbench::sim
