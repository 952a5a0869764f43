// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/flattened_butterfly.hpp"

#include <fmt/format.h>

#include "topology/zoo/layout/grid_layout.hpp"

namespace kernbench::topology::zoo {

BaseTopology::Definition FlattenedButterfly::define(std::uint32_t nx, std::uint32_t ny) {
  Definition all{
      .name = fmt::format("FlattenedButterfly({},{})", nx, ny), .n_nodes = 0, .channels = {}};
  require_at_least(all.name, "nx", nx, 1);
  require_at_least(all.name, "ny", ny, 1);
  const std::uint64_t nodes = std::uint64_t{nx} * ny;
  // Too many nodes are rejected by their number alone, as the product below could overflow.
  const std::uint64_t ports = std::uint64_t{nx} + ny - 2;
  all.n_nodes = checked_size(all.name, nodes, nodes > kMaxNodes ? 0 : nodes * ports);
  const Grid grid{nx, ny};
  for (std::uint32_t node = 0; node < all.n_nodes; ++node) {
    for (std::uint32_t x = 0; x < nx; ++x) {
      if (x != grid.x_of(node)) all.channels.push_back({node, grid.at(x, grid.y_of(node))});
    }
    for (std::uint32_t y = 0; y < ny; ++y) {
      if (y != grid.y_of(node)) all.channels.push_back({node, grid.at(grid.x_of(node), y)});
    }
  }
  return all;
}

Plot FlattenedButterfly::layout() const {
  return flattened_butterfly_layout(grid_);
}

}  // namespace kernbench::topology::zoo
