// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/ccl/neighbor_kind.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::ccl {

/// Returns the neighbours among the PEs of a cube, by N, E, S and W, as they lie in it: E and W are
/// the next PEs of the same half of the cube, N and S the PEs at the same distance from the west
/// edge in the other half.
[[nodiscard]] std::vector<Join> pe_joins(const topology::CubeSpec& cube);

/// The PEs of a cube as a grid without gaps.
struct PeGrid {
  Grid grid{};
  std::vector<std::uint32_t> places;  ///< by PE: y * w + x
};
/// Returns nothing if the two halves of the cube have PEs at different distances from the edge.
[[nodiscard]] std::optional<PeGrid> pe_grid(const topology::CubeSpec& cube);

}  // namespace kernbench::model::ccl
