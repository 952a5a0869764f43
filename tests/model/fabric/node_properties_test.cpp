// SPDX-License-Identifier: Apache-2.0
// Properties of the node model over the cycle reference at any load: all transfers arrive, none
// faster than alone, without deadlock, and reproducibly for the same seed.
#include <thread>

#include "cycle_fabric.hpp"
#include "packet_checks.hpp"
#include "topology/maze_links.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/dimension_order.hpp"

namespace kernbench::model::fabric {
namespace {

using topology::DimensionOrder;
using topology::zoo::DimensionOrderRouting;
using topology::zoo::DimensionStep;
using topology::zoo::FlattenedButterfly;
using topology::zoo::Hop;

struct TimedTransfers {
  std::vector<Transfer> transfers;
  std::vector<Edge> at;
};

/// Returns transfers at random nodes and times: `load` 1-byte packets per node and cycle for
/// `cycles`.
TimedTransfers random_load(common::Rng& rng, const maze::Shape& shape, double load, Edge cycles) {
  constexpr std::uint64_t kMaxBytes = 8;
  TimedTransfers result;
  const std::uint64_t threshold = common::probability_threshold(load / ((1.0 + kMaxBytes) / 2));
  for (Edge edge = 0; edge < cycles; ++edge) {
    for (unsigned node = 0; node < shape.nodes(); ++node) {
      if (!rng.chance(threshold)) continue;
      Transfer transfer = unicast(result.transfers.size(), node,
                                  static_cast<std::uint32_t>(rng.below(shape.nodes())),
                                  1 + rng.below(kMaxBytes), static_cast<Qos>(rng.below(2)));
      if (rng.below(100) == 0) transfer.type = static_cast<TransferType>(1 + rng.below(3));
      result.transfers.push_back(transfer);
      result.at.push_back(edge);
    }
  }
  return result;
}

/// Returns the number of transfers that waited for others. Checks the guarantees of a fabric.
std::uint64_t check_load(const maze::Shape& shape, const MazeSettings& settings,
                         const TimedTransfers& load) {
  DeliveryCheck check(shape, load.transfers);
  MazeSettings observed = settings;
  observed.observer = &check;
  CycleFabric cycle(shape, observed);
  std::uint64_t packet_links = 0;
  for (std::size_t i = 0; i < load.transfers.size(); ++i) {
    const Transfer& transfer = load.transfers[i];
    cycle.submit_at(static_cast<std::int64_t>(load.at[i]) * 1000, transfer);
    packet_links +=
        cycle.fabric.packets_of(transfer.bytes) * links_of(transfer, shape, settings.order);
  }
  const std::vector<Done>& done = cycle.run();
  EXPECT_EQ(done.size(), load.transfers.size());
  EXPECT_EQ(cycle.fabric.in_flight(), 0U);
  EXPECT_EQ(check.verdict(), "");
  EXPECT_EQ(cycle.entered(), packet_links);
  EXPECT_EQ(check.moves(), packet_links);

  AnalyticAlone alone(shape, settings.order);
  std::uint64_t waited = 0;
  for (const Done& each : done) {
    const std::int64_t latency = each.ps - static_cast<std::int64_t>(load.at[each.id]) * 1000;
    const std::int64_t least = alone.latency(load.transfers[each.id]);
    EXPECT_GE(latency, least) << "transfer " << each.id;
    waited += latency > least ? 1 : 0;
  }
  return waited;
}

TEST(NodeProperty, AtAnyLoadAllArriveInOrderAndNoneFasterThanAlone) {
  std::uint64_t waited = 0;
  for (const double load : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    for (const auto order : kOrders) {
      common::Rng rng = common::Rng::stream(7, "node_property", static_cast<int>(load * 10));
      const maze::Shape shape{8, 8, 8};
      waited += check_load(shape, {.order = order}, random_load(rng, shape, load, 400));
    }
  }
  EXPECT_GT(waited, 1000U);  // otherwise nothing was tested
}

TEST(NodeProperty, InAnyMazeAllArriveInOrderAndNoneFasterThanAlone) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    common::Rng rng = common::Rng::stream(seed, "node_property");
    maze::Shape shape = random_shape(rng);
    shape.flit_w = 8;  // as in the analytic fabric
    const double load = 0.1 + 0.1 * static_cast<double>(rng.below(9));
    const double stalls = seed % 3 == 0 ? 0.3 : 0.0;
    (void)check_load(shape,
                     {.order = kOrders.at(seed % 2), .receiver_stalls = stalls, .seed = seed},
                     random_load(rng, shape, load, 100));
  }
}

