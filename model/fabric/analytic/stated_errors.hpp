// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernbench::model::fabric {

/// The range of the errors of a mean latency, in percent of the exact one.
struct StatedErrors {
  double least_percent = 0;
  double most_percent = 0;
};

/// The worst errors of the analytic MAZE over the rows of docs/calibration.md, which a test holds
/// against both fabrics: patterns, sizes and loads of synthetic traffic on 8x8 nodes.
inline constexpr StatedErrors kAnalyticErrors{-57.9, 15.9};

}  // namespace kernbench::model::fabric
