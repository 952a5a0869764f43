// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "model/fabric/seam/fabric_clock.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/dut/dut.hpp"
#include "sim/harness/cycle_runner.hpp"

namespace kernbench::cosim {

/// A verilated design that a clocked fabric drives cycle by cycle: its clock, checkers and waves,
/// those of `kernbench sim`. The owner adds checkers and collectors, and calls begin().
class RtlBench {
 public:
  static constexpr std::uint64_t kResetCycles = 4;

  explicit RtlBench(std::shared_ptr<sim::Dut> dut);

  [[nodiscard]] sim::Dut& dut() { return *dut_; }
  [[nodiscard]] sim::CycleRunner& runner() { return runner_; }
  [[nodiscard]] sim::CheckerSet& checkers() { return checkers_; }
  [[nodiscard]] const sim::CheckerSet& checkers() const { return checkers_; }
  [[nodiscard]] const std::string& build_hash() const { return dut_->info().build_hash; }

  /// Attaches the checkers of the set, with those of the RTL's own reports.
  void attach_checkers();
  /// Starts the run and executes the reset, in which all receivers are ready.
  void begin();
  /// Executes one cycle with these inputs, which a fault may change. Throws
  /// model::fabric::FabricFailure in the cycle in which a checker fails.
  void step(model::fabric::Edge edge, const maze::TopoInputs& inputs);
  /// The inputs of the last cycle as a fault has left them.
  [[nodiscard]] const maze::TopoInputs& intended() const { return intended_; }
  /// Ends the checkers and closes the waves. Must be called once, after the last step. After a
  /// failure, also one found elsewhere (`failed`), the waves get a few more cycles.
  void finish(bool failed = false);

 private:
  std::shared_ptr<sim::Dut> dut_;
  sim::CycleRunner runner_;
  sim::RtlReports rtl_;
  sim::CheckerSet checkers_;
  maze::TopoInputs intended_;
  bool finished_ = false;
};

}  // namespace kernbench::cosim
