// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/exchanges.hpp"

#include <bit>
#include <deque>
#include <utility>

namespace kernbench::model::ccl {

using kernel::Tile;
using kernel::Tl;

namespace {

/// Sends the slice `first` to the next place, then in each step the slice received in the previous
/// one. A received slice is added to the place's own slice or replaces it.
void go_around(Tl& tl, const RingPlace& ring, std::uint32_t first, bool adds, Tiles& tiles) {
  const std::uint32_t n = ring.size;
  for (std::uint32_t step = 0; step + 1 < n; ++step) {
    const std::uint32_t out = (first + n - step) % n;
    const std::uint32_t in = (out + n - 1) % n;
    // All messages of a step are in flight together. Receives come first, so that no place waits
    // for a slot that only it can free.
    std::deque<kernel::PendingTile> pending;
    for (std::size_t i = in; i < tiles.size(); i += n) {
      if (tiles[i])
        pending.push_back(tl.irecv(ring.prev, 1, tiles[i]->columns(), tiles[i]->type()));
    }
    for (std::size_t i = out; i < tiles.size(); i += n) {
      if (tiles[i]) tl.send(ring.next, *tiles[i]);
    }
    for (std::size_t i = in; i < tiles.size(); i += n) {
      if (!tiles[i]) continue;
      const Tile other = tl.wait(std::move(pending.front()));
      pending.pop_front();
      tiles[i] = adds ? *tiles[i] + other : other;
    }
  }
}

}  // namespace

void ring_reduce_scatter(Tl& tl, const RingPlace& ring, Tiles& tiles) {
  go_around(tl, ring, ring.index, true, tiles);
}

void ring_all_gather(Tl& tl, const RingPlace& ring, Tiles& tiles) {
  go_around(tl, ring, ring.index + 1, false, tiles);
}

void ring_all_reduce(Tl& tl, const RingPlace& ring, Tiles& tiles) {
  ring_reduce_scatter(tl, ring, tiles);
  ring_all_gather(tl, ring, tiles);
}

Tile swap_tiles(Tl& tl, const std::string& to, const Tile& mine, const std::string& from,
                std::uint64_t columns) {
  kernel::PendingTile pending = tl.irecv(from, 1, columns, mine.type());
  tl.send(to, mine);
  return tl.wait(std::move(pending));
}

void barrier_by_token(Tl& tl, const CollectiveArgs& args, PassToken pass) {
  if (tl.program_id(0) != 0) return;
  const Tree tree = Tree::of_cubes(tl, args);
  Tiles token{tl.full(1, 1, 1.0, data::DataType::I32)};
  reduce_to_root(tl, tree, token);
  if (tree.is_root()) pass(tl, args.team_of(tl), *token[0]);
  broadcast_from_root(tl, tree, token, {1}, data::DataType::I32);
}

std::uint32_t log2_of(std::uint32_t n) {
  return static_cast<std::uint32_t>(std::bit_width(n) - 1);
}

}  // namespace kernbench::model::ccl