/// Returns transfers from every node to every other, all at time 0.
std::vector<Transfer> saturating_transfers(const maze::Shape& shape, std::uint64_t bytes) {
  std::vector<Transfer> transfers;
  for (std::uint32_t step = 1; step < shape.nodes(); ++step) {
    for (std::uint32_t src = 0; src < shape.nodes(); ++src) {
      transfers.push_back(unicast(transfers.size(), src, (src + step) % shape.nodes(), bytes,
                                  static_cast<Qos>(step % 2)));
    }
  }
  return transfers;
}

TEST(NodeProperty, SaturatedAllToAllTrafficWithStallingReceiversDoesNotDeadlock) {
  for (const auto& [nx, ny, bytes] : {std::tuple{2U, 2U, 200U}, {4U, 4U, 40U}, {8U, 8U, 16U}}) {
    const maze::Shape shape{nx, ny, 8};
    const std::vector<Transfer> transfers = saturating_transfers(shape, bytes);
    for (const auto order : kOrders) {
      for (const double stalls : {0.3, 0.9}) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
          CycleFabric cycle(shape, {.order = order, .receiver_stalls = stalls, .seed = seed});
          cycle.submit_all(transfers);
          EXPECT_EQ(cycle.run().size(), transfers.size());
          EXPECT_EQ(cycle.fabric.in_flight(), 0U);
        }
      }
    }
  }
}

