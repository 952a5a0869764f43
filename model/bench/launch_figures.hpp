// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/bench/runner.hpp"
#include "model/data/op_log.hpp"
#include "model/runtime/session.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// Bytes transferred in one direction, and the time span of their transfers.
struct Traffic {
  std::uint64_t bytes = 0;
  common::SimTime start = common::SimTime::max();
  common::SimTime end;

  /// Returns 10^9 bytes a second, from the start of the first transfer to the end of the last; 0
  /// without transfers.
  [[nodiscard]] double gbs() const;
};

/// Totals of the tile stages of a launch.
struct LaunchFigures {
  Traffic read;     ///< HBM reads by the PEs' DMAs
  Traffic written;  ///< HBM writes by the PEs' DMAs
  std::uint64_t macs = 0;
};

/// Returns the figures of each launch. A stage counts for the launch of its SIP during which it
/// ended.
[[nodiscard]] std::vector<LaunchFigures> launch_figures(
    const std::vector<runtime::LaunchRecord>& launches, const data::OpLog& log,
    const topology::TopologyGraph& graph);

/// Returns the sums of the launches of each measured region.
[[nodiscard]] std::vector<LaunchFigures> region_figures(const RunResult& result,
                                                        const std::vector<LaunchFigures>& figures);

/// Load of the fullest HBM channel over the mean above which a kernel's accesses are called uneven.
inline constexpr double kUnevenChannels = 2.0;

/// Returns a sentence for each kernel that loads the HBM channels unevenly, about its worst launch.
[[nodiscard]] std::vector<std::string> uneven_kernels(
    const std::vector<runtime::LaunchRecord>& launches);

}  // namespace kernbench::model::bench
