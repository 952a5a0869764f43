// SPDX-License-Identifier: Apache-2.0
// Searches over drawn functions, whose best points are known, and what they say when they are cut.
#include "farm/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace kernbench::farm {
namespace {

using Json = nlohmann::json;
using Targets = std::vector<Json>;

/// A plan of points (x, y), 0 to `side` - 1, with the targets time and cost.
Plan plan_of(int side, std::size_t most, Direction time, Direction cost,
             std::vector<std::string> limits = {}) {
  Plan plan;
  plan.parameters = {"x", "y"};
  plan.targets = {{"time", time}, {"cost", cost}};
  plan.limits = std::move(limits);
  plan.search = Search{most, {}};
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      plan.points.push_back({value_of_text(std::to_string(x)), value_of_text(std::to_string(y))});
    }
  }
  return plan;
}

/// A time that falls with x and y, and a cost that rises with them.
Targets truth(const PlanPoint& point) {
  const double x = *point[0].number;
  const double y = *point[1].number;
  return {100.0 / (1 + x) + 50.0 / (1 + y) + std::sin(3 * x + y), 2 * x + 3 * y};
}

struct Found {
  std::optional<std::size_t> best;
  std::size_t full = 0;
  bool is_cut = false;
};

/// Runs a search whose cheap times are `factor` of the true ones, with an error that is drawn.
Found found_by(const Plan& plan, double factor, double error, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Targets> screened;
  for (const PlanPoint& point : plan.points) {
    const double share = static_cast<double>(random() % 1000) / 1000.0 - 0.5;
    Targets targets = truth(point);
    targets[0] = targets[0].get<double>() * factor * (1 + error * share);
    screened.push_back(std::move(targets));
  }
  PointSearch search(plan, std::move(screened), {false, true});
  Found found;
  for (std::vector<std::size_t> next = search.next(); !next.empty(); next = search.next()) {
    for (const std::size_t point : next) search.add(point, truth(plan.points[point]));
    found.full += next.size();
  }
  found.best = search.best();
  found.is_cut = search.is_cut();
  return found;
}

std::optional<double> least(const Plan& plan, std::size_t goal, double most_time,
                            double most_cost) {
  std::optional<double> least;
  for (const PlanPoint& point : plan.points) {
    const Targets targets = truth(point);
    if (targets[0] > most_time || targets[1] > most_cost) continue;
    least = std::min(least.value_or(1e300), targets[goal].get<double>());
  }
  return least;
}

TEST(PointSearch, FindsTheBestPointOfDrawnScreenings) {
  std::size_t full = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const double most = 10.0 + seed;
    const Plan plan =
        plan_of(14, 60, Direction::Min, Direction::None, {"cost <= " + std::to_string(most)});
    const Found found = found_by(plan, 0.7, 0.02, seed);
    ASSERT_TRUE(found.best) << seed;
    EXPECT_EQ(truth(plan.points[*found.best])[0].get<double>(), *least(plan, 0, 1e9, most)) << seed;
    EXPECT_LE(found.full, 60U);
    full += found.full;
  }
  EXPECT_LT(full, 40U * 60U);
}

TEST(PointSearch, AGoalThatIsKnownBeforeNeedsFewPoints) {
  const Plan plan = plan_of(14, 60, Direction::None, Direction::Min, {"time <= 40"});
  const Found found = found_by(plan, 0.7, 0.0, 1);
  ASSERT_TRUE(found.best);
  EXPECT_EQ(truth(plan.points[*found.best])[1], 14);
  EXPECT_EQ(*least(plan, 1, 40, 1e9), 14);
  EXPECT_LE(found.full, 18U);
  EXPECT_FALSE(found.is_cut);
}

TEST(PointSearch, FindsNothingWhereNoPointSatisfiesTheConstraints) {
  const Plan plan = plan_of(10, 60, Direction::Min, Direction::None, {"cost <= 1", "time <= 20"});
  const Found found = found_by(plan, 0.7, 0.01, 1);
  EXPECT_FALSE(found.best);
  EXPECT_FALSE(found.is_cut);
}

TEST(PointSearch, SaysThatItWasCut) {
  const Plan plan = plan_of(14, 4, Direction::Min, Direction::None);
  const Found found = found_by(plan, 0.7, 0.5, 1);
  EXPECT_EQ(found.full, 4U);
  EXPECT_TRUE(found.is_cut);
}

TEST(PointSearch, ScreeningsThatFailedAreLeftOut) {
  const Plan plan = plan_of(3, 60, Direction::Max, Direction::None);
  std::vector<Targets> screened;
  for (const PlanPoint& point : plan.points) screened.push_back(truth(point));
  screened[0].clear();  // the best point
  PointSearch search(plan, std::move(screened), {false, true});
  for (std::vector<std::size_t> next = search.next(); !next.empty(); next = search.next()) {
    for (const std::size_t point : next) {
      EXPECT_NE(point, 0U);
      search.add(point, truth(plan.points[point]));
    }
  }
  EXPECT_EQ(search.best(), 1U);
}

}  // namespace
}  // namespace kernbench::farm
