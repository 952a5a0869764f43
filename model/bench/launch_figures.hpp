#pragma once

#include <cstdint>
#include <vector>

#include "model/data/op_log.hpp"
#include "model/runtime/session.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// Bytes that went one way, and from when to when.
struct Traffic {
  std::uint64_t bytes = 0;
  common::SimTime start = common::SimTime::max();
  common::SimTime end;

  /// 10^9 bytes a second from the start of the first transfer to the end of the last; 0 of none.
  [[nodiscard]] double gbs() const;
};

/// What the PEs did in a launch, by the stages of tiles.
struct LaunchFigures {
  Traffic read;     ///< by DMAs, of HBM
  Traffic written;  ///< likewise
  std::uint64_t macs = 0;
};

/// Of each launch. A stage is of the launch on its SIP in whose time it ended.
[[nodiscard]] std::vector<LaunchFigures> launch_figures(
    const std::vector<runtime::LaunchRecord>& launches, const data::OpLog& log,
    const topology::TopologyGraph& graph);

}  // namespace kernbench::model::bench
