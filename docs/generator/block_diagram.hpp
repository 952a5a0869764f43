// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topology/maze_links.hpp"

namespace kernbench::docs {

/// Draws the grid of nodes and the outgoing links of one of them, coloured by IRS depth. Links that
/// wrap round are drawn on the other side of their row or column.
[[nodiscard]] std::string block_diagram(const topology::MazeLinks& links, unsigned node);

/// Draws the parts of one link of `depth` stages: node, IRS_N with its IRS_LP chain, node.
[[nodiscard]] std::string link_diagram(unsigned depth);

}  // namespace kernbench::docs
