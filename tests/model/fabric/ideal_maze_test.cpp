// SPDX-License-Identifier: Apache-2.0
// Behaviour of the nodes: copies of multicasts, injection, queues.
#include "model/fabric/clocked/ideal_maze.hpp"

#include "cycle_fabric.hpp"
#include "faulty_links.hpp"
#include "packet_checks.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using topology::DimensionOrder;
using topology::MazePort;

constexpr std::array kMulticasts = {TransferType::XMulticast, TransferType::YMulticast,
                                    TransferType::Broadcast};

/// Returns "" when every packet of the transfers, submitted at time 0, is delivered exactly once.
std::string delivery_of(const maze::Shape& shape, DimensionOrder order,
                        const std::vector<Transfer>& transfers) {
  DeliveryCheck check(shape, transfers);
  CycleFabric cycle(shape, {.order = order, .observer = &check});
  cycle.submit_all(transfers);
  if (cycle.run().size() != transfers.size()) return "not all done";
  return check.verdict();
}

TEST(DeliveryCheck, SeesAPacketThatComesTwiceIsMissingStraysOrOvertakes) {
  const maze::Shape shape{2, 2, 8};
  const std::vector<Transfer> transfers = {unicast(0, 0, 3, 1), unicast(1, 0, 3, 1)};
  const auto verdict = [&](const auto& act) {
    DeliveryCheck check(shape, transfers);
    act(check);
    return check.verdict();
  };
  EXPECT_EQ(verdict([](auto& check) {
              check.on_delivered(1, 3, 0, 0);
              check.on_delivered(2, 3, 1, 0);
            }),
            "");
  EXPECT_EQ(verdict([](auto& check) { check.on_delivered(1, 3, 0, 0); }),
            "node 3 got 0 of 1 packets of transfer 1");
  EXPECT_EQ(verdict([](auto& check) {
              check.on_delivered(1, 3, 0, 0);
              check.on_delivered(2, 3, 0, 0);
            }),
            "edge 2: node 3 gets packet 0 of transfer 0, not 1");
  EXPECT_EQ(verdict([](auto& check) { check.on_delivered(1, 2, 0, 0); }),
            "edge 1: node 2 gets packet 0 of transfer 0, not 0");
  EXPECT_EQ(verdict([](auto& check) {
              check.on_delivered(1, 3, 1, 0);
              check.on_delivered(2, 3, 0, 0);
            }),
            "transfer 0 comes after 1 at node 3");
  EXPECT_EQ(verdict([](auto& check) {
              check.on_injected(4, 0, 0, 0, 0);
              check.on_injected(4, 0, 1, 1, 0);
            }),
            "edge 4: node 0 sends two packets");
}

TEST(IdealMaze, AMulticastFromAnyNodeGivesEachNodeItIsForOneCopyOfEachPacket) {
  for (const auto& [nx, ny] : {std::pair{2U, 2U}, {3U, 2U}, {2U, 5U}, {4U, 4U}, {8U, 8U}}) {
    const maze::Shape shape{nx, ny, 8};
    for (const auto order : kOrders) {
      for (const auto type : kMulticasts) {
        for (unsigned src = 0; src < shape.nodes(); ++src) {
          const std::vector<Transfer> transfers = {{.id = 0, .src = src, .type = type, .bytes = 3}};
          EXPECT_EQ(delivery_of(shape, order, transfers), "") << nx << "x" << ny << ", " << src;
        }
      }
    }
  }
}

TEST(IdealMaze, AMulticastReachesAllOfTheLargestMaze) {
  const maze::Shape shape{16, 16, 8};
  for (const auto order : kOrders) {
    for (const auto type : kMulticasts) {
      for (const unsigned src : {0U, 100U, 255U}) {
        EXPECT_EQ(delivery_of(shape, order, {{.id = 0, .src = src, .type = type, .bytes = 2}}), "");
      }
    }
  }
}

TEST(IdealMaze, EveryNodeCanBroadcastAtOnce) {
  const maze::Shape shape{4, 4, 8};
  for (const auto order : kOrders) {
    std::vector<Transfer> transfers;
    for (unsigned src = 0; src < shape.nodes(); ++src) {
      transfers.push_back({.id = src, .src = src, .type = TransferType::Broadcast, .bytes = 40});
    }
    EXPECT_EQ(delivery_of(shape, order, transfers), "");
  }
}

TEST(IdealMaze, RandomMixesOfMulticastsAndUnicastsAreDeliveredOnceAndInOrder) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    common::Rng rng = common::Rng::stream(seed, "ideal_maze");
    const maze::Shape shape = random_shape(rng);
    const auto transfers = random_transfers(rng, shape, {.multicasts_in_8 = 4});
    EXPECT_EQ(delivery_of(shape, kOrders.at(seed % 2), transfers), "") << "seed " << seed;
  }
}

TEST(IdealMaze, SendOnePacketAtAnEdgeWhoeverItIsFor) {
  // To three nodes over three links, and to itself.
  CycleFabric cycle({4, 4, 8});
  cycle.submit_all(
      {unicast(0, 0, 1, 2), unicast(1, 0, 4, 2), unicast(2, 0, 0, 2), unicast(3, 0, 3, 2)});
  EXPECT_THAT(cycle.run(), ElementsAre(Done{0, 2000}, Done{1, 4000}, Done{2, 6000}, Done{3, 8000}));
}

