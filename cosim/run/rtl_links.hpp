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
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/cover/functional_coverage.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/cycle_runner.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::cosim {

struct RtlLinksOptions {
  std::uint64_t watchdog_cycles = 2000;  ///< that a link may stand still while a packet waits
  std::optional<sim::FaultSpec> fault;   ///< injected on purpose
  std::uint64_t seed = 1;                ///< of a fault without a link
  sim::TraceWindow trace;                ///< empty path: no waves
};

/// The links of a verilated TOPO, with the scoreboard, the lockstep reference, the watchdog, the
/// bound checkers and the functional coverage of `kernbench sim` attached. Its cycles are those
/// that are stepped; before the first one it is held in reset.
class RtlLinks final : public model::fabric::LinkArray {
 public:
  static constexpr std::uint64_t kResetCycles = 4;

  RtlLinks(std::shared_ptr<sim::MazeDut> dut, const RtlLinksOptions& options);

  [[nodiscard]] const maze::Shape& shape() const override { return shape_; }
  /// Throws model::fabric::FabricFailure in the cycle in which a checker fails.
  void step(model::fabric::Edge edge, const maze::TopoInputs& inputs,
            maze::TopoOutputs& outputs) override;
  /// To be called once, when no more cycles come: checkers have their last word, waves are closed.
  /// Waves show what follows a failure, which may also have been seen by others (`failed`).
  void finish(bool failed = false);

  [[nodiscard]] const std::string& build_hash() const { return dut_->info().build_hash; }
  /// Cycles carried out, the reset included.
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
  sim::OutputHash hash_;
  sim::FunctionalCoverage coverage_;
  std::optional<sim::FaultInjector> injector_;
  sim::CheckerSet checkers_;
  maze::TopoInputs intended_;
  bool tracing_ = false;
  bool finished_ = false;
};

}  // namespace kernbench::cosim
