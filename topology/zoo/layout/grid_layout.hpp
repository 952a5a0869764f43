// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/grid.hpp"
#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Places nodes on a square grid. Lines are grids of one row.
[[nodiscard]] Plot grid_layout(const Grid& grid, double spacing);

/// Places a torus on a grid. Arcs above the rows and left of the columns close the rings.
[[nodiscard]] Plot torus_layout(const Grid& grid);

/// Places a flattened butterfly on a grid. Nodes of a row or column that are not adjacent are
/// joined by arcs, the longer the higher.
[[nodiscard]] Plot flattened_butterfly_layout(const Grid& grid);

/// Bends the channels between `a` and `b` so that their middle moves by `by`.
void bend(Plot& plot, std::uint32_t a, std::uint32_t b, Point by);

}  // namespace kernbench::topology::zoo