TEST(IdealMaze, SendHighQosFirstButAPacketThatIsOfferedStays) {
  CycleFabric cycle({4, 4, 8});
  cycle.submit_at(0, unicast(0, 0, 1, 4));
  cycle.submit_at(1000, unicast(1, 0, 4, 2, Qos::High));
  EXPECT_THAT(cycle.run(), ElementsAre(Done{1, 3000}, Done{0, 6000}));

  // The first packet is offered in cycle 1, stalls until edge 10, and is not withdrawn.
  CycleFabric stuck(std::make_unique<StalledLinks>(maze::Shape{4, 4, 8}, MazePort{0, 0}, 10));
  stuck.submit_at(0, unicast(0, 0, 1, 4));
  stuck.submit_at(1000, unicast(1, 0, 4, 2, Qos::High));
  EXPECT_THAT(stuck.run(), ElementsAre(Done{1, 12000}, Done{0, 15000}));
}

TEST(IdealMaze, WithdrawAPacketThatIsNotOfferedYetForOneOfHighQos) {
  // Node [0,1] sends by y[0], where packets of [0,0] stall from edge 1 on.
  CycleFabric cycle(std::make_unique<StalledLinks>(maze::Shape{4, 4, 8}, MazePort{1, 3}, 10));
  cycle.submit_at(0, unicast(0, 0, 5, 2));
  cycle.submit_at(2000, unicast(1, 1, 5, 1));
  cycle.submit_at(4000, unicast(2, 1, 2, 1, Qos::High));
  // High QoS moves at edge 5; [0,1] and [0,0] alternate from edge 10 on.
  EXPECT_THAT(cycle.run(), ElementsAre(Done{2, 5000}, Done{1, 11000}, Done{0, 12000}));
}

TEST(IdealMaze, LeaveAnOutputThatIsFreedFreeWhileThePacketForItIsWithdrawn) {
  // As above, but the output is free at edge 10, amid the packets of high QoS.
  CycleFabric cycle(std::make_unique<StalledLinks>(maze::Shape{4, 4, 8}, MazePort{1, 3}, 10));
  cycle.submit_at(0, unicast(0, 0, 5, 1));
  cycle.submit_at(2000, unicast(1, 1, 5, 1));
  cycle.submit_at(4000, unicast(2, 1, 2, 8, Qos::High));
  EXPECT_THAT(cycle.run(), ElementsAre(Done{0, 10000}, Done{2, 12000}, Done{1, 13000}));
}

TEST(IdealMaze, AQueueHolds16PacketsAndTheNextIsNotTaken) {
  const maze::Shape shape{4, 4, 8};
  for (const Qos qos : {Qos::Low, Qos::High}) {
    CycleFabric cycle(std::make_unique<StalledLinks>(shape, MazePort{1, 3}, 100));
    cycle.submit_at(0, unicast(0, 0, 5, 40, qos));
    cycle.simulation.run_until(common::SimTime::from_ps(16'000));
    EXPECT_EQ(cycle.fabric.network().entered_link(0), 16U);
    cycle.simulation.run_until(common::SimTime::from_ps(99'000));
    EXPECT_EQ(cycle.fabric.network().entered_link(0), 16U);
    EXPECT_EQ(cycle.fabric.network().entered_link(shape.ports() + 3), 0U);
    // Packet n leaves the corner at edge 100 + n, and another arrives after each.
    EXPECT_THAT(cycle.run(), ElementsAre(Done{0, 139'000}));
    EXPECT_EQ(cycle.fabric.network().entered_link(0), 40U);
    EXPECT_EQ(cycle.fabric.network().entered_link(shape.ports() + 3), 40U);
  }
}

TEST(IdealMaze, AFullQueueOfOneQosStopsItsPortForBoth) {
  CycleFabric cycle(std::make_unique<StalledLinks>(maze::Shape{4, 4, 8}, MazePort{1, 3}, 100));
  cycle.submit_at(0, unicast(0, 0, 5, 20));
  cycle.submit_at(50'000, unicast(1, 0, 9, 1, Qos::High));
  // The 17th low packet is in service at the source and leaves at edge 101; high QoS follows.
  EXPECT_THAT(cycle.run(), ElementsAre(Done{1, 104'000}, Done{0, 119'000}));
}

TEST(IdealMaze, AQueueOfManyTargetsGoesOnInOrder) {
  // The corner [0,1] receives packets for [1,1], where it stalls, and then for [2,1].
  CycleFabric cycle(std::make_unique<StalledLinks>(maze::Shape{4, 4, 8}, MazePort{1, 3}, 20));
  cycle.submit_all({unicast(0, 0, 5, 1), unicast(1, 0, 9, 1)});
  EXPECT_THAT(cycle.run(), ElementsAre(Done{0, 20'000}, Done{1, 22'000}));
}

TEST(IdealMaze, SteppingEveryCycleDrawsNoOtherReceiverStalls) {
  std::vector<std::uint64_t> hashes;
  for (const Edge tick_until : {Edge{0}, Edge{2000}}) {
    CycleFabric cycle({4, 4, 8}, {.receiver_stalls = 0.5, .seed = 3}, tick_until);
    for (std::uint64_t i = 0; i < 20; ++i) {
      const auto node = static_cast<std::uint32_t>(i % 16);
      cycle.submit_at(static_cast<std::int64_t>(i * 100'337), unicast(i, node, 15 - node, 5));
    }
    EXPECT_EQ(cycle.run().size(), 20U);
    hashes.push_back(cycle.fabric.network().hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace kernbench::model::fabric
