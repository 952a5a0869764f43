// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "model/ccl/neighbors.hpp"

namespace kernbench::model::ccl {

using data::DataType;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;

namespace {

/// Returns the direction from a member of a mesh towards the root; empty at the root.
std::string towards(const Grid& grid, std::uint32_t member, std::uint32_t root,
                    const std::string& prefix) {
  const std::uint32_t x = member % grid.w;
  const std::uint32_t y = member / grid.w;
  const std::uint32_t root_x = root % grid.w;
  const std::uint32_t root_y = root / grid.w;
  if (x != root_x) return prefix + (x < root_x ? "E" : "W");
  if (y != root_y) return prefix + (y < root_y ? "S" : "N");
  return {};
}

Tile receive_like(Tl& tl, const std::string& direction, const Tile& tile) {
  return tl.recv(direction, tile.rows(), tile.columns(), tile.type());
}

std::vector<std::uint64_t> sizes_of(const Groups& groups, std::uint64_t group,
                                    std::uint32_t pieces) {
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t i = 0; i < pieces; ++i) sizes.push_back(groups.piece(group, i).size);
  return sizes;
}

/// Sums towards the root of the tree, then broadcasts the sums to all members.
void sum_on_tree(Tl& tl, const MeshTree& tree, DataType type, Tiles& tiles) {
  std::vector<std::uint64_t> sizes;
  for (const auto& tile : tiles) sizes.push_back(tile ? tile->columns() : 0);
  reduce_to_root(tl, tree, tiles);
  broadcast_from_root(tl, tree, tiles, sizes, type);
}

/// Sends the slice `first` to the next member, then in each step the slice received in the previous
/// one. A received slice is added to the member's own slice or replaces it.
void go_around(Tl& tl, const RingPlace& ring, std::uint32_t first, bool adds, Tiles& tiles) {
  const std::uint32_t n = ring.size;
  for (std::uint32_t step = 0; step + 1 < n; ++step) {
    const std::uint32_t out = (first + n - step) % n;
    const std::uint32_t in = (out + n - 1) % n;
    // Sends and receives alternate, so no member waits for a slot that only this member can free.
    for (std::size_t base = 0; base < tiles.size(); base += n) {
      if (base + out < tiles.size() && tiles[base + out]) tl.send(ring.next, *tiles[base + out]);
      if (base + in >= tiles.size() || !tiles[base + in]) continue;
      Tile& mine = *tiles[base + in];
      const Tile other = receive_like(tl, ring.prev, mine);
      mine = adds ? mine + other : other;
    }
  }
}

}  // namespace

MeshTree MeshTree::of(const Grid& grid, std::uint32_t member, std::uint32_t root,
                      const std::string& prefix) {
  MeshTree tree;
  tree.parent = towards(grid, member, root, prefix);
  const std::uint32_t x = member % grid.w;
  const std::uint32_t y = member / grid.w;
  const auto add = [&](bool there, std::uint32_t neighbor, const char* direction,
                       const char* back) {
    if (there && towards(grid, neighbor, root, prefix) == prefix + back) {
      tree.children.push_back(prefix + direction);
    }
  };
  add(x > 0, member - 1, "W", "E");
  add(x + 1 < grid.w, member + 1, "E", "W");
  add(y > 0, member - grid.w, "N", "S");
  add(y + 1 < grid.h, member + grid.w, "S", "N");
  return tree;
}

TensorRef as_row(const TensorRef& shard) {
  if (shard.row_stride != shard.columns && shard.rows > 1) {
    throw std::invalid_argument("a shard with gaps between its rows cannot be one row");
  }
  const std::uint64_t size = shard.rows * shard.columns;
  return {shard.va, size == 0 ? 0U : 1U, size, size, shard.type};
}

Groups::Groups(std::uint64_t size, std::uint32_t pieces, std::uint64_t piece_elements)
    : size_(size),
      pieces_(pieces),
      group_elements_(pieces * piece_elements),
      count_((size + group_elements_ - 1) / group_elements_) {}

