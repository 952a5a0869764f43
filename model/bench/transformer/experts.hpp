// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/bench/transformer/kernels.hpp"
#include "model/bench/transformer/parallelism.hpp"
#include "model/bench/transformer/shape.hpp"

namespace kernbench::model::bench::transformer {

/// The experts that each token of a batch uses in each layer: drawn, or as a device has chosen.
class ExpertChoice {
 public:
  /// Has room for `sequences` of `tokens` each.
  ExpertChoice(const ModelShape& shape, std::uint64_t sequences, std::uint64_t tokens);

  /// Draws the experts of all tokens. Each is as likely as any other.
  void draw(std::uint64_t seed);

  /// Returns the experts of a token, `experts_used` numbers.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint64_t layer, std::uint64_t sequence,
                                                  std::uint64_t position) const;
  [[nodiscard]] std::span<std::uint32_t> of(std::uint64_t layer, std::uint64_t sequence,
                                            std::uint64_t position);
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t tokens() const { return tokens_; }  ///< room of each sequence

 private:
  std::uint64_t experts_;
  std::uint64_t used_;
  std::uint64_t sequences_;
  std::uint64_t tokens_;
  std::vector<std::uint32_t> numbers_;  ///< by layer, sequence and position
};

/// The rows of a batch at the experts of a rank.
struct ExpertRows {
  struct Row {
    std::uint64_t row = 0;    ///< in the batch
    std::uint64_t place = 0;  ///< number of the expert among those of the row
  };
  std::vector<Row> rows;             ///< by expert, then by row
  std::vector<std::uint64_t> begin;  ///< first of `rows` for each expert, and the end
};

/// The experts of the tokens that pass a layer.
struct Routes {
  BatchTokens tokens;
  std::uint64_t layer = 0;
  std::uint64_t first_sequence = 0;  ///< number of the cache's first sequence in `choice`
  Share held;                        ///< experts of the rank
  std::shared_ptr<ExpertChoice> choice;
  /// The experts of each row (i32) when they are chosen by the logits; then kernels read them.
  std::optional<runtime::TensorView> chosen;

  /// Returns the experts of a row in `choice`.
  [[nodiscard]] std::span<std::uint32_t> of_row(std::uint64_t row) const {
    return choice->of(layer, first_sequence + tokens.first_sequence + row / tokens.count,
                      tokens.first(row / tokens.count) + row % tokens.count);
  }
  /// Loads and reads the experts of all rows if they are chosen by the logits. The first program
  /// notes them in `choice`.
  [[nodiscard]] ExpertRows rows_of(kernel::Tl& tl) const;
};

/// Chooses the experts of each row: those of the largest logits norm(x) W, or as drawn. The factor
/// of an expert is the softmax over the logits of those chosen.
struct Router {
  runtime::TensorView x;
  std::optional<double> norm_epsilon;
  runtime::TensorView weight;  ///< hidden x experts, a copy in each cube
  Routes routes;
  /// Numbers (i32) of `choice` for the layer and all sequences of the cache.
  std::optional<runtime::TensorView> drawn;
  runtime::TensorView factors;  ///< rows x experts used

  void operator()(kernel::Tl& tl) const;
};

/// Copies the rows of x to the experts of the rank.
struct Dispatch {
  Routes routes;
  runtime::TensorView x;
  runtime::TensorView y;  ///< a row for each of ExpertRows::rows

  void operator()(kernel::Tl& tl) const;
};

/// Computes GatedLinear for the rows of each expert.
struct GatedExperts {
  struct Weights {
    runtime::TensorView gate;
    runtime::TensorView up;
  };
  Routes routes;
  runtime::TensorView x;
  std::optional<double> norm_epsilon;
  std::vector<Weights> weights;  ///< by expert of the rank
  runtime::TensorView y;
  TileBudget budget{};

  void operator()(kernel::Tl& tl) const;
};

/// Computes Linear for the rows of each expert.
struct LinearExperts {
  Routes routes;
  runtime::TensorView x;
  std::vector<runtime::TensorView> weights;  ///< by expert of the rank
  runtime::TensorView y;
  TileBudget budget{};

  void operator()(kernel::Tl& tl) const;
};

/// y = the sum of the rows at their experts times their factors, by ascending number of the expert;
/// one cube adds `residual`. `x` is the input of LinearExperts.
struct Combine {
  Routes routes;
  runtime::TensorView x;
  runtime::TensorView at_experts;
  runtime::TensorView factors;
  runtime::TensorView y;
  std::optional<runtime::TensorView> residual{};

  void operator()(kernel::Tl& tl) const;
};

}  // namespace kernbench::model::bench::transformer
