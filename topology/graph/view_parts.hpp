// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

// Building blocks of the four views.

/// Returns the box of a node; the renderer chooses its size.
[[nodiscard]] ViewNode view_node(std::string id, std::string label, NodeKind kind,
                                 PositionMm center, double overhead_ns);

/// Returns a line for a pair of opposite edges.
[[nodiscard]] ViewEdge view_line(std::size_t from, std::size_t to, EdgeKind kind,
                                 const LinkSpec& link);

/// Adds the nodes of `graph` as boxes at their positions, and its edges as lines. A pair of
/// opposite edges with equal parameters becomes one line.
void append_graph(const TopologyGraph& graph, View& view);

/// Returns the short label of a node: its name without the name of its block.
[[nodiscard]] std::string short_label(const TopologyGraph& graph, NodeId id);

}  // namespace kernbench::topology
