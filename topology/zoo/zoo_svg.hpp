#pragma once

#include <cstdint>
#include <string>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// More nodes than this are not drawn.
inline constexpr std::uint32_t kMaxDrawnNodes = 1024;

/// The picture of a topology as one SVG document: every node with its number, a line for every two
/// channels that join two nodes both ways, an arrow for a channel that leads one way only, and
/// arrows by which packets enter (ingress) and leave (egress). A legend says so.
/// Throws std::invalid_argument for more than kMaxDrawnNodes nodes.
[[nodiscard]] std::string render_zoo_svg(const BaseTopology& topology);

}  // namespace kernbench::topology::zoo
