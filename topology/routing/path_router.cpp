// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/path_router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "common/hash.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/routing/node_lookup.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

namespace {

/// Cost of a cached route besides its nodes, in units of one node.
constexpr std::size_t kRouteOverheadNodes = 24;

bool is_pe_part(NodeKind kind) {
  return std::find(kPeParts.begin(), kPeParts.end(), kind) != kPeParts.end();
}

[[noreturn]] void refuse(const TopologyGraph& graph, NodeId start, NodeId goal) {
  throw RoutingError(fmt::format("no path from {} to {}", graph.name(start), graph.name(goal)));
}

/// Returns whether a side of a cube has several connections at one router.
bool has_shared_connections(const CubeMesh& mesh) {
  return std::any_of(mesh.ucie_routers.begin(), mesh.ucie_routers.end(), [](const auto& slots) {
    return std::set<GridSlot>(slots.begin(), slots.end()).size() < slots.size();
  });
}

/// Joins consecutive links of a fabric to one hop, as the fabric chooses the links itself.
std::vector<EdgeId> with_joined_fabric_hops(const TopologyGraph& graph,
                                            const std::vector<EdgeId>& edges) {
  std::vector<EdgeId> joined;
  for (const EdgeId id : edges) {
    const bool goes_on = !joined.empty() && is_carried(graph.edge(id).kind) &&
                         is_carried(graph.edge(joined.back()).kind);
    if (!goes_on) joined.push_back(id);
  }
  return joined;
}

}  // namespace

std::size_t PathRouter::RouteKeyHash::operator()(const RouteKey& key) const noexcept {
  return common::mix64(key.search ^ common::mix64(key.goal));
}

PathRouter::PathRouter(const TopologyGraph& graph, std::size_t cache_bytes)
    : graph_(graph),
      carried_(graph),
      stops_(graph),
      adjacencies_(build_adjacencies(graph, stops_)),
      leaves_(are_sips_leaves(graph)),
      shares_connections_(has_shared_connections(graph.mesh())),
      // Searches and routes each get half of the cache.
      max_searches_(cache_bytes / 2 / std::max<std::size_t>(ShortestPaths::bytes(stops_), 1)),
      max_route_nodes_(cache_bytes / 2 / sizeof(NodeId)) {}

NodeId PathRouter::node(std::string_view name) const {
  return node_named(graph_, name);
}

bool PathRouter::same_cube(NodeId a, NodeId b) const {
  const Node& first = graph_.node(a);
  const Node& second = graph_.node(b);
  return first.cube != kNoIndex && first.cube == second.cube && first.sip == second.sip;
}

Path PathRouter::find_path(NodeId pe_dma, NodeId dst) const {
  return same_cube(pe_dma, dst) ? find({Adjacency::Local, true}, pe_dma, dst)
                                : find({Adjacency::Data, true}, pe_dma, dst);
}

Path PathRouter::find_path(std::string_view src_pe, std::string_view dst_node) const {
  return find_path(node(node_names::pe_part(src_pe, NodeKind::PeDma)), node(dst_node));
}

Path PathRouter::find_mcpu_dma_path(NodeId m_cpu, NodeId dst_hbm) const {
  if (is_pe_part(graph_.node(dst_hbm).kind)) refuse(graph_, m_cpu, dst_hbm);
  return find({same_cube(m_cpu, dst_hbm) ? Adjacency::Local : Adjacency::All, true}, m_cpu,
              dst_hbm);
}

Path PathRouter::find_mcpu_dma_path(std::string_view m_cpu, std::string_view dst_hbm) const {
  return find_mcpu_dma_path(node(m_cpu), node(dst_hbm));
}

Path PathRouter::find_memory_path(NodeId src, NodeId dst) const {
  return find({Adjacency::McpuDma, true}, src, dst);
}

Path PathRouter::find_memory_path(std::string_view src, std::string_view dst) const {
  return find_memory_path(node(src), node(dst));
}

Path PathRouter::find_node_path(NodeId src, NodeId dst) const {
  return find({Adjacency::All, false}, src, dst);
}

Path PathRouter::find_node_path(std::string_view src, std::string_view dst) const {
  return find_node_path(node(src), node(dst));
}

std::vector<NodeId> PathRouter::dijkstra(std::string_view start, std::string_view goal) const {
  return dijkstra_with_distance(start, goal).nodes;
}

Path PathRouter::dijkstra_with_distance(std::string_view start, std::string_view goal) const {
  return find({Adjacency::Data, true}, node(start), node(goal));
}

Path PathRouter::find(Policy policy, NodeId start, NodeId goal) const {
  const SearchKey search_key = std::uint64_t{start.value()} << 8U |
                               static_cast<std::uint64_t>(policy.adjacency) << 1U |
                               (policy.without_command ? 1U : 0U);
  const RouteKey key{search_key, goal.value()};
  const std::scoped_lock lock(mutex_);
  const auto cached = routes_.find(key);
  if (cached != routes_.end()) return cached->second;
  Path route = search(search_from(search_key, policy, start), start, goal);
  const std::size_t cost = 2 * route.nodes.size() + kRouteOverheadNodes;
  if (cost <= max_route_nodes_) {
    if (route_nodes_ + cost > max_route_nodes_) {
      routes_.clear();
      route_nodes_ = 0;
    }
    route_nodes_ += cost;
    routes_.emplace(key, route);
  }
  return route;
}

