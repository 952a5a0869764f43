#pragma once

#include <cstdint>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Which edges routes take one after the other.
struct RouteDependencies {
  std::uint64_t routes = 0;
  std::uint64_t channels = 0;      ///< edges on any route
  std::uint64_t dependencies = 0;  ///< pairs of edges of which a route takes one after the other
  bool every_pe = true;
  std::vector<EdgeId> cycle;  ///< edges that may wait for each other in a ring; empty if none can
};

/// Follows the routes that check_structure() names.
[[nodiscard]] RouteDependencies follow_routes(const TopologyGraph& graph);

}  // namespace kernbench::topology
