// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace kernbench::model::bench {

/// Consecutive tiles of one block of queries that one program computes.
struct AttentionSegment {
  std::uint64_t block = 0;      ///< number of the block of queries
  std::uint64_t first_key = 0;  ///< number of the first block of keys
  std::uint64_t tiles = 0;

  friend bool operator==(const AttentionSegment&, const AttentionSegment&) = default;
};

/// A block of queries that several programs compute, each some of its tiles. The programs follow
/// each other.
struct SplitBlock {
  std::uint64_t block = 0;
  std::uint64_t first_program = 0;
  std::uint64_t programs = 0;

  friend bool operator==(const SplitBlock&, const SplitBlock&) = default;
};

/// The tiles of an attention, a block of queries by a block of keys each, and their even
/// distribution: all tiles, block after block, are cut into one range for each program, so that no
/// two programs differ by more than one tile. In a causal attention the blocks alternate between
/// the longest and the shortest that is left, so that no program gets many short ones.
class AttentionTiles {
 public:
  /// All sizes are at least 1. In a causal attention query i sees the keys 0 to i.
  AttentionTiles(std::uint64_t queries, std::uint64_t keys, std::uint64_t block_q,
                 std::uint64_t block_k, bool causal);

  [[nodiscard]] std::uint64_t blocks() const { return ends_.size(); }
  [[nodiscard]] std::uint64_t tiles() const { return ends_.back(); }
  /// Returns the number of keys that some query of a block sees.
  [[nodiscard]] std::uint64_t keys_of(std::uint64_t block) const;
  [[nodiscard]] std::uint64_t rows_of(std::uint64_t block) const;
  [[nodiscard]] std::uint64_t tiles_of(std::uint64_t block) const {
    return (keys_of(block) - 1) / block_k_ + 1;
  }

  /// Returns the segments of a program, one for each block of queries in its range. The last
  /// programs have none if there are fewer tiles.
  [[nodiscard]] std::vector<AttentionSegment> segments(std::uint64_t program,
                                                       std::uint64_t programs) const;
  /// Returns the blocks that several of `programs` programs share.
  [[nodiscard]] std::vector<SplitBlock> split_blocks(std::uint64_t programs) const;

 private:
  /// Returns the block at a place of the order.
  [[nodiscard]] std::uint64_t block_at(std::uint64_t place) const;
  /// Returns the first tile of a program.
  [[nodiscard]] std::uint64_t first_tile(std::uint64_t program, std::uint64_t programs) const {
    return (tiles() * program + programs - 1) / programs;
  }

  std::uint64_t queries_;
  std::uint64_t keys_;
  std::uint64_t block_q_;
  std::uint64_t block_k_;
  bool causal_;
  std::vector<std::uint64_t> ends_;  ///< number of tiles up to each place of the order, inclusive
};

}  // namespace kernbench::model::bench
