// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/transfer_list.hpp"

#include <set>

#include "fabric_fixture.hpp"
#include "model/fabric/traffic/synthetic_traffic.hpp"

namespace kernbench::model::fabric {

inline void PrintTo(const TimedTransfer& transfer, std::ostream* out) {
  *out << transfer.at.ps() << " ps, " << transfer.src << " to " << transfer.dst << ", "
       << transfer.bytes << " bytes, " << common::name_of(kTransferTypeNames, transfer.type) << " "
       << common::name_of(kQosNames, transfer.qos);
}

namespace {

using ::testing::ElementsAre;

/// A fabric that completes transfers at the next edge and records them.
class RecordingFabric : public Fabric, private engine::EventHandler {
 public:
  RecordingFabric(engine::Simulation& simulation, std::uint32_t nodes, std::uint32_t packet_bits)
      : Fabric(simulation, {.n_nodes = nodes, .period = kNs, .packet_bits = packet_bits}) {}
  std::vector<TimedTransfer> submitted;

 private:
  void carry(const Transfer& transfer) override {
    EXPECT_EQ(transfer.id, submitted.size());
    submitted.push_back({.at = simulation().now(),
                         .src = transfer.src,
                         .dst = transfer.dst,
                         .type = transfer.type,
                         .qos = transfer.qos,
                         .bytes = transfer.bytes});
    simulation().schedule(clock().time_of(clock().edge_after(simulation().now())), *this,
                          transfer.id);
  }
  void on_event(engine::EventArgument id) override { complete(id.number()); }
};

TEST(SyntheticTransfers, AreAllThatSyntheticTrafficSubmitsInItsOrder) {
  const auto topology = topology::zoo::parse_zoo_text("FlattenedButterfly(4,4)");
  const auto relation = topology::zoo::natural_routing(*topology);
  for (const TrafficPatternSpec& spec :
       {TrafficPatternSpec{}, TrafficPatternSpec{.kind = "transpose"},
        TrafficPatternSpec{.kind = "hotspot", .hotspot_node = 5}}) {
    const TrafficPattern pattern(*relation, spec);
    for (const std::uint32_t packet_bits : {8U, 32U}) {
      const TrafficLoad load{.load = 0.4, .bytes = 6, .warmup = 100, .cycles = 900, .seed = 7};
      engine::Simulation simulation;
      RecordingFabric fabric(simulation, 16, packet_bits);
      SyntheticTraffic traffic(simulation, fabric, pattern, load);
      traffic.start();
      simulation.run();
      EXPECT_GT(fabric.submitted.size(), 500U);
      EXPECT_EQ(synthetic_transfers(pattern, load, kNs, packet_bits), fabric.submitted);
    }
  }
}

// Fixed numbers, so that results are the same on every compiler.
TEST(SyntheticTransfers, AreTheSameForTheSameSeedForEver) {
  const auto topology = topology::zoo::parse_zoo_text("FlattenedButterfly(8,8)");
  const auto relation = topology::zoo::natural_routing(*topology);
  const TrafficPattern pattern(*relation, {});
  const TrafficLoad load{.load = 0.05, .bytes = 2, .warmup = 0, .cycles = 100, .seed = 42};
  const auto transfers = synthetic_transfers(pattern, load, common::SimTime::from_ps(1500), 8);
  EXPECT_EQ(transfers.size(), 161U);
  EXPECT_EQ(transfers.front(), (TimedTransfer{.at = {}, .src = 53, .dst = 52, .bytes = 2}));
  EXPECT_EQ(transfers.back(), (TimedTransfer{
                                  .at = common::SimTime::from_ps(147'000),
                                  .src = 18,
                                  .dst = 61,
                                  .bytes = 2,
                              }));
}

TEST(SyntheticTransfers, RefuseWhatSyntheticTrafficRefuses) {
  const auto topology = topology::zoo::parse_zoo_text("Mesh2D(2,2)");
  const auto relation = topology::zoo::natural_routing(*topology);
  const TrafficPattern pattern(*relation, {});
  const auto refusal = [&](const TrafficLoad& load, std::int64_t ps, std::uint32_t packet_bits) {
    return error_of([&] {
      (void)synthetic_transfers(pattern, load, common::SimTime::from_ps(ps), packet_bits);
    });
  };
  EXPECT_EQ(refusal({.load = -0.5}, 1000, 8),
            "the load must be 0 to 1 packets per sender and cycle, not -0.5");
  EXPECT_EQ(refusal({.cycles = 0}, 1000, 8), "at least 1 cycle must be measured");
  EXPECT_EQ(refusal({.bytes = 0}, 1000, 8), "transfers must have at least 1 byte");
  EXPECT_EQ(refusal({}, 0, 8), "the clock period of a fabric must be at least 1 ps, not 0");
  EXPECT_EQ(refusal({}, 1000, 0), "packets must have data bits");
}

TEST(AllToAll, SendsFromEveryNodeToEveryOtherStartingWithTheNext) {
  const auto unicast_0 = [](std::uint32_t src, std::uint32_t dst) {
    return TimedTransfer{.at = {}, .src = src, .dst = dst, .bytes = 9};
  };
  EXPECT_THAT(all_to_all(3, 9), ElementsAre(unicast_0(0, 1), unicast_0(1, 2), unicast_0(2, 0),
                                            unicast_0(0, 2), unicast_0(1, 0), unicast_0(2, 1)));
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const TimedTransfer& transfer : all_to_all(64, 1)) {
    EXPECT_NE(transfer.src, transfer.dst);
    pairs.emplace(transfer.src, transfer.dst);
  }
  EXPECT_EQ(pairs.size(), 64U * 63U);
}

TEST(ConcurrentTransfers, AreBetweenTwoNodesAndTheSameForTheSameSeedForEver) {
  const auto transfers = concurrent(5, 1000, 4096, 1);
  ASSERT_EQ(transfers.size(), 1000U);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const TimedTransfer& transfer : transfers) {
    EXPECT_NE(transfer.src, transfer.dst);
    EXPECT_LT(transfer.src, 5U);
    EXPECT_LT(transfer.dst, 5U);
    EXPECT_EQ(transfer.at, common::SimTime());
    EXPECT_EQ(transfer.bytes, 4096U);
    EXPECT_EQ(transfer.type, TransferType::Unicast);
    pairs.emplace(transfer.src, transfer.dst);
  }
  EXPECT_EQ(pairs.size(), 20U);
  EXPECT_EQ(transfers.front(), (TimedTransfer{.at = {}, .src = 2, .dst = 3, .bytes = 4096}));
  EXPECT_NE(concurrent(5, 1000, 4096, 2), transfers);
}

TEST(MulticastTransfers, AreOfEveryTypeAndQosAndTheSameForTheSameSeedForEver) {
  const auto transfers = multicasts(64, 1000, 16, 1);
  ASSERT_EQ(transfers.size(), 1000U);
  std::set<std::pair<TransferType, Qos>> kinds;
  std::set<std::uint64_t> sizes;
  for (const TimedTransfer& transfer : transfers) {
    EXPECT_LT(transfer.src, 64U);
    EXPECT_LT(transfer.dst, transfer.type == TransferType::Broadcast ? 1U : 64U);
    kinds.emplace(transfer.type, transfer.qos);
    sizes.insert(transfer.bytes);
  }
  EXPECT_EQ(kinds.size(), 8U);
  EXPECT_EQ(sizes.size(), 16U);
  EXPECT_EQ(*sizes.begin(), 1U);
  EXPECT_EQ(*sizes.rbegin(), 16U);
  EXPECT_EQ(
      transfers.front(),
      (TimedTransfer{
          .at = {}, .src = 16, .type = TransferType::Broadcast, .qos = Qos::High, .bytes = 12}));
  EXPECT_NE(multicasts(64, 1000, 16, 2), transfers);
}

TEST(TransferLists, RefuseASingleNodeAndNoBytes) {
  EXPECT_EQ(error_of([] { (void)all_to_all(1, 1); }), "transfers need at least 2 nodes, not 1");
  EXPECT_EQ(error_of([] { (void)all_to_all(2, 0); }), "transfers must have at least 1 byte");
  EXPECT_EQ(error_of([] { (void)concurrent(0, 1, 1, 1); }),
            "transfers need at least 2 nodes, not 0");
  EXPECT_EQ(error_of([] { (void)concurrent(2, 1, 0, 1); }), "transfers must have at least 1 byte");
  EXPECT_EQ(error_of([] { (void)multicasts(1, 1, 1, 1); }),
            "transfers need at least 2 nodes, not 1");
  EXPECT_EQ(error_of([] { (void)multicasts(2, 1, 0, 1); }), "transfers must have at least 1 byte");
}

}  // namespace
}  // namespace kernbench::model::fabric
