// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/kernel/tl.hpp"

namespace kernbench::model::bench {

/// A score that hides a key: far below all others, but finite, so that rows without visible keys
/// stay finite, too. Their weight is 0 when they are merged with others.
inline constexpr double kMaskedScore = -1e30;

/// The attention of some queries to some keys, in f32.
struct AttentionPart {
  kernel::Tile out;   ///< the average of values, weighted by the scores of these keys
  kernel::Tile size;  ///< one column: the logarithm of the sum of exp(score)
};

/// The attention of some queries while keys arrive block by block (T. Dao et al., *FlashAttention*,
/// 2022): the highest score of each query so far, and sums relative to it.
class RunningAttention {
 public:
  /// Returns exp(score - highest score) for the scores of the next block of keys. Call add() with
  /// it before the next block.
  [[nodiscard]] kernel::Tile weigh(kernel::Tl& tl, const kernel::Tile& scores);
  /// Adds the values of the block.
  void add(kernel::Tl& tl, const kernel::Tile& weights, const kernel::Tile& values);
  /// Returns the attention to all blocks so far, at least one.
  [[nodiscard]] AttentionPart result(kernel::Tl& tl) const;

 private:
  std::optional<kernel::Tile> highest_;
  std::optional<kernel::Tile> before_;  ///< the highest scores before the block that is added next
  std::optional<kernel::Tile> out_;
  std::optional<kernel::Tile> sum_;
};

/// Returns a tile of `queries` x `keys` that is 1 where a query sees a key, because the key is not
/// after it. Their first positions are given.
[[nodiscard]] kernel::Tile visible_keys(kernel::Tl& tl, std::uint64_t queries,
                                        std::uint64_t first_query, std::uint64_t keys,
                                        std::uint64_t first_key);

}  // namespace kernbench::model::bench
