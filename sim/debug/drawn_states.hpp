// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "maze/network_frame.hpp"
#include "sim/debug/recorder.hpp"

namespace kernbench::sim {

/// Runs the reference alone, on drawn traffic with stalls and a reset, and records it: some nodes
/// of a network, evenly spread, or the link that failed. The RTL takes no part. `failed` is a
/// recording of a unit, which tells where the RTL has it; `network` tells that its links are
/// between nodes.
///
/// The cycles before a failure are few, and of one unit. These states tell which lines would have
/// to read more than they do.
[[nodiscard]] std::vector<Recording> draw_states(const Recording& failed,
                                                 const maze::NetworkConfig& config, bool network);

}  // namespace kernbench::sim
