// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/torus_2d.hpp"

#include <fmt/format.h>

#include "topology/zoo/layout/grid_layout.hpp"

namespace kernbench::topology::zoo {

BaseTopology::Definition UnidirectionalTorus2D::define(std::uint32_t nx, std::uint32_t ny) {
  Definition torus{
      .name = fmt::format("UnidirectionalTorus2D({},{})", nx, ny), .n_nodes = 0, .channels = {}};
  require_at_least(torus.name, "nx", nx, kMinTorusSide);
  require_at_least(torus.name, "ny", ny, kMinTorusSide);
  // At most two channels per node.
  torus.n_nodes = checked_size(torus.name, std::uint64_t{nx} * ny, 0);
  const Grid grid{nx, ny};
  for (std::uint32_t y = 0; y < ny; ++y) {
    for (std::uint32_t x = 0; x < nx; ++x) {
      torus.channels.push_back({grid.at(x, y), grid.at((x + 1) % nx, y)});
      torus.channels.push_back({grid.at(x, y), grid.at(x, (y + 1) % ny)});
    }
  }
  return torus;
}

BaseTopology::Definition BidirectionalTorus2D::define(std::uint32_t nx, std::uint32_t ny) {
  Definition torus{
      .name = fmt::format("BidirectionalTorus2D({},{})", nx, ny), .n_nodes = 0, .channels = {}};
  require_at_least(torus.name, "nx", nx, kMinTorusSide);
  require_at_least(torus.name, "ny", ny, kMinTorusSide);
  // At most four channels per node.
  torus.n_nodes = checked_size(torus.name, std::uint64_t{nx} * ny, 0);
  const Grid grid{nx, ny};
  for (std::uint32_t y = 0; y < ny; ++y) {
    for (std::uint32_t x = 0; x < nx; ++x) {
      const std::uint32_t node = grid.at(x, y);
      for (const std::uint32_t next : {grid.at((x + 1) % nx, y), grid.at(x, (y + 1) % ny)}) {
        torus.channels.push_back({node, next});
        torus.channels.push_back({next, node});
      }
    }
  }
  return torus;
}

Plot UnidirectionalTorus2D::layout() const {
  return torus_layout(grid_);
}

Plot BidirectionalTorus2D::layout() const {
  return torus_layout(grid_);
}

}  // namespace kernbench::topology::zoo
