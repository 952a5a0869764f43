// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/bench/evaluation/gemm_sweep.hpp"

namespace kernbench::model::bench {

// These functions draw a sweep as an SVG document, with a panel for each series and a curve for
// each staging of A and B. They throw std::invalid_argument for a sweep without points.

/// Draws the latency of each launch by m.
[[nodiscard]] std::string gemm_latency_svg(const GemmSweep& sweep);

/// Draws the utilization of the matrix engines by m.
[[nodiscard]] std::string gemm_utilization_svg(const GemmSweep& sweep);

/// Draws multiply-adds a second by arithmetic intensity in one panel, below the limits of the HBM
/// and of the matrix engines, and marks the knee between the two.
[[nodiscard]] std::string gemm_roofline_svg(const GemmSweep& sweep);

}  // namespace kernbench::model::bench