Piece Groups::piece(std::uint64_t group, std::uint32_t index) const {
  const std::uint64_t begin = group * group_elements_;
  const std::uint64_t size = std::min(group_elements_, size_ - begin);
  const std::uint64_t step = (size + pieces_ - 1) / pieces_;
  const std::uint64_t from = std::min(size, step * index);
  return {begin + from, std::min(step, size - from)};
}

void reduce_to_root(Tl& tl, const MeshTree& tree, Tiles& tiles) {
  for (auto& tile : tiles) {
    if (!tile) continue;
    for (const std::string& child : tree.children) tile = *tile + receive_like(tl, child, *tile);
    if (!tree.is_root()) tl.send(tree.parent, *tile);
  }
}

void broadcast_from_root(Tl& tl, const MeshTree& tree, Tiles& tiles,
                         const std::vector<std::uint64_t>& sizes, DataType type) {
  tiles.resize(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) continue;
    if (!tree.is_root()) tiles[i] = tl.recv(tree.parent, 1, sizes[i], type);
    for (const std::string& child : tree.children) tl.send(child, *tiles[i]);
  }
}

void ring_reduce_scatter(Tl& tl, const RingPlace& ring, Tiles& tiles) {
  go_around(tl, ring, ring.index, true, tiles);
}

void ring_all_gather(Tl& tl, const RingPlace& ring, Tiles& tiles) {
  go_around(tl, ring, ring.index + 1, false, tiles);
}

void exchange_on_grid(Tl& tl, const CollectiveArgs& args, Tiles& tiles) {
  if (args.topology == SipTopology::Ring) {
    const RingPlace ring{args.world_size, args.rank, "global_next", "global_prev"};
    ring_reduce_scatter(tl, ring, tiles);
    ring_all_gather(tl, ring, tiles);
    return;
  }
  if (args.topology == SipTopology::Mesh) {
    const MeshTree tree = MeshTree::of(args.sips, args.rank, center_of(args.sips), "global_");
    sum_on_tree(tl, tree, args.tensor.type(), tiles);
    return;
  }
  const RingPlace row{args.sips.w, args.rank % args.sips.w, "global_E", "global_W"};
  const RingPlace column{args.sips.h, args.rank / args.sips.w, "global_S", "global_N"};
  for (const RingPlace& ring : {row, column}) {
    ring_reduce_scatter(tl, ring, tiles);
    ring_all_gather(tl, ring, tiles);
  }
}

namespace {

/// Returns k with 2^k = n.
std::uint32_t log2_of(std::uint32_t n) {
  return static_cast<std::uint32_t>(std::bit_width(n) - 1);
}

/// Some columns of a row.
struct Columns {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

}  // namespace

void exchange_by_halving(Tl& tl, const CollectiveArgs& args, Tiles& tiles) {
  const std::uint32_t bits = log2_of(args.world_size);
  if (bits == 0 || !tiles[0]) return;
  Tile sums = *tiles[0];  // of the columns `mine`
  const std::uint64_t columns = sums.columns();
  const DataType type = sums.type();
  const Tile all = tl.buffer(columns, type);
  // Columns of each step: half of those of the step before, the upper half for a rank with the bit.
  std::vector<Columns> kept{{0, columns}};
  std::vector<Columns> given;
  for (std::uint32_t bit = bits; bit-- > 0;) {
    const Columns whole = kept.back();
    const Columns lower{whole.begin, whole.begin + whole.size() / 2};
    const Columns upper{lower.end, whole.end};
    const bool is_upper = ((args.rank >> bit) & 1U) != 0;
    const Columns mine = is_upper ? upper : lower;
    const Columns theirs = is_upper ? lower : upper;
    const std::string partner = fmt::format("global_{}", bit);
    kernel::PendingRecv pending = tl.irecv(partner, 1, mine.size(), type);
    tl.send(partner, tl.part(sums, theirs.begin - whole.begin, theirs.size()));
    const Tile other = tl.wait(std::move(pending));
    const Tile own = tl.part(sums, mine.begin - whole.begin, mine.size());
    if (bit == 0) {
      tl.add_into(tl.part(all, mine.begin, mine.size()), own, other);
    } else {
      sums = own + other;
    }
    kept.push_back(mine);
    given.push_back(theirs);
  }
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    const Columns mine = kept[bits - bit];
    const Columns theirs = given[bits - 1 - bit];
    const std::string partner = fmt::format("global_{}", bit);
    kernel::PendingRecv pending = tl.irecv_into(partner, tl.part(all, theirs.begin, theirs.size()));
    tl.send(partner, tl.part(all, mine.begin, mine.size()));
    tl.wait(std::move(pending));
  }
  tiles[0] = all;
}

