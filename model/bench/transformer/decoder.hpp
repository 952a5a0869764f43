// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/bench/transformer/experts.hpp"
#include "model/bench/transformer/kernels.hpp"
#include "model/bench/transformer/parallelism.hpp"
#include "model/bench/transformer/weights.hpp"
#include "model/ccl/process_group.hpp"

namespace kernbench::model::bench::transformer {

/// The sequences that a decoder has room for.
struct DecoderRoom {
  std::uint64_t sequences = 0;
  std::uint64_t tokens = 0;  ///< room of each sequence
  std::uint64_t page_tokens = 0;
};

/// How tokens choose their experts.
struct Routing {
  std::shared_ptr<ExpertChoice> choice;  ///< null without experts
  bool live = false;                     ///< by the logits; else `choice` has been drawn
  std::uint64_t first_sequence = 0;      ///< number of the decoder's first sequence in `choice`
};

/// The tensors of a forward pass over a number of rows, on one rank.
struct Activations {
  BatchTokens tokens;  ///< its `first` has no meaning
  runtime::Tensor x;
  runtime::Tensor between;  ///< x after the attention
  runtime::Tensor q;
  runtime::Tensor k;
  runtime::Tensor v;
  runtime::Tensor attended;
  runtime::Tensor hidden;
  runtime::Tensor chosen;      ///< null unless experts are chosen by the logits
  runtime::Tensor factors;     ///< null without experts, like the next three
  runtime::Tensor dispatched;  ///< rows of x, by expert
  runtime::Tensor dispatched_factors;
  runtime::Tensor at_experts;  ///< results of the experts
  runtime::Tensor parts;       ///< null in a prefill
  runtime::Tensor sizes;       ///< null in a prefill
  runtime::Tensor logits;      ///< a row for each sequence; null but in the last stage
};

/// A rank's part of a decoder-only transformer, with its weights and its key-value cache, spread
/// over the cubes and PEs of a SIP. Tensor parallelism is that of Megatron-LM (M. Shoeybi et al.,
/// 2019), within a SIP over its cubes and then over ranks.
class Decoder {
 public:
  /// Allocates weights and cache. Throws std::invalid_argument when the shape cannot be spread over
  /// the ranks, and memory::OutOfMemory or runtime::BadParameter when it does not fit.
  Decoder(ccl::Worker& worker, const ModelShape& shape, const Parallelism& parallelism,
          const DecoderRoom& room, const Routing& routing, std::uint64_t seed);

  /// Allocates tensors for forward passes over `tokens` of each sequence.
  [[nodiscard]] Activations activations(std::uint64_t tokens);
  /// Frees them.
  void free(const Activations& tensors);
  /// Runs the next tokens of all sequences: `words` has their numbers, sequence by sequence.
  void forward(const Activations& tensors,
               const std::shared_ptr<const std::vector<std::uint64_t>>& words);

  [[nodiscard]] bool is_last_stage() const { return place_.stage + 1 == parallelism_.pipeline; }
  [[nodiscard]] const RankPlace& place() const { return place_; }

 private:
  struct FeedForward {
    runtime::Tensor gate;
    runtime::Tensor up;
    runtime::Tensor down;
  };
  struct Layer {
    std::uint64_t number = 0;
    runtime::Tensor query;
    runtime::Tensor key;
    runtime::Tensor value;
    runtime::Tensor output;
    runtime::Tensor router;                  ///< null without experts
    runtime::Tensor drawn;                   ///< null unless experts are drawn
    std::vector<FeedForward> feed_forwards;  ///< the experts of the rank, or the only one
    runtime::Tensor keys;                    ///< cache
    runtime::Tensor values;                  ///< cache
  };

  void run_layer(const Layer& layer, const Activations& tensors, const BatchTokens& tokens,
                 const std::shared_ptr<const KvCache>& cache);
  /// Adds the experts of `tensors.between` to it; `tensors.x` gets the sum.
  void run_experts(const Layer& layer, const Activations& tensors, const BatchTokens& tokens,
                   const std::optional<runtime::TensorView>& residual);
  /// Returns the experts of the rank.
  [[nodiscard]] Share held_experts() const;
  [[nodiscard]] std::uint32_t rank_at(std::uint32_t stage) const;

  ccl::Worker& worker_;
  ModelShape shape_;
  Parallelism parallelism_;
  RankPlace place_;
  DecoderRoom room_;
  Routing routing_;
  HeadSplit split_;
  KvCache cache_;
  ccl::Member tensor_group_;
  std::vector<Layer> layers_;
  runtime::Tensor embedding_;  ///< null but in the first stage
  runtime::Tensor output_;     ///< null but in the last stage
  runtime::Tensor cosines_;
  runtime::Tensor sines_;
};

}  // namespace kernbench::model::bench::transformer
