// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Bandwidth, length and routing weight of an edge.
struct Wire {
  double bw_gbs = 0;
  std::int64_t length_nm = 0;
  std::int64_t routing_weight_nm = 0;  ///< 0 if unset
};

/// Returns the wire of a link whose length is in the spec.
[[nodiscard]] Wire wire(const LinkSpec& link);
/// Returns a wire as long as the distance between its ends.
[[nodiscard]] Wire wire_between(const PositionMm& a, const PositionMm& b, double bw_gbs);

/// Fills a graph node by node and edge by edge, in the order of the stages of ADR-0053 D1.
class GraphBuilder {
 public:
  GraphBuilder(const TopologySpec& spec, const CubeMesh& mesh) : graph_(spec, mesh) {}

  [[nodiscard]] const TopologySpec& spec() const { return graph_.spec(); }
  [[nodiscard]] const CubeMesh& mesh() const { return graph_.mesh_; }
  [[nodiscard]] const Node& node(NodeId id) const { return graph_.node(id); }

  /// Reserves memory for all nodes and edges, to avoid reallocation while the graph grows.
  void reserve(std::size_t nodes, std::size_t edges);
  /// Adds a node with an unused `name`. Rounds its overhead half up to a picosecond; no later code
  /// rounds again.
  NodeId add_node(std::string_view name, double overhead_ns, const Node& node);
  void add_edge(NodeId from, NodeId to, EdgeKind kind, const Wire& wire);
  /// Adds an edge and its opposite.
  void add_pair(NodeId a, NodeId b, EdgeKind kind, const Wire& wire);
  void add_pair(NodeId a, NodeId b, EdgeKind a_to_b, EdgeKind b_to_a, const Wire& wire);
  /// Adds an edge of the router mesh; `vertical` is true if it runs along a column.
  void add_mesh_edge(NodeId from, NodeId to, const Wire& wire, bool vertical);
  /// Adds the edges between a router and a UCIe connection; `vertical` is true if the connection is
  /// on the north or south side.
  void add_connection_edges(NodeId router, NodeId connection, const Wire& wire, bool vertical);
  void add_maze_link(NodeId from, NodeId to, const Wire& wire, unsigned port, unsigned depth);

  /// Indexes the names and returns the graph with these views.
  [[nodiscard]] TopologyGraph finish(std::array<View, 4> views) &&;

 private:
  TopologyGraph graph_;
};

}  // namespace kernbench::topology
