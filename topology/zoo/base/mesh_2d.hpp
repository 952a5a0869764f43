// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/grid.hpp"
#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A grid of nx x ny nodes (each >= 1), adjacent nodes of a row or column connected both ways.
class Mesh2D : public BaseTopology {
 public:
  Mesh2D(std::uint32_t nx, std::uint32_t ny) : BaseTopology(define(nx, ny)), grid_{nx, ny} {}
  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t nx, std::uint32_t ny);

  Grid grid_;
};

}  // namespace kernbench::topology::zoo
