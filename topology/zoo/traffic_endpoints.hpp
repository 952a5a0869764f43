// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/grid.hpp"
#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// The nodes where packets enter and leave a topology. Traffic patterns number them: source i and
/// destination i are the same node, or in the same row of a butterfly.
struct TrafficEndpoints {
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> destinations;  ///< one for each source
  /// Arrangement of the endpoints in rows and columns, if they have one.
  std::optional<Grid> grid;
};

/// Returns the terminals of a TerminalRouter, the first and the last stage of a Butterfly, the
/// endpoints of base and children of a HierarchicalTopology, and all nodes of any other topology. A
/// node whose endpoints a file counts occurs that often.
[[nodiscard]] TrafficEndpoints traffic_endpoints(const BaseTopology& topology);

}  // namespace kernbench::topology::zoo
