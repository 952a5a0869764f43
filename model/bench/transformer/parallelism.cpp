// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/parallelism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kernbench::model::bench::transformer {

RankPlace RankPlace::of(std::uint32_t rank, const Parallelism& parallelism) {
  const std::uint32_t stage = rank / parallelism.tensor;
  return {rank % parallelism.tensor, stage % parallelism.pipeline, stage / parallelism.pipeline};
}

Share share_of(std::uint64_t all, std::uint32_t part, std::uint32_t parts) {
  const std::uint64_t first = all * part / parts;
  return {first, all * (part + 1) / parts - first};
}

std::uint64_t HeadSplit::kv_head(const ModelShape& shape, std::uint32_t tensor_rank,
                                 std::uint32_t cube, std::uint64_t head) const {
  const std::uint64_t first_query =
      (std::uint64_t{tensor_rank} * cubes + cube) * heads.kv_heads * heads.queries;
  return first_query / (shape.heads / shape.kv_heads) + head;
}

HeadSplit split_heads(const ModelShape& shape, std::uint32_t tensor, std::uint32_t cubes) {
  const auto check = [&](const char* what, std::uint64_t number) {
    if (number % tensor == 0) return;
    throw std::invalid_argument(
        fmt::format("'tensor' is {}, but {} {} cannot be spread over {} ranks evenly", tensor,
                    number, what, tensor));
  };
  check("heads", shape.heads);
  check("columns of the feed-forward layer", shape.feed_forward);
  check("words of the vocabulary", shape.vocabulary);
  for (std::uint32_t used = cubes; used > 0; --used) {
    const std::uint64_t places = std::uint64_t{tensor} * used;
    const bool whole = shape.kv_heads % places == 0;
    if (shape.heads % places != 0 || (!whole && places % shape.kv_heads != 0)) continue;
    const std::uint64_t kv_heads = whole ? shape.kv_heads / places : 1;
    return {used, {kv_heads, shape.heads / places / kv_heads, shape.head_size}};
  }
  throw std::invalid_argument(
      fmt::format("'tensor' is {}, but neither divides {} heads of keys nor is a multiple of it",
                  tensor, shape.kv_heads));
}

}  // namespace kernbench::model::bench::transformer
