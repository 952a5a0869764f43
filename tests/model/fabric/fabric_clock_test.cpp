// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/seam/fabric_clock.hpp"

#include <gtest/gtest.h>

#include "fabric_fixture.hpp"

namespace kernbench::model::fabric {
namespace {

using common::SimTime;

TEST(FabricClock, SeesASubmissionAtTheFirstEdgeStrictlyAfterIt) {
  const FabricClock clock(SimTime::from_ps(700));
  EXPECT_EQ(clock.edge_after(SimTime()), 1U);
  EXPECT_EQ(clock.edge_after(SimTime::from_ps(699)), 1U);
  EXPECT_EQ(clock.edge_after(SimTime::from_ps(700)), 2U);
  EXPECT_EQ(clock.edge_after(SimTime::from_ps(701)), 2U);
}

TEST(FabricClock, HasEdgeNAtNPeriods) {
  const FabricClock clock(SimTime::from_ps(700));
  EXPECT_EQ(clock.time_of(0), SimTime());
  EXPECT_EQ(clock.time_of(3), SimTime::from_ps(2100));
  EXPECT_EQ(clock.edge_at_or_before(SimTime::from_ps(2100)), 3U);
  EXPECT_EQ(clock.edge_at_or_before(SimTime::from_ps(2099)), 2U);
}

TEST(FabricClock, EndsWithSimulatedTime) {
  const FabricClock clock(SimTime::from_ps(std::int64_t{1} << 40U));
  EXPECT_EQ(clock.time_of((1U << 23U) - 1).ps(), std::int64_t{(1U << 23U) - 1} << 40U);
  EXPECT_EQ(error_of<std::out_of_range>([&] { (void)clock.time_of(1U << 23U); }),
            "clock edge 8388608 of 1099511627776 ps is past the end of simulated time");
}

TEST(FabricClock, RefusesAPeriodOfNothing) {
  EXPECT_EQ(error_of([] { const FabricClock clock{SimTime()}; }),
            "the clock period of a fabric must be at least 1 ps, not 0");
}

}  // namespace
}  // namespace kernbench::model::fabric