/// Uses both dimension orders at once, which one fabric never does.
class MixedOrders final : public topology::zoo::RoutingRelation {
 public:
  explicit MixedOrders(const FlattenedButterfly& topology)
      : RoutingRelation(topology),
        xy_(topology, topology.grid(), DimensionStep::Direct, DimensionOrder::XY),
        yx_(topology, topology.grid(), DimensionStep::Direct, DimensionOrder::YX) {}
  [[nodiscard]] std::string name() const override { return "both orders"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override {
    std::vector<Hop> hops = xy_.next(at, in, dst);
    const std::vector<Hop> others = yx_.next(at, in, dst);
    if (hops != others) hops.insert(hops.end(), others.begin(), others.end());
    return hops;
  }

 private:
  DimensionOrderRouting xy_;
  DimensionOrderRouting yx_;
};

TEST(NodeProperty, OneDimensionOrderHasNoCycleOfLinksThatDependOnEachOtherAndBothHaveOne) {
  for (const auto& [nx, ny] : {std::pair{2U, 2U}, {5U, 3U}, {8U, 8U}}) {
    const FlattenedButterfly topology(nx, ny);
    for (const auto order : kOrders) {
      const auto check = check_routing(
          DimensionOrderRouting(topology, topology.grid(), DimensionStep::Direct, order));
      EXPECT_TRUE(check.passed());
      // A link of the first dimension is followed by every link of the second at its end.
      const bool x_first = order == DimensionOrder::XY;
      EXPECT_EQ(check.dependencies,
                std::uint64_t{nx} * ny * (x_first ? nx - 1 : ny - 1) * (x_first ? ny - 1 : nx - 1));
    }
    EXPECT_FALSE(check_routing(MixedOrders(topology)).deadlock_free());
  }
  const FlattenedButterfly small(2, 2);
  EXPECT_EQ(topology::zoo::cycle_text(small, check_routing(MixedOrders(small)).cycle),
            "0->1 vc0, 1->3 vc0, 3->2 vc0, 2->0 vc0, back to 0->1 vc0");
}

TEST(NodeProperty, NodesSendAsTheRelationSaysThatWasCheckedForDeadlock) {
  for (const auto& [nx, ny] : {std::pair{2U, 2U}, {5U, 3U}, {8U, 8U}, {16U, 16U}}) {
    const maze::Shape shape{nx, ny, 8};
    const FlattenedButterfly topology(nx, ny);
    const topology::MazeLinks links(nx, ny);
    for (const auto order : kOrders) {
      const MazeRoutes routes(shape, order);
      const DimensionOrderRouting relation(topology, topology.grid(), DimensionStep::Direct, order);
      for (unsigned node = 0; node < shape.nodes(); ++node) {
        EXPECT_EQ(routes.port(node, node), MazeRoutes::kHere);
        for (unsigned target = 0; target < shape.nodes(); ++target) {
          if (target == node) continue;
          const unsigned next = links.leaving(node, routes.port(node, target)).to.node;
          const std::vector<Hop> hops = relation.next(node, std::nullopt, target);
          ASSERT_EQ(hops.size(), 1U);
          ASSERT_EQ(topology.channels()[hops[0].channel].dst, next);
        }
      }
    }
  }
}

TEST(NodeProperty, ATransferOf1MiBTakesAPacketForEachByteAndCycle) {
  CycleFabric cycle({8, 8, 8});
  cycle.submit_at(0, unicast(0, 0, 9, std::uint64_t{1} << 20U));
  EXPECT_EQ(cycle.run(), std::vector<Done>({{0, 1'048'577'000}}));
  EXPECT_EQ(cycle.fabric.cycles(), 1'048'577U);
  EXPECT_EQ(cycle.entered(), std::uint64_t{2} << 20U);
}

TEST(NodeProperty, AThousandTransfersOf4KiBAtOnceAreAllDone) {
  const maze::Shape shape{8, 8, 8};
  common::Rng rng = common::Rng::stream(1, "thousand");
  CycleFabric cycle(shape);
  std::uint64_t packet_links = 0;
  for (std::uint64_t id = 0; id < 1000; ++id) {
    const Transfer transfer =
        unicast(id, static_cast<std::uint32_t>(rng.below(64)),
                static_cast<std::uint32_t>(rng.below(64)), 4096, static_cast<Qos>(rng.below(2)));
    packet_links += 4096 * links_of(transfer, shape, topology::DimensionOrder::XY);
    cycle.submit_at(0, transfer);
  }
  EXPECT_EQ(cycle.run().size(), 1000U);
  EXPECT_EQ(cycle.fabric.in_flight(), 0U);
  EXPECT_EQ(cycle.entered(), packet_links);
}

/// Returns a hash of all completions and node states of a run of random transfers.
std::uint64_t run_hash(std::uint64_t seed) {
  common::Rng rng = common::Rng::stream(seed, "determinism");
  const maze::Shape shape{5, 4, 8};
  CycleFabric cycle(shape, {.receiver_stalls = 0.3, .seed = seed});
  cycle.submit_all(random_transfers(rng, shape, {.count = 300}));
  common::RunHash hash;
  for (const Done& done : cycle.run()) {
    hash.add(done.id);
    hash.add(static_cast<std::uint64_t>(done.ps));
  }
  hash.add(cycle.fabric.network().hash());
  return hash.value();
}

TEST(NodeProperty, TheSameSeedGivesTheSameHashAloneAndBesideOthers) {
  constexpr std::array<std::uint64_t, 4> kSeeds = {1, 1, 2, 3};
  std::array<std::uint64_t, 4> beside{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kSeeds.size(); ++i) {
    threads.emplace_back([&, i] { beside.at(i) = run_hash(kSeeds.at(i)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kSeeds.size(); ++i) EXPECT_EQ(beside.at(i), run_hash(kSeeds.at(i)));
  EXPECT_EQ(beside[0], beside[1]);
  EXPECT_NE(beside[1], beside[2]);
  EXPECT_NE(beside[2], beside[3]);
}

TEST(NodeProperty, ReceiverStallsOfAnotherSeedGiveAnotherHash) {
  std::vector<std::uint64_t> hashes;
  for (const std::uint64_t seed : {1U, 1U, 2U}) {
    CycleFabric cycle({4, 4, 8}, {.receiver_stalls = 0.3, .seed = seed});
    cycle.submit_all(saturating_transfers({4, 4, 8}, 4));
    EXPECT_EQ(cycle.run().size(), 240U);
    hashes.push_back(cycle.fabric.network().hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_NE(hashes[1], hashes[2]);
}

}  // namespace
}  // namespace kernbench::model::fabric
