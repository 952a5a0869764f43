// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::docs {

/// Runs transfers of 64 bytes under uniform random traffic over the 8x8 MAZE, at loads from 0.1 to
/// 0.9, on the analytic fabric and on the cycle reference. Returns their latencies as a chart
/// (SVG).
[[nodiscard]] std::string load_curves();

}  // namespace kernbench::docs
