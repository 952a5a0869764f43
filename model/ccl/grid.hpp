// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kernbench::model::ccl {

/// A rectangle of cubes or members. The index of an element is y * w + x.
struct Grid {
  std::uint32_t w = 1;
  std::uint32_t h = 1;

  [[nodiscard]] constexpr std::uint32_t size() const { return w * h; }
  friend constexpr bool operator==(const Grid&, const Grid&) = default;
};

/// Returns the middle element of a grid.
[[nodiscard]] constexpr std::uint32_t center_of(const Grid& grid) {
  return grid.h / 2 * grid.w + grid.w / 2;
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
  const std::uint32_t y = position / grid.w;
  const std::uint32_t x = position % grid.w;
  return y * grid.w + (y % 2 == 0 ? x : grid.w - 1 - x);
}

}  // namespace kernbench::model::ccl
