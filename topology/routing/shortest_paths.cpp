// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/shortest_paths.hpp"

#include <algorithm>

namespace kernbench::topology {

ShortestPaths::ShortestPaths(const TopologyGraph& graph, const ArcTable& arcs, NodeId source,
                             bool without_command)
    : graph_(graph), nodes_(graph.nodes().size()) {
  restart(arcs, source, without_command);
}

void ShortestPaths::restart(const ArcTable& arcs, NodeId source, bool without_command) {
  arcs_ = &arcs;
  without_command_ = without_command;
  for (const std::uint32_t node : reached_) nodes_[node] = {};
  reached_.clear();
  pending_ = {};
  pushed_ = 0;
  nodes_[source.value()].progress = Progress::Reached;
  reached_.push_back(source.value());
  pending_.push({0, pushed_++, source.value()});
}

std::size_t ShortestPaths::bytes(const TopologyGraph& graph) {
  return graph.nodes().size() * sizeof(NodeState);
}

std::optional<std::int64_t> ShortestPaths::distance_nm(NodeId goal) {
  const NodeState& node = nodes_[goal.value()];
  while (node.progress != Progress::Settled && !pending_.empty()) settle_next();
  if (node.progress != Progress::Settled) return std::nullopt;
  return node.distance;
}

void ShortestPaths::settle_next() {
  const Pending next = pending_.top();
  pending_.pop();
  Progress& progress = nodes_[next.node].progress;
  if (progress == Progress::Settled) return;  // a stale entry of a longer path
  progress = Progress::Settled;
  for (const Arc& arc : arcs_->leaving(next.node)) {
    if (without_command_ && graph_.edge(arc.edge).kind == EdgeKind::Command) continue;
    relax(arc, next.distance + arc.weight_nm);
  }
}

void ShortestPaths::relax(const Arc& arc, std::int64_t distance) {
  NodeState& node = nodes_[arc.to];
  if (node.progress == Progress::Unreached) reached_.push_back(arc.to);
  if (node.progress == Progress::Unreached || distance < node.distance) {
    node = {distance, arc.edge.value(), Progress::Reached};
    pending_.push({distance, pushed_++, arc.to});
  } else if (distance == node.distance && graph_.edge(arc.edge).vertical &&
             node.progress != Progress::Settled) {
    const EdgeId former(node.reached_by);
    if (!graph_.edge(former).vertical) node.reached_by = arc.edge.value();
  }
}

std::vector<EdgeId> ShortestPaths::edges_to(NodeId goal) const {
  std::vector<EdgeId> edges;
  for (NodeId node = goal; nodes_[node.value()].reached_by != kNoEdge;) {
    edges.emplace_back(nodes_[node.value()].reached_by);
    node = graph_.edge(edges.back()).from;
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

}  // namespace kernbench::topology
