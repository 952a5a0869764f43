// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Returns the routes of the topology's file, which may deadlock, or the natural relation of its
/// kind, which does not: dimension order (XY)
/// for lines, meshes and flattened butterflies, with datelines for rings and tori; up*/down* for
/// trees; destination tag for butterflies; the wrappers for terminal and hierarchical topologies.
/// Custom topologies get up*/down* if all channels go both ways, else shortest paths with a virtual
/// channel per negative hop. `topology` must outlive the result.
/// Throws std::invalid_argument for a custom topology of more than kMaxRoutedNodes nodes.
[[nodiscard]] std::unique_ptr<RoutingRelation> natural_routing(const BaseTopology& topology);

}  // namespace kernbench::topology::zoo
