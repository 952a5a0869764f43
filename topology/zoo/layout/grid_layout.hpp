#pragma once

#include "topology/zoo/layout/grid.hpp"
#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Nodes at the crossings of a square grid. Lines are grids of one row.
[[nodiscard]] Plot grid_layout(const Grid& grid, double spacing);

/// A grid whose rows are closed by arcs above them, its columns by arcs on their left.
[[nodiscard]] Plot torus_layout(const Grid& grid);

/// A grid with an arc for every pair of a row or column that are not neighbours, the longer the
/// higher.
[[nodiscard]] Plot flattened_butterfly_layout(const Grid& grid);

/// Bends the channels between `a` and `b` so that their middle is moved by `by`.
void bend(Plot& plot, std::uint32_t a, std::uint32_t b, Point by);

}  // namespace kernbench::topology::zoo
