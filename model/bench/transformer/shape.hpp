// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "model/data/data_type.hpp"

namespace kernbench::model::bench::transformer {

/// The shape of a decoder-only transformer: RMSNorm, attention with rotary embedding and grouped
/// queries, and a gated feed-forward layer, as in LLaMA (H. Touvron et al., 2023), or several as
/// experts, as in Mixtral (A. Jiang et al., 2024).
struct ModelShape {
  std::string name;
  std::uint64_t hidden = 0;
  std::uint64_t layers = 0;
  std::uint64_t heads = 0;         ///< heads of queries
  std::uint64_t kv_heads = 0;      ///< heads of keys and values; divides `heads`
  std::uint64_t head_size = 0;     ///< even
  std::uint64_t feed_forward = 0;  ///< columns of the feed-forward layer, or of each expert
  std::uint64_t experts = 0;       ///< feed-forward layers to choose from; 0 for a dense model
  std::uint64_t experts_used = 0;  ///< experts of a token; at most `experts`
  std::uint64_t vocabulary = 0;
  std::uint64_t window = 0;  ///< keys that a query sees, with its own; 0: all
  double rope_theta = 10000.0;
  double norm_epsilon = 1e-5;
  data::DataType type = data::DataType::F16;  ///< type of weights and activations

  /// Returns the weights of a layer, of the embedding, or of the output.
  [[nodiscard]] std::uint64_t layer_weights() const;
  [[nodiscard]] std::uint64_t embedding_weights() const { return vocabulary * hidden; }
  /// Returns the number of weights, with embedding and output.
  [[nodiscard]] std::uint64_t weights() const {
    return layers * layer_weights() + 2 * embedding_weights();
  }
};

/// A model file; not the config.json of a model of Hugging Face.
extern const common::InputKind kModelFile;

/// Reads a model file (configs/models/), or with the extension ".json" the `config.json` of a model
/// of Hugging Face. A key that is neither read nor known to change nothing is an error. Throws
/// common::BadInput with all errors of the file.
[[nodiscard]] ModelShape read_model_shape(const std::filesystem::path& path);

}  // namespace kernbench::model::bench::transformer

template <>
const kernbench::common::Description<kernbench::model::bench::transformer::ModelShape>&
kernbench::common::description_of();
