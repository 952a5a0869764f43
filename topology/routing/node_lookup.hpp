// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Returns the name of a node, or of a group of nodes such as a PE, that is nearest to `name`, part
/// by part, for a "did you mean" hint. Returns nothing if `name` exists or none is near. Takes time
/// in proportion to the number of nodes.
[[nodiscard]] std::optional<std::string> nearest_node(const TopologyGraph& graph,
                                                      std::string_view name);

/// Returns the node with this name. Throws RoutingError if the graph has none.
[[nodiscard]] NodeId node_named(const TopologyGraph& graph, std::string_view name);

}  // namespace kernbench::topology
