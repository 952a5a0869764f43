// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ccl/algorithm.hpp"

namespace kernbench::model::ccl {

// Building blocks of the kernels of collectives. Every PE works on its own shard, together with the
// same PE of other cubes and SIPs. Sums have the type of the tensor.

using Tiles = std::vector<std::optional<kernel::Tile>>;  ///< empty pieces have no tile

/// The neighbours of a member of a tree of cubes or SIPs, by direction. The tree follows shortest
/// paths in a mesh: along rows to the root's column, then along that column.
struct MeshTree {
  std::string parent;  ///< empty at the root
  std::vector<std::string> children;

  [[nodiscard]] bool is_root() const { return parent.empty(); }
  /// Returns the tree node of a member. `prefix` precedes N, E, S and W in the directions.
  [[nodiscard]] static MeshTree of(const Grid& grid, std::uint32_t member, std::uint32_t root,
                                   const std::string& prefix = "");
};

/// A range of a shard, in elements.
struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

/// Returns a PE's shard as one row of elements. Throws std::invalid_argument if its rows have gaps
/// between them.
[[nodiscard]] kernel::TensorRef as_row(const kernel::TensorRef& shard);

/// Splits `size` elements into groups, and each group into `pieces` pieces of equal size and at
/// most `piece_elements` elements. The last pieces may be smaller or empty.
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

/// Adds the children's tiles to `tiles`, in the order of the children, and sends the sums to the
/// parent.
void reduce_to_root(kernel::Tl& tl, const MeshTree& tree, Tiles& tiles);
/// Distributes the root's tiles to all members. `sizes` are their numbers of elements.
void broadcast_from_root(kernel::Tl& tl, const MeshTree& tree, Tiles& tiles,
                         const std::vector<std::uint64_t>& sizes, data::DataType type);

/// The place of a member in a ring, and the directions to its neighbours.
struct RingPlace {
  std::uint32_t size = 1;
  std::uint32_t index = 0;
  std::string next;
  std::string prev;
};

/// Reduces and scatters over a ring. Tile i belongs to slice i mod ring.size. Afterwards member m
/// has the sums of slice (m + 1) mod ring.size.
void ring_reduce_scatter(kernel::Tl& tl, const RingPlace& ring, Tiles& tiles);
/// Gathers over a ring: at the start member m has slice (m + 1) mod ring.size.
void ring_all_gather(kernel::Tl& tl, const RingPlace& ring, Tiles& tiles);

/// Sums the tiles of the root cubes over all SIPs; each SIP gets all sums.
using Exchange = void (*)(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);

/// Sums the cubes of each SIP into its root cube, exchanges sums between the roots, and broadcasts
/// them within each SIP (Architecture, "Intercube All-Reduce"). It works on groups of `pieces`
/// messages, world_size by default. The cubes sum the next group while the roots exchange one, as
/// far as slots allow.
void intercube_all_reduce(kernel::Tl& tl, const CollectiveArgs& args, Exchange exchange,
                          std::optional<std::uint32_t> pieces = {});

/// Exchange for SipTopology::Ring, Torus and Mesh.
void exchange_on_grid(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);
/// Exchanges for SipTopology::Hypercube and one piece. The first halves the columns in each step
/// and gathers them in reverse: 2 log2(n) messages. The second exchanges all columns: log2(n)
/// messages.
void exchange_by_halving(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);
void exchange_by_doubling(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);
/// Exchange for SipTopology::Tree.
void exchange_on_tree(kernel::Tl& tl, const CollectiveArgs& args, Tiles& tiles);

}  // namespace kernbench::model::ccl
