// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/bench/transformer/shape.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::bench::transformer {

/// The weights of a layer. The gains of norms are parts of the weights that follow them.
enum class Weight : std::uint8_t { Query, Key, Value, Output, Gate, Up, Down, Router };

/// The weights of a model: uniform random numbers of variance 1/rows, so that activations keep
/// their size, by a seed. Whole matrices with a row for each input; computed when they are called.
class Weights {
 public:
  Weights(const ModelShape& shape, std::uint64_t seed) : shape_(shape), seed_(seed) {}

  /// Returns a weight of a layer. Gate, Up and Down are those of an expert in a model of experts.
  [[nodiscard]] runtime::HostData layer(std::uint64_t layer, Weight weight,
                                        std::uint64_t expert = 0) const;
  /// Returns a row for each word of the vocabulary.
  [[nodiscard]] runtime::HostData embedding() const;
  /// Returns a column for each word of the vocabulary.
  [[nodiscard]] runtime::HostData output() const;

 private:
  [[nodiscard]] runtime::HostData random(std::uint64_t rows, std::uint64_t columns, double size,
                                         std::uint64_t number) const;

  ModelShape shape_;
  std::uint64_t seed_;
};

}  // namespace kernbench::model::bench::transformer
