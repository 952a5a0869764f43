// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/router_columns.hpp"

#include "topology/spec/cube_spec.hpp"
#include "topology/spec/length.hpp"

namespace kernbench::topology {

namespace {

constexpr std::int64_t kPePitchNm = 3'000'000;  ///< between adjacent PE centres of a corner

}  // namespace

std::int64_t pe_x_nm(const CubeSpec& cube, Corner corner, std::uint32_t k) {
  if (is_west(corner)) return kPeEdgeDistanceNm + k * kPePitchNm;
  return to_nm(cube.w_mm) - kPeEdgeDistanceNm -
         static_cast<std::int64_t>(cube.pe_per_corner - 1 - k) * kPePitchNm;
}

std::set<std::int64_t> pe_xs_nm(const CubeSpec& cube) {
  std::set<std::int64_t> xs;
  for (const Corner corner : cube.corners) {
    for (std::uint32_t k = 0; k < cube.pe_per_corner; ++k) xs.insert(pe_x_nm(cube, corner, k));
  }
  return xs;
}

std::vector<std::int64_t> router_columns_nm(const CubeSpec& cube) {
  const std::int64_t most = to_nm(cube.max_column_gap_mm);
  std::set<std::int64_t> fixed = pe_xs_nm(cube);
  fixed.insert({kPeEdgeDistanceNm, to_nm(cube.w_mm) - kPeEdgeDistanceNm});
  std::vector<std::int64_t> columns;
  for (const std::int64_t x : fixed) {
    if (!columns.empty()) {
      const std::int64_t last = columns.back();
      const std::int64_t gap = x - last;
      const std::int64_t spans = (gap + most - 1) / most;
      for (std::int64_t i = 1; i < spans; ++i) {
        columns.push_back(last + (2 * gap * i + spans) / (2 * spans));
      }
    }
    columns.push_back(x);
  }
  return columns;
}

}  // namespace kernbench::topology
