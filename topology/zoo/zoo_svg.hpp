// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// The largest number of nodes that render_zoo_svg() draws.
inline constexpr std::uint32_t kMaxDrawnNodes = 1024;

/// Draws a topology as an SVG document: every node with its number, a line where channels join two
/// nodes both ways, an arrow where a channel leads one way only, and arrows by which packets enter
/// (ingress) and leave (egress). A legend explains them. Throws std::invalid_argument for more than
/// kMaxDrawnNodes nodes.
[[nodiscard]] std::string render_zoo_svg(const BaseTopology& topology);

}  // namespace kernbench::topology::zoo
