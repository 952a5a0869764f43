// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/dut/wave_file.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/noc_frame.hpp"
#include "sim/harness/plane_frame.hpp"

namespace kernbench::sim {

/// The waveform that a run writes, and its first and last cycle.
struct TraceWindow {
  std::string path;  ///< empty: no waveform
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
  std::optional<LinkEnd> link;  ///< link or port whose expected values are beside the signals
};

/// The only owner of a design's clock, reset and trace. Executes one cycle at a time and shows it
/// to every attached Extension. A tap, if set, may change inputs and outputs on their way. The
/// caller supplies the inputs: the stimulus of a regression, or the nodes of a model. `Frame` has
/// the signals of the device: PlaneFrame or NocFrame.
template <class Frame>
class CycleRunnerOf {
 public:
  using Design = typename Frame::Design;
  using Inputs = typename Frame::Inputs;
  using Interceptor = typename Frame::Interceptor;

  explicit CycleRunnerOf(Design& dut) : dut_(dut), frame_(dut) {}

  void add(Extension& extension) { extensions_.push_back(&extension); }
  void set_tap(Interceptor* tap) { tap_ = tap; }
  /// `watch`, which may be null, writes notes into the waveform, also after end(). Must be called
  /// before begin().
  void set_trace(TraceWindow window, Extension* watch = nullptr) {
    trace_ = std::move(window);
    watch_ = watch;
  }

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
  void cycle(Inputs& intended, bool in_reset, bool draining);
  /// Executes one cycle in which rst_n is 0 in the given part only. The design gets the inputs
  /// `before` until an assertion after the falling edge, where checkers sample, and `intended`, in
  /// which nothing is offered, from then on.
  void reset_cycle(const Inputs& before, Inputs& intended, const ResetCycle& reset);

  /// Number of executed cycles.
  [[nodiscard]] std::uint64_t now() const { return now_; }
  /// Signals of the last cycle.
  [[nodiscard]] const Frame& frame() const { return frame_; }
  /// True once an extension has failed.
  [[nodiscard]] bool failed() const;

 private:
  void begin_cycle();
  void set_reset(bool asserted);
  void show(CycleView& view);

  Design& dut_;
  Frame frame_;
  std::vector<Extension*> extensions_;
  Interceptor* tap_ = nullptr;
  TraceWindow trace_;
  std::optional<WaveFile> wave_;
  Extension* watch_ = nullptr;
  bool ended_ = false;

  std::uint64_t now_ = 0;
  bool in_reset_ = false;  ///< last value of set_reset()
};

extern template class CycleRunnerOf<PlaneFrame>;
extern template class CycleRunnerOf<NocFrame>;

using CycleRunner = CycleRunnerOf<PlaneFrame>;

}  // namespace kernbench::sim
