// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Lays out any graph by stress majorization (Gansner, Koren, North 2004): the distance of two
/// nodes approximates the hops between them. The search starts from nodes on a circle, so equal
/// graphs get equal pictures. Channels that would run through a node are bent around it. With more
/// than kMaxStressNodes nodes, all nodes stay on the circle.
[[nodiscard]] Plot custom_layout(std::uint32_t nodes, std::span<const Channel> channels);

inline constexpr std::uint32_t kMaxStressNodes = 1024;

}  // namespace kernbench::topology::zoo
