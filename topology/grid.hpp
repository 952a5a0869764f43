// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kernbench::topology {

/// The numbering of two-dimensional arrangements: node i is at (i mod nx, i / nx).
struct Grid {
  std::uint32_t nx = 1;
  std::uint32_t ny = 1;

  [[nodiscard]] constexpr std::uint32_t nodes() const { return nx * ny; }
  [[nodiscard]] constexpr std::uint32_t x_of(std::uint32_t node) const { return node % nx; }
  [[nodiscard]] constexpr std::uint32_t y_of(std::uint32_t node) const { return node / nx; }
  [[nodiscard]] constexpr std::uint32_t at(std::uint32_t x, std::uint32_t y) const {
    return y * nx + x;
  }
  friend constexpr bool operator==(const Grid&, const Grid&) = default;
};

}  // namespace kernbench::topology
