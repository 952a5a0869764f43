#include "topology/routing/shortest_paths.hpp"

#include <algorithm>

namespace kernbench::topology {

ShortestPaths::ShortestPaths(const TopologyGraph& graph, const ArcTable& arcs, NodeId source,
                             bool without_command)
    : graph_(graph),
      arcs_(arcs),
      without_command_(without_command),
      distance_(graph.nodes().size(), kUnreached),
      reached_by_(graph.nodes().size(), kNoEdge),
      settled_(graph.nodes().size(), false) {
  distance_[source.value()] = 0;
  pending_.push({0, pushed_++, source.value()});
}

std::size_t ShortestPaths::bytes(const TopologyGraph& graph) {
  return graph.nodes().size() * (sizeof(std::int64_t) + sizeof(std::uint32_t) + 1);
}

std::optional<std::int64_t> ShortestPaths::distance_nm(NodeId goal) {
  while (!settled_[goal.value()] && !pending_.empty()) settle_next();
  if (!settled_[goal.value()]) return std::nullopt;
  return distance_[goal.value()];
}

void ShortestPaths::settle_next() {
  const Pending next = pending_.top();
  pending_.pop();
  if (settled_[next.node]) return;  // a longer way to it was pushed first
  settled_[next.node] = true;
  for (const Arc& arc : arcs_.leaving(next.node)) {
    if (without_command_ && graph_.edge(arc.edge).kind == EdgeKind::Command) continue;
    relax(arc, next.distance + arc.weight_nm);
  }
}

void ShortestPaths::relax(const Arc& arc, std::int64_t distance) {
  if (distance < distance_[arc.to]) {
    distance_[arc.to] = distance;
    reached_by_[arc.to] = arc.edge.value();
    pending_.push({distance, pushed_++, arc.to});
  } else if (distance == distance_[arc.to] && graph_.edge(arc.edge).vertical && !settled_[arc.to]) {
    const EdgeId former(reached_by_[arc.to]);
    if (!graph_.edge(former).vertical) reached_by_[arc.to] = arc.edge.value();
  }
}

std::vector<EdgeId> ShortestPaths::edges_to(NodeId goal) const {
  std::vector<EdgeId> edges;
  for (NodeId node = goal; reached_by_[node.value()] != kNoEdge;) {
    edges.emplace_back(reached_by_[node.value()]);
    node = graph_.edge(edges.back()).from;
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

}  // namespace kernbench::topology
