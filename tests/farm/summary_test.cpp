// SPDX-License-Identifier: Apache-2.0
// Pareto front and main effects of small tables, with values computed by hand.
#include "farm/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "farm/csv.hpp"

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

TEST(OutcomeOfATable, NeedsARowOfEachPlannedPoint) {
  Table table = table_of({Direction::Min}, {{1}, {2}});
  table.planned = 2;
  EXPECT_EQ(outcome_of(table), common::Outcome::Pass);
  table.planned = 3;
  EXPECT_EQ(outcome_of(table), common::Outcome::Mismatch);
  table.planned = 2;
  table.rows[1].outcome = common::Outcome::Deadlock;
  EXPECT_EQ(outcome_of(table), common::Outcome::Mismatch);
  table.rows.clear();
  EXPECT_EQ(outcome_of(table), common::Outcome::Vacuous);
}

TEST(GradesOfATable, AreCounted) {
  Table table = table_of({Direction::Min}, {{1}, {2}, {3}, {4}});
  EXPECT_EQ(grades_text(table), "");
  table.rows[0].grade = table.rows[2].grade = "exact";
  table.rows[1].grade = "estimate";
  EXPECT_EQ(grades_text(table), "1 estimate, 2 exact");
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

TEST(ParetoFront, OfTwoTargetsIsThatOfTheDefinitionForAllSmallTables) {
  for (int number = 0; number < 6561; ++number) {  // four rows of two targets from 0 to 2
    std::vector<std::vector<nlohmann::json>> rows;
    std::vector<std::pair<int, int>> values;
    for (int rest = number; values.size() < 4; rest /= 9) {
      values.emplace_back(rest % 3, rest / 3 % 3);
      rows.push_back({values.back().first, values.back().second});
    }
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto [x, y] = values[i];
      bool dominated = false;
      for (const auto& [u, v] : values) {
        dominated = dominated || (u <= x && v <= y && (u < x || v < y));
      }
      if (!dominated) front.push_back(i);
    }
    ASSERT_EQ(pareto_front(table_of({Direction::Min, Direction::Min}, rows)), front) << number;
  }
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

TEST(MainEffects, JoinNeighboursOfManyNumbers) {
  Table table;
  table.parameters = {"a"};
  table.targets = {{"t", Direction::None}};
  for (int i = 0; i < 21; ++i) {
    Row& row = table.rows.emplace_back();
    row.parameters = {std::to_string(20 - i)};
    row.targets = {10 * (20 - i)};
  }
  const std::vector<Effect> effects = main_effects(table);
  ASSERT_THAT(effects, SizeIs(1));
  EXPECT_THAT(effects[0].values,
              ElementsAre("0 to 1", "2 to 3", "4 to 5", "6 to 7", "8 to 9", "10 to 11", "12 to 13",
                          "14 to 15", "16 to 17", "18 to 20"));
  EXPECT_THAT(effects[0].places, ElementsAre(0.5, 2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5, 19));
  EXPECT_EQ(effects[0].means.back(), 190.0);
  EXPECT_EQ(effects[0].range, 185.0);
  table.rows.pop_back();
  EXPECT_THAT(main_effects(table)[0].values, SizeIs(20)) << "20 values stand alone";
  EXPECT_EQ(main_effects(table)[0].range, 190.0);
}

TEST(MainEffects, HaveNoPlacesForValuesThatAreNotNumbers) {
  Table table = table_of({Direction::None}, {{1}, {2}, {5}});
  table.rows[0].parameters[0] = "auto";
  const std::vector<Effect> effects = main_effects(table);
  EXPECT_THAT(effects[0].values, ElementsAre("auto", "0", "1"));
  EXPECT_THAT(effects[0].places, IsEmpty());
}

TEST(Summary, TheAnswerNamesTheBestAllowedRow) {
  Table table = table_of({Direction::Min, Direction::None}, {{3, 7}, {1, 8}, {2, 9}});
  table.targets = {{"time", Direction::Min, "x", "us"}, {"cost", Direction::None, "y", "$"}};
  table.limits = {"cost > 8"};
  table.rows[0].is_allowed = table.rows[1].is_allowed = false;
  EXPECT_EQ(best_row(table, 0), 2U);
  EXPECT_THAT(
      answers_of(table),
      ElementsAre("least time: 2 us with " +
                  text_of_point(table.parameters, table.rows[2].parameters) + "; cost 9 $"));
  EXPECT_EQ(outcome_of(table), common::Outcome::Pass);
  table.rows[2].is_allowed = false;
  EXPECT_THAT(answers_of(table), ElementsAre("no point satisfies cost > 8"));
  EXPECT_EQ(outcome_of(table), common::Outcome::Vacuous);
  EXPECT_THAT(pareto_front(table), IsEmpty());
}

TEST(Summary, ATargetThatIsANumberInNoRowIsNoAnswer) {
  Table table = table_of({Direction::Max}, {{nullptr}, {"text"}});
  EXPECT_THAT(answers_of(table), ElementsAre("no point has a number for t"));
  EXPECT_EQ(outcome_of(table), common::Outcome::Vacuous);
  table.targets[0].direction = Direction::None;
  EXPECT_THAT(answers_of(table), IsEmpty());
  EXPECT_EQ(outcome_of(table), common::Outcome::Pass);
}

TEST(Summary, ASearchPassesWithoutTheRowsOfOtherPoints) {
  Table table = table_of({Direction::Min}, {{1}, {2}});
  table.planned = 5;
  EXPECT_EQ(outcome_of(table), common::Outcome::Mismatch);
  table.is_search = true;
  EXPECT_EQ(outcome_of(table), common::Outcome::Pass);
}

}  // namespace
}  // namespace kernbench::farm
