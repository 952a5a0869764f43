// SPDX-License-Identifier: Apache-2.0
// The cases of the network regression, and what their oracle refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "common/text_file.hpp"
#include "sim/network/checked_network.hpp"
#include "sim/network/delivery_oracle.hpp"
#include "sim/network/network_case.hpp"
#include "sim/network/network_regression.hpp"
#include "sim/network/network_run.hpp"
#include "sim/network/network_spec.hpp"
#include "tests/places.hpp"

namespace kernbench::network_test {
namespace {

using maze::Payload;
using maze::Shape;
using sim::NetworkCase;
using ::testing::Each;

constexpr Shape kShape{4, 3, 8};

sim::NetworkLibrary library() {
  return sim::NetworkLibrary(std::string(places::kNetworkModels) + "/4x3/libnetwork_model.so");
}

/// Returns the cases of the shipped regression on the network of these tests.
std::vector<NetworkCase> regression() {
  const std::string path = places::source("/configs/regressions/network.yaml");
  sim::NetworkSpec spec = sim::parse_network_regression(common::read_text_file(path), path);
  (void)sim::move_to_network(spec, kShape);
  return sim::network_cases(spec);
}

TEST(NetworkRun, EachCaseOfTheRegressionPasses) {
  const sim::NetworkLibrary network = library();
  for (NetworkCase one : regression()) {
    one.cycles = std::min<std::uint64_t>(one.cycles, 1000);
    one.resets = std::min(one.resets, 5U);
    SCOPED_TRACE(one.name);
    const sim::NetworkResult result = sim::run_network_case(network, one);
    EXPECT_EQ(result.failure.text, "");
    EXPECT_EQ(result.outcome, common::Outcome::Pass);
    EXPECT_GE(result.delivered, 500U);
  }
}

TEST(NetworkRun, EachCaseHasAName) {
  std::set<std::string> names;
  for (const NetworkCase& one : regression()) {
    EXPECT_EQ(one.name.rfind(one.suite, 0), 0U);
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
  }
  // These kinds of traffic permute the nodes of any grid.
  for (const char* const kind : {"half_rotation", "booksim.tornado", "booksim.neighbor",
                                 "garnet.tornado", "garnet.neighbor"}) {
    EXPECT_EQ(names.count(std::string("pattern-") + kind), 1U) << kind;
  }
  EXPECT_EQ(names.size(), 24U + 5U + 3 * 12U);
}

TEST(NetworkRun, OnePacketAtATimeCoversEachPairAndMulticast) {
  const sim::NetworkResult result =
      sim::run_network_case(library(), {.suite = "alone", .pattern = sim::NetworkPattern::Alone});
  // All pairs; a column for each source and x; a row for each source and y; a broadcast for each.
  EXPECT_EQ(result.accepted, 12U * 12 + 12 * 4 + 12 * 3 + 12);
  EXPECT_EQ(result.delivered, 12U * 12 + 12 * 4 * 3 + 12 * 3 * 4 + 12 * 12);
}

TEST(NetworkRun, AMissedBinFailsTheWholeRegressionAndNoPartOfIt) {
  const NetworkCase alone{.suite = "alone", .name = "alone", .pattern = sim::NetworkPattern::Alone};
  sim::NetworkRegression regression;
  regression.shape = kShape;
  regression.planned = 1;
  regression.cases.resize(1);
  regression.cases[0].spec = alone;
  regression.cases[0].result = sim::run_network_case(library(), alone);
  regression.conclude(false);
  EXPECT_EQ(regression.outcome, common::Outcome::Pass);
  regression.full_coverage = true;
  regression.conclude(false);
  EXPECT_EQ(regression.outcome, common::Outcome::Mismatch);
  regression.conclude(true);
  EXPECT_EQ(regression.outcome, common::Outcome::Interrupted);
  // The failure of a case goes before its bins, and a run without a case does not pass.
  regression.cases.front().result.outcome = common::Outcome::Deadlock;
  regression.conclude(false);
  EXPECT_EQ(regression.outcome, common::Outcome::Deadlock);
  regression.cases.clear();
  regression.conclude(false);
  EXPECT_EQ(regression.outcome, common::Outcome::Vacuous);
}

TEST(NetworkRun, CountsTheTrafficOfNodesLinksAndLatencies) {
  const sim::NetworkResult result =
      sim::run_network_case(library(), {.suite = "alone", .pattern = sim::NetworkPattern::Alone});
  const sim::NetworkTraffic& traffic = result.traffic;
  EXPECT_THAT(traffic.accepted, Each(12U + 4 + 3 + 1));
  EXPECT_THAT(traffic.delivered, Each(12U + 4 * 3 + 3 * 4 + 12));
  EXPECT_EQ(traffic.of_type(0).copies(), 144U);
  EXPECT_EQ(traffic.of_all().copies(), result.delivered);
  EXPECT_EQ(traffic.of_qos(0).copies() + traffic.of_qos(1).copies(), result.delivered);
  EXPECT_EQ(traffic.of_type(0).counts()[2], 12U);
  EXPECT_THAT(traffic.link_stalls, Each(0U));
  const std::uint64_t hops =
      std::accumulate(traffic.link_packets.begin(), traffic.link_packets.end(), std::uint64_t{0});
  // X before Y. Unicasts: 5 neighbours and 6 corners. Columns: 2 others, and one hop to the columns
  // of the others. Rows: 3 others, and from each node of the row one hop to the rows of the others.
  // A broadcast: 11 others.
  EXPECT_EQ(hops, 12U * (5 + 6 * 2) + 12 * (4 * 2 + 3) + 12 * (3 * 3 + 2 * 4) + 12 * 11);
}

TEST(NetworkRun, HistogramsHaveTheirPercentiles) {
  sim::LatencyHistogram latency;
  EXPECT_EQ(latency.percentile(500), 0U);
  EXPECT_EQ(latency.mean(), 0.0);
  for (const std::uint64_t cycles : {4U, 4U, 6U, 10U}) latency.add(cycles);
  EXPECT_EQ(latency.percentile(500), 4U);
  EXPECT_EQ(latency.percentile(501), 6U);
  EXPECT_EQ(latency.percentile(750), 6U);
  EXPECT_EQ(latency.percentile(751), 10U);
  EXPECT_EQ(latency.longest(), 10U);
  EXPECT_EQ(latency.mean(), 6.0);
  sim::LatencyHistogram other;
  other.add(12);
  latency.merge(other);
  EXPECT_EQ(latency.copies(), 5U);
  EXPECT_EQ(latency.longest(), 12U);
}

TEST(NetworkRun, TheSameSeedGivesTheSameRun) {
  const NetworkCase one{.suite = "uniform", .seed = 5, .cycles = 500, .multicasts = 0.1};
  NetworkCase other = one;
  other.seed = 6;
  const sim::NetworkResult first = sim::run_network_case(library(), one);
  EXPECT_EQ(sim::run_network_case(library(), one).delivered, first.delivered);
  EXPECT_NE(sim::run_network_case(library(), other).delivered, first.delivered);
}

TEST(NetworkRun, ALonePacketTakesTwoCyclesANodeAndTheStagesBetween) {
  constexpr Shape kEight{8, 8, 8};
  EXPECT_EQ(sim::lone_latency(kEight, 9, 9), 2U);
  EXPECT_EQ(sim::lone_latency(kEight, 0, 1), 4U);
  EXPECT_EQ(sim::lone_latency(kEight, 0, 4), 7U);
  EXPECT_EQ(sim::lone_latency(kEight, 0, 36), 12U);
  EXPECT_EQ(sim::lone_latency(kEight, 0, 63), 6U);
}

/// An oracle of 4 x 3 nodes that has accepted packets at node 1.
class Oracle : public ::testing::Test {
 protected:
  [[nodiscard]] static Payload packet(unsigned type, unsigned target, std::uint32_t data = 7) {
    const maze::PacketLayout layout(kShape);
    return layout.encode({.type = type,
                          .qos = 1,
                          .src = layout.address(1),
                          .tgt = layout.address(target),
                          .data = data});
  }
  sim::DeliveryOracle oracle_{{.shape = kShape}};
};

TEST_F(Oracle, ExpectsEachCopyOnce) {
  oracle_.accept(3, 1, packet(1, 6));  // the column of x = 2: nodes 2, 6, 10
  EXPECT_EQ(oracle_.owed(), 3U);
  EXPECT_EQ(oracle_.deliver(9, 2, packet(1, 10)), "");  // the y of the target is not named
  EXPECT_EQ(oracle_.deliver(9, 2, packet(1, 6)),
            "cycle 9: node 2 delivers type=1 qos=1 src=[0,1] tgt=[1,2] data=0x07: it owes none of "
            "this source, type and QoS");
  EXPECT_EQ(oracle_.deliver(9, 3, packet(1, 6)),
            "cycle 9: node 3 delivers type=1 qos=1 src=[0,1] tgt=[1,2] data=0x07: it owes none of "
            "this source, type and QoS");
  EXPECT_EQ(oracle_.owed_example().text,
            "node 6 owes type=1 qos=1 src=[0,1] tgt=[1,2] data=0x07, accepted in cycle 3");
  EXPECT_EQ(oracle_.last_latency(), 6U);
}

TEST_F(Oracle, ExpectsTheOrderOfAcceptanceAndTheSameBits) {
  oracle_.accept(1, 1, packet(0, 5, 1));
  oracle_.accept(2, 1, packet(0, 5, 2));
  EXPECT_EQ(oracle_.deliver(8, 5, packet(0, 5, 2)),
            "cycle 8: node 5 delivers type=0 qos=1 src=[0,1] tgt=[1,1] data=0x02: it owes type=0 "
            "qos=1 src=[0,1] tgt=[1,1] data=0x01 first");
  EXPECT_EQ(oracle_.deliver(8, 5, packet(0, 5, 1)), "");
  EXPECT_EQ(oracle_.owed(), 1U);
  oracle_.forget();
  EXPECT_EQ(oracle_.owed(), 0U);
  EXPECT_EQ(oracle_.owed_example().text, "");
}

TEST_F(Oracle, ExpectsNothingOfAFailedNode) {
  sim::DeliveryOracle with_failed({.shape = kShape, .failed = 6});
  with_failed.accept(1, 1, packet(1, 6));
  with_failed.accept(1, 1, packet(3, 0));
  EXPECT_EQ(with_failed.owed(), 2U + 11U);
}

TEST(NetworkOutcome, FullCoverageWithoutCoverageIsVacuous) {
  sim::NetworkResult sum;
  sum.outcome = common::Outcome::Pass;
  EXPECT_EQ(sim::judged(sum, false), common::Outcome::Pass);
  EXPECT_EQ(sim::judged(sum, true), common::Outcome::Vacuous);
  sim::NetworkRegression regression;
  regression.conclude(false);
  EXPECT_EQ(regression.outcome, common::Outcome::Vacuous);
}

}  // namespace
}  // namespace kernbench::network_test
