// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/bench/reference.hpp"
#include "model/bench/transformer/weights.hpp"

namespace kernbench::model::bench::transformer {

/// Returns the logits of a model after each of `tokens`, a row for each: a plain computation in
/// double, from weights that are rounded to their type. One pass over all tokens, without a cache.
[[nodiscard]] MatrixD reference_logits(const ModelShape& shape, const Weights& weights,
                                       const std::vector<std::uint64_t>& tokens);

/// Returns the causal attention of all tokens with grouped queries, a row for each, in double.
/// Queries have `shape.heads` heads, keys and values `shape.kv_heads`.
[[nodiscard]] MatrixD reference_attention(const ModelShape& shape, const MatrixD& q,
                                          const MatrixD& k, const MatrixD& v);

}  // namespace kernbench::model::bench::transformer
