#pragma once

#include <cstddef>
#include <string>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

// What the four views are made of.

/// A node of the graph as a box; its size is left to the renderer.
[[nodiscard]] ViewNode view_node(std::string id, std::string label, NodeKind kind,
                                 PositionMm center, double overhead_ns);

/// A line for a pair of opposite edges.
[[nodiscard]] ViewEdge view_line(std::size_t from, std::size_t to, EdgeKind kind,
                                 const LinkSpec& link);

/// Adds the nodes of `graph` as boxes at their positions, and its edges: a pair of opposite edges
/// with equal parameters becomes one line.
void append_graph(const TopologyGraph& graph, View& view);

/// The short label of a node of the graph: what follows its block in the name.
[[nodiscard]] std::string short_label(const TopologyGraph& graph, NodeId id);

}  // namespace kernbench::topology
