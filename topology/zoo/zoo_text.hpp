// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// Parses a topology from the form of its name: "Mesh2D(4,3)",
/// "TerminalRouter(BidirectionalLine(4))",
/// "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)))", where (0,2,...)
/// joins node 0 of the base to node 2 of the child, and "CustomTopology(3,0->1,1->2)". Blanks are
/// allowed between words. The name() of a topology parses to the same topology, except for custom
/// ones, whose names omit their edges.
/// Throws common::BadInput, which names the error and its column, with a caret below the text.
[[nodiscard]] TopologyPtr parse_zoo_text(std::string_view text);

}  // namespace kernbench::topology::zoo
