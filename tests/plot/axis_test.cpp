// SPDX-License-Identifier: Apache-2.0
#include "plot/axis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace kernbench::plot {
namespace {

using testing::ElementsAre;

std::vector<std::string> tick_texts(const AxisSpec& spec, const Range& data) {
  std::vector<std::string> texts;
  const Axis axis(spec, data);
  for (const Tick& tick : axis.ticks()) texts.push_back(tick.text);
  return texts;
}

TEST(LinearAxis, StartsAtZeroAndEndsAtATickAboveTheData) {
  EXPECT_THAT(tick_texts({}, {3, 4.2}), ElementsAre("0", "1", "2", "3", "4", "5"));
  EXPECT_THAT(tick_texts({}, {0, 0.5}), ElementsAre("0", "0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(tick_texts({}, {0, 70}), ElementsAre("0", "20", "40", "60", "80"));
  EXPECT_THAT(tick_texts({}, {0, 30}), ElementsAre("0", "5", "10", "15", "20", "25", "30"));
  const Axis axis({}, {3, 4.2});
  EXPECT_EQ(axis.share(0), 0);
  EXPECT_EQ(axis.share(1), 0.2);
  EXPECT_EQ(axis.share(5), 1);
}

TEST(LinearAxis, EndsAtOneWithoutDataAboveZero) {
  EXPECT_EQ(Axis({}, {}).share(1), 1);
  EXPECT_EQ(Axis({}, {0, 0}).share(1), 1);
}

TEST(LinearAxis, EndsWhereItsSpecSays) {
  EXPECT_THAT(tick_texts({.label = "%", .high = 100}, {0, 3}),
              ElementsAre("0", "20", "40", "60", "80", "100"));
}

TEST(FittedAxis, BeginsAndEndsAtTicksAroundTheData) {
  const AxisSpec fitted{.label = "us", .scale = AxisScale::Fitted};
  EXPECT_THAT(tick_texts(fitted, {15.1, 16}),
              ElementsAre("15", "15.2", "15.4", "15.6", "15.8", "16"));
  EXPECT_THAT(tick_texts(fitted, {-3, 4}), ElementsAre("-4", "-2", "0", "2", "4"));
  const Axis axis(fitted, {15.1, 16});
  EXPECT_EQ(axis.share(15), 0);
  EXPECT_EQ(axis.share(16), 1);
}

TEST(FittedAxis, BeginsAtZeroIfItIsNear) {
  EXPECT_THAT(tick_texts({.label = "", .scale = AxisScale::Fitted}, {2, 10}),
              ElementsAre("0", "2", "4", "6", "8", "10"));
}

TEST(FittedAxis, HasEqualValuesAndNoValuesInItsRange) {
  const AxisSpec fitted{.label = "us", .scale = AxisScale::Fitted};
  EXPECT_THAT(tick_texts(fitted, {0, 0}), ElementsAre("-1", "-0.5", "0", "0.5", "1"));
  EXPECT_THAT(tick_texts(fitted, {50, 50}), ElementsAre("44", "46", "48", "50", "52", "54", "56"));
  EXPECT_THAT(tick_texts(fitted, {}), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
}

TEST(FittedAxis, LeavesRoomAroundTheDataIfTheTicksAreGiven) {
  const AxisSpec given{.label = "", .scale = AxisScale::Fitted, .ticks = {{0, "a"}, {1, "b"}}};
  EXPECT_THAT(tick_texts(given, {0, 1}), ElementsAre("a", "b"));
  EXPECT_DOUBLE_EQ(Axis(given, {0, 1}).share(0), 0.06 / 1.12);
}

TEST(LogAxis, LeavesRoomAroundTheData) {
  const AxisSpec log{.label = "us", .scale = AxisScale::Log};
  EXPECT_THAT(tick_texts(log, {0.9, 30}), ElementsAre("1", "2", "5", "10", "20"));
  const Axis axis(log, {1, 100});
  EXPECT_DOUBLE_EQ(axis.share(0.8), 0);
  EXPECT_DOUBLE_EQ(axis.share(10), 0.5);
  EXPECT_DOUBLE_EQ(axis.share(125), 1);
}

TEST(LogAxis, HasTicksAtPowersOfTenOnlyOverManyDecades) {
  const AxisSpec log{.label = "us", .scale = AxisScale::Log};
  EXPECT_THAT(tick_texts(log, {1, 5000}), ElementsAre("1", "10", "100", "1000"));
}

TEST(LogAxis, TakesEndsAndTicksOfItsSpec) {
  const AxisSpec sizes{.label = "size",
                       .scale = AxisScale::Log,
                       .ticks = {{256, "256 B"}, {65536}},
                       .low = 256,
                       .high = 65536};
  EXPECT_THAT(tick_texts(sizes, {1024, 4096}), ElementsAre("256 B", "65536"));
  EXPECT_EQ(Axis(sizes, {1024, 4096}).share(256), 0);
  EXPECT_DOUBLE_EQ(Axis(sizes, {1024, 4096}).share(4096), 0.5);
}

TEST(Axis, RejectsDataThatItsScaleCannotShow) {
  const AxisSpec log{.label = "us", .scale = AxisScale::Log};
  EXPECT_THROW(Axis(log, {0, 10}), std::invalid_argument);
  EXPECT_THROW(Axis(log, {}), std::invalid_argument);
  EXPECT_THROW(Axis(log, {-1, 10}), std::invalid_argument);
  EXPECT_THROW(Axis({}, {-1, 10}), std::invalid_argument);
}

}  // namespace
}  // namespace kernbench::plot
