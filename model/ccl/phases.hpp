#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ccl/algorithm.hpp"

namespace kernbench::model::ccl {

// What the kernels of collectives are made of. Every PE works on its own shard, with the same PE
// of other cubes and SIPs. Sums are made in the type of the tensor.

using Tiles = std::vector<std::optional<kernel::Tile>>;  ///< nothing where a piece is empty

/// Where a member of a tree of cubes or SIPs sends to and gets from, by direction. The tree has
/// shortest ways in a mesh: along rows to the root's column, then along that column.
struct MeshTree {
  std::string parent;  ///< "" at the root
  std::vector<std::string> children;

  [[nodiscard]] bool is_root() const { return parent.empty(); }
  /// `prefix` goes before N, E, S and W.
  [[nodiscard]] static MeshTree of(const Grid& grid, std::uint32_t member, std::uint32_t root,
                                   const std::string& prefix = "");
};

/// A stretch of a shard, in elements.
struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

/// A PE's shard of a tensor as one row of elements.
[[nodiscard]] kernel::TensorRef as_row(const kernel::TensorRef& shard);

/// `size` elements in groups of at most `pieces` messages, each cut into `pieces` pieces of equal
/// size, the last ones smaller or empty.
class Groups {
 public:
  Groups(std::uint64_t size, std::uint32_t pieces, std::uint64_t piece_elements);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Piece piece(std::uint64_t group, std::uint32_t index) const;

 private:
  std::uint64_t size_;
  std::uint32_t pieces_;
  std::uint64_t group_elements_;
  std::uint64_t count_;
};

/// Adds what the children send to each tile, in the order of the children, and sends the sums to
/// the parent.
void reduce_to_root(kernel::Tl& tl, const MeshTree& tree, Tiles& tiles);
/// Gives the root's tiles to all: elsewhere `tiles` says of what sizes they are.
void broadcast_from_root(kernel::Tl& tl, const MeshTree& tree, Tiles& tiles,
                         const std::vector<std::uint64_t>& sizes, data::DataType type);

/// The members of a ring, by directions.
struct RingPlace {
  std::uint32_t size = 1;
  std::uint32_t index = 0;
  std::string next;
  std::string prev;
};

/// Tile i is in the slice i mod ring.size. After reduce-scatter member m has the sums of the slice
/// (m + 1) mod size; all-gather begins there.
void ring_reduce_scatter(kernel::Tl& tl, const RingPlace& ring, Tiles& tiles);
void ring_all_gather(kernel::Tl& tl, const RingPlace& ring, Tiles& tiles);

/// Sums up the root cubes' tiles over all SIPs, each SIP getting all sums.
using Exchange = void (*)(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);

/// Sum over the cubes of each SIP towards its root cube, exchange between the roots, and back
/// (Architecture, "Intercube All-Reduce"). Groups of world_size messages are under way at a time;
/// the cubes sum up the next one while the roots exchange, as far as slots go.
void intercube_all_reduce(kernel::Tl& tl, const CollectiveArgs& args, Exchange exchange);

/// The exchanges: by args.topology Ring, Torus and Mesh; Hypercube; Tree.
void exchange_on_grid(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);
void exchange_on_hypercube(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);
void exchange_on_tree(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);

}  // namespace kernbench::model::ccl
