#pragma once

#include <string_view>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A topology written as its name is: "Mesh2D(4,3)", "TerminalRouter(BidirectionalLine(4))",
/// "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)))", where (0,2,...)
/// joins node 0 of the base to node 2 of the child, and "CustomTopology(3,0->1,1->2)". Blanks may
/// stand between words. Reading name() gives the same topology again, but for custom ones, whose
/// names do not have their edges.
/// Throws common::BadInput that says what is wrong at which letter, with a caret below it.
[[nodiscard]] TopologyPtr parse_zoo_text(std::string_view text);

}  // namespace kernbench::topology::zoo
