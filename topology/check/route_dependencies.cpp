// SPDX-License-Identifier: Apache-2.0
#include "topology/check/route_dependencies.hpp"

#include <algorithm>
#include <utility>

#include "common/progress.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/zoo/routing/dependency_graph.hpp"

namespace kernbench::topology {

namespace {

/// Follows routes and records which edge follows which.
class RouteFollower {
 public:
  explicit RouteFollower(const TopologyGraph& graph)
      : graph_(graph),
        router_(graph, 0),  // routes come grouped by search, each once
        dependencies_(graph.edges().size()),
        followed_for_(graph.edges().size(), 0) {}

  RouteDependencies run() {
    const std::vector<NodeId> pe_dmas = nodes_of(NodeKind::PeDma, 0);
    const std::vector<NodeId> pcie_eps = nodes_of(NodeKind::PcieEp, 0);
    const std::vector<NodeId> goals = nodes_of(NodeKind::HbmCtrl, 1);
    common::StepProgress progress("sources", pe_dmas.size() + pcie_eps.size());
    for (const NodeId source : pe_dmas) {
      for (const bool within_cube : {true, false}) {  // they are different searches
        ++search_;
        for (const NodeId goal : goals) {
          if (same_cube(source, goal) == within_cube) follow(router_.find_path(source, goal));
        }
      }
      progress.step();
    }
    for (const NodeId source : pcie_eps) {
      ++search_;
      for (const NodeId goal : goals) follow(router_.find_memory_path(source, goal));
      progress.step();
    }
    found_.channels =
        static_cast<std::uint64_t>(std::count_if(followed_for_.begin(), followed_for_.end(),
                                                 [](std::uint32_t search) { return search != 0; }));
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

  [[nodiscard]] bool same_cube(NodeId a, NodeId b) const {
    return graph_.node(a).sip == graph_.node(b).sip && graph_.node(a).cube == graph_.node(b).cube;
  }

  /// Returns whether an edge joins two routers of a network. Its virtual channels keep packets from
  /// waiting for each other in a ring, which the reader of the spec has checked.
  [[nodiscard]] bool is_channel_of_noc(EdgeId id) const {
    const Edge& edge = graph_.edge(id);
    return graph_.node(edge.from).kind == NodeKind::Noc &&
           graph_.node(edge.to).kind == NodeKind::Noc;
  }

  void follow(const Path& route) {
    ++found_.routes;
    std::vector<EdgeId> edges = router_.wires(route);
    std::erase_if(edges, [this](EdgeId edge) { return is_channel_of_noc(edge); });
    for (std::size_t i = edges.size(); i-- > 0;) {
      const Edge& edge = graph_.edge(edges[i]);
      std::uint32_t& followed_for = followed_for_[edges[i].value()];
      // The routes of a search are a tree: routes that share an edge share all before it, except
      // for an edge to a PHY, which they may take on different lanes.
      if (followed_for == search_ && graph_.node(edge.to).kind != NodeKind::UciePhy) return;
      followed_for = search_;
      if (i > 0) dependencies_.add(edges[i - 1].value(), edges[i].value());
    }
  }

  const TopologyGraph& graph_;
  PathRouter router_;
  zoo::DependencyGraph dependencies_;
  std::uint32_t search_ = 0;                 ///< number of the current search, from 1
  std::vector<std::uint32_t> followed_for_;  ///< by edge: the latest search with a route over it
  RouteDependencies found_;
};

}  // namespace

RouteDependencies follow_routes(const TopologyGraph& graph) {
  return RouteFollower(graph).run();
}

}  // namespace kernbench::topology
