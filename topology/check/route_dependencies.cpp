// SPDX-License-Identifier: Apache-2.0
#include "topology/check/route_dependencies.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "topology/routing/path_router.hpp"
#include "topology/zoo/routing/dependency_graph.hpp"

namespace kernbench::topology {

namespace {

/// Largest number of routes from all PEs to all slices. Above it, PE 0 of each cube represents the
/// cube.
constexpr std::size_t kMaxRoutes = 300'000;

/// Follows routes and records which edge follows which.
class RouteFollower {
 public:
  explicit RouteFollower(const TopologyGraph& graph)
      : graph_(graph), router_(graph), dependencies_(graph.edges().size()) {
    for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
      const Edge& edge = graph.edges()[e];
      if (edge.kind == EdgeKind::MazeLink) {
        maze_links_.emplace(std::pair(edge.from, edge.to), EdgeId(e));
      }
    }
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
      const Node& node = graph.nodes()[i];
      if (node.kind == NodeKind::Maze) mazes_.emplace(std::pair(node.sip, node.cube), NodeId(i));
    }
  }

  RouteDependencies run() {
    std::vector<NodeId> sources = nodes_of(NodeKind::PeDma, 0);
    std::vector<NodeId> goals = nodes_of(NodeKind::HbmCtrl, 1);
    if (sources.size() * goals.size() > kMaxRoutes) {
      found_.every_pe = false;
      keep_pe_0(sources);
      keep_pe_0(goals);
    }
    for (const NodeId source : sources) {
      for (const NodeId goal : goals) follow(router_.find_path(source, goal));
    }
    for (const NodeId source : nodes_of(NodeKind::PcieEp, 0)) {
      for (const NodeId goal : goals) follow(router_.find_memory_path(source, goal));
    }
    found_.channels = static_cast<std::uint64_t>(std::count(used_.begin(), used_.end(), true));
    found_.dependencies = dependencies_.edges();
    for (const std::uint32_t edge : dependencies_.cycle()) found_.cycle.emplace_back(edge);
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::vector<NodeId> nodes_of(NodeKind kind, std::uint16_t last_sip) const {
    std::vector<NodeId> found;
    for (std::uint32_t i = 0; i < graph_.nodes().size(); ++i) {
      const Node& node = graph_.nodes()[i];
      if (node.kind == kind && node.sip <= last_sip) found.emplace_back(i);
    }
    return found;
  }

  void keep_pe_0(std::vector<NodeId>& nodes) const {
    std::erase_if(nodes, [this](NodeId id) { return graph_.node(id).pe != 0; });
  }

  void follow(const Route& route) {
    ++found_.routes;
    std::vector<EdgeId> edges;
    for (std::size_t i = 0; i < route.edges.size(); ++i) {
      if (graph_.edge(route.edges[i]).kind == EdgeKind::MazeLink) {
        add_maze_hop(route.nodes[i], route.nodes[i + 1], edges);
      } else {
        edges.push_back(route.edges[i]);
      }
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      used_[edges[i].value()] = true;
      if (i > 0) dependencies_.add(edges[i - 1].value(), edges[i].value());
    }
  }

  /// Adds the one link of a MAZE hop, or two through the corner cube given by the fabric's
  /// dimension order.
  void add_maze_hop(NodeId from, NodeId to, std::vector<EdgeId>& edges) const {
    const std::uint32_t w = graph_.spec().sip.cube_mesh_w;
    const Node& a = graph_.node(from);
    const Node& b = graph_.node(to);
    const bool x_first = graph_.spec().sip.maze.order == DimensionOrder::XY;
    const std::uint32_t corner_y = (x_first ? a.cube : b.cube) / w;
    const std::uint32_t corner_x = (x_first ? b.cube : a.cube) % w;
    const NodeId corner = mazes_.at({a.sip, static_cast<std::uint16_t>(corner_y * w + corner_x)});
    if (corner == from || corner == to) {
      edges.push_back(maze_links_.at({from, to}));
    } else {
      edges.push_back(maze_links_.at({from, corner}));
      edges.push_back(maze_links_.at({corner, to}));
    }
  }

  const TopologyGraph& graph_;
  PathRouter router_;
  zoo::DependencyGraph dependencies_;
  std::vector<bool> used_ = std::vector<bool>(graph_.edges().size(), false);
  std::map<std::pair<NodeId, NodeId>, EdgeId> maze_links_;
  std::map<std::pair<std::uint16_t, std::uint16_t>, NodeId> mazes_;  ///< by SIP and cube
  RouteDependencies found_;
};

}  // namespace

RouteDependencies follow_routes(const TopologyGraph& graph) {
  return RouteFollower(graph).run();
}

}  // namespace kernbench::topology
