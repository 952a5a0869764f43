// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Radius of a drawn node, in units of the picture.
inline constexpr double kNodeRadius = 0.17;

/// Gives every node an ingress and an egress, in a direction with room beside the channels and as
/// close as possible to the one requested by the layout.
void place_ports(Plot& plot, std::span<const Channel> channels);

}  // namespace kernbench::topology::zoo
