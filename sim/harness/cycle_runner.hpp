#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// The cycles that a traced run writes.
struct TraceWindow {
  std::string path;
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
};

/// The one owner of a fabric's clock, reset and trace: carries out one cycle after the other, shows
/// each to what is attached as an Extension, and lets a FaultInjector break it on purpose. What is
/// driven comes from outside: from the driver of a regression, or from the nodes of a model.
class CycleRunner {
 public:
  explicit CycleRunner(MazeDut& dut);

  void add(Extension& extension) { extensions_.push_back(&extension); }
  void set_fault_injector(FaultInjector* injector) { injector_ = injector; }
  /// Ahead of begin().
  void set_trace(TraceWindow window) { trace_ = std::move(window); }

  /// Before the first cycle, and after the last.
  void begin();
  void end(const RunEnd& end);

  /// One cycle with these inputs, which an injected fault of the surroundings may change.
  void cycle(maze::TopoInputs& intended, bool in_reset, bool draining);

  /// Cycles carried out.
  [[nodiscard]] std::uint64_t now() const { return now_; }
  /// What the fabric drove in the last cycle, and what moved at its end.
  [[nodiscard]] const maze::TopoOutputs& observed() const { return observed_; }
  [[nodiscard]] const maze::BitPlane& source_fired() const { return source_fired_; }
  [[nodiscard]] bool failed() const;

 private:
  void compute_fires(const maze::TopoInputs& intended, bool in_reset);

  MazeDut& dut_;
  std::vector<Extension*> extensions_;
  FaultInjector* injector_ = nullptr;
  TraceWindow trace_;

  std::uint64_t now_ = 0;
  bool in_reset_ = false;
  maze::TopoInputs driven_;  ///< used only while a fault injector is attached
  maze::TopoInputs pins_;    ///< likewise
  maze::TopoOutputs observed_;
  maze::BitPlane source_fired_, sink_fired_;
};

}  // namespace kernbench::sim
