// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/cube_tree.hpp"

namespace kernbench::model::ccl {

using kernel::Tl;

namespace {

/// Returns the direction from an element of a grid towards the root; empty at the root.
std::string towards(const Grid& grid, std::uint32_t element, std::uint32_t root,
                    const std::string& prefix) {
  const std::uint32_t x = element % grid.nx;
  const std::uint32_t y = element / grid.nx;
  const std::uint32_t root_x = root % grid.nx;
  const std::uint32_t root_y = root / grid.nx;
  if (x != root_x) return prefix + (x < root_x ? "E" : "W");
  if (y != root_y) return prefix + (y < root_y ? "S" : "N");
  return {};
}

}  // namespace

Tree Tree::in_grid(const Grid& grid, std::uint32_t element, std::uint32_t root,
                   const std::string& prefix) {
  Tree tree;
  tree.parent = towards(grid, element, root, prefix);
  const std::uint32_t x = element % grid.nx;
  const std::uint32_t y = element / grid.nx;
  const auto add = [&](bool there, std::uint32_t neighbor, const char* direction,
                       const char* back) {
    if (there && towards(grid, neighbor, root, prefix) == prefix + back) {
      tree.children.push_back(prefix + direction);
    }
  };
  add(x > 0, element - 1, "W", "E");
  add(x + 1 < grid.nx, element + 1, "E", "W");
  add(y > 0, element - grid.nx, "N", "S");
  add(y + 1 < grid.ny, element + grid.nx, "S", "N");
  return tree;
}

Tree Tree::of_cubes(const Tl& tl, const CollectiveArgs& args) {
  if (args.ends == Ends::Cubes) return {};
  return in_grid(args.cubes, static_cast<std::uint32_t>(tl.program_id(1)), args.root_cube);
}

void reduce_to_root(Tl& tl, const Tree& tree, Tiles& tiles) {
  for (auto& tile : tiles) {
    if (!tile) continue;
    for (const std::string& child : tree.children) {
      tile = *tile + tl.recv(child, 1, tile->columns(), tile->type());
    }
    if (!tree.is_root()) tl.send(tree.parent, *tile);
  }
}

void broadcast_from_root(Tl& tl, const Tree& tree, Tiles& tiles,
                         const std::vector<std::uint64_t>& sizes, data::DataType type) {
  tiles.resize(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) continue;
    if (!tree.is_root()) tiles[i] = tl.recv(tree.parent, 1, sizes[i], type);
    for (const std::string& child : tree.children) tl.send(child, *tiles[i]);
  }
}

void sum_on_tree(Tl& tl, const Tree& tree, Tiles& tiles,
                 const std::function<void(Tiles& tiles)>& at_root) {
  std::vector<std::uint64_t> sizes;
  data::DataType type = data::DataType::F32;
  for (const auto& tile : tiles) {
    sizes.push_back(tile ? tile->columns() : 0);
    if (tile) type = tile->type();
  }
  reduce_to_root(tl, tree, tiles);
  if (at_root && tree.is_root()) at_root(tiles);
  broadcast_from_root(tl, tree, tiles, sizes, type);
}

}  // namespace kernbench::model::ccl
