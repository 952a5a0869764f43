#pragma once

#include <cstdint>
#include <span>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Any graph, laid out by stress majorization (Gansner, Koren, North 2004): the distance of two
/// nodes in the picture comes as near as it can to the hops between them. Starts from the nodes on
/// a circle, so that equal graphs get equal pictures. Channels that would run through a node are
/// bent around it. More than kMaxStressNodes nodes stay on the circle.
[[nodiscard]] Plot custom_layout(std::uint32_t nodes, std::span<const Channel> channels);

inline constexpr std::uint32_t kMaxStressNodes = 1024;

}  // namespace kernbench::topology::zoo
