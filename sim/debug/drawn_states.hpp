// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "maze/network_frame.hpp"
#include "sim/debug/recorder.hpp"

namespace kernbench::sim {

/// Runs the reference of a network alone, on drawn traffic with stalls and a reset, and records
/// some of its nodes, evenly spread. The RTL takes no part. `failed` is a recording of a node,
/// which tells where the RTL has its nodes.
///
/// The cycles before a failure are few, and of one node. These states tell which lines would have
/// to read more than they do.
[[nodiscard]] std::vector<Recording> draw_states(const Recording& failed,
                                                 const maze::NetworkConfig& config);

}  // namespace kernbench::sim