void exchange_by_doubling(Tl& tl, const CollectiveArgs& args, Tiles& tiles) {
  for (std::uint32_t bit = 0; bit < log2_of(args.world_size) && tiles[0]; ++bit) {
    const std::string partner = fmt::format("global_{}", bit);
    Tile& mine = *tiles[0];
    kernel::PendingRecv pending = tl.irecv(partner, mine.rows(), mine.columns(), mine.type());
    tl.send(partner, mine);
    const Tile other = tl.wait(std::move(pending));
    // Both partners add in the order of ranks, so that all ranks get the same bits.
    mine = ((args.rank >> bit) & 1U) == 0 ? mine + other : other + mine;
  }
}

void exchange_on_tree(Tl& tl, const CollectiveArgs& args, Tiles& tiles) {
  MeshTree tree;
  if (args.rank != 0) tree.parent = "global_parent";
  if (2 * args.rank + 1 < args.world_size) tree.children.emplace_back("global_left");
  if (2 * args.rank + 2 < args.world_size) tree.children.emplace_back("global_right");
  sum_on_tree(tl, tree, args.tensor.type(), tiles);
}

void intercube_all_reduce(Tl& tl, const CollectiveArgs& args, Exchange exchange,
                          std::optional<std::uint32_t> pieces_of_group) {
  const TensorRef in = as_row(args.tensor.local(tl));
  const TensorRef out = as_row(args.output.local(tl));
  const MeshTree tree =
      MeshTree::of(args.cubes, static_cast<std::uint32_t>(tl.program_id(1)), args.root_cube);
  const std::uint32_t pieces = pieces_of_group.value_or(args.world_size);
  const Groups groups(in.columns, pieces, args.slot_bytes / bytes_of(in.type));
  const auto reduce = [&](std::uint64_t group) {
    Tiles tiles(pieces);
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const Piece piece = groups.piece(group, i);
      if (piece.size != 0) tiles[i] = tl.load(in.block(0, piece.begin, 1, piece.size));
    }
    reduce_to_root(tl, tree, tiles);
    return tiles;
  };
  // A cube may send a group in advance if the slots of its parent hold all of it.
  const bool ahead = !tree.is_root() && pieces <= args.slots;
  Tiles tiles;
  if (ahead && groups.count() != 0) (void)reduce(0);
  for (std::uint64_t group = 0; group < groups.count(); ++group) {
    if (!ahead) {
      tiles = reduce(group);
    } else if (group + 1 < groups.count()) {
      (void)reduce(group + 1);
    }
    if (tree.is_root()) exchange(tl, args, tiles);
    broadcast_from_root(tl, tree, tiles, sizes_of(groups, group, pieces), in.type);
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const Piece piece = groups.piece(group, i);
      if (piece.size != 0) tl.store(out.block(0, piece.begin, 1, piece.size), *tiles[i]);
    }
    tiles.clear();
  }
}

}  // namespace kernbench::model::ccl
