// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/grid.hpp"
#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

inline constexpr std::uint32_t kMinTorusSide = 2;

/// A grid of nx x ny nodes (each >= 2) whose rows and columns are unidirectional rings towards
/// greater x and y.
class UnidirectionalTorus2D : public BaseTopology {
 public:
  UnidirectionalTorus2D(std::uint32_t nx, std::uint32_t ny)
      : BaseTopology(define(nx, ny)), grid_{nx, ny} {}
  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t nx, std::uint32_t ny);

  Grid grid_;
};

/// A grid of nx x ny nodes (each >= 2) whose rows and columns are bidirectional rings.
class BidirectionalTorus2D : public BaseTopology {
 public:
  BidirectionalTorus2D(std::uint32_t nx, std::uint32_t ny)
      : BaseTopology(define(nx, ny)), grid_{nx, ny} {}
  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t nx, std::uint32_t ny);

  Grid grid_;
};

}  // namespace kernbench::topology::zoo
