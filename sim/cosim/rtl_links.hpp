#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/link_array.hpp"
#include "sim/check/assertions.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/cover/functional_coverage.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/cycle_runner.hpp"
#include "sim/regression/case_result.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

struct RtlLinksOptions {
  std::uint64_t watchdog_cycles = 2000;  ///< that a link may stand still while a packet waits
  std::optional<FaultSpec> fault;        ///< injected on purpose
  std::uint64_t seed = 1;                ///< of a fault without a link
  TraceWindow trace;                     ///< empty path: no waves
};

/// The links of a verilated TOPO, with the scoreboard, the lockstep reference, the watchdog, the
/// bound checkers and the functional coverage of `kernbench sim` attached. Its cycles are those
/// that are stepped; before the first one it is held in reset.
class RtlLinks final : public model::fabric::LinkArray {
 public:
  static constexpr std::uint64_t kResetCycles = 4;

  RtlLinks(std::shared_ptr<MazeDut> dut, const RtlLinksOptions& options);

  [[nodiscard]] const model::maze::Shape& shape() const override { return shape_; }
  /// Throws model::fabric::FabricFailure in the cycle in which a checker fails.
  void step(model::fabric::Edge edge, const model::maze::TopoInputs& inputs,
            model::maze::TopoOutputs& outputs) override;
  /// To be called once, when no more cycles come: checkers have their last word, waves are closed.
  /// Waves show what follows a failure, which may also have been seen by others (`failed`).
  void finish(bool failed = false);

  [[nodiscard]] const std::string& build_hash() const { return dut_->info().build_hash; }
  /// Cycles carried out, the reset included.
  [[nodiscard]] std::uint64_t cycles() const { return runner_.now(); }
  [[nodiscard]] std::vector<CheckerResult> checkers() const;
  /// What checkers found, by cycle.
  [[nodiscard]] std::vector<Failure> failures() const;
  [[nodiscard]] const CoverageData& coverage() { return coverage_.data(); }
  [[nodiscard]] std::uint64_t output_hash() const { return hash_.value(); }
  [[nodiscard]] const std::optional<FaultInjector>& injector() const { return injector_; }

 private:
  struct Attached {
    const char* name;
    const Extension* extension;
  };
  void attach(const char* name, Extension& extension);

  std::shared_ptr<MazeDut> dut_;
  model::maze::Shape shape_;
  topology::MazeLinks links_;
  CycleRunner runner_;
  Lockstep lockstep_;
  Scoreboard scoreboard_;
  Watchdog watchdog_;
  Assertions assertions_;
  OutputHash hash_;
  FunctionalCoverage coverage_;
  std::optional<FaultInjector> injector_;
  std::vector<Attached> checkers_;
  model::maze::TopoInputs intended_;
  bool tracing_ = false;
  bool finished_ = false;
};

}  // namespace kernbench::sim
