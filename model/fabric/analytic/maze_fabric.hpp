#pragma once

#include <memory>

#include "model/fabric/analytic/analytic_fabric.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"

namespace kernbench::model::fabric {

/// IRS stages by channel of a FlattenedButterfly that is a MAZE Topo. Throws std::invalid_argument
/// for sides that no MAZE has.
[[nodiscard]] std::vector<std::uint32_t> maze_link_stages(
    const topology::zoo::FlattenedButterfly& topology);

/// The analytic fabric of a SIP whose cubes are joined by a MAZE, from its spec: nodes are cubes,
/// y * w + x; links have their IRS stages; packets, clock and dimension order are those of
/// `sip.maze`. Throws std::invalid_argument when `sip.inter_cube` is not maze.
[[nodiscard]] std::unique_ptr<AnalyticFabric> make_analytic_maze(
    engine::Simulation& simulation, const topology::SipSpec& sip,
    const AnalyticParameters& parameters = {});

}  // namespace kernbench::model::fabric
