// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "maze/network_frame.hpp"
#include "sim/debug/recorder.hpp"

namespace kernbench::sim {

/// Returns a SystemVerilog test bench of the unit alone, IRS_N or MAZE_CORE: the inputs of a
/// recording, cycle by cycle, and a comparison of its outputs with those of the reference. It
/// prints the first difference, or PASS, and runs in Verilator (`--binary`) and Icarus (`-g2012`)
/// with the files of the RTL. Returns an empty text for a recording that does not begin with cycle
/// 0.
[[nodiscard]] std::string unit_bench(const Recording& recording, const maze::NetworkConfig& config);

}  // namespace kernbench::sim
