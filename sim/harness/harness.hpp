#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/cycle_runner.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/run_end.hpp"
#include "sim/stimulus/driver.hpp"

namespace kernbench::sim {

/// When the run's phases begin and end. Cycles count from 0, the first cycle in reset.
struct RunPlan {
  std::uint64_t reset_cycles = 4;       ///< at the start, and for every entry of `reset_at`
  std::uint64_t cycles = 1000;          ///< in which the driver may start packets
  std::vector<std::uint64_t> reset_at;  ///< run cycles at which a reset begins, ascending
  std::uint64_t drain_limit = 10'000;   ///< cycles that emptying the fabric may take
  std::uint64_t after_failure = 8;  ///< cycles that follow the first failure, to show its effects
};

/// Runs a fabric as a plan says, driven by a Driver, and decides when it stops. What is measured or
/// checked plugs in as an Extension; what is broken on purpose, as a FaultInjector.
class Harness {
 public:
  Harness(MazeDut& dut, Driver& driver);

  void add(Extension& extension) { cycles_.add(extension); }
  void set_fault_injector(FaultInjector* injector) { cycles_.set_fault_injector(injector); }
  void set_trace(TraceWindow window) { cycles_.set_trace(std::move(window)); }
  /// Called every few thousand cycles; returns false to end the run as interrupted.
  void set_heartbeat(std::function<bool(std::uint64_t cycle)> beat) {
    heartbeat_ = std::move(beat);
  }

  RunEnd run(const RunPlan& plan);

 private:
  void cycle(Phase phase);
  [[nodiscard]] bool fabric_quiet() const;

  Driver& driver_;
  CycleRunner cycles_;
  std::function<bool(std::uint64_t)> heartbeat_;
  maze::TopoInputs intended_;
};

}  // namespace kernbench::sim
