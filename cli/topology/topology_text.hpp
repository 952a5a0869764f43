// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/outcome.hpp"
#include "topology/check/structure_check.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/routing/path_router.hpp"

namespace kernbench::cli {

// The output of `kernbench topology`. Each text ends with a newline.

/// Returns the numbers of nodes and edges by kind.
[[nodiscard]] std::string describe_graph(const topology::TopologyGraph& graph);

/// Returns the kind, overhead, position and outgoing edges of a node.
[[nodiscard]] std::string describe_node(const topology::TopologyGraph& graph, topology::NodeId id);

/// Returns a route hop by hop with edge kinds, bandwidths and lengths. Both links of a hop through
/// the MAZE are listed.
[[nodiscard]] std::string describe_route(const topology::TopologyGraph& graph,
                                         const topology::PathRouter& router,
                                         const topology::Path& route);

/// Returns the scope, the findings and the outcome of a structure check.
[[nodiscard]] std::string describe_check(const topology::TopologyGraph& graph,
                                         const topology::StructureReport& report,
                                         common::Outcome outcome);

}  // namespace kernbench::cli
