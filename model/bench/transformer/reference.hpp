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

}  // namespace kernbench::model::bench::transformer
