// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/synthetic_traffic.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "fabric_fixture.hpp"
#include "model/fabric/traffic/traffic_study.hpp"
#include "tests/places.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_spec.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::model::fabric {
namespace {

using topology::zoo::TopologyPtr;

TrafficResult run(const TopologyPtr& topology, const TrafficLoad& load,
                  const TrafficPatternSpec& spec = {}) {
  const std::shared_ptr<const topology::zoo::RoutingRelation> relation =
      topology::zoo::natural_routing(*topology);
  const TrafficPattern pattern(*relation, spec);
  engine::Simulation simulation;
  const BaseNetwork network(topology, {});
  const BaseNetwork::Built built = network.build(simulation);
  return run_traffic(simulation, *built.fabric, *topology, built.packets, pattern, load);
}

TrafficResult run(const std::string& topology, const TrafficLoad& load,
                  const TrafficPatternSpec& spec = {}) {
  return run(topology::zoo::parse_zoo_text(topology), load, spec);
}

TEST(SyntheticTraffic, RunsOverEveryShippedTopology) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(places::kSource) / "configs" / "zoo")) {
    if (entry.path().extension() != ".yaml") continue;
    const TopologyPtr topology = topology::zoo::load_zoo_spec(entry.path());
    const TrafficResult result =
        run(topology, {.load = 0.1, .bytes = 2, .warmup = 100, .cycles = 1000});
    EXPECT_GT(result.latencies.count(), 0U) << entry.path();
    EXPECT_GE(result.transfers, result.latencies.count()) << entry.path();
    EXPECT_GE(result.mean_hops, 1.0) << entry.path();
    // Two packets over at least one hop; further hops and waits add cycles to the mean.
    EXPECT_GE(result.latencies.mean(), result.mean_hops + 0.9) << entry.path();
    EXPECT_TRUE(result.busiest) << entry.path();
    EXPECT_LE(result.busiest_use, 1.0) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 20);
}

TEST(SyntheticTraffic, OffersItsLoadAndAcceptsItWhileThereIsRoom) {
  const TrafficResult result = run("FlattenedButterfly(4,4)", {.load = 0.3, .cycles = 20000});
  EXPECT_NEAR(result.offered, 0.3, 0.005);
  EXPECT_NEAR(result.accepted, result.offered, 0.001);
  // 6 of 15 others are one hop away, 9 two.
  EXPECT_NEAR(result.mean_hops, 1.6, 0.01);
}

TEST(SyntheticTraffic, EndsWhenTooManyTransfersAreOpen) {
  try {
    (void)run("Mesh2D(4,4)", {.load = 1, .cycles = 1'000'000, .max_open = 1000});
    FAIL() << "the mesh carries the load";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(),
                ::testing::MatchesRegex("at load 1 more than 1000 transfers are open in cycle "
                                        "[0-9]+: the topology is saturated; reduce the load or the "
                                        "cycles"));
  }
}

TEST(SyntheticTraffic, CountsLoadInPackets) {
  const TrafficResult result =
      run("FlattenedButterfly(4,4)", {.load = 0.4, .bytes = 8, .cycles = 50000});
  EXPECT_NEAR(result.offered, 0.4, 0.01);
}

TEST(SyntheticTraffic, HasTheLatencyOfHopsWhenNothingMeets) {
  const TrafficResult result =
      run("BidirectionalTorus1D(4)", {.load = 0.02, .cycles = 50000}, {.kind = "half_rotation"});
  // A flit through three routers of three cycles each. No channel is shared by more than two
  // senders.
  EXPECT_EQ(result.latencies.percentile(1), 10U);
  EXPECT_EQ(result.latencies.percentile(50), 10U);
  EXPECT_EQ(result.mean_hops, 2.0);
}

// All transfers to node 0 of the star share one channel.
TEST(SyntheticTraffic, AcceptsNoMoreThanItsNarrowestLinkCarries) {
  const TrafficResult result = run("BidirectionalTree(1,4)", {.load = 0.5, .cycles = 20000},
                                   {.kind = "hotspot", .hotspot_node = 1, .hotspot_share = 1.0});
  // Nodes 0, 2, 3, 4 send half a packet a cycle to node 1, which gets one; node 1 sends as it
  // likes.
  EXPECT_NEAR(result.accepted * 5, 1.0 + 0.5, 0.02);
  EXPECT_GT(result.latencies.max(), 5000U);
  ASSERT_TRUE(result.busiest);
  EXPECT_EQ(channel_name(*result.busiest), "0->1");
  EXPECT_GT(result.busiest_use, 0.99);
  EXPECT_LE(result.busiest_use, 1.0);
}

