// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "model/bench/transformer/experts.hpp"
#include "model/bench/transformer/kernels.hpp"
#include "model/bench/transformer/kv_cache.hpp"
#include "model/bench/transformer/parallelism.hpp"
#include "model/bench/transformer/weights.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::bench::transformer {

/// The sequences that a decoder has room for. They pass a stage in `parts` parts of as many each.
struct DecoderRoom {
  std::uint64_t sequences = 0;
  std::uint64_t tokens = 0;  ///< room of the longest sequence
  std::uint64_t page_tokens = 0;
  /// Tokens of each sequence in the cache at the start; none if empty.
  std::vector<std::uint64_t> cached{};
  /// Each sequence has room for `tokens`; else all for as many after the cached ones.
  bool equal = false;
  std::uint64_t parts = 1;  ///< divides `sequences`
  bool overlaps = false;    ///< parts pass in pairs, one computes while the other communicates

  [[nodiscard]] std::uint64_t parts_at_once() const { return overlaps ? 2 : 1; }
  /// Returns an empty cache.
  [[nodiscard]] KvCache make_cache(std::uint32_t pes) const;
};

/// How tokens choose their experts.
struct Routing {
  std::shared_ptr<ExpertChoice> choice;  ///< null without experts
  bool live = false;                     ///< by the logits; else `choice` has been drawn
  std::uint64_t first_sequence = 0;      ///< number of the decoder's first sequence in `choice`
};

/// A rank's part of a model.
struct RankModel {
  /// Throws runtime::BadParameter when the heads cannot be spread over the ranks.
  RankModel(const ModelShape& of, const Parallelism& spread, std::uint32_t rank,
            const DecoderRoom& with_room, Routing routed, std::uint32_t of_cubes,
            std::uint32_t of_pes);

  [[nodiscard]] bool is_last_stage() const { return place.stage + 1 == parallelism.pipeline; }
  /// Returns the experts of the rank; one in a dense model.
  [[nodiscard]] Share held_experts() const;

  ModelShape shape;
  Parallelism parallelism;
  RankPlace place;
  DecoderRoom room;
  Routing routing;
  std::uint32_t cubes;
  std::uint32_t pes;  ///< number in each cube
  HeadSplit split;
};

/// The weights of a gated feed-forward layer, or of an expert.
struct FeedForwardTensors {
  runtime::Tensor gate;
  runtime::Tensor up;
  runtime::Tensor down;
};
/// The tensors of a layer.
struct LayerTensors {
  std::uint64_t number = 0;
  runtime::Tensor query;
  runtime::Tensor key;
  runtime::Tensor value;
  runtime::Tensor output;
  runtime::Tensor router;                         ///< null without experts
  runtime::Tensor drawn;                          ///< null unless experts are drawn
  std::vector<FeedForwardTensors> feed_forwards;  ///< the experts of the rank, or the only one
  runtime::Tensor keys;                           ///< cache
  runtime::Tensor values;                         ///< cache
};

/// The tensors that a rank keeps: its weights and its cache.
struct ModelTensors {
  std::vector<LayerTensors> layers;
  runtime::Tensor embedding;  ///< null but in the first stage
  runtime::Tensor output;     ///< null but in the last stage
  runtime::Tensor cosines;
  runtime::Tensor sines;
};

/// The tensors of a forward pass of a part of the sequences, on one rank.
struct Activations {
  BatchTokens tokens;  ///< first part of the sequences, without a cache
  std::vector<runtime::Tensor> all;
  runtime::Tensor x;
  runtime::Tensor between;  ///< x after the attention
  runtime::Tensor x_rows;   ///< the rank's rows; null unless ranks share rows, like the next three
  runtime::Tensor between_rows;
  runtime::Tensor normed_rows;  ///< the input of a block after its norm
  runtime::Tensor normed;       ///< that of all ranks
  runtime::Tensor q;
  runtime::Tensor k;
  runtime::Tensor v;
  runtime::Tensor attended;
  runtime::Tensor hidden;
  runtime::Tensor chosen;      ///< null unless experts are chosen by the logits
  runtime::Tensor factors;     ///< null without experts, like the next two
  runtime::Tensor dispatched;  ///< rows of x, by expert
  runtime::Tensor at_experts;  ///< results of the experts
  runtime::Tensor parts;       ///< null in a prefill
  runtime::Tensor sizes;       ///< null in a prefill
  runtime::Tensor logits;      ///< a row for each sequence of all parts; null but in the last stage
};

/// Makes a tensor, like runtime::Context::tensor().
using TensorMaker =
    std::function<runtime::Tensor(std::uint64_t rows, std::uint64_t columns, data::DataType type,
                                  const runtime::DpPolicy& policy, const runtime::HostData& data)>;
[[nodiscard]] ModelTensors make_model(const RankModel& model, const TensorMaker& make,
                                      std::uint64_t seed);
/// Makes tensors for forward passes over `tokens` of each sequence.
[[nodiscard]] Activations make_activations(const RankModel& model, const TensorMaker& make,
                                           std::uint64_t tokens);

/// Bytes of a rank's tensors.
struct Footprint {
  std::uint64_t model = 0;        ///< weights and cache
  std::uint64_t activations = 0;  ///< larger need of a prefill and a step of decode
};
/// Returns what a rank needs for prompts and steps of decode.
[[nodiscard]] Footprint footprint_of(const RankModel& model, std::uint64_t prompt,
                                     std::uint64_t steps);

}  // namespace kernbench::model::bench::transformer
