// What the analytic fabric makes of transfers that meet.
#include "fabric_fixture.hpp"
#include "model/fabric/analytic_fabric.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;

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

// Node 1's own packets and those of node 0 share the link from 1 to 2.
TEST(Contention, ServesALinkInTheOrderOfArrivalAndCountsTheWait) {
  FabricUnderTest test("BidirectionalLine(3)");
  test.submit_at(0, unicast(1, 0, 2, 5));     // at node 1 from edge 2 on: 2..6
  test.submit_at(1000, unicast(2, 1, 2, 4));  // ready at edge 2, scheduled after the first
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 6000}, Done{2, 10000}));
  const LinkUse use = test.use(1, 2);
  EXPECT_EQ(use.transfers, 2U);
  EXPECT_EQ(use.packets, 9U);
  EXPECT_EQ(use.wait, 5U);
  EXPECT_EQ(use.longest_wait, 5U);
}

TEST(Contention, LetsAnEarlierArrivalPassALongerWay) {
  FabricUnderTest test("BidirectionalLine(4)", 3);
  test.submit_at(0, unicast(1, 0, 3, 50));  // comes to the link from 2 to 3 at edge 9
  test.submit_at(0, unicast(2, 2, 3, 2));   // has passed it by then
  EXPECT_THAT(test.run(), ElementsAre(Done{2, 5000}, Done{1, 61000}));
}

TEST(Contention, LetsHighQosGoBeforeLowThatWaits) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(0, unicast(1, 0, 1, 10));
  test.submit_at(0, unicast(2, 0, 1, 10));
  test.submit_at(4000, unicast(3, 0, 1, 2, Qos::High));
  test.submit_at(4000, unicast(4, 0, 1, 1));
  // The third goes at once, past the first, which keeps its promise; the second pays for it.
  EXPECT_THAT(test.run(),
              ElementsAre(Done{3, 6000}, Done{1, 10000}, Done{2, 22000}, Done{4, 23000}));
}

TEST(Contention, LetsHighQosWaitForHighQos) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(0, unicast(1, 0, 1, 10, Qos::High));
  test.submit_at(0, unicast(2, 0, 1, 10, Qos::High));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 10000}, Done{2, 20000}));
}

/// When the second of two transfers that meet on the link from 1 to 2 is done, in cycles: alone it
/// would be at edge 5; the first has 8 packets.
std::int64_t second_done(double link_wait) {
  FabricUnderTest test("BidirectionalTree(1,3)", 0, {.link_wait = link_wait});
  test.submit_at(0, unicast(1, 1, 3, 8));     // on the link from 0 to 3 at edges 2..9
  test.submit_at(2000, unicast(2, 2, 3, 1));  // there at edge 4: waits 6 cycles
  return test.run().at(1).ps / 1000;
}

TEST(Contention, ScalesWaitsByTheirParameter) {
  EXPECT_EQ(second_done(1.0), 10);
  EXPECT_EQ(second_done(1.5), 13);
  EXPECT_EQ(second_done(2.0), 16);
}

TEST(Contention, NeverMovesMoreThanAPacketACycleHoweverSmallTheParameter) {
  EXPECT_EQ(second_done(0.5), 10);
  EXPECT_EQ(second_done(0.0), 10);
}

TEST(Contention, NeverLetsATransferOvertakeHoweverLargeTheParameter) {
  FabricUnderTest test("BidirectionalTree(1,3)", 0, {.injection_wait = 3.0, .link_wait = 3.0});
  test.submit_at(0, unicast(1, 1, 3, 8));
  test.submit_at(2000, unicast(2, 2, 3, 1));   // at edge 4: waits 18, moves at 22
  test.submit_at(11000, unicast(3, 2, 3, 1));  // at edge 13, when the link is free: moves at 23
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 9000}, Done{2, 22000}, Done{3, 23000}));
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
