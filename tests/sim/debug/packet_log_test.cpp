// SPDX-License-Identifier: Apache-2.0
// The ways of packets, from what is seen at ports: each stay with its exact cycles.
#include "sim/debug/packet_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PacketLog, FollowsAPacketFromPlaceToPlace) {
  PacketLog log;
  log.wait(0, 7, 1);
  log.wait(0, 7, 2);
  log.enter(0, 7, 3);
  EXPECT_TRUE(log.leave(0, 7, 5));
  log.enter(1, 7, 6);
  EXPECT_THAT(log.between(0, 10), ElementsAre(PacketStay{0, 7, 1, 5}, PacketStay{1, 7, 6, 10}));
  // Cut off at both ends.
  EXPECT_THAT(log.between(4, 7), ElementsAre(PacketStay{0, 7, 4, 5}, PacketStay{1, 7, 6, 7}));
  EXPECT_THAT(log.between(0, 0), IsEmpty());
}

TEST(PacketLog, LeavesALostPacketWhereItWasSeenLast) {
  PacketLog log;
  log.enter(0, 1, 3);
  log.enter(0, 2, 4);
  EXPECT_TRUE(log.leave(0, 2, 6));
  EXPECT_THAT(log.between(0, 9), ElementsAre(PacketStay{0, 1, 3, 9}, PacketStay{0, 2, 4, 6}));
}

TEST(PacketLog, LetsPacketsOfEqualBitsLeaveInTheirOrder) {
  PacketLog log;
  log.enter(0, 1, 3);
  log.enter(0, 1, 4);
  EXPECT_TRUE(log.leave(0, 1, 5));
  EXPECT_THAT(log.between(0, 9), ElementsAre(PacketStay{0, 1, 3, 5}, PacketStay{0, 1, 4, 9}));
}

TEST(PacketLog, KeepsAPacketThatForksUntilItsLastCopyLeaves) {
  PacketLog log;
  log.enter(0, 1, 3);
  EXPECT_TRUE(log.leave(0, 1, 5));
  EXPECT_TRUE(log.leave(0, 1, 8));
  EXPECT_THAT(log.between(0, 9), ElementsAre(PacketStay{0, 1, 3, 8}));
}

TEST(PacketLog, KnowsNoPacketThatNeverEntered) {
  PacketLog log;
  EXPECT_FALSE(log.leave(0, 1, 5));
  log.wait(0, 1, 2);
  EXPECT_FALSE(log.leave(0, 1, 5));
}

TEST(PacketLog, LetsTheNearestLeaveInPlaceOfOneThatHasChanged) {
  PacketLog log;
  log.enter(0, 0b1001, 3);
  log.enter(0, 0b0110, 4);
  log.enter(0, 0b0101, 5);
  log.enter(1, 0b0111, 1);
  log.leave_nearest(0, 0b0111, 1, 6);  // 0110 came before 0101, which is as near
  log.leave_nearest(0, 0b0110, 1, 6);  // 1001 and 0101 are too far
  log.leave_nearest(2, 0b0111, 64, 6);
  EXPECT_THAT(log.between(6, 9),
              ElementsAre(PacketStay{0, 0b0110, 6, 6}, PacketStay{0, 0b0101, 6, 9},
                          PacketStay{0, 0b1001, 6, 9}, PacketStay{1, 0b0111, 6, 9}));
}

TEST(PacketLog, IsEmptyFromAResetOn) {
  PacketLog log;
  log.enter(0, 1, 3);
  log.enter(1, 1, 7);  // a flit that would arrive in the reset
  log.clear(6);
  EXPECT_THAT(log.between(0, 9), ElementsAre(PacketStay{0, 1, 3, 5}));
}

TEST(PacketLog, ForgetsWhatEndedBefore) {
  PacketLog log;
  log.enter(0, 1, 1);
  EXPECT_TRUE(log.leave(0, 1, 2));
  log.enter(0, 1, 3);
  log.forget(3);
  EXPECT_THAT(log.between(0, 9), ElementsAre(PacketStay{0, 1, 3, 9}));
}

}  // namespace
}  // namespace kernbench::sim
