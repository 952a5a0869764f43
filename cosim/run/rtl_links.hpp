// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/clocked/link_array.hpp"
#include "sim/check/assertions.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/cover/functional_coverage.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/cycle_runner.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::cosim {

struct RtlLinksOptions {
  std::uint64_t watchdog_cycles = 2000;  ///< longest stall of a link with a waiting packet
  std::optional<sim::FaultSpec> fault;   ///< fault to inject
  std::uint64_t seed = 1;                ///< seed of a fault without a link
  sim::TraceWindow trace;                ///< empty path: no waves
};

/// The links of a verilated TOPO, with scoreboard, lockstep reference, watchdog, bound checkers and
/// functional coverage of `kernbench sim` attached. The constructor executes the reset; every step
/// is one cycle.
class RtlLinks final : public model::fabric::LinkArray {
 public:
  static constexpr std::uint64_t kResetCycles = 4;

  RtlLinks(std::shared_ptr<sim::MazeDut> dut, const RtlLinksOptions& options);

  [[nodiscard]] const maze::Shape& shape() const override { return shape_; }
  /// Throws model::fabric::FabricFailure in the cycle in which a checker fails.
  void step(model::fabric::Edge edge, const maze::TopoInputs& inputs,
            maze::TopoOutputs& outputs) override;
  /// Ends the checkers and closes the waves. Must be called once, after the last step. After a
  /// failure, also one found elsewhere (`failed`), the waves get a few more cycles.
  void finish(bool failed = false);

  [[nodiscard]] const std::string& build_hash() const { return dut_->info().build_hash; }
  /// Number of executed cycles, including the reset.
  [[nodiscard]] std::uint64_t cycles() const { return runner_.now(); }
  [[nodiscard]] const sim::CheckerSet& checkers() const { return checkers_; }
  [[nodiscard]] const sim::CoverageData& coverage() { return coverage_.data(); }
  [[nodiscard]] std::uint64_t output_hash() const { return hash_.value(); }
  [[nodiscard]] const std::optional<sim::FaultInjector>& injector() const { return injector_; }

 private:
  std::shared_ptr<sim::MazeDut> dut_;
  maze::Shape shape_;
  topology::MazeLinks links_;
  sim::CycleRunner runner_;
  sim::Lockstep lockstep_;
  sim::Scoreboard scoreboard_;
  sim::Watchdog watchdog_;
  sim::Assertions assertions_;
  sim::RtlReports rtl_;
  sim::OutputHash hash_;
  sim::FunctionalCoverage coverage_;
  std::optional<sim::FaultInjector> injector_;
  sim::CheckerSet checkers_;
  maze::TopoInputs intended_;
  bool finished_ = false;
};

}  // namespace kernbench::cosim
