#pragma once

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

class HierarchicalTopology;

/// The base in the middle, widened until every child has room beside its node of the base; each
/// child in its own layout, turned so that its link meets nothing else where that can be had.
[[nodiscard]] Plot hierarchical_layout(const HierarchicalTopology& topology);

}  // namespace kernbench::topology::zoo
