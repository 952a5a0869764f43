// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/graph_builder.hpp"

#include <utility>

#include "topology/spec/length.hpp"

namespace kernbench::topology {

Wire wire(const LinkSpec& link) {
  return {link.bw_gbs, to_nm(link.distance_mm), 0};
}

Wire wire_between(const PositionMm& a, const PositionMm& b, double bw_gbs) {
  return {bw_gbs, distance_nm(a, b), 0};
}

void GraphBuilder::reserve(std::size_t nodes, std::size_t edges) {
  constexpr std::size_t kNameBytes = 28;  // typical length of a name
  graph_.nodes_.reserve(nodes);
  graph_.name_ends_.reserve(nodes);
  graph_.names_.reserve(nodes * kNameBytes);
  graph_.edges_.reserve(edges);
}

NodeId GraphBuilder::add_node(std::string_view name, double overhead_ns, const Node& node) {
  const NodeId id(static_cast<std::uint32_t>(graph_.nodes_.size()));
  graph_.nodes_.push_back(node);
  graph_.nodes_.back().overhead = common::SimTime::from_ns(overhead_ns);
  graph_.names_ += name;
  graph_.name_ends_.push_back(static_cast<std::uint32_t>(graph_.names_.size()));
  return id;
}

void GraphBuilder::add_edge(NodeId from, NodeId to, EdgeKind kind, const Wire& wire) {
  Edge edge;
  edge.from = from;
  edge.to = to;
  edge.bw_gbs = wire.bw_gbs;
  edge.length_nm = static_cast<std::uint32_t>(wire.length_nm);
  edge.routing_weight_nm = wire.routing_weight_nm;
  edge.kind = kind;
  graph_.edges_.push_back(edge);
}

void GraphBuilder::add_pair(NodeId a, NodeId b, EdgeKind kind, const Wire& wire) {
  add_pair(a, b, kind, kind, wire);
}

void GraphBuilder::add_pair(NodeId a, NodeId b, EdgeKind a_to_b, EdgeKind b_to_a,
                            const Wire& wire) {
  add_edge(a, b, a_to_b, wire);
  add_edge(b, a, b_to_a, wire);
}

void GraphBuilder::add_mesh_edge(NodeId from, NodeId to, const Wire& wire, bool vertical) {
  add_edge(from, to, EdgeKind::RouterMesh, wire);
  graph_.edges_.back().vertical = vertical;
}

void GraphBuilder::add_connection_edges(NodeId router, NodeId connection, const Wire& wire,
                                        bool vertical) {
  add_edge(router, connection, EdgeKind::RouterToUcieConn, wire);
  graph_.edges_.back().vertical = vertical;
  add_edge(connection, router, EdgeKind::UcieConnToRouter, wire);
  graph_.edges_.back().vertical = vertical;
}

void GraphBuilder::add_maze_link(NodeId from, NodeId to, const Wire& wire, unsigned port,
                                 unsigned depth) {
  add_edge(from, to, EdgeKind::MazeLink, wire);
  graph_.edges_.back().maze_port = static_cast<std::uint8_t>(port);
  graph_.edges_.back().maze_depth = static_cast<std::uint8_t>(depth);
}

TopologyGraph GraphBuilder::finish(std::array<View, 4> views) && {
  graph_.index_names();
  graph_.views_ = std::move(views);
  return std::move(graph_);
}

}  // namespace kernbench::topology
