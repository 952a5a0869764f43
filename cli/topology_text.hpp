#pragma once

#include <string>

#include "topology/check/structure_check.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/routing/path_router.hpp"

namespace kernbench::cli {

// What `kernbench topology` prints; each text ends with a newline.

/// Nodes and edges of the graph by kind.
[[nodiscard]] std::string describe_graph(const topology::TopologyGraph& graph);

/// One node: where it belongs and stands, and every edge that leaves it.
[[nodiscard]] std::string describe_node(const topology::TopologyGraph& graph, topology::NodeId id);

/// A route, hop by hop, with kinds, bandwidths and lengths.
[[nodiscard]] std::string describe_route(const topology::TopologyGraph& graph,
                                         const topology::Route& route);

/// What the structure check looked at and found.
[[nodiscard]] std::string describe_check(const topology::TopologyGraph& graph,
                                         const topology::StructureReport& report);

}  // namespace kernbench::cli
