// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/grid.hpp"

namespace kernbench::model::ccl {

using topology::Grid;  ///< a rectangle of cubes or members

/// Returns the middle element of a grid.
[[nodiscard]] constexpr std::uint32_t center_of(const Grid& grid) {
  return grid.at(grid.nx / 2, grid.ny / 2);
}

/// Returns the grid of `size` elements whose sides differ least; it is at least as wide as high.
[[nodiscard]] constexpr Grid most_square(std::uint32_t size) {
  std::uint32_t h = 1;
  for (std::uint32_t i = 1; i * i <= size; ++i) {
    if (size % i == 0) h = i;
  }
  return {size / h, h};
}

/// Returns the element at a position of the snake, a path through all elements along adjacent ones:
/// row by row, every second row backwards. The mapping is its own inverse.
[[nodiscard]] constexpr std::uint32_t snake(const Grid& grid, std::uint32_t position) {
  const std::uint32_t x = grid.x_of(position);
  const std::uint32_t y = grid.y_of(position);
  return grid.at(y % 2 == 0 ? x : grid.nx - 1 - x, y);
}

}  // namespace kernbench::model::ccl
