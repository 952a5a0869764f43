// SPDX-License-Identifier: Apache-2.0
#include "farm/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace kernbench::farm {
namespace {

TEST(SpreadOrder, HasEachNumberOnce) {
  for (std::size_t count = 0; count < 300; ++count) {
    std::vector<std::size_t> order = spread_order(count);
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(order[i], i) << count;
  }
}

// A tenth of a grid of 4 x 5 x 10 points in the order of the plan has one value of the first
// parameter only.
TEST(SpreadOrder, BeginsWithAllValuesOfEachParameterOfAGrid) {
  const std::vector<std::size_t> order = spread_order(200);
  std::vector<std::set<std::size_t>> values(3);
  for (std::size_t i = 0; i < 20; ++i) {
    values[0].insert(order[i] / 50);
    values[1].insert(order[i] / 10 % 5);
    values[2].insert(order[i] % 10);
  }
  EXPECT_EQ(values[0].size(), 4U);
  EXPECT_EQ(values[1].size(), 5U);
  EXPECT_EQ(values[2].size(), 10U);
}

// A cost that grows with the square of the number of the point: the mean of the first tenth
// foretells that of all within a factor of 2.
TEST(SpreadOrder, BeginsWithPointsOfMeanCost) {
  for (const std::size_t count : {40U, 97U, 144U, 200U, 1000U, 4096U}) {
    const std::vector<std::size_t> order = spread_order(count);
    double first = 0, all = 0;
    const std::size_t tenth = (count + 9) / 10;
    for (std::size_t i = 0; i < count; ++i) {
      const auto cost = static_cast<double>(order[i] * order[i]);
      all += cost / static_cast<double>(count);
      if (i < tenth) first += cost / static_cast<double>(tenth);
    }
    EXPECT_GT(first, 0.5 * all) << count;
    EXPECT_LT(first, 2 * all) << count;
  }
}

}  // namespace
}  // namespace kernbench::farm
