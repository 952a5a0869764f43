// SPDX-License-Identifier: Apache-2.0
#include "model/bench/attention_tiles.hpp"

#include <algorithm>

namespace kernbench::model::bench {

AttentionTiles::AttentionTiles(std::uint64_t queries, std::uint64_t keys, std::uint64_t block_q,
                               std::uint64_t block_k, bool causal)
    : queries_(queries), keys_(keys), block_q_(block_q), block_k_(block_k), causal_(causal) {
  ends_.resize((queries - 1) / block_q + 1);
  std::uint64_t end = 0;
  for (std::uint64_t place = 0; place < blocks(); ++place) {
    ends_[place] = end += tiles_of(block_at(place));
  }
}

std::uint64_t AttentionTiles::block_at(std::uint64_t place) const {
  if (!causal_) return place;
  return place % 2 == 0 ? blocks() - 1 - place / 2 : place / 2;
}

std::uint64_t AttentionTiles::rows_of(std::uint64_t block) const {
  return std::min(block_q_, queries_ - block * block_q_);
}

std::uint64_t AttentionTiles::keys_of(std::uint64_t block) const {
  return causal_ ? std::min(keys_, block * block_q_ + rows_of(block)) : keys_;
}

std::vector<AttentionSegment> AttentionTiles::segments(std::uint64_t program,
                                                       std::uint64_t programs) const {
  std::vector<AttentionSegment> found;
  programs = std::min(programs, tiles());
  if (program >= programs) return found;
  const std::uint64_t end = first_tile(program + 1, programs);
  std::uint64_t tile = first_tile(program, programs);
  auto place = static_cast<std::uint64_t>(std::upper_bound(ends_.begin(), ends_.end(), tile) -
                                          ends_.begin());
  for (; tile < end; ++place) {
    const std::uint64_t block = block_at(place);
    const std::uint64_t begin = ends_[place] - tiles_of(block);
    const std::uint64_t next = std::min(end, ends_[place]);
    found.push_back({block, tile - begin, next - tile});
    tile = next;
  }
  return found;
}

std::vector<SplitBlock> AttentionTiles::split_blocks(std::uint64_t programs) const {
  std::vector<SplitBlock> found;
  for (std::uint64_t program = 0; program < programs; ++program) {
    for (const AttentionSegment& segment : segments(program, programs)) {
      if (segment.tiles == tiles_of(segment.block)) continue;
      if (segment.first_key == 0) found.push_back({segment.block, program, 0});
      ++found.back().programs;
    }
  }
  return found;
}

}  // namespace kernbench::model::bench
