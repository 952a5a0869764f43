// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/grade.hpp"

namespace kernbench::model::fabric {

/// The range of the errors of a mean latency, in percent of the exact one.
struct StatedErrors {
  double least_percent = 0;
  double most_percent = 0;
};

/// The worst errors of the analytic MAZE over the rows of docs/lab/calibration.md, which tests hold
/// against both fabrics: synthetic traffic, bursts, multicasts and detours on 8x8 nodes.
inline constexpr StatedErrors kAnalyticErrors{-4.2, 3.3};

/// Returns the grade of times that use the analytic MAZE.
[[nodiscard]] common::Grade analytic_grade();

}  // namespace kernbench::model::fabric
