// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/bench/reference.hpp"
#include "model/bench/transformer/experts.hpp"
#include "model/bench/transformer/weights.hpp"
#include "model/runtime/session.hpp"

namespace kernbench::model::bench::transformer {

/// The experts of the tokens of a sequence.
struct ExpertsOfSequence {
  const ExpertChoice* choice = nullptr;  ///< null for those of the largest logits
  std::uint64_t sequence = 0;
};

/// The result of a plain computation for the tokens of a sequence.
struct ReferencePass {
  MatrixD logits;  ///< a row for each token
  /// How much the logits of the routers that are not used exceed those that are, at most: by layer,
  /// then token. Negative if the experts are those of the largest logits.
  std::vector<double> excess;
};

/// Computes a model in double, from weights that are rounded to their type: one pass over all
/// tokens, without a cache.
[[nodiscard]] ReferencePass reference_pass(const ModelShape& shape, const Weights& weights,
                                           const std::vector<std::uint64_t>& tokens,
                                           const ExpertsOfSequence& experts = {});

/// Words that follow each other, and the logits from which each should have been chosen.
struct ChosenWords {
  MatrixD logits;  ///< a row for each word
  std::vector<std::uint64_t> words;
};
/// Returns a check of the words of all sequences. A word is wrong if its logit is below the largest
/// by more than `tolerance`. If more than one word and more than `share` of them are not those of
/// the largest logits, all these are wrong.
[[nodiscard]] runtime::CheckReport check_words(const std::vector<ChosenWords>& sequences,
                                               double tolerance, double share);
/// Adds the choices of experts to a report. A choice is wrong if its excess is over `tolerance`.
void check_experts(runtime::CheckReport& report, const std::vector<double>& excess,
                   double tolerance);

/// Returns the causal attention of all tokens with grouped queries, a row for each, in double.
/// Queries have `shape.heads` heads, keys and values `shape.kv_heads`.
[[nodiscard]] MatrixD reference_attention(const ModelShape& shape, const MatrixD& q,
                                          const MatrixD& k, const MatrixD& v);

}  // namespace kernbench::model::bench::transformer
