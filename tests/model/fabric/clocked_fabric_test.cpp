// SPDX-License-Identifier: Apache-2.0
// The node model over the cycle reference: zero-load times equal the analytic ones; behaviour at
// clock edges.
#include "model/fabric/clocked/clocked_fabric.hpp"

#include "cycle_fabric.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using topology::DimensionOrder;

TEST(ClockedFabric, AloneTakesTheAnalyticTimeBetweenAnyTwoNodesInBothOrders) {
  for (const auto& [nx, ny] : {std::pair{8U, 8U}, {5U, 3U}, {2U, 7U}, {16U, 2U}}) {
    const maze::Shape shape{nx, ny, 8};
    for (const auto order : {DimensionOrder::XY, DimensionOrder::YX}) {
      AnalyticAlone alone(shape, order);
      for (unsigned src = 0; src < shape.nodes(); ++src) {
        const unsigned dst = (src * 7 + 3) % shape.nodes();
        for (const std::uint64_t bytes : {1U, 2U, 40U}) {
          const Transfer transfer = unicast(1, src, dst, bytes);
          CycleFabric cycle(shape, {.order = order});
          cycle.submit_at(0, transfer);
          EXPECT_THAT(cycle.run(), ElementsAre(Done{transfer.id, alone.latency(transfer)}))
              << nx << "x" << ny << ": " << src << " to " << dst << ", " << bytes << " bytes";
        }
      }
    }
  }
}

TEST(ClockedFabric, AMulticastAloneTakesTheAnalyticTime) {
  const maze::Shape shape{8, 8, 8};
  for (const auto order : {DimensionOrder::XY, DimensionOrder::YX}) {
    AnalyticAlone alone(shape, order);
    for (const auto type :
         {TransferType::XMulticast, TransferType::YMulticast, TransferType::Broadcast}) {
      for (const std::uint64_t bytes : {1U, 9U}) {
        const Transfer transfer{.id = 5, .src = 19, .type = type, .bytes = bytes};
        CycleFabric cycle(shape, {.order = order});
        cycle.submit_at(0, transfer);
        EXPECT_THAT(cycle.run(), ElementsAre(Done{transfer.id, alone.latency(transfer)}));
      }
    }
  }
}

TEST(ClockedFabric, IsSeenAtTheFirstEdgeStrictlyAfterItsSubmission) {
  for (const auto& [submitted, done] :
       {std::pair{4999, 5000}, {5000, 6000}, {5001, 6000}, {0, 1000}}) {
    CycleFabric cycle({8, 8, 8});
    cycle.submit_at(submitted, unicast(1, 0, 1, 1));
    EXPECT_THAT(cycle.run(), ElementsAre(Done{1, done})) << submitted;
  }
}

TEST(ClockedFabric, StepsOnlyCyclesInWhichSomethingIsUnderWay) {
  CycleFabric cycle({8, 8, 8});
  cycle.submit_at(0, unicast(1, 0, 1, 3));
  cycle.submit_at(1'000'000'000, unicast(2, 1, 0, 1));
  EXPECT_THAT(cycle.run(), ElementsAre(Done{1, 3000}, Done{2, 1'000'001'000}));
  EXPECT_EQ(cycle.fabric.cycles(), 4U);
}

TEST(ClockedFabric, SteppingEveryCycleChangesNothing) {
  std::vector<std::uint64_t> hashes;
  for (const Edge tick_until : {Edge{0}, Edge{3000}}) {
    CycleFabric cycle({4, 4, 8}, {}, tick_until);
    for (std::uint64_t i = 0; i < 20; ++i) {
      cycle.submit_at(static_cast<std::int64_t>(i * 100'337),
                      unicast(i, static_cast<std::uint32_t>(i % 16),
                              static_cast<std::uint32_t>(i * 5 % 16), i + 1));
    }
    const std::vector<Done> done = cycle.run();
    ASSERT_EQ(done.size(), 20U);
    EXPECT_EQ(done.back(), (Done{19, 1'926'000}));
    EXPECT_EQ(cycle.fabric.cycles(), tick_until > 0 ? 3000U : 215U);
    hashes.push_back(cycle.fabric.network().hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(ClockedFabric, AHashTellsPacketsOfOtherContentsAtTheSameTimesApart) {
  std::vector<std::uint64_t> hashes;
  for (const std::uint64_t id : {1U, 2U}) {
    CycleFabric cycle({8, 8, 8});
    cycle.submit_at(0, unicast(id, 0, 63, 5));
    EXPECT_THAT(cycle.run(), ElementsAre(Done{id, 6000}));
    hashes.push_back(cycle.fabric.network().hash());
  }
  EXPECT_NE(hashes[0], hashes[1]);
}

TEST(ClockedFabric, ADrainThatFindsNothingChangesNothing) {
  CycleFabric cycle({8, 8, 8});
  cycle.submit_at(0, unicast(1, 0, 63, 5));
  EXPECT_EQ(cycle.run().size(), 1U);
  const std::uint64_t hash = cycle.fabric.network().hash();
  cycle.fabric.drain();
  EXPECT_EQ(cycle.fabric.network().hash(), hash);
  EXPECT_EQ(cycle.fabric.cycles(), 6U);
}

}  // namespace
}  // namespace kernbench::model::fabric