/// Returns the cached search from `start`, or a new one.
ShortestPaths& PathRouter::search_from(SearchKey key, Policy policy, NodeId start) const {
  const auto known = searches_.find(key);
  if (known != searches_.end()) return *known->second;
  const ArcTable& arcs = adjacencies_.at(static_cast<std::size_t>(policy.adjacency));
  std::unique_ptr<ShortestPaths> paths;
  // Keep at least one search: the one in use.
  if (!search_order_.empty() && searches_.size() >= max_searches_) {
    paths = std::move(searches_.extract(search_order_.front()).mapped());
    search_order_.pop_front();
    paths->restart(arcs, start, policy.without_command);
  } else {
    paths = std::make_unique<ShortestPaths>(graph_, stops_, arcs, start, policy.without_command,
                                            leaves_);
  }
  search_order_.push_back(key);
  return *searches_.emplace(key, std::move(paths)).first->second;
}

Path PathRouter::search(ShortestPaths& paths, NodeId start, NodeId goal) const {
  const auto distance = paths.distance_nm(goal);
  if (!distance) refuse(graph_, start, goal);
  Path route;
  route.distance_nm = *distance;
  route.edges = with_joined_fabric_hops(graph_, paths.edges_to(goal));
  share_connections(route.edges, start, goal);
  for (const EdgeId edge : route.edges) route.nodes.push_back(graph_.edge(edge).from);
  route.nodes.push_back(goal);
  for (std::size_t i = 0; i < route.edges.size(); ++i) {
    EdgeId& edge = route.edges[i];
    if (!is_carried(graph_.edge(edge).kind)) continue;
    const std::vector<EdgeId> links = carried_.between(route.nodes[i], route.nodes[i + 1]);
    if (links.empty()) refuse(graph_, start, goal);
    edge = links.front();
  }
  return route;
}

/// Returns the edge from one node to another among those of all adjacencies.
std::optional<EdgeId> PathRouter::edge_between(NodeId from, NodeId to) const {
  for (std::uint32_t lane = 0; lane < stops_.lanes(from); ++lane) {
    for (const Arc& arc : adjacencies_.at(static_cast<std::size_t>(Adjacency::All))
                              .leaving(stops_.stop(from, lane))) {
      if (graph_.edge(arc.edge).to == to) return arc.edge;
    }
  }
  return std::nullopt;
}

/// Where several connections of a PHY are at one router, and so are those of the facing PHY, a
/// search takes the lowest of them. Spreads routes over them by a hash of the cubes and PEs of
/// their ends.
void PathRouter::share_connections(std::vector<EdgeId>& edges, NodeId start, NodeId goal) const {
  if (!shares_connections_) return;
  // Router, connection, PHY, facing PHY, its connection, router.
  constexpr std::size_t kCrossing = 5;
  const auto connections_of = [this](NodeId router) {
    std::vector<NodeId> connections;
    for (const Arc& arc :
         adjacencies_.at(static_cast<std::size_t>(Adjacency::All)).leaving(router.value())) {
      const Edge& edge = graph_.edge(arc.edge);
      if (edge.kind == EdgeKind::RouterToUcieConn) connections.push_back(edge.to);
    }
    return connections;
  };
  // Cube and PE, so that all SIPs have the same routes.
  std::uint64_t ends = 0;
  for (const NodeId end : {start, goal}) {
    ends = ends << 32U | std::uint64_t{graph_.node(end).cube} << 16U | graph_.node(end).pe;
  }
  for (std::size_t i = 0; i + kCrossing <= edges.size(); ++i) {
    if (graph_.edge(edges[i]).kind != EdgeKind::RouterToUcieConn ||
        graph_.edge(edges[i + 4]).kind != EdgeKind::UcieConnToRouter) {
      continue;
    }
    const NodeId router = graph_.edge(edges[i]).from;
    const NodeId phy = graph_.edge(edges[i + 1]).to;
    const NodeId facing = graph_.edge(edges[i + 2]).to;
    const NodeId far = graph_.edge(edges[i + 4]).to;
    std::vector<std::array<EdgeId, kCrossing>> ways;
    for (const NodeId near_end : connections_of(router)) {
      for (const NodeId far_end : connections_of(far)) {
        if (graph_.node(near_end).lane != graph_.node(far_end).lane) continue;
        const auto to_phy = edge_between(near_end, phy);
        const auto from_facing = edge_between(facing, far_end);
        if (!to_phy || !from_facing) continue;
        ways.push_back({edge_between(router, near_end).value(), *to_phy, edges[i + 2], *from_facing,
                        edge_between(far_end, far).value()});
      }
    }
    const auto& way = ways.at(common::mix64(ends) % ways.size());
    std::copy(way.begin(), way.end(), edges.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::vector<EdgeId> PathRouter::wires(const Path& route) const {
  std::vector<EdgeId> wires;
  wires.reserve(route.edges.size() + 1);
  for (std::size_t i = 0; i < route.edges.size(); ++i) {
    if (is_carried(graph_.edge(route.edges[i]).kind)) {
      const auto links = carried_.between(route.nodes[i], route.nodes[i + 1]);
      wires.insert(wires.end(), links.begin(), links.end());
    } else {
      wires.push_back(route.edges[i]);
    }
  }
  return wires;
}

}  // namespace kernbench::topology
