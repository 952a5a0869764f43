// SPDX-License-Identifier: Apache-2.0
#include "model/serving/percentiles.hpp"

#include <gtest/gtest.h>

namespace kernbench::model::serving {
namespace {

using common::SimTime;

/// Returns "p50 p90 p99" of `count`, ..., 2, 1 ps.
std::vector<std::int64_t> of_countdown(std::int64_t count) {
  std::vector<SimTime> times;
  for (std::int64_t ps = count; ps > 0; --ps) times.push_back(SimTime::from_ps(ps));
  const Percentiles percentiles = percentiles_of(times).value();
  return {percentiles.p50.ps(), percentiles.p90.ps(), percentiles.p99.ps()};
}

TEST(ServingPercentiles, AreNearestRanks) {
  EXPECT_EQ(of_countdown(1), (std::vector<std::int64_t>{1, 1, 1}));
  EXPECT_EQ(of_countdown(2), (std::vector<std::int64_t>{1, 2, 2}));
  EXPECT_EQ(of_countdown(10), (std::vector<std::int64_t>{5, 9, 10}));
  EXPECT_EQ(of_countdown(11), (std::vector<std::int64_t>{6, 10, 11}));
  EXPECT_EQ(of_countdown(100), (std::vector<std::int64_t>{50, 90, 99}));
  EXPECT_EQ(of_countdown(101), (std::vector<std::int64_t>{51, 91, 100}));
}

TEST(ServingPercentiles, HaveTheMeanAlsoOfTimesWhoseSumIsTooLarge) {
  const auto mean = [](const std::vector<std::int64_t>& ps) {
    std::vector<SimTime> times;
    for (const std::int64_t one : ps) times.push_back(SimTime::from_ps(one));
    return percentiles_of(times).value().mean.ps();
  };
  EXPECT_EQ(mean({1, 2}), 2);
  EXPECT_EQ(mean({1, 1, 2}), 1);
  EXPECT_EQ(mean({5, 7, 12}), 8);
  constexpr std::int64_t kLong = std::int64_t{1} << 62U;
  EXPECT_EQ(mean({kLong, kLong, kLong, kLong + 4}), kLong + 1);
}

TEST(ServingPercentiles, NeedTimes) {
  EXPECT_FALSE(percentiles_of({}));
}

}  // namespace
}  // namespace kernbench::model::serving
