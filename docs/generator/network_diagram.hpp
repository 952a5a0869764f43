// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::docs {

/// Draws a node of the MAZE: the way of a packet from an input to an output, by module.
[[nodiscard]] std::string node_diagram();

/// Draws MAZE_TOP: the array of nodes between their users and TOPO, with the clock gates.
[[nodiscard]] std::string top_diagram();

}  // namespace kernbench::docs
