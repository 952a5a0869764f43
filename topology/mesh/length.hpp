#pragma once

#include <cmath>
#include <cstdint>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

// Lengths are whole nanometres wherever they are compared or added, so that equal routes are
// equal on every compiler. The spec bounds each to 1000 mm = 10^9 nm.

/// Rounded to the nearest nanometre, halves up.
[[nodiscard]] inline std::int64_t to_nm(double mm) {
  return static_cast<std::int64_t>(std::floor(mm * 1e6 + 0.5));
}

[[nodiscard]] inline double to_mm(std::int64_t nm) {
  return static_cast<double>(nm) / 1e6;
}

/// Square of the Euclidean distance, in nm^2.
[[nodiscard]] inline std::int64_t squared_distance_nm2(const PositionMm& a, const PositionMm& b) {
  const std::int64_t dx = to_nm(a.x) - to_nm(b.x);
  const std::int64_t dy = to_nm(a.y) - to_nm(b.y);
  return dx * dx + dy * dy;
}

/// Euclidean distance, in whole nm.
[[nodiscard]] inline std::int64_t distance_nm(const PositionMm& a, const PositionMm& b) {
  return to_nm(std::sqrt(static_cast<double>(squared_distance_nm2(a, b))) / 1e6);
}

}  // namespace kernbench::topology
