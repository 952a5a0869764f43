#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/maze/link_frame.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/fault/fault_injector.hpp"
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

/// The cycles that a traced run writes.
struct TraceWindow {
  std::string path;
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
};

/// The one owner of clock, reset, trace and stop of one fabric. What is measured or checked plugs
/// in as an Extension; what is broken on purpose, as a FaultInjector.
class Harness {
 public:
  Harness(MazeDut& dut, Driver& driver);

  void add(Extension& extension) { extensions_.push_back(&extension); }
  void set_fault_injector(FaultInjector* injector) { injector_ = injector; }
  void set_trace(TraceWindow window) { trace_ = std::move(window); }
  /// Called every few thousand cycles; returns false to end the run as interrupted.
  void set_heartbeat(std::function<bool(std::uint64_t cycle)> beat) {
    heartbeat_ = std::move(beat);
  }

  RunEnd run(const RunPlan& plan);

 private:
  void cycle(Phase phase);
  void compute_fires(bool in_reset);
  [[nodiscard]] bool failed() const;
  [[nodiscard]] bool fabric_quiet() const;

  MazeDut& dut_;
  Driver& driver_;
  model::maze::Shape shape_;
  std::vector<Extension*> extensions_;
  FaultInjector* injector_ = nullptr;
  TraceWindow trace_;
  std::function<bool(std::uint64_t)> heartbeat_;

  std::uint64_t now_ = 0;
  bool in_reset_ = false;
  model::maze::TopoInputs intended_;
  model::maze::TopoInputs driven_;  ///< used only while a fault injector is attached
  model::maze::TopoInputs pins_;    ///< likewise
  model::maze::TopoOutputs observed_;
  model::maze::BitPlane source_fired_, sink_fired_;
};

}  // namespace kernbench::sim
