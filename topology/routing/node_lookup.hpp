// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Returns the node with this name. Throws RoutingError if the graph has none.
[[nodiscard]] NodeId node_named(const TopologyGraph& graph, std::string_view name);

}  // namespace kernbench::topology
