// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/fabric/seam/fabric_clock.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/harness/cycle_runner.hpp"

namespace kernbench::cosim {

/// A verilated design that a clocked fabric drives cycle by cycle: its clock, checkers and waves,
/// those of `kernbench sim`. The owner adds checkers and collectors, and calls begin(). `Frame` has
/// the signals of the device.
template <class Frame>
class RtlBenchOf {
 public:
  static constexpr std::uint64_t kResetCycles = 4;

  using Design = typename Frame::Design;
  using Inputs = typename Frame::Inputs;

  explicit RtlBenchOf(std::shared_ptr<Design> dut);

  [[nodiscard]] Design& dut() { return *dut_; }
  [[nodiscard]] sim::CycleRunnerOf<Frame>& runner() { return runner_; }
  [[nodiscard]] sim::CheckerSet& checkers() { return checkers_; }
  [[nodiscard]] const sim::CheckerSet& checkers() const { return checkers_; }
  [[nodiscard]] const std::string& build_hash() const { return dut_->info().build_hash; }

  /// Attaches the checkers of the set, with those of the RTL's own reports.
  void attach_checkers();
  /// Starts the run and executes the reset, in which all receivers are ready.
  void begin();
  /// Executes one cycle with these inputs, which a fault may change. Throws
  /// model::fabric::FabricFailure in the cycle in which a checker fails.
  void step(model::fabric::Edge edge, const Inputs& inputs);
  /// The inputs of the last cycle as a fault has left them.
  [[nodiscard]] const Inputs& intended() const { return intended_; }
  /// Ends the checkers and closes the waves. Must be called once, after the last step. After a
  /// failure, also one found elsewhere (`failed`), the waves get a few more cycles.
  void finish(bool failed = false);
  /// Ends the bench. Throws model::fabric::FabricFailure if a checker has failed.
  void require_passed(model::fabric::Edge edge);

 private:
  std::shared_ptr<Design> dut_;
  sim::CycleRunnerOf<Frame> runner_;
  sim::RtlReports rtl_;
  sim::CheckerSet checkers_;
  Inputs intended_;
  bool finished_ = false;
};

extern template class RtlBenchOf<sim::PlaneFrame>;
extern template class RtlBenchOf<sim::NocFrame>;

using RtlBench = RtlBenchOf<sim::PlaneFrame>;

}  // namespace kernbench::cosim
