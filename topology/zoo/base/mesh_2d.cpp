// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/mesh_2d.hpp"

#include <fmt/format.h>

#include "topology/zoo/layout/grid_layout.hpp"

namespace kernbench::topology::zoo {

BaseTopology::Definition Mesh2D::define(std::uint32_t nx, std::uint32_t ny) {
  Definition mesh{.name = fmt::format("Mesh2D({},{})", nx, ny), .n_nodes = 0, .channels = {}};
  require_at_least(mesh.name, "nx", nx, 1);
  require_at_least(mesh.name, "ny", ny, 1);
  const std::uint64_t nodes = std::uint64_t{nx} * ny;
  mesh.n_nodes = checked_size(mesh.name, nodes, 0);  // at most four channels per node
  const Grid grid{nx, ny};
  for (std::uint32_t y = 0; y < ny; ++y) {
    for (std::uint32_t x = 0; x < nx; ++x) {
      const std::uint32_t node = grid.at(x, y);
      if (x > 0) mesh.channels.push_back({node, grid.at(x - 1, y)});
      if (x + 1 < nx) mesh.channels.push_back({node, grid.at(x + 1, y)});
      if (y > 0) mesh.channels.push_back({node, grid.at(x, y - 1)});
      if (y + 1 < ny) mesh.channels.push_back({node, grid.at(x, y + 1)});
    }
  }
  return mesh;
}

Plot Mesh2D::layout() const {
  return grid_layout(grid_, 1.0);
}

}  // namespace kernbench::topology::zoo
