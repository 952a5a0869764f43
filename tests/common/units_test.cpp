// SPDX-License-Identifier: Apache-2.0
#include "common/units.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

#include "common/strong_id.hpp"

namespace kernbench::common {
namespace {

TEST(SimTime, RoundsNanosecondsToPicosecondsHalvesUp) {
  EXPECT_EQ(SimTime::from_ns(1.0).ps(), 1000);
  EXPECT_EQ(SimTime::from_ns(0.0004).ps(), 0);
  EXPECT_EQ(SimTime::from_ns(0.0005).ps(), 1);
  EXPECT_EQ(SimTime::from_ns(-0.0005).ps(), 0);
  EXPECT_EQ(SimTime::from_ns(-0.0015).ps(), -1);
  EXPECT_EQ(SimTime::from_ns(7.25).ns(), 7.25);
}

TEST(SimTime, RefusesWhatDoesNotFit) {
  EXPECT_NO_THROW((void)SimTime::from_ns(9.2e15));
  EXPECT_THROW((void)SimTime::from_ns(9.3e15), std::out_of_range);
  EXPECT_THROW((void)SimTime::from_ns(-9.3e15), std::out_of_range);
  EXPECT_THROW((void)SimTime::from_ns(std::numeric_limits<double>::infinity()), std::out_of_range);
  EXPECT_THROW((void)SimTime::from_ns(std::numeric_limits<double>::quiet_NaN()), std::out_of_range);
}

TEST(SimTime, AddsScalesAndCompares) {
  SimTime t = SimTime::from_ps(5) * 3 - SimTime::from_ps(1);
  t += SimTime::from_ps(2);
  EXPECT_EQ(t, SimTime::from_ps(16));
  EXPECT_LT(t, SimTime::max());
}

TEST(StrongId, DoesNotMixWithAnotherKindOrWithIntegers) {
  using NodeId = StrongId<struct NodeTag>;
  using PortId = StrongId<struct PortTag>;
  static_assert(!std::is_convertible_v<NodeId, PortId>);
  static_assert(!std::is_convertible_v<unsigned, NodeId>);
  EXPECT_EQ(NodeId(3).value(), 3U);
  EXPECT_LT(NodeId(2), NodeId(3));
}

}  // namespace
}  // namespace kernbench::common
