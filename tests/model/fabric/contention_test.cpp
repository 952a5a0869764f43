// SPDX-License-Identifier: Apache-2.0
// The analytic fabric with transfers that share links and sources.
#include "fabric_fixture.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST(Contention, InjectsOneNewPacketACycleWhereverTheyGo) {
  FabricUnderTest test("BidirectionalLine(3)");
  test.submit_at(0, unicast(1, 1, 0, 3));
  test.submit_at(0, unicast(2, 1, 2, 3));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 3000}, Done{2, 6000}));
}

TEST(Contention, KeepsTransfersOfOneSourceAndDestinationInOrder) {
  FabricUnderTest test("BidirectionalLine(3)", 2);
  test.submit_at(0, unicast(1, 0, 2, 100));
  test.submit_at(0, unicast(2, 0, 2, 1));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 105000}, Done{2, 106000}));
}

// The link from 1 to 2 serves node 1's own packets and those of node 0 round-robin.
TEST(Contention, SharesALinkPacketByPacket) {
  FabricUnderTest test("BidirectionalLine(3)");
  test.submit_at(0, unicast(1, 0, 2, 5));     // at node 1 from edge 2 on: moves at 3, 5, 7, 9, 10
  test.submit_at(1000, unicast(2, 1, 2, 4));  // ready at edge 2: moves at 2, 4, 6, 8
  EXPECT_THAT(test.run(), ElementsAre(Done{2, 8000}, Done{1, 10000}));
  const LinkUse use = test.use(1, 2);
  EXPECT_EQ(use.transfers, 2U);
  EXPECT_EQ(use.packets, 9U);
}

TEST(Contention, GivesALateJoinerItsTurnAtOnce) {
  FabricUnderTest test("BidirectionalTree(1,3)");
  test.submit_at(0, unicast(1, 1, 3, 8));     // on the link from 0 to 3 from edge 2 on
  test.submit_at(2000, unicast(2, 2, 3, 2));  // reaches it at edge 4: moves at 4 and 6
  EXPECT_THAT(test.run(), ElementsAre(Done{2, 6000}, Done{1, 11000}));
}

TEST(Contention, SharesALinkAmongThree) {
  FabricUnderTest test("BidirectionalTree(1,4)");
  for (std::uint32_t leaf = 1; leaf <= 3; ++leaf) test.submit_at(0, unicast(leaf, leaf, 4, 3));
  // Round-robin at edges 2 to 4, 5 to 7 and 8 to 10.
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 8000}, Done{2, 9000}, Done{3, 10000}));
}

// The link from 0 to 2 moves no packet before the shared link from 1 to 0 has moved it.
TEST(Contention, DoesNotLeaveANodeBeforeItHasCome) {
  FabricUnderTest test("BidirectionalTree(2,2)");
  test.submit_at(0, unicast(1, 3, 2, 4));  // through 1 and 0
  test.submit_at(0, unicast(2, 4, 0, 4));  // through 1
  // They share the link from 1 to 0 at edges 2 to 9; transfer 1, which is forwarded, gets the odd
  // ones.
  EXPECT_THAT(test.run(), UnorderedElementsAre(Done{1, 9000}, Done{2, 9000}));
}

TEST(Contention, LetsAnEarlierArrivalPassALongerWay) {
  FabricUnderTest test("BidirectionalLine(4)", 3);
  test.submit_at(0, unicast(1, 0, 3, 50));  // reaches the link from 2 to 3 at edge 9
  test.submit_at(0, unicast(2, 2, 3, 2));   // has left that link by then
  EXPECT_THAT(test.run(), ElementsAre(Done{2, 5000}, Done{1, 61000}));
}

TEST(Contention, LetsHighQosGoBetweenTwoPacketsOfLow) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(0, unicast(1, 0, 1, 10));
  test.submit_at(0, unicast(2, 0, 1, 10));
  test.submit_at(4000, unicast(3, 0, 1, 2, Qos::High));
  test.submit_at(4000, unicast(4, 0, 1, 1));
  // Transfer 3 moves at edges 5 and 6, transfer 1 at edges 1 to 4 and 7 to 12.
  EXPECT_THAT(test.run(),
              ElementsAre(Done{3, 6000}, Done{1, 12000}, Done{2, 22000}, Done{4, 23000}));
}

TEST(Contention, LetsHighQosHaveALinkThatLowIsUsing) {
  FabricUnderTest test("BidirectionalTree(1,3)");
  test.submit_at(0, unicast(1, 1, 3, 6));                // at edges 2, 3, and from 7 on
  test.submit_at(2000, unicast(2, 2, 3, 3, Qos::High));  // at edges 4 to 6
  EXPECT_THAT(test.run(), ElementsAre(Done{2, 6000}, Done{1, 10000}));
}

TEST(Contention, LetsHighQosWaitForHighQos) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(0, unicast(1, 0, 1, 10, Qos::High));
  test.submit_at(0, unicast(2, 0, 1, 10, Qos::High));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 10000}, Done{2, 20000}));
}

TEST(Contention, LeavesTransfersAloneThatShareNothing) {
  FabricUnderTest test("BidirectionalTorus1D(8)", 1);
  for (std::uint32_t node = 0; node < 8; node += 2) {
    test.submit_at(0, unicast(node, node, node + 1, 4));
  }
  EXPECT_THAT(test.run(), ElementsAre(Done{0, 5000}, Done{2, 5000}, Done{4, 5000}, Done{6, 5000}));
}

}  // namespace
}  // namespace kernbench::model::fabric
