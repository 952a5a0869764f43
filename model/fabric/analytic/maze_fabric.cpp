// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/analytic/maze_fabric.hpp"

#include <stdexcept>
#include <utility>

#include "topology/maze_links.hpp"
#include "topology/zoo/routing/dimension_order.hpp"

namespace kernbench::model::fabric {

using topology::zoo::DimensionOrderRouting;
using topology::zoo::DimensionStep;
using topology::zoo::FlattenedButterfly;

std::vector<std::uint32_t> maze_link_stages(const FlattenedButterfly& topology) {
  const topology::MazeLinks maze(topology.grid().nx, topology.grid().ny);
  std::vector<std::uint32_t> stages(topology.channels().size());
  for (const topology::MazeLink& link : maze.links()) {
    stages.at(topology.find_channel(link.from.node, link.to.node).value()) = link.depth;
  }
  return stages;
}

std::unique_ptr<AnalyticFabric> make_analytic_maze(engine::Simulation& simulation,
                                                   const topology::SipSpec& sip,
                                                   const AnalyticParameters& parameters) {
  if (sip.inter_cube != topology::InterCube::Maze) {
    throw std::invalid_argument(
        "the cubes are not joined by a MAZE: 'sip.inter_cube' must be maze");
  }
  auto maze = std::make_shared<const FlattenedButterfly>(sip.cube_mesh_w, sip.cube_mesh_h);
  auto relation = std::make_unique<const DimensionOrderRouting>(
      *maze, maze->grid(), DimensionStep::Direct, sip.maze.order);
  const topology::MazeLinks links(sip.cube_mesh_w, sip.cube_mesh_h);
  std::vector<std::uint32_t> turns(maze->channels().size());
  for (const topology::MazeLink& link : links.links()) {
    turns.at(maze->find_channel(link.from.node, link.to.node).value()) = link.to.port;
  }
  AnalyticSettings settings{.period = common::SimTime::from_ns(sip.maze.clock_ns),
                            .packet_bits = sip.maze.flit_bits,
                            .link_stages = maze_link_stages(*maze),
                            .link_turns = std::move(turns),
                            .broadcast_order = sip.maze.order,
                            .finite_queues = true,
                            .parameters = parameters};
  return std::make_unique<AnalyticFabric>(simulation, std::move(maze), std::move(relation),
                                          std::move(settings));
}

}  // namespace kernbench::model::fabric
