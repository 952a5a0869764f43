// SPDX-License-Identifier: Apache-2.0
// Times of prefills that are composed of those of some lengths.
#include "model/serving/prefill_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::model::serving {
namespace {

using common::SimTime;

/// Returns the time of a machine of 4 PEs, which share 64 rows and more: 1000 ps a tile of 8 rows,
/// and for each row in it 10 ps below 16 rows and 20 ps more for each octave. If PEs share rows, 7
/// ps for each row of the PE with most of them, and 600 ps for a row that one PE has alone, 300 for
/// one that two have.
SimTime prefill_time(std::uint64_t tokens) {
  const auto rows = static_cast<std::int64_t>(tokens);
  if (tokens >= 64) {
    const std::int64_t excess[] = {0, 600, 300, 0};
    return SimTime::from_ps(5000 + 7 * ((rows + 3) / 4) + excess[tokens % 4]);
  }
  const std::int64_t row = tokens > 32 ? 50 : tokens > 16 ? 30 : 10;
  return SimTime::from_ps(1000 * ((rows + 7) / 8) + row * ((rows - 1) % 8));
}

PrefillTimes times_up_to(std::uint64_t last) {
  std::map<std::uint64_t, SimTime> times;
  for (const std::uint64_t length : PrefillTimes::lengths(last, 4)) {
    times[length] = prefill_time(length);
  }
  return {times, last, 4};
}

TEST(ServingPrefillTimes, NeedLengthsWhereTheTimeJumps) {
  EXPECT_THAT(PrefillTimes::lengths(1, 4), ::testing::ElementsAre(1, 4, 8));
  EXPECT_THAT(PrefillTimes::lengths(20, 4), ::testing::ElementsAre(1, 4, 8, 9, 16, 17, 24));
  EXPECT_THAT(PrefillTimes::lengths(64, 4),
              ::testing::ElementsAre(1, 4, 8, 9, 16, 17, 24, 32, 33, 40, 48, 56, 63, 64));
  EXPECT_THAT(
      PrefillTimes::lengths(85, 4),
      ::testing::ElementsAre(1, 4, 8, 9, 16, 17, 24, 32, 33, 40, 48, 56, 63, 64, 65, 80, 81, 88));
}

TEST(ServingPrefillTimes, AreExactForAMachineOfTilesAndSharedRows) {
  for (const std::uint64_t last : {1U, 7U, 20U, 63U, 64U, 66U, 200U}) {
    const PrefillTimes times = times_up_to(last);
    for (std::uint64_t tokens = 1; tokens <= last; ++tokens) {
      EXPECT_EQ(times(tokens), prefill_time(tokens)) << tokens << " of " << last;
    }
  }
}

TEST(ServingPolyline, IsStraightBetweenAndBeyondItsPoints) {
  Polyline line;
  line.add(2, SimTime::from_ps(10));
  EXPECT_EQ(line.at(7).ps(), 10);
  line.add(2, SimTime::from_ps(99));
  line.add(5, SimTime::from_ps(17));
  line.add(7, SimTime::from_ps(17));
  EXPECT_EQ(line.at(1).ps(), 8) << "7 ps in 3 steps";
  EXPECT_EQ(line.at(3).ps(), 12);
  EXPECT_EQ(line.at(5).ps(), 17);
  EXPECT_EQ(line.at(100).ps(), 17);
}

}  // namespace
}  // namespace kernbench::model::serving
