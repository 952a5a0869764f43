#pragma once

#include <string>

#include "model/bench/evaluation/gemm_sweep.hpp"

namespace kernbench::model::bench {

/// Figures of a sweep, each a self-contained SVG document: a panel for each series and a curve for
/// each staging of A and B. All throw std::invalid_argument for a sweep without points.

/// How long each launch took, by m.
[[nodiscard]] std::string gemm_latency_svg(const GemmSweep& sweep);

/// The share of the matrix engines' peak, by m.
[[nodiscard]] std::string gemm_utilization_svg(const GemmSweep& sweep);

/// Multiply-adds a second by arithmetic intensity, below what the HBM and the matrix engines allow;
/// the knee between the two is marked.
[[nodiscard]] std::string gemm_roofline_svg(const GemmSweep& sweep);

}  // namespace kernbench::model::bench