TEST(SyntheticTraffic, GrowsSlowerWithLoad) {
  double before = 0;
  for (const double load : {0.05, 0.3, 0.6, 0.9}) {
    const double mean = run("Mesh2D(4,4)", {.load = load}).latencies.mean();
    EXPECT_GT(mean, before) << load;
    before = mean;
  }
}

// Fixed numbers, so that results are the same on every compiler.
TEST(SyntheticTraffic, IsTheSameForTheSameSeedForEver) {
  const TrafficLoad load{.load = 0.2, .bytes = 3, .warmup = 200, .cycles = 2000, .seed = 42};
  const TrafficResult result = run("Mesh2D(4,3)", load);
  EXPECT_EQ(result.transfers, 1768U);
  EXPECT_EQ(result.latencies.count(), 1612U);
  EXPECT_EQ(result.latencies.percentile(95), 21U);
  EXPECT_EQ(result.latencies.max(), 28U);
  EXPECT_EQ(fmt::format("{:.6f} {:.6f}", result.latencies.mean(), result.mean_hops),
            "14.204094 2.362557");
  TrafficLoad other = load;
  other.seed = 43;
  EXPECT_NE(run("Mesh2D(4,3)", other).transfers, result.transfers);
}

TEST(SyntheticTraffic, MovesNothingAtNoLoad) {
  const TrafficResult result = run("Mesh2D(2,2)", {.load = 0.0});
  EXPECT_EQ(result.transfers, 0U);
  EXPECT_EQ(result.latencies.count(), 0U);
  EXPECT_FALSE(result.busiest);
}

TEST(SyntheticTraffic, RefusesLoadsThatMakeNoSense) {
  EXPECT_EQ(error_of([] { (void)run("Mesh2D(2,2)", {.load = 1.5}); }),
            "the load must be 0 to 1 packets per sender and cycle, not 1.5");
  EXPECT_EQ(error_of([] { (void)run("Mesh2D(2,2)", {.cycles = 0}); }),
            "at least 1 cycle must be measured");
  EXPECT_EQ(error_of([] { (void)run("Mesh2D(2,2)", {.bytes = 0}); }),
            "transfers must have at least 1 byte");
}

TEST(LatencyCounts, SummariseByNearestRank) {
  LatencyCounts counts;
  for (const Edge latency : {9U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 30U}) counts.add(latency);
  EXPECT_EQ(counts.percentile(1), 1U);
  EXPECT_EQ(counts.percentile(90), 9U);
  EXPECT_EQ(counts.percentile(91), 30U);
  EXPECT_EQ(counts.percentile(95), 30U);
  EXPECT_EQ(counts.max(), 30U);
  EXPECT_EQ(counts.mean(), 7.5);
}

/// A fabric that completes transfers at the next edge, but transfer 5 a given number of times.
class FaultyFabric : public Fabric, private engine::EventHandler {
 public:
  FaultyFabric(engine::Simulation& simulation, std::uint32_t nodes, int times)
      : Fabric(simulation, {.n_nodes = nodes, .period = kNs}), times_(times) {}

 private:
  void carry(const Transfer& transfer) override {
    const auto at = clock().time_of(clock().edge_after(simulation().now()));
    for (int i = 0; i < (transfer.id == 5 ? times_ : 1); ++i) {
      simulation().schedule(at, *this, transfer.id);
    }
  }
  void on_event(engine::EventArgument id) override { complete(id.number()); }
  int times_;
};

std::uint64_t transfers_done_by_faulty_fabric(int times) {
  const auto topology = topology::zoo::parse_zoo_text("Mesh2D(2,2)");
  const auto relation = topology::zoo::natural_routing(*topology);
  const TrafficPattern pattern(*relation, {});
  engine::Simulation simulation;
  FaultyFabric fabric(simulation, 4, times);
  SyntheticTraffic traffic(simulation, fabric, pattern, {.warmup = 0, .cycles = 100});
  traffic.start();
  simulation.run();
  return traffic.transfers_done();
}

TEST(SyntheticTraffic, NoticesATransferThatIsDoneTwiceOrNever) {
  EXPECT_GT(transfers_done_by_faulty_fabric(1), 20U);
  EXPECT_EQ(error_of<std::logic_error>([] { (void)transfers_done_by_faulty_fabric(2); }),
            "transfer 5 was completed, but is not in flight");
  EXPECT_THAT(error_of<std::logic_error>([] { (void)transfers_done_by_faulty_fabric(0); }),
              ::testing::MatchesRegex("1 of [0-9]+ transfers never completed"));
}

}  // namespace
}  // namespace kernbench::model::fabric
