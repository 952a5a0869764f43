// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/parallelism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "model/runtime/context.hpp"

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

namespace {

/// Throws unless `number` things can be spread evenly over the ranks that a parameter gives.
void check_share(const std::string& parameter, std::uint64_t number, const char* what,
                 std::uint32_t ranks) {
  if (number % ranks == 0) return;
  throw runtime::BadParameter(fmt::format("{}, but {} {} cannot be spread over {} ranks evenly",
                                          parameter, number, what, ranks));
}

}  // namespace

void check_shares(const ModelShape& shape, const Parallelism& parallelism) {
  const std::uint32_t tensor = parallelism.tensor;
  const std::uint32_t expert = parallelism.expert;
  const std::string by_tensor = fmt::format("'tensor' is {}", tensor);
  check_share(by_tensor, shape.heads, "heads", tensor);
  if (tensor % expert != 0) {
    throw runtime::BadParameter(fmt::format(
        "'expert' is {}, which does not divide the {} ranks of 'tensor'", expert, tensor));
  }
  if (expert != 1 && shape.experts == 0) {
    throw runtime::BadParameter(
        fmt::format("'expert' is {}, but the model has no experts", expert));
  }
  check_share(fmt::format("'expert' is {}", expert), shape.experts, "experts", expert);
  check_share(expert == 1 ? by_tensor : fmt::format("{} and 'expert' {}", by_tensor, expert),
              shape.feed_forward, "columns of the feed-forward layer", parallelism.feed_forward());
  check_share(by_tensor, shape.vocabulary, "words of the vocabulary", tensor);
}

HeadSplit split_heads(const ModelShape& shape, std::uint32_t tensor, std::uint32_t cubes) {
  for (std::uint32_t used = cubes; used > 0; --used) {
    const std::uint64_t places = std::uint64_t{tensor} * used;
    const bool whole = shape.kv_heads % places == 0;
    if (shape.heads % places != 0 || (!whole && places % shape.kv_heads != 0)) continue;
    const std::uint64_t kv_heads = whole ? shape.kv_heads / places : 1;
    return {used, {kv_heads, shape.heads / places / kv_heads, shape.head_size}};
  }
  throw runtime::BadParameter(
      fmt::format("'tensor' is {}, but neither divides {} heads of keys nor is a multiple of it",
                  tensor, shape.kv_heads));
}

}  // namespace kernbench::model::bench::transformer
