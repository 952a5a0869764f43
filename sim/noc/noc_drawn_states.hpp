// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/debug/recorder.hpp"
#include "sim/noc/noc_device.hpp"

namespace kernbench::sim {

/// Runs the reference of a network alone, on drawn traffic, and records nodes with as many ports as
/// the one that failed, as draw_states() does of a MAZE. `failed` is a recording of a node.
[[nodiscard]] std::vector<Recording> draw_noc_states(const NocDevice& device,
                                                     const Recording& failed);

}  // namespace kernbench::sim
