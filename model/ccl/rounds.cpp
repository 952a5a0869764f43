// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/rounds.hpp"

#include <algorithm>
#include <stdexcept>

namespace kernbench::model::ccl {

using kernel::TensorRef;
using kernel::Tl;

namespace {

std::vector<std::uint64_t> sizes_of(const Groups& groups, std::uint64_t group,
                                    std::uint32_t pieces) {
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t i = 0; i < pieces; ++i) sizes.push_back(groups.piece(group, i).size);
  return sizes;
}

/// The blocks of a shard that is one row, and the pieces of a round.
class Blocks {
 public:
  Blocks(const runtime::TensorView& tensor, const std::vector<std::uint64_t>& rows, const Tl& tl)
      : shard_(tensor.local(tl)), begin_{0} {
    for (const std::uint64_t count : rows) begin_.push_back(begin_.back() + count * shard_.columns);
    // A single block may be spread over PEs by rows.
    if (rows.size() == 1) begin_.back() = shard_.rows * shard_.columns;
    shard_ = as_row(shard_);
  }

  [[nodiscard]] std::uint64_t longest() const {
    std::uint64_t longest = 0;
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
      longest = std::max(longest, begin_[i + 1] - begin_[i]);
    }
    return longest;
  }
  [[nodiscard]] std::vector<std::uint64_t> sizes(std::uint64_t first, std::uint64_t most) const {
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
      const std::uint64_t size = begin_[i + 1] - begin_[i];
      sizes.push_back(std::min(most, size - std::min(size, first)));
    }
    return sizes;
  }
  [[nodiscard]] TensorRef piece(std::size_t block, std::uint64_t first, std::uint64_t size) const {
    return shard_.block(0, begin_[block] + first, 1, size);
  }

 private:
  TensorRef shard_;
  std::vector<std::uint64_t> begin_;  ///< first element of each block, and the end
};

}  // namespace

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

std::uint64_t piece_elements(std::uint64_t message_bytes, std::uint64_t tile_bytes,
                             std::uint64_t tiles, std::uint64_t element) {
  const std::uint64_t bytes =
      std::min(message_bytes, tile_bytes / std::max<std::uint64_t>(1, tiles));
  return std::max<std::uint64_t>(1, bytes / element);
}

std::uint32_t pieces_for(const Tl& tl, const CollectiveArgs& args, std::uint32_t most) {
  const kernel::TensorRef shard = args.input.local(tl);
  return pieces_for(shard.rows * shard.columns * bytes_of(shard.type), most);
}

std::uint32_t pieces_for(std::uint64_t bytes, std::uint32_t most) {
  constexpr std::uint64_t kSmallest = 2048;  // bytes
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(bytes / kSmallest, 1, most));
}

void all_reduce_in_groups(Tl& tl, const CollectiveArgs& args, SumExchange exchange,
                          std::uint32_t pieces) {
  const TensorRef in = as_row(args.input.local(tl));
  const TensorRef out = as_row(args.output.local(tl));
  const Tree tree = Tree::of_cubes(tl, args);
  const Team team = args.team_of(tl);
  const Groups groups(
      in.columns, pieces,
      piece_elements(args.slot_bytes, args.tile_bytes, pieces, whole_bytes_of(in.type)));
  const auto reduce = [&](std::uint64_t group) {
    Tiles tiles(pieces);
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const Piece piece = groups.piece(group, i);
      if (piece.size != 0) tiles[i] = tl.load(in.block(0, piece.begin, 1, piece.size));
    }
    reduce_to_root(tl, tree, tiles);
    return tiles;
  };
  // A cube may send a group in advance if the slots of its parent hold all of it. Further ahead, a
  // full ring could block both sides forever.
  const bool ahead = !tree.is_root() && pieces <= args.slots;
  Tiles tiles;
  if (ahead && groups.count() != 0) (void)reduce(0);
  for (std::uint64_t group = 0; group < groups.count(); ++group) {
    if (!ahead) {
      tiles = reduce(group);
    } else if (group + 1 < groups.count()) {
      (void)reduce(group + 1);
    }
    if (tree.is_root()) exchange(tl, team, tiles);
    broadcast_from_root(tl, tree, tiles, sizes_of(groups, group, pieces), in.type);
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const Piece piece = groups.piece(group, i);
      if (piece.size != 0) tl.store(out.block(0, piece.begin, 1, piece.size), *tiles[i]);
    }
    tiles.clear();
  }
}

void exchange_in_rounds(Tl& tl, const CollectiveArgs& args, BlockExchange exchange,
                        std::uint32_t packed) {
  const Blocks in(args.input, args.input_rows, tl);
  const Blocks out(args.output, args.output_rows, tl);
  const Tree tree = Tree::of_cubes(tl, args);
  Round round;
  round.team = args.team_of(tl);
  round.root = args.call.root;
  round.type = args.input.type();
  const std::uint64_t most =
      piece_elements(args.slot_bytes / packed, args.tile_bytes, 4 * std::uint64_t{args.call.size},
                     whole_bytes_of(args.input.type()));
  const std::uint64_t longest = std::max(in.longest(), out.longest());
  for (std::uint64_t first = 0; first < longest; first += most) {
    round.input = in.sizes(first, most);
    round.output = out.sizes(first, most);
    Tiles tiles(round.input.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (round.input[i] == 0 || !(tree.is_root() || args.collective->sums)) continue;
      tiles[i] = tl.load(in.piece(i, first, round.input[i]));
    }
    if (args.collective->sums) reduce_to_root(tl, tree, tiles);
    Tiles results(round.output.size());
    if (tree.is_root()) results = exchange(tl, round, tiles);
    broadcast_from_root(tl, tree, results, round.output, round.type);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (round.output[i] != 0) tl.store(out.piece(i, first, round.output[i]), *results[i]);
    }
  }
}

}  // namespace kernbench::model::ccl
