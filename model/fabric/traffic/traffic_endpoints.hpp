#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"
#include "topology/zoo/layout/grid.hpp"

namespace kernbench::model::fabric {

/// Where the packets of a topology enter and leave. Patterns number them: source i and destination
/// i are the same node, or stand in the same row of a butterfly.
struct TrafficEndpoints {
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> destinations;  ///< as many
  /// How endpoints stand in rows and columns; none: in no particular way.
  std::optional<topology::zoo::Grid> grid;
};

/// The terminals of a TerminalRouter; the first and the last stage of a Butterfly; those of base
/// and children of a HierarchicalTopology; all nodes of anything else.
[[nodiscard]] TrafficEndpoints traffic_endpoints(const topology::zoo::BaseTopology& topology);

}  // namespace kernbench::model::fabric
