// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/dut/noc_dut.hpp"
#include "sim/harness/cycle_view.hpp"

namespace kernbench::sim {

/// Changes signals of a network on their way: a fault.
class NocTap {
 public:
  NocTap() = default;
  NocTap(const NocTap&) = delete;
  NocTap& operator=(const NocTap&) = delete;
  virtual ~NocTap() = default;

  /// Called before the network settles. Returns its inputs, valid until the next call; observers
  /// see those that were intended, which it may change itself.
  virtual const NocInputs& drive(std::uint64_t cycle, NocInputs& intended) = 0;
  /// Called after the network has settled; changes the outputs that observers and users see.
  virtual void observe(std::uint64_t cycle, NocOutputs& outputs) = 0;
};

/// The signals of a network of any topology in one cycle; the members are those of PlaneFrame.
class NocFrame {
 public:
  using Design = NocDut;
  using Inputs = NocInputs;
  using Interceptor = NocTap;
  using Feedback = NocOutputs;  ///< seen by a stimulus of the cycle before

  explicit NocFrame(const NocDut& dut)
      : observed_(std::size_t{dut.info().channels} + dut.info().nodes) {}

  [[nodiscard]] static Inputs inputs_of(const NocDut& dut) { return Inputs(dut.info().nodes); }
  /// Returns inputs that send nothing.
  [[nodiscard]] static Inputs idle_inputs(const NocDut& dut) { return inputs_of(dut); }
  void drive(NocDut& dut, NocTap* tap, Inputs& intended, CycleView& view) const {
    dut.drive(tap != nullptr ? tap->drive(view.cycle, intended) : intended);
    tell(intended, view);
  }
  static void drive(NocDut& dut, const Inputs& inputs) { dut.drive(inputs); }
  static void tell(const Inputs& intended, CycleView& view) { view.noc_inputs = &intended; }
  void sample(const NocDut& dut) { dut.sample(observed_); }
  void intercept(NocTap& tap, std::uint64_t cycle) { tap.observe(cycle, observed_); }
  void show(CycleView& view) const { view.noc_outputs = &observed_; }
  /// Returns true when no flit enters the network, leaves it, or moves between its nodes.
  [[nodiscard]] bool is_quiet(const Inputs& intended) const;

  [[nodiscard]] const Feedback& feedback() const { return observed_; }
  [[nodiscard]] const NocOutputs& observed() const { return observed_; }

 private:
  NocOutputs observed_;
};

}  // namespace kernbench::sim
