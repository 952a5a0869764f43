// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/fabric/analytic/analytic_fabric.hpp"
#include "model/fabric/seam/maze_node_kind.hpp"
#include "topology/spec/spec_forward.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"

namespace kernbench::model::fabric {

/// Returns the IRS stages of each channel of a FlattenedButterfly that models a MAZE Topo.
/// Throws std::invalid_argument for side lengths that a MAZE cannot have.
[[nodiscard]] std::vector<std::uint32_t> maze_link_stages(
    const topology::zoo::FlattenedButterfly& topology);

/// Creates the analytic fabric of a SIP whose cubes are connected by a MAZE. Node y * w + x is cube
/// (x, y); links have their IRS stages; packet size, clock, dimension order and failed node come
/// from `sip.maze`. Throws std::invalid_argument when `sip.inter_cube` is not maze.
[[nodiscard]] std::unique_ptr<AnalyticFabric> make_analytic_maze(
    engine::Simulation& simulation, const topology::SipSpec& sip,
    MazeNodeKind nodes = MazeNodeKind::Maze, const AnalyticParameters& parameters = {});

}  // namespace kernbench::model::fabric
