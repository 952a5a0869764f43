// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::docs {

/// Runs single packets of uniform random traffic through the 8x8 MAZE, at loads from 0.1 to 0.9, on
/// the analytic fabric and on the cycle reference. Returns their latencies as a chart (SVG).
[[nodiscard]] std::string load_curves();

/// Runs the same traffic at loads up to 1 on the cycle reference. Returns the accepted over the
/// offered load, of all nodes and of those with the most and the least, as a chart (SVG).
[[nodiscard]] std::string accepted_curves();

}  // namespace kernbench::docs
