// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/algorithm.hpp"

namespace kernbench::model::ccl {

// Parts of the kernels of collectives. Every PE works on its own shard, together with the same PE
// of other cubes and members. Sums have the type of the tensor.

using Tiles = std::vector<std::optional<kernel::Tile>>;  ///< empty pieces have no tile

/// The neighbours of a program in a tree, by direction.
struct KERNBENCH_API Tree {
  std::string parent;  ///< empty at the root
  std::vector<std::string> children;

  [[nodiscard]] bool is_root() const { return parent.empty(); }
  /// Returns an element's place in a tree that follows shortest paths in a grid: along rows to the
  /// root's column, then along that column. `prefix` precedes N, E, S and W.
  [[nodiscard]] static Tree in_grid(const Grid& grid, std::uint32_t element, std::uint32_t root,
                                    const std::string& prefix = "");
  /// Returns the calling program's place in the tree of its member's cubes.
  [[nodiscard]] static Tree of_cubes(const kernel::Tl& tl, const CollectiveArgs& args);
};

/// Adds the children's tiles to `tiles`, in the order of the children, and sends the sums to the
/// parent.
KERNBENCH_API void reduce_to_root(kernel::Tl& tl, const Tree& tree, Tiles& tiles);
/// Distributes the root's tiles to all. `sizes` are their numbers of elements.
KERNBENCH_API void broadcast_from_root(kernel::Tl& tl, const Tree& tree, Tiles& tiles,
                                       const std::vector<std::uint64_t>& sizes,
                                       data::DataType type);
/// Sums towards the root of the tree, then distributes the sums. The root calls `at_root` in
/// between, if there is one.
KERNBENCH_API void sum_on_tree(kernel::Tl& tl, const Tree& tree, Tiles& tiles,
                               const std::function<void(Tiles& tiles)>& at_root = {});

}  // namespace kernbench::model::ccl
