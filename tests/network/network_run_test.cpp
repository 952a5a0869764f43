// SPDX-License-Identifier: Apache-2.0
// The cases of the network regression, and what their oracle refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "common/text_file.hpp"
#include "sim/network/delivery_oracle.hpp"
#include "sim/network/network_case.hpp"
#include "sim/network/network_run.hpp"
#include "sim/network/network_scoreboard.hpp"
#include "sim/network/network_spec.hpp"
#include "tests/places.hpp"

namespace kernbench::network_test {
namespace {

using maze::Payload;
using maze::Shape;
using sim::NetworkCase;
using ::testing::Each;

constexpr Shape kShape{4, 3, 8};

const sim::NetworkLibrary& library() {
  static const sim::NetworkLibrary kLibrary(std::string(places::kNetworkModels) +
                                            "/4x3/libnetwork_model.so");
  return kLibrary;
}

sim::NetworkRun run(const NetworkCase& one) {
  return sim::run_network_case(one, *library().create(one.seed), {});
}

/// Runs cases as a regression.
sim::NetworkRegression regression_of(const std::vector<NetworkCase>& cases,
                                     bool full_coverage = false, bool interrupted = false) {
  sim::RegressionResult named;
  named.full_coverage = full_coverage;
  sim::RunOptions options;
  options.interrupted = [interrupted] { return interrupted; };
  return sim::run_network_regression(std::move(named), cases, library(), options);
}

/// Returns the cases of the shipped regression on the network of these tests.
std::vector<NetworkCase> regression() {
  const std::string path = places::source("/configs/regressions/network.yaml");
  sim::NetworkSpec spec = sim::parse_network_regression(common::read_text_file(path), path);
  (void)sim::move_to_network(spec, kShape);
  return sim::network_cases(spec);
}

TEST(NetworkRun, EachCaseOfTheRegressionPasses) {
  for (NetworkCase network_case : regression()) {
    network_case.cycles = std::min<std::uint64_t>(network_case.cycles, 1000);
    network_case.resets = std::min(network_case.resets, 5U);
    SCOPED_TRACE(network_case.name);
    const sim::CaseResult result = run(network_case).result;
    EXPECT_EQ(result.reason, "");
    EXPECT_EQ(result.outcome, common::Outcome::Pass);
    EXPECT_GE(result.delivered, 500U);
  }
}

TEST(NetworkRun, EachCaseHasAName) {
  std::set<std::string> names;
  for (const NetworkCase& network_case : regression()) {
    EXPECT_EQ(network_case.name.rfind(network_case.suite, 0), 0U);
    EXPECT_TRUE(names.insert(network_case.name).second) << network_case.name;
  }
  // These kinds of traffic permute the nodes of any grid.
  for (const char* const kind : {"half_rotation", "booksim.tornado", "booksim.neighbor",
                                 "garnet.tornado", "garnet.neighbor"}) {
    EXPECT_EQ(names.count(std::string("pattern-") + kind), 1U) << kind;
  }
  EXPECT_EQ(names.size(), 24U + 5U + 3 * 12U);
}

TEST(NetworkRun, OnePacketAtATimeCoversEachPairAndMulticast) {
  const sim::CaseResult result =
      run({.suite = "alone", .pattern = sim::NetworkPattern::Alone}).result;
  // All pairs; a column for each source and x; a row for each source and y; a broadcast for each.
  EXPECT_EQ(result.users->packets(), 12U * 12 + 12 * 4 + 12 * 3 + 12);
  EXPECT_EQ(result.delivered, 12U * 12 + 12 * 4 * 3 + 12 * 3 * 4 + 12 * 12);
}

TEST(NetworkRun, AMissedBinFailsTheWholeRegressionAndNoPartOfIt) {
  const NetworkCase alone{.suite = "alone", .name = "alone", .pattern = sim::NetworkPattern::Alone};
  EXPECT_EQ(regression_of({alone}).result.outcome, common::Outcome::Pass);
  const sim::RegressionResult whole = regression_of({alone}, true).result;
  EXPECT_EQ(whole.outcome, common::Outcome::Mismatch);
  ASSERT_EQ(whole.cases.size(), 2U);
  EXPECT_EQ(whole.cases[1].suite, "coverage goals");
  EXPECT_EQ(whole.cases[1].failures.size(), 20U);
  EXPECT_EQ(regression_of({alone}, true, true).result.outcome, common::Outcome::Interrupted);
  // A run without a case does not pass.
  EXPECT_EQ(regression_of({}).result.outcome, common::Outcome::Vacuous);
}

TEST(NetworkRun, WithoutPacketsIsVacuous) {
  const sim::CaseResult silent = run({.suite = "a", .cycles = 50, .load = 1e-12}).result;
  EXPECT_EQ(silent.outcome, common::Outcome::Vacuous);
  EXPECT_EQ(silent.reason, "scoreboard compared nothing");
}

TEST(NetworkRun, NamesAWatchdogWhoseWindowWasNeverFull) {
  const sim::CaseResult result = run({.suite = "a", .cycles = 500, .watchdog_cycles = 900}).result;
  EXPECT_EQ(result.outcome, common::Outcome::Pass);
  EXPECT_THAT(result.not_checked,
              testing::ElementsAre("watchdog: no stretch without a reset was as long as its window "
                                   "of 900 cycles"));
}

TEST(NetworkRun, CountsTheTrafficOfNodesLinksAndLatencies) {
  const sim::NetworkRun result = run({.suite = "alone", .pattern = sim::NetworkPattern::Alone});
  const sim::UserTraffic& traffic = *result.result.users;
  EXPECT_THAT(traffic.accepted, Each(12U + 4 + 3 + 1));
  EXPECT_THAT(traffic.delivered, Each(12U + 4 * 3 + 3 * 4 + 12));
  EXPECT_EQ(traffic.of_type(0).copies(), 144U);
  EXPECT_EQ(traffic.of_all().copies(), result.result.delivered);
  EXPECT_EQ(traffic.of_qos(0).copies() + traffic.of_qos(1).copies(), result.result.delivered);
  EXPECT_EQ(traffic.of_type(0).counts()[2], 12U);
  EXPECT_THAT(result.link_stalls, Each(0U));
  const std::uint64_t hops =
      std::accumulate(result.link_packets.begin(), result.link_packets.end(), std::uint64_t{0});
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
  const NetworkCase one{
      .suite = "uniform", .seed = 5, .cycles = 500, .multicasts = 0.1, .resets = 3};
  NetworkCase other = one;
  other.seed = 6;
  const sim::CaseResult first = run(one).result;
  EXPECT_EQ(run(one).result.output_hash, first.output_hash);
  EXPECT_EQ(run(one).result.delivered, first.delivered);
  EXPECT_NE(run(other).result.output_hash, first.output_hash);
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
            "node 2 delivers type=1 qos=1 src=[0,1] tgt=[1,2] data=0x07: it owes none of "
            "this source, type and QoS");
  EXPECT_EQ(oracle_.deliver(9, 3, packet(1, 6)),
            "node 3 delivers type=1 qos=1 src=[0,1] tgt=[1,2] data=0x07: it owes none of "
            "this source, type and QoS");
  EXPECT_EQ(oracle_.owed_example().message,
            "node 6 owes type=1 qos=1 src=[0,1] tgt=[1,2] data=0x07, accepted in cycle 3");
  EXPECT_EQ(oracle_.last_latency(), 6U);
}

TEST_F(Oracle, ExpectsTheOrderOfAcceptanceAndTheSameBits) {
  oracle_.accept(1, 1, packet(0, 5, 1));
  oracle_.accept(2, 1, packet(0, 5, 2));
  EXPECT_EQ(oracle_.deliver(8, 5, packet(0, 5, 2)),
            "node 5 delivers type=0 qos=1 src=[0,1] tgt=[1,1] data=0x02: it owes type=0 "
            "qos=1 src=[0,1] tgt=[1,1] data=0x01 first");
  EXPECT_EQ(oracle_.deliver(8, 5, packet(0, 5, 1)), "");
  EXPECT_EQ(oracle_.owed(), 1U);
  oracle_.forget();
  EXPECT_EQ(oracle_.owed(), 0U);
  EXPECT_EQ(oracle_.owed_example().message, "");
}

TEST_F(Oracle, ExpectsNothingOfAFailedNode) {
  sim::DeliveryOracle with_failed({.shape = kShape, .failed = 6});
  with_failed.accept(1, 1, packet(1, 6));
  with_failed.accept(1, 1, packet(3, 0));
  EXPECT_EQ(with_failed.owed(), 2U + 11U);
}

TEST(NetworkOutcome, FullCoverageWithoutCoverageIsVacuous) {
  sim::RegressionResult result;
  result.full_coverage = true;
  result.cases.emplace_back();
  sim::conclude(result, false, std::nullopt);
  EXPECT_EQ(result.outcome, common::Outcome::Vacuous);
  sim::RegressionResult without_bins;
  without_bins.full_coverage = true;
  without_bins.cases.emplace_back();
  sim::conclude(without_bins, false, sim::CoverageGoal{});
  EXPECT_EQ(without_bins.outcome, common::Outcome::Vacuous);
}

}  // namespace
}  // namespace kernbench::network_test
