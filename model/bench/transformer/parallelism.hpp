// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/bench/transformer/kernels.hpp"
#include "model/bench/transformer/shape.hpp"

namespace kernbench::model::bench::transformer {

/// How the ranks share a model: each of `data` copies has `pipeline` stages, each of `tensor`
/// ranks. `expert` parts of these ranks share the experts.
struct Parallelism {
  std::uint32_t tensor = 1;
  std::uint32_t pipeline = 1;
  std::uint32_t data = 1;
  std::uint32_t expert = 1;  ///< divides `tensor`
  /// Spreads the rows between the blocks of a prefill over the ranks of a layer.
  bool sequence = false;

  [[nodiscard]] std::uint64_t ranks() const { return std::uint64_t{tensor} * pipeline * data; }
  /// Returns true if ranks share the rows of a pass over `tokens` of each sequence.
  [[nodiscard]] bool shares_rows(std::uint64_t tokens) const {
    return sequence && tensor > 1 && tokens > 1;
  }
  /// Returns the number of ranks that share a feed-forward layer.
  [[nodiscard]] std::uint32_t feed_forward() const { return tensor / expert; }
};

/// The place of a rank. Ranks that share the layers of a stage are neighbours.
struct RankPlace {
  std::uint32_t tensor = 0;
  std::uint32_t stage = 0;
  std::uint32_t copy = 0;

  [[nodiscard]] static RankPlace of(std::uint32_t rank, const Parallelism& parallelism);
};

/// A range of layers or of sequences.
struct Share {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
/// Returns the part of `all` of one of `parts`, which differ by 1 at most.
[[nodiscard]] Share share_of(std::uint64_t all, std::uint32_t part, std::uint32_t parts);

/// The heads of a rank: over some of its cubes, the same number in each. Heads of keys are copied
/// when there are fewer than cubes.
struct HeadSplit {
  std::uint32_t cubes = 0;
  CubeHeads heads;

  /// Returns the head of keys that is number `head` of a cube.
  [[nodiscard]] std::uint64_t kv_head(const ModelShape& shape, std::uint32_t tensor_rank,
                                      std::uint32_t cube, std::uint64_t head) const;
};

/// Throws runtime::BadParameter when the heads, the experts, the columns of a feed-forward layer or
/// the vocabulary cannot be spread over the ranks evenly.
void check_shares(const ModelShape& shape, const Parallelism& parallelism);

/// Spreads the heads over most cubes of each tensor-parallel rank. Throws runtime::BadParameter
/// when no number of cubes has the same number of heads in each.
[[nodiscard]] HeadSplit split_heads(const ModelShape& shape, std::uint32_t tensor,
                                    std::uint32_t cubes);

}  // namespace kernbench::model::bench::transformer
