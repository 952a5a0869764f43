// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "maze/link_frame.hpp"
#include "sim/dut/dut.hpp"
#include "sim/harness/cycle_view.hpp"
#include "sim/harness/tap.hpp"

namespace kernbench::sim {

/// The signals of a MAZE in one cycle, as a CycleRunner moves them. A frame has these members for
/// each kind of device.
class PlaneFrame {
 public:
  using Design = Dut;
  using Inputs = maze::TopoInputs;
  using Interceptor = Tap;
  using Feedback = maze::BitPlane;  ///< seen by a stimulus of the cycle before: source_fired()

  explicit PlaneFrame(const Dut& dut);

  /// Returns inputs of this device.
  [[nodiscard]] static Inputs inputs_of(const Dut& dut) { return {dut.info().shape, dut.ports()}; }
  /// Returns inputs that offer nothing, with all receivers ready.
  [[nodiscard]] static Inputs idle_inputs(const Dut& dut);
  /// Drives the device, as a tap has changed it, and tells the view.
  void drive(Dut& dut, Tap* tap, Inputs& intended, CycleView& view) const;
  /// Drives the device without a tap.
  static void drive(Dut& dut, const Inputs& inputs) { dut.drive(inputs); }
  /// Tells a view of inputs that no tap has changed.
  static void tell(const Inputs& intended, CycleView& view) {
    view.intended = view.driven = &intended;
  }
  void sample(const Dut& dut);
  /// Lets a tap change what observers see.
  void intercept(Tap& tap, std::uint64_t cycle);
  /// Completes a view that has its inputs.
  void show(CycleView& view);
  [[nodiscard]] bool is_quiet(const Inputs& intended) const;

  [[nodiscard]] const Feedback& feedback() const { return source_fired_; }
  [[nodiscard]] const maze::TopoOutputs& observed() const { return observed_; }

 private:
  maze::TopoOutputs observed_;
  std::optional<LinkSignals> links_;  ///< absent unless the design shows them
  maze::BitPlane source_fired_, sink_fired_;
};

}  // namespace kernbench::sim
