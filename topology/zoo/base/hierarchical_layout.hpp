// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

class HierarchicalTopology;

/// Returns the layout of a hierarchy: the base in the middle, widened until every child has room
/// beside its base node. Each child keeps its own layout and is turned so that its link crosses
/// nothing, if possible.
[[nodiscard]] Plot hierarchical_layout(const HierarchicalTopology& topology);

}  // namespace kernbench::topology::zoo
