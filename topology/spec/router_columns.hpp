// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "topology/spec/spec_forward.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

// The columns of a cube's routers (ADR-0053 D3.1), all lengths in whole nm from the west edge.

/// Distance of PE centres from the edges of the cube.
inline constexpr std::int64_t kPeEdgeDistanceNm = 1'500'000;

[[nodiscard]] constexpr bool is_west(Corner corner) {
  return corner == Corner::NW || corner == Corner::SW;
}
[[nodiscard]] constexpr bool is_north(Corner corner) {
  return corner == Corner::NW || corner == Corner::NE;
}

/// Returns the x of the centre of PE `k` of a corner. PEs are numbered from left to right in all
/// corners.
[[nodiscard]] std::int64_t pe_x_nm(const CubeSpec& cube, Corner corner, std::uint32_t k);
/// Returns the x of the centres of all PEs.
[[nodiscard]] std::set<std::int64_t> pe_xs_nm(const CubeSpec& cube);

/// Returns the columns from west to east: those of the PEs, and relays in gaps that are wider than
/// pe_layout.max_column_gap_mm. If all PEs are on one side, the mirror image of the outermost one
/// is a relay too, so that the mesh spans the cube.
[[nodiscard]] std::vector<std::int64_t> router_columns_nm(const CubeSpec& cube);

}  // namespace kernbench::topology
