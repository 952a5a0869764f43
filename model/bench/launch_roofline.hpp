// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/bench/launch_figures.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// A resource of a launch, and the time that the launch needs of it at least.
struct RooflineLimit {
  std::string name;  ///< "matrix engines", "HBM", "wires ucie_mesh"
  common::SimTime least;
};

/// The place of a launch on its roofline (Williams, Waterman and Patterson, "Roofline", 2009), with
/// a roof for each kind of wire beside those of the engines and the HBM.
struct LaunchRoofline {
  common::SimTime time;
  std::vector<RooflineLimit> limits;  ///< the highest first

  /// Returns "limited by HBM: 62 %", or what is nearest if the launch needs less than half of all.
  [[nodiscard]] std::string sentence() const;
};

/// Returns the time that multiply-adds take at the peak rate of the matrix engines of `pes` PEs.
[[nodiscard]] common::SimTime least_engine_time(std::uint64_t macs, std::uint64_t pes,
                                                const topology::PeSpec& pe);
/// Returns the time that `bytes` take at the bandwidth of `slices` HBM slices together.
[[nodiscard]] common::SimTime least_hbm_time(std::uint64_t bytes, std::uint64_t slices,
                                             const topology::TopologySpec& spec);

/// Returns the roofline of each launch, by its figures. Engines and HBM count for all PEs of the
/// launch's device, and wires with their busiest. The run must have had `explain`. Wires also carry
/// what overlapping launches send.
[[nodiscard]] std::vector<LaunchRoofline> launch_rooflines(
    const RunResult& result, const std::vector<LaunchFigures>& figures,
    const topology::TopologySpec& spec);

}  // namespace kernbench::model::bench
