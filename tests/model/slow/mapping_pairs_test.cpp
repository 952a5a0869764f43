// SPDX-License-Identifier: Apache-2.0
// The default mapping against all of a bench's own alternatives, on 300 drawn pairs of shape and
// machine. A quarter of an hour.
#include "tests/model/bench/mapping_pairs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "common/parallel.hpp"

namespace kernbench::model::bench {
namespace {

TEST(MappingPairs, TakeTheBestMappingOrOneThatIsHardlySlower) {
  const std::vector<MappingPair> pairs = drawn_pairs();
  ASSERT_EQ(pairs.size(), 300U);
  std::vector<PairResult> results(pairs.size());
  common::in_parallel(pairs.size(), 2, [&](std::size_t i) { results[i] = measure_pair(pairs[i]); });
  std::map<std::string, std::pair<int, int>> by_bench;  // within 5 %, all
  int good = 0;
  for (const PairResult& result : results) {
    auto& [within, all] = by_bench[result.pair.bench];
    ++all;
    const bool is_good = result.ratio <= 1.05;
    within += is_good ? 1 : 0;
    good += is_good ? 1 : 0;
    if (!is_good) fmt::print("{}\n", text_of(result));
    EXPECT_LE(result.ratio, 1.10) << text_of(result);
  }
  for (const auto& [bench, counts] : by_bench) {
    fmt::print("{}: {} of {} within 5 %\n", bench, counts.first, counts.second);
    EXPECT_GE(counts.second, 30) << bench;
  }
  EXPECT_GE(good, 291);  // 97 %
}

}  // namespace
}  // namespace kernbench::model::bench
