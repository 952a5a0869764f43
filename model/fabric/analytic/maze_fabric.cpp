// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/analytic/maze_fabric.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "topology/maze_links.hpp"
#include "topology/spec/sip_spec.hpp"
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

namespace {

/// Dimension order that goes round one failed node: a packet whose corner has failed takes the
/// other one (MAZE network, requirement 2.7).
class DetourRouting final : public topology::zoo::RoutingRelation {
 public:
  DetourRouting(const FlattenedButterfly& maze, topology::DimensionOrder order,
                std::optional<std::uint32_t> failed)
      : RoutingRelation(maze),
        grid_(maze.grid()),
        order_(order),
        failed_(failed),
        straight_(maze, maze.grid(), DimensionStep::Direct, order) {}

  [[nodiscard]] std::string name() const override { return straight_.name(); }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  [[nodiscard]] std::vector<topology::zoo::Hop> next(std::uint32_t at,
                                                     std::optional<topology::zoo::Hop> in,
                                                     std::uint32_t dst) const override {
    const std::uint32_t x_first = grid_.at(grid_.x_of(dst), grid_.y_of(at));
    const std::uint32_t y_first = grid_.at(grid_.x_of(at), grid_.y_of(dst));
    const bool is_xy = order_ == topology::DimensionOrder::XY;
    const std::uint32_t corner = is_xy ? x_first : y_first;
    if (!in && corner == failed_ && corner != dst) return hop(at, is_xy ? y_first : x_first, 0);
    return straight_.next(at, in, dst);
  }

 private:
  topology::Grid grid_;
  topology::DimensionOrder order_;
  std::optional<std::uint32_t> failed_;
  DimensionOrderRouting straight_;
};

}  // namespace

std::unique_ptr<AnalyticFabric> make_analytic_maze(engine::Simulation& simulation,
                                                   const topology::SipSpec& sip, MazeNodeKind nodes,
                                                   const AnalyticParameters& parameters) {
  if (sip.inter_cube != topology::InterCube::Maze) {
    throw std::invalid_argument(
        "the cubes are not joined by a MAZE: 'sip.inter_cube' must be maze");
  }
  auto maze = std::make_shared<const FlattenedButterfly>(sip.cube_mesh_w, sip.cube_mesh_h);
  auto relation =
      std::make_unique<const DetourRouting>(*maze, sip.maze.order, sip.maze.failed_node);
  const topology::MazeLinks links(sip.cube_mesh_w, sip.cube_mesh_h);
  std::vector<std::uint32_t> turns(maze->channels().size());
  for (const topology::MazeLink& link : links.links()) {
    turns.at(maze->find_channel(link.from.node, link.to.node).value()) = link.to.port;
  }
  const bool staged = nodes == MazeNodeKind::Maze;
  std::vector<std::uint32_t> stages = maze_link_stages(*maze);
  if (staged) {
    for (std::uint32_t& of_link : stages) ++of_link;  // the output stage
  }
  AnalyticSettings settings{.period = common::SimTime::from_ns(sip.maze.clock_ns),
                            .packet_bits = sip.maze.flit_bits,
                            .link_stages = std::move(stages),
                            .link_turns = std::move(turns),
                            .multicast_order = sip.maze.order,
                            .finite_queues = true,
                            .staged_nodes = staged,
                            .failed = sip.maze.failed_node,
                            .parameters = parameters};
  return std::make_unique<AnalyticFabric>(simulation, std::move(maze), std::move(relation),
                                          std::move(settings));
}

}  // namespace kernbench::model::fabric
