// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Dependencies between edges that routes take one after the other.
struct RouteDependencies {
  std::uint64_t routes = 0;
  std::uint64_t channels = 0;      ///< edges on any route
  std::uint64_t dependencies = 0;  ///< pairs of edges that some route takes in succession
  std::vector<EdgeId> cycle;       ///< edges that may wait for each other in a cycle, or empty
};

/// Follows the routes listed at check_structure().
[[nodiscard]] RouteDependencies follow_routes(const TopologyGraph& graph);

}  // namespace kernbench::topology
