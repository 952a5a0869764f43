// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

// Lengths are compared and added in whole nanometres, so that equal routes are equal with every
// compiler. The spec limits each length to 1000 mm = 10^9 nm.

/// Returns `mm` rounded to the nearest nanometre, halves up.
[[nodiscard]] inline std::int64_t to_nm(double mm) {
  return static_cast<std::int64_t>(std::floor(mm * 1e6 + 0.5));
}

[[nodiscard]] inline double to_mm(std::int64_t nm) {
  return static_cast<double>(nm) / 1e6;
}

/// Returns the square of the Euclidean distance, in nm^2.
[[nodiscard]] inline std::int64_t squared_distance_nm2(const PositionMm& a, const PositionMm& b) {
  const std::int64_t dx = to_nm(a.x) - to_nm(b.x);
  const std::int64_t dy = to_nm(a.y) - to_nm(b.y);
  return dx * dx + dy * dy;
}

/// Returns the Euclidean distance, in whole nm.
[[nodiscard]] inline std::int64_t distance_nm(const PositionMm& a, const PositionMm& b) {
  return to_nm(std::sqrt(static_cast<double>(squared_distance_nm2(a, b))) / 1e6);
}

}  // namespace kernbench::topology
