// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/bench/transformer/rank_tensors.hpp"
#include "model/ccl/process_group.hpp"

namespace kernbench::model::bench::transformer {

/// A rank's part of a decoder-only transformer, with its weights and its key-value cache, spread
/// over the cubes and PEs of a SIP. Tensor parallelism is that of Megatron-LM (M. Shoeybi et al.,
/// 2019), within a SIP over its cubes and then over ranks.
class Decoder {
 public:
  /// Allocates weights and cache. Throws memory::OutOfMemory or runtime::BadParameter when they do
  /// not fit.
  Decoder(ccl::Worker& worker, const RankModel& model, std::uint64_t seed);

  /// Allocates tensors for forward passes over `tokens` of each sequence: a set for each part that
  /// passes at the same time.
  [[nodiscard]] std::vector<Activations> activations(std::uint64_t tokens);
  /// Frees them.
  void release(const std::vector<Activations>& tensors);
  /// Runs the next tokens of all sequences, part by part: `words` has the numbers of each part,
  /// sequence by sequence.
  void forward(const std::vector<Activations>& tensors,
               const std::vector<std::shared_ptr<const std::vector<std::uint64_t>>>& words);

  [[nodiscard]] const RankModel& model() const { return model_; }

 private:
  /// The input of a block, which the block norms itself if it has an epsilon.
  struct BlockInput {
    runtime::TensorView x;
    std::optional<double> norm_epsilon;
  };

  /// Some sequences of a forward pass.
  struct Part {
    const Activations& tensors;
    BatchTokens tokens;
    std::shared_ptr<const std::vector<std::uint64_t>> words;
  };

  /// Fills the input of the first layer of the stage, and passes on the output of its last.
  void begin(const Part& part);
  void end(const Part& part);
  void run_layer(const LayerTensors& layer, const Part& part);
  /// Runs a layer for two parts: while ranks sum the results of one, they compute the other.
  void run_layer(const LayerTensors& layer, const Part& first, const Part& second);
  void run_attention(const LayerTensors& layer, const Part& part);
  void end_attention(const Activations& tensors);
  void run_feed_forward(const LayerTensors& layer, const Part& part);
  void end_feed_forward(const Activations& tensors);
  /// Adds the experts of a block's input to `tensors.x`.
  void run_experts(const LayerTensors& layer, const Activations& tensors, const BatchTokens& tokens,
                   const BlockInput& input, const std::optional<runtime::TensorView>& residual);
  /// Returns the input of a block: `x`, or what the ranks have gathered of their `rows` of it.
  [[nodiscard]] BlockInput begin_block(const Activations& tensors, const runtime::Tensor& x,
                                       const runtime::Tensor& rows);
  /// Sums the results of a block. If ranks share rows, adds what was there before to `rows`.
  void end_block(const runtime::Tensor& sum, const runtime::Tensor& rows,
                 const runtime::Tensor& before);
  /// Returns what a block adds to its result: what was there before, for one of the ranks that do
  /// not share rows.
  [[nodiscard]] std::optional<runtime::TensorView> residual(const Activations& tensors,
                                                            const runtime::Tensor& before) const;
  /// Returns the words of the rows of the rank.
  [[nodiscard]] std::shared_ptr<const std::vector<std::uint64_t>> own_rows(
      const std::vector<std::uint64_t>& words) const;
  [[nodiscard]] std::uint32_t rank_at(std::uint32_t stage) const;

  ccl::Worker& worker_;
  RankModel model_;
  KvCache cache_;
  ccl::Member tensor_group_;
  ModelTensors tensors_;
  TileBudget budget_;
  std::optional<runtime::Stream> communication_;  ///< if computation and communication overlap
};

}  // namespace kernbench::model::bench::transformer
