// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/dut/wave_file.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/link_watch.hpp"
#include "sim/harness/tap.hpp"

namespace kernbench::sim {

/// The waveform that a run writes, and its first and last cycle.
struct TraceWindow {
  std::string path;  ///< empty: no waveform
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
  std::optional<LinkEnd> link;  ///< link whose expected values are written beside the signals
};

/// The only owner of a fabric's clock, reset and trace. Executes one cycle at a time and shows it
/// to every attached Extension. A Tap, if set, may change inputs and outputs on their way. The
/// caller supplies the inputs: the driver of a regression, or the nodes of a model.
class CycleRunner {
 public:
  explicit CycleRunner(MazeDut& dut);

  void add(Extension& extension) { extensions_.push_back(&extension); }
  void set_tap(Tap* tap) { tap_ = tap; }
  /// Must be called before begin().
  void set_trace(TraceWindow window) { trace_ = std::move(window); }

  /// Opens the trace and starts the extensions. Must be called before the first cycle.
  void begin();
  /// Ends the extensions. Further cycles reach only the trace.
  void end(const RunEnd& end);
  /// Closes the trace, and keeps it if it is wanted. Must be called after the last cycle. Throws
  /// BadInput if the trace could not be written.
  void close(bool keep_trace = true);
  /// True while further cycles would be part of the trace.
  [[nodiscard]] bool tracing() const { return !trace_.path.empty() && now_ <= trace_.last; }

  /// Executes one cycle with these inputs, which a tap may change.
  void cycle(maze::TopoInputs& intended, bool in_reset, bool draining);
  /// Executes one cycle in which rst_n is 0 in the given part only. The fabric gets the inputs
  /// `before` until an assertion after the falling edge, where checkers sample, and `intended`, in
  /// which nothing is offered, from then on.
  void reset_cycle(const maze::TopoInputs& before, maze::TopoInputs& intended,
                   const ResetCycle& reset);

  /// Number of executed cycles.
  [[nodiscard]] std::uint64_t now() const { return now_; }
  /// Outputs of the fabric in the last cycle.
  [[nodiscard]] const maze::TopoOutputs& observed() const { return observed_; }
  /// Output ports from which a packet moved at the end of the last cycle.
  [[nodiscard]] const maze::BitPlane& source_fired() const { return source_fired_; }
  /// True once an extension has failed.
  [[nodiscard]] bool failed() const;

 private:
  void begin_cycle();
  void set_reset(bool asserted);
  void show(CycleView view);
  void compute_fires(const maze::TopoInputs& intended, bool in_reset);

  MazeDut& dut_;
  std::vector<Extension*> extensions_;
  Tap* tap_ = nullptr;
  TraceWindow trace_;
  std::optional<WaveFile> wave_;
  std::optional<LinkWatch> watch_;
  bool ended_ = false;

  std::uint64_t now_ = 0;
  bool in_reset_ = false;  ///< last value of set_reset()
  maze::TopoOutputs observed_;
  maze::BitPlane source_fired_, sink_fired_;
};

}  // namespace kernbench::sim
