// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/sim/cover_bench.hpp"

namespace kernbench::sim {
namespace {

using maze::Payload;
using maze::Shape;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using topology::MazeLink;

constexpr const char* kIdle0 = "stage 0: 0 entries, neither";
constexpr const char* kIdle1 = "stage 1: 0 entries, neither";

/// 6x2 nodes: x[0] and x[4] are wires, x[1] and x[3] have one stage, x[2] has two.
class CoverBins : public testing::Test {
 protected:
  CoverBins() : bench_(Shape{6, 2, 8}) {}

  [[nodiscard]] Payload packet(unsigned type, unsigned qos, std::uint32_t data = 0) const {
    return bench_.layout.encode({type, qos, 0, 0, data});
  }
  /// Pushes packets into a link whose receiver is not ready.
  void stuff(const MazeLink& link, unsigned packets) {
    bench_.set_ready(link, false);
    bench_.offer(link, 0);
    bench_.cycles(packets);
    bench_.withdraw(link);
    bench_.cycles(link.depth);  // let packets advance
  }

  CoverBench bench_;
  const MazeLink& wire_ = bench_.links.leaving(0, 0);
  const MazeLink& one_stage_ = bench_.links.leaving(0, 1);
  const MazeLink& two_stages_ = bench_.links.leaving(0, 2);
};

TEST_F(CoverBins, NothingIsHitBeforeTheFirstCycle) {
  EXPECT_EQ(bench_.coverage.data().hit_bins(), 0U);
}

TEST_F(CoverBins, AnIdleCycleShowsEmptyStagesAndNothingElse) {
  bench_.cycle();
  EXPECT_EQ(bench_.coverage.data().hit_bins(), bench_.links.total_stages());
  EXPECT_THAT(bench_.hit(wire_), IsEmpty());
  EXPECT_THAT(bench_.hit(two_stages_), ElementsAre(kIdle0, kIdle1));
}

TEST_F(CoverBins, ACycleInResetShowsNothing) {
  bench_.offer(wire_, packet(0, 0));
  bench_.cycle(true);
  EXPECT_EQ(bench_.coverage.data().hit_bins(), 0U);
}

TEST_F(CoverBins, APacketIsSeenOnItsLinkOnlyWithItsTypeAndQos) {
  bench_.send(wire_, packet(0, 0, 0xff));
  EXPECT_THAT(bench_.hit(wire_),
              ElementsAre("never delivered", "no packet with low QoS", "no unicast packet"));
  EXPECT_EQ(bench_.coverage.data().hit_bins(), 3 + bench_.links.total_stages());
}

TEST_F(CoverBins, AllTypesAndBothQosLevelsAreToldApart) {
  bench_.send(wire_, packet(1, 1));
  EXPECT_THAT(bench_.hit(wire_),
              ElementsAre("never delivered", "no packet with high QoS", "no X-multicast packet"));
  bench_.send(wire_, packet(2, 1));
  EXPECT_TRUE(bench_.hit(LinkBin::TypeYMulticast, wire_));
  EXPECT_FALSE(bench_.hit(LinkBin::TypeBroadcast, wire_));
  EXPECT_FALSE(bench_.hit(LinkBin::TypeUnicast, wire_));
  bench_.send(wire_, packet(3, 1));
  EXPECT_TRUE(bench_.hit(LinkBin::TypeBroadcast, wire_));
  EXPECT_FALSE(bench_.hit(LinkBin::TypeUnicast, wire_));
  EXPECT_FALSE(bench_.hit(LinkBin::QosLow, wire_));
  bench_.send(wire_, packet(3, 0));
  EXPECT_TRUE(bench_.hit(LinkBin::QosLow, wire_));
}

TEST_F(CoverBins, APacketOfferedToAReceiverThatIsNotReadyIsStalledAndNotDelivered) {
  bench_.set_ready(wire_, false);
  bench_.offer(wire_, packet(0, 0));
  bench_.cycle();
  EXPECT_THAT(bench_.hit(wire_), ElementsAre("never stalled"));
}

TEST_F(CoverBins, BackToBackNeedsTwoDeliveriesInConsecutiveCycles) {
  bench_.send(wire_, 0);  // followed by an idle cycle
  bench_.send(wire_, 0);
  EXPECT_FALSE(bench_.hit(LinkBin::BackToBack, wire_));
  bench_.offer(wire_, 0);
  bench_.cycles(2);
  EXPECT_TRUE(bench_.hit(LinkBin::BackToBack, wire_));
  EXPECT_FALSE(bench_.hit(LinkBin::BackToBack, one_stage_));
}

TEST_F(CoverBins, AResetBetweenTwoDeliveriesMakesThemNotBackToBack) {
  bench_.offer(wire_, 0);
  bench_.cycle();
  bench_.reset();
  bench_.offer(wire_, 0);
  bench_.cycle();
  EXPECT_FALSE(bench_.hit(LinkBin::BackToBack, wire_));
}

TEST_F(CoverBins, PayloadBitsRiseAndFallBetweenConsecutivePacketsOfALink) {
  bench_.send(wire_, 0x80);  // the first packet: no bit rises
  EXPECT_THAT(bench_.hit(wire_), Not(Contains("payload bit 7 never rose")));
  bench_.send(wire_, 0x01);
  EXPECT_THAT(bench_.hit(wire_),
              ElementsAre("never delivered", "no packet with low QoS", "no unicast packet",
                          "payload bit 0 never rose", "payload bit 7 never fell"));
  bench_.send(one_stage_, 0x80);  // packets of another link do not count
  EXPECT_THAT(bench_.hit(wire_), Not(Contains("payload bit 7 never rose")));
  bench_.send(wire_, 0x80);
  EXPECT_THAT(bench_.hit(wire_), Contains("payload bit 7 never rose"));
  EXPECT_THAT(bench_.hit(wire_), Contains("payload bit 0 never fell"));
}

TEST_F(CoverBins, EveryTransitionOfAStageIsSeenWhenItHappensAndNotBefore) {
  std::vector<std::string> seen;
  const auto expect = [&](const char* transition) {
    for (const std::string& name : seen) EXPECT_NE(name, transition);
    bench_.cycle();
    seen.clear();
    for (const std::string& name : bench_.hit(one_stage_)) {
      if (name.starts_with("stage")) seen.push_back(name);
    }
    EXPECT_THAT(seen, Contains(transition));
  };
  expect("stage 0: 0 entries, neither");
  bench_.set_ready(one_stage_, false);
  bench_.offer(one_stage_, 0);
  expect("stage 0: 0 entries, push");
  bench_.withdraw(one_stage_);
  expect("stage 0: 1 entry, neither");
  bench_.offer(one_stage_, 0);
  expect("stage 0: 1 entry, push");
  expect("stage 0: 2 entries, neither");
  bench_.set_ready(one_stage_, true);
  expect("stage 0: 2 entries, pop");  // a full stage accepts no packet
  expect("stage 0: 1 entry, both");
  bench_.withdraw(one_stage_);
  expect("stage 0: 1 entry, pop");
  EXPECT_EQ(seen.size(), kStageBinNames.size());
  EXPECT_THAT(bench_.hit(two_stages_), ElementsAre(kIdle0, kIdle1));
}

TEST_F(CoverBins, StagesOfALinkAreToldApart) {
  bench_.set_ready(two_stages_, false);
  bench_.offer(two_stages_, 0);
  bench_.cycle();
  EXPECT_THAT(bench_.hit(two_stages_), ElementsAre(kIdle1, "stage 0: 0 entries, push"));
  bench_.withdraw(two_stages_);
  bench_.cycle();
  EXPECT_THAT(bench_.hit(two_stages_),
              ElementsAre(kIdle1, "stage 0: 0 entries, push", "stage 1: 0 entries, push",
                          "stage 0: 1 entry, pop"));
}

TEST_F(CoverBins, ALinkIsFilledOnlyWhenEveryStageHoldsTwo) {
  stuff(two_stages_, 3);
  EXPECT_FALSE(bench_.hit(LinkBin::Filled, two_stages_));
  stuff(two_stages_, 1);
  EXPECT_TRUE(bench_.hit(LinkBin::Filled, two_stages_));
  EXPECT_FALSE(bench_.hit(LinkBin::Filled, one_stage_));
}

TEST_F(CoverBins, ALinkIsDrainedWhenItIsEmptyAfterHavingBeenFilled) {
  stuff(two_stages_, 4);
  bench_.release();
  bench_.cycles(4);  // one packet per cycle; the link is empty in the cycle after the last
  EXPECT_FALSE(bench_.hit(LinkBin::Drained, two_stages_));
  bench_.cycle();
  EXPECT_TRUE(bench_.hit(LinkBin::Drained, two_stages_));
}

TEST_F(CoverBins, ALinkThatWasNeverFilledIsNotDrained) {
  stuff(two_stages_, 3);
  bench_.release();
  bench_.cycles(10);
  EXPECT_FALSE(bench_.hit(LinkBin::Drained, two_stages_));
}

TEST_F(CoverBins, ALinkEmptiedByAResetIsNotDrained) {
  stuff(two_stages_, 4);
  bench_.reset();
  bench_.cycles(10);
  EXPECT_TRUE(bench_.hit(LinkBin::Filled, two_stages_));
  EXPECT_FALSE(bench_.hit(LinkBin::Drained, two_stages_));
}

TEST_F(CoverBins, AResetFindsPacketsOnlyInLinksThatHoldThem) {
  bench_.send(two_stages_, 0);
  bench_.reset();
  EXPECT_FALSE(bench_.hit(LinkBin::ResetWhileHolding, two_stages_));
  bench_.offer(two_stages_, 0);
  bench_.cycle();
  bench_.reset();
  EXPECT_TRUE(bench_.hit(LinkBin::ResetWhileHolding, two_stages_));
  EXPECT_FALSE(bench_.hit(LinkBin::ResetWhileHolding, one_stage_));
}

TEST_F(CoverBins, AResetIsUnderTrafficOnlyRightAfterAPacketMoved) {
  bench_.offer(wire_, 0);
  bench_.cycle();
  bench_.release();
  bench_.cycle();
  bench_.reset();
  EXPECT_FALSE(bench_.hit(FabricBin::ResetUnderTraffic));
  bench_.offer(two_stages_, 0);  // accepted, not yet delivered
  bench_.cycle();
  bench_.reset();
  EXPECT_TRUE(bench_.hit(FabricBin::ResetUnderTraffic));
}

TEST_F(CoverBins, AllLinksAreActiveOnlyWhenEveryOneDeliversInTheSameCycle) {
  for (const MazeLink& link : bench_.links.links()) bench_.offer(link, 0);
  bench_.set_ready(one_stage_, false);
  bench_.cycles(5);
  EXPECT_FALSE(bench_.hit(FabricBin::AllLinksActive));
  bench_.set_ready(one_stage_, true);
  bench_.cycle();
  EXPECT_TRUE(bench_.hit(FabricBin::AllLinksActive));
}

TEST_F(CoverBins, AWireHasNothingToFillAndTheBinsFollowTheDepth) {
  const std::vector<std::string> missed = bench_.coverage.data().missed();
  const auto has = [&](const MazeLink& link, const std::string& bin) {
    return std::count(missed.begin(), missed.end(), bench_.links.link_name(link) + ": " + bin);
  };
  EXPECT_EQ(has(wire_, "never stalled"), 1);
  EXPECT_EQ(has(wire_, "never filled"), 0);
  EXPECT_EQ(has(wire_, "never drained after having been filled"), 0);
  EXPECT_EQ(has(wire_, "never reset while holding packets"), 0);
  EXPECT_EQ(has(wire_, "stage 0: 2 entries, pop"), 0);
  EXPECT_EQ(has(one_stage_, "never filled"), 1);
  EXPECT_EQ(has(one_stage_, "stage 0: 2 entries, pop"), 1);
  EXPECT_EQ(has(one_stage_, "stage 1: 2 entries, pop"), 0);
  EXPECT_EQ(has(two_stages_, "stage 1: 2 entries, pop"), 1);
}

TEST(CoverGoal, IsReachedWithTheLastPacketAndOnlyUnderItsOwnBackPressure) {
  CoverBench bench(Shape{6, 2, 8}, 3, BackPressure::Periodic);
  const MazeLink& link = bench.links.leaving(0, 0);
  bench.send(link, 0);
  bench.send(link, 0);
  EXPECT_THAT(bench.coverage.data().missed(),
              Contains("[0,0].x[0] -> [0,1].x[0]: 2 of 3 packets under back-pressure periodic"));
  bench.send(link, 0);
  EXPECT_THAT(bench.hit(link), Contains("0 of 3 packets under back-pressure periodic"));
  EXPECT_THAT(bench.hit(link), Not(Contains("0 of 3 packets under back-pressure none")));
}

TEST(CoverWithoutReference, CollectsWhatIsSeenAtThePorts) {
  CoverBench bench(Shape{6, 2, 8}, 0, BackPressure::None, false);
  const MazeLink& link = bench.links.leaving(0, 1);
  bench.set_ready(link, false);
  bench.offer(link, 0);
  bench.cycles(4);
  bench.release();
  bench.cycles(4);
  bench.offer(link, 0);
  bench.cycle();
  bench.reset();
  EXPECT_THAT(bench.hit(link), ElementsAre("never delivered", "never stalled",
                                           "never delivered in two consecutive cycles",
                                           "no packet with low QoS", "no unicast packet"));
  EXPECT_TRUE(bench.hit(FabricBin::ResetUnderTraffic));
}

TEST(CoverConstruction, RefusesALinkMapOrAReferenceOfAnotherFabric) {
  const Shape shape{6, 2, 8};
  const topology::MazeLinks links(6, 2);
  const maze::TopoModel other({6, 2, 9});
  EXPECT_THROW(FunctionalCoverage(shape, links, BackPressure::None, &other, 0),
               std::invalid_argument);
  EXPECT_THROW(CoverageData(shape, topology::MazeLinks(2, 6), 0), std::invalid_argument);
}

}  // namespace
}  // namespace kernbench::sim
