// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Places nodes on a circle, clockwise from the top and `spacing` apart, with ports on the outside.
[[nodiscard]] Plot ring_layout(std::uint32_t nodes, double spacing);

}  // namespace kernbench::topology::zoo
