#pragma once

#include <memory>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// The relation that suits a topology, deadlock-free for every kind: dimension order (XY) for
/// lines, meshes and flattened butterflies, with datelines for rings and tori, up*/down* for trees,
/// destination tag for butterflies, the wrappers for terminal and hierarchical topologies, and for
/// custom ones up*/down* if all their channels go both ways, else shortest paths with a virtual
/// channel per negative hop. `topology` must outlive it.
/// Throws std::invalid_argument for a custom topology with more than kMaxRoutedNodes nodes.
[[nodiscard]] std::unique_ptr<RoutingRelation> natural_routing(const BaseTopology& topology);

}  // namespace kernbench::topology::zoo
