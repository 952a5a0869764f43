// SPDX-License-Identifier: Apache-2.0
// Pareto front and main effects of small tables, with values computed by hand.
#include "farm/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Table table_of(std::vector<Direction> directions,
               const std::vector<std::vector<nlohmann::json>>& rows) {
  Table table;
  table.parameters = {"a", "b"};
  for (const Direction direction : directions) table.targets.push_back({"t", direction});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = table.rows.emplace_back();
    row.parameters = {std::to_string(i / 2), std::to_string(i % 2)};
    row.targets = rows[i];
  }
  return table;
}

TEST(ParetoFront, HasTheRowsThatNoOtherDominates) {
  EXPECT_THAT(pareto_front(table_of({Direction::Min, Direction::Min},
                                    {{4, 1}, {2, 2}, {3, 2}, {1, 5}, {1, 6}, {5, 5}})),
              ElementsAre(0, 1, 3));
}

TEST(ParetoFront, EqualRowsAreOnItTogether) {
  EXPECT_THAT(pareto_front(table_of({Direction::Min, Direction::Min}, {{1, 2}, {1, 2}, {2, 1}})),
              ElementsAre(0, 1, 2));
}

TEST(ParetoFront, TakesTheDirectionOfEachTargetAndIgnoresThoseWithoutOne) {
  EXPECT_THAT(pareto_front(table_of({Direction::Max, Direction::None, Direction::Min},
                                    {{1, 9, 1}, {2, 0, 2}, {1, 0, 2}})),
              ElementsAre(0, 1));
  EXPECT_THAT(pareto_front(table_of({Direction::None}, {{1}, {2}})), IsEmpty());
}

TEST(ParetoFront, LeavesOutFailedRowsAndRowsWithoutANumber) {
  Table table = table_of({Direction::Min}, {{1}, {nullptr}, {"0"}, {2}});
  table.rows[0].outcome = common::Outcome::Timeout;
  EXPECT_THAT(pareto_front(table), ElementsAre(3));
}

TEST(MainEffects, AreTheRangesOfTheMeansOverTheValuesOfAParameter) {
  // a is 0, 0, 1, 1 and b is 0, 1, 0, 1.
  const std::vector<Effect> effects =
      main_effects(table_of({Direction::None}, {{1}, {2}, {5}, {10}}));
  ASSERT_THAT(effects, SizeIs(2));
  EXPECT_EQ(effects[0].parameter, 0U);
  EXPECT_THAT(effects[0].values, ElementsAre("0", "1"));
  EXPECT_THAT(effects[0].means, ElementsAre(1.5, 7.5));
  EXPECT_EQ(effects[0].range, 6.0);
  EXPECT_EQ(effects[1].parameter, 1U);
  EXPECT_THAT(effects[1].means, ElementsAre(3.0, 6.0));
  EXPECT_EQ(effects[1].range, 3.0);
}

TEST(MainEffects, LeaveOutFailedRowsAndParametersOfOneValue) {
  Table table = table_of({Direction::None}, {{1}, {2}, {5}});
  table.rows[2].outcome = common::Outcome::Mismatch;
  const std::vector<Effect> effects = main_effects(table);
  ASSERT_THAT(effects, SizeIs(1));
  EXPECT_EQ(effects[0].parameter, 1U);
  EXPECT_THAT(effects[0].means, ElementsAre(1.0, 2.0));
}

}  // namespace
}  // namespace kernbench::farm
