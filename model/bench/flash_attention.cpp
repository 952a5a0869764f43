// SPDX-License-Identifier: Apache-2.0
#include "model/bench/flash_attention.hpp"

namespace kernbench::model::bench {

using data::Axis;
using data::DataType;
using kernel::Tile;
using kernel::Tl;

Tile RunningAttention::weigh(Tl& tl, const Tile& scores) {
  Tile highest = tl.max(scores, Axis::Columns);
  if (highest_) highest = tl.maximum(*highest_, highest);
  before_ = highest_;
  highest_ = highest;
  return tl.exp(scores - highest);
}

void RunningAttention::add(Tl& tl, const Tile& weights, const Tile& values) {
  Tile out = tl.dot(tl.cast(weights, values.type()), values);
  Tile sum = tl.sum(weights, Axis::Columns);
  if (before_) {
    const Tile correction = tl.exp(*before_ - *highest_);
    out = *out_ * correction + out;
    sum = *sum_ * correction + sum;
  }
  before_.reset();
  out_ = out;
  sum_ = sum;
}

AttentionPart RunningAttention::result(Tl& tl) const {
  return {*out_ / *sum_, *highest_ + tl.log(*sum_)};
}

Tile visible_keys(Tl& tl, std::uint64_t queries, std::uint64_t first_query, std::uint64_t keys,
                  std::uint64_t first_key) {
  const auto count = [&](std::uint64_t size, std::uint64_t from) {
    return tl.arange(size, DataType::F32, static_cast<double>(from));
  };
  const Tile rows = Tl::trans(count(queries, first_query));
  return count(keys, first_key) <= rows;
}

}  // namespace kernbench::model::bench
