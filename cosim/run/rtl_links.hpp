// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/run/rtl_bench.hpp"
#include "model/fabric/clocked/link_array.hpp"
#include "sim/check/assertions.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/cover/functional_coverage.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/link_watch.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::cosim {

struct RtlLinksOptions {
  std::uint64_t watchdog_cycles = 2000;  ///< longest stall of a link with a waiting packet
  std::optional<sim::FaultSpec> fault;   ///< fault to inject
  std::uint64_t seed = 1;                ///< seed of a fault without a link
  sim::TraceWindow trace;                ///< empty path: no waves
  sim::Extension* observer = nullptr;    ///< sees every cycle, behind the checkers; may be null
};

/// The links of a verilated TOPO, with scoreboard, lockstep reference, watchdog, bound checkers and
/// functional coverage of `kernbench sim` attached. The constructor executes the reset; every step
/// is one cycle.
class RtlLinks final : public model::fabric::LinkArray {
 public:
  RtlLinks(const std::shared_ptr<sim::MazeDut>& dut, const RtlLinksOptions& options);

  [[nodiscard]] const maze::Shape& shape() const override { return shape_; }
  /// Throws model::fabric::FabricFailure in the cycle in which a checker fails.
  void step(model::fabric::Edge edge, const maze::TopoInputs& inputs,
            maze::TopoOutputs& outputs) override;

  [[nodiscard]] RtlBench& bench() { return bench_; }
  [[nodiscard]] const RtlBench& bench() const { return bench_; }
  [[nodiscard]] const sim::CoverageData& coverage() { return coverage_.data(); }
  [[nodiscard]] std::uint64_t output_hash() const { return hash_.value(); }
  [[nodiscard]] const std::optional<sim::FaultInjector>& injector() const { return injector_; }

 private:
  RtlBench bench_;
  maze::Shape shape_;
  topology::MazeLinks links_;
  sim::Lockstep lockstep_;
  sim::Scoreboard scoreboard_;
  sim::Watchdog watchdog_;
  sim::Assertions assertions_;
  sim::OutputHash hash_;
  sim::FunctionalCoverage coverage_;
  std::optional<sim::FaultInjector> injector_;
  std::optional<sim::LinkWatch> watch_;
};

}  // namespace kernbench::cosim
