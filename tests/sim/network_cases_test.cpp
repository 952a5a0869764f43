// SPDX-License-Identifier: Apache-2.0
// The shipped regressions of networks on their reference, without a verilated model: stimuli,
// faults, resets and what a case measures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "common/text_file.hpp"
#include "reference_network.hpp"
#include "sim/network/network_run.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/network/network_users.hpp"
#include "tests/places.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using maze::Shape;
using ::testing::Each;
using ::testing::ElementsAre;

constexpr Shape kShape{4, 3, 8};

std::vector<NetworkCase> cases_of(const std::string& file) {
  const std::string path = places::source("/configs/regressions/" + file);
  NetworkSpec spec = parse_network_regression(common::read_text_file(path), path);
  (void)move_to_network(spec, kShape);
  return network_cases(spec);
}

NetworkRun run(const NetworkCase& one) {
  ReferenceNetwork network({.shape = kShape});
  return run_network_case(one, network, {});
}

TEST(NetworkCases, PassOnTheReference) {
  for (NetworkCase network_case : cases_of("network.yaml")) {
    network_case.cycles = std::min<std::uint64_t>(network_case.cycles, 1000);
    network_case.resets = std::min(network_case.resets, 5U);
    const CaseResult result = run(network_case).result;
    EXPECT_EQ(result.outcome, Outcome::Pass) << network_case.name << ": " << result.reason;
    EXPECT_EQ(result.users->copies(), result.delivered) << network_case.name;
    EXPECT_EQ(result.failed_node, network_case.failed);
  }
}

TEST(NetworkCases, WithFaultsAreNoticedByTheExpectedCheckers) {
  std::map<std::string, unsigned> kinds;
  for (const NetworkCase& network_case : cases_of("network-faults.yaml")) {
    const CaseResult result = run(network_case).result;
    EXPECT_EQ(result.outcome, Outcome::Pass) << network_case.name << ": " << result.reason;
    ++kinds[result.fault->kind];
  }
  EXPECT_EQ(kinds.size(), 22U);  // all but source_silent, which no checker of networks notices
}

TEST(NetworkCases, ALostPacketIsTheScoreboardsAlone) {
  /// A network that loses the packet that waits at B of node 5 in cycle 40.
  class Lossy : public ReferenceNetwork {
   public:
    using ReferenceNetwork::ReferenceNetwork;
    void sample(maze::TopoOutputs& outputs) const override {
      ReferenceNetwork::sample(outputs);
      if (cycle() >= 40 && !lost_ && outputs.in_valid.test(0, 5)) {
        outputs.in_valid.set(0, 5, false);
        lost_ = true;
      }
    }

   private:
    mutable bool lost_ = false;
  };
  Lossy network({.shape = kShape});
  const NetworkCase one{
      .suite = "a", .name = "a", .cycles = 41, .checks = {.lockstep = false, .watchdog = false}};
  const CaseResult result = run_network_case(one, network, {}).result;
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  ASSERT_FALSE(result.failures.empty());
  EXPECT_EQ(result.failures[0].checker, "scoreboard");
}

TEST(NetworkCases, AStuckReceiverIsADeadlock) {
  NetworkCase one{.suite = "a", .name = "a", .cycles = 2000, .watchdog_cycles = 500};
  one.fault.emplace();
  one.fault->fault.kind = FaultKind::ReceiverDead;
  const CaseResult result = run(one).result;
  EXPECT_EQ(result.outcome, Outcome::Pass);  // the fault was noticed
  EXPECT_THAT(result.fault->caught_by, ElementsAre("watchdog"));
}

TEST(NetworkCases, ResetsAreThoseOfTopo) {
  NetworkCase one{.suite = "a",
                  .name = "a",
                  .cycles = 20'000,
                  .resets = 400,
                  .longest_reset = 100,
                  .checks = {.watchdog = false},
                  .deep_coverage = true};
  NetworkRun done = run(one);
  EXPECT_EQ(done.result.outcome, Outcome::Pass) << done.result.reason;
  ASSERT_TRUE(done.coverage->deep());
  for (const CoverageGroup& group : done.coverage->summary().groups) {
    if (group.name != "resets and length of cases") continue;
    EXPECT_THAT(group.missed, ElementsAre("never: a case of 300000 cycles"));
  }
}

/// Drives users for some cycles; every packet is accepted at once unless `refused`.
struct Driven {
  std::vector<std::uint64_t> offers = std::vector<std::uint64_t>(kShape.nodes());
  std::map<std::pair<unsigned, unsigned>, unsigned> targets;  ///< unicasts, by source and target
  unsigned unicasts = 0, multicasts = 0, high = 0;
  std::uint64_t ready = 0;  ///< cycles in which receivers were ready, over all nodes
};

Driven drive(const NetworkCase& one, std::uint64_t cycles) {
  const maze::PacketLayout layout(kShape);
  NetworkUsers users({.shape = kShape, .failed = one.failed}, one);
  maze::NetworkInputs inputs(kShape);
  maze::BitPlane fired(kShape, 1);
  Driven seen;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    users.drive(cycle, Phase::Run, fired, inputs);
    fired = inputs.out_valid;
    for (unsigned node = 0; node < kShape.nodes(); ++node) {
      seen.ready += inputs.in_ready.test(0, node) ? 1 : 0;
      if (!inputs.out_valid.test(0, node)) continue;
      ++seen.offers[node];
      const maze::Payload packet = inputs.out_payload[node];
      EXPECT_EQ(layout.node(layout.src(packet)), node);
      seen.high += layout.qos(packet);
      const bool is_unicast = layout.type(packet) == 0;
      ++(is_unicast ? seen.unicasts : seen.multicasts);
      if (is_unicast) ++seen.targets[{node, layout.node(layout.tgt(packet))}];
    }
  }
  return seen;
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

TEST(NetworkUsers, OfferTheLoadWithTheSharesOfTheCase) {
  constexpr std::uint64_t kCycles = 20'000;
  const Driven all = drive({.suite = "a", .name = "a", .multicasts = 0.25, .high = 0.1}, kCycles);
  EXPECT_THAT(all.offers, Each(kCycles));
  const double packets = static_cast<double>(sum(all.offers));
  EXPECT_NEAR(all.multicasts / packets, 0.25, 0.01);
  EXPECT_NEAR(all.high / packets, 0.1, 0.01);
  EXPECT_EQ(all.ready, kCycles * kShape.nodes());
  EXPECT_EQ(all.targets.size(), std::size_t{kShape.nodes()} * kShape.nodes());
  for (const unsigned longest : {1U, 64U}) {
    const Driven part =
        drive({.suite = "a", .name = "a", .load = 0.2, .longest_burst = longest}, kCycles);
    EXPECT_NEAR(static_cast<double>(sum(part.offers)) / (kCycles * kShape.nodes()), 0.2, 0.02);
  }
}

TEST(NetworkUsers, AFailedNodeSendsNothingAndIsNoTarget) {
  const Driven seen = drive({.suite = "a", .name = "a", .failed = 5}, 3000);
  EXPECT_EQ(seen.offers[5], 0U);
  for (const auto& [way, packets] : seen.targets) EXPECT_NE(way.second, 5U);
}

TEST(NetworkUsers, EachSourceOfAPermutationHasOneTargetAPhase) {
  const Driven phase =
      drive({.suite = "a", .name = "a", .pattern = NetworkPattern::DrawnPermutation}, 512);
  std::set<unsigned> targets;
  for (const auto& [way, packets] : phase.targets) targets.insert(way.second);
  EXPECT_EQ(phase.targets.size(), kShape.nodes());
  EXPECT_EQ(targets.size(), kShape.nodes());
  const Driven two =
      drive({.suite = "a", .name = "a", .pattern = NetworkPattern::DrawnPermutation}, 1024);
  EXPECT_GT(two.targets.size(), std::size_t{kShape.nodes()});
}

TEST(NetworkUsers, AMovingHotspotGetsAQuarterOfThePackets) {
  const Driven phase =
      drive({.suite = "a", .name = "a", .pattern = NetworkPattern::MovingHotspot}, 512);
  std::vector<unsigned> at(kShape.nodes());
  for (const auto& [way, packets] : phase.targets) at[way.second] += packets;
  EXPECT_NEAR(*std::max_element(at.begin(), at.end()) / (512.0 * kShape.nodes()),
              0.25 + 0.75 / kShape.nodes(), 0.03);
}

TEST(NetworkUsers, DetoursLeadToTheFailedColumn) {
  const Driven seen =
      drive({.suite = "a", .name = "a", .pattern = NetworkPattern::Detours, .failed = 5}, 4000);
  unsigned in_column = 0;
  unsigned all = 0;
  for (const auto& [way, packets] : seen.targets) {
    if (way.first / kShape.nx != 1) continue;  // sources in the failed row
    all += packets;
    if (way.second % kShape.nx == 1) in_column += packets;
  }
  EXPECT_GT(2 * in_column, all - in_column);
}

TEST(NetworkUsers, HoldARefusedPacketAndWithdrawItInAReset) {
  NetworkUsers users({.shape = kShape}, {.suite = "a", .name = "a"});
  maze::NetworkInputs inputs(kShape);
  const maze::BitPlane none(kShape, 1);
  users.drive(0, Phase::Run, none, inputs);
  const maze::PayloadPlane first = inputs.out_payload;
  const maze::BitPlane offered = inputs.out_valid;
  for (std::uint64_t cycle = 1; cycle < 50; ++cycle) {
    users.drive(cycle, cycle < 40 ? Phase::Run : Phase::Drain, none, inputs);
    EXPECT_EQ(inputs.out_valid, offered);
    for (unsigned node = 0; node < kShape.nodes(); ++node) {
      EXPECT_EQ(inputs.out_payload[node], first[node]);
    }
  }
  users.drive(50, Phase::Drain, offered, inputs);
  EXPECT_EQ(inputs.out_valid, none);
  users.drive(51, Phase::Run, none, inputs);
  EXPECT_EQ(inputs.out_valid, offered);
  users.drive(52, Phase::Reset, none, inputs);
  EXPECT_EQ(inputs.out_valid, none);
}

TEST(NetworkUsers, StallEachReceiverInTurn) {
  NetworkUsers users({.shape = kShape}, {.suite = "a", .name = "a", .stall_each = 100});
  maze::NetworkInputs inputs(kShape);
  const maze::BitPlane none(kShape, 1);
  for (std::uint64_t cycle = 0; cycle < 2400; ++cycle) {
    users.drive(cycle, Phase::Run, none, inputs);
    for (unsigned node = 0; node < kShape.nodes(); ++node) {
      EXPECT_EQ(inputs.in_ready.test(0, node), cycle / 100 % kShape.nodes() != node);
    }
  }
}

TEST(NetworkUsers, IdleTimesOfASweepHaveEachLength) {
  NetworkUsers users(
      {.shape = kShape},
      {.suite = "a", .name = "a", .idle = IdleTimes::LengthSweep, .longest_idle = 40});
  maze::NetworkInputs inputs(kShape);
  maze::BitPlane fired(kShape, 1);
  std::set<unsigned> lengths;
  unsigned idle = 0;
  for (std::uint64_t cycle = 0; cycle < 6000; ++cycle) {
    users.drive(cycle, Phase::Run, fired, inputs);
    fired = inputs.out_valid;
    if (inputs.out_valid.test(0, 7)) {
      if (idle != 0) lengths.insert(idle);
      idle = 0;
    } else {
      ++idle;
    }
  }
  EXPECT_EQ(lengths.size(), 40U);
  EXPECT_EQ(*lengths.rbegin(), 40U);
}

TEST(LoneUsers, SendEachPacketIntoAnEmptyNetwork) {
  const NetworkRun done = run({.suite = "alone", .pattern = NetworkPattern::Alone});
  EXPECT_EQ(done.result.outcome, Outcome::Pass) << done.result.reason;
  std::map<std::string, std::uint64_t> checks;
  for (const CheckerResult& one : done.result.checkers) checks[one.name] = one.checks;
  EXPECT_EQ(checks["latency"], 576U);
  EXPECT_EQ(checks["scoreboard"], 576U);
  EXPECT_EQ(checks["lockstep"], done.result.cycles * (12 + 60));
  EXPECT_EQ(checks.count("watchdog"), 0U);
  EXPECT_EQ(done.result.users->of_type(0).copies(), 144U);
  EXPECT_EQ(done.result.users->of_qos(0).copies(), 432U);
  EXPECT_EQ(done.result.mean_latency, done.result.users->of_all().mean());
  EXPECT_NEAR(done.result.mean_latency, 5.08, 0.01);
  EXPECT_EQ(done.result.users->packets(), 12U * 12 + 12 * 4 + 12 * 3 + 12);
  EXPECT_EQ(done.result.delivered, 12U * 12 + 12 * 4 * 3 + 12 * 3 * 4 + 12 * 12);
  EXPECT_THAT(done.link_longest_stalls, Each(0U));
}

/// Returns how many bins of a group were hit.
std::uint64_t hits_of(const NetworkRun& run, const std::string& group) {
  for (const NetworkBins& bins : run.coverage->bins()) {
    if (bins.name == group) return bins.hit;
  }
  return ~std::uint64_t{0};
}

TEST(NetworkCollector, CollectsEachGroupOfBins) {
  NetworkCase one{.suite = "a", .name = "a", .cycles = 4000, .multicasts = 0.2, .resets = 6};
  one.checks.watchdog = false;
  const NetworkRun resets = run(one);
  EXPECT_EQ(hits_of(resets, "reset under traffic"), 12U);
  EXPECT_EQ(hits_of(resets, "multicast"), 36U);
  EXPECT_EQ(hits_of(resets, "crosspoint, no failure"), 204U);
  EXPECT_EQ(hits_of(resets, "crosspoint, any network"), 204U);
  EXPECT_EQ(hits_of(resets, "levels meet"), 144U);  // not at X outputs without a detour
  EXPECT_EQ(hits_of(resets, "failed corner"), 0U);
  EXPECT_EQ(hits_of(resets, "back-pressure of 1,000 cycles"), 0U);
  one.resets = 0;
  one.failed = 5;
  const NetworkRun failed = run(one);
  EXPECT_EQ(hits_of(failed, "reset under traffic"), 0U);
  EXPECT_EQ(hits_of(failed, "crosspoint, no failure"), 0U);
  EXPECT_EQ(hits_of(failed, "failed corner"), 6U);  // 3 sources in its row, 2 targets in its column
  one.failed.reset();
  one.back_pressure = {
      .kind = BackPressure::AllStalled, .stall_length = 1200, .stall_interval = 500};
  EXPECT_EQ(hits_of(run(one), "back-pressure of 1,000 cycles"), 24U);
  // A packet at B in every cycle does not count as back-pressure.
  one.back_pressure = {};
  one.multicasts = 0;
  one.kind = topology::find_traffic("booksim.neighbor");
  EXPECT_EQ(hits_of(run(one), "back-pressure of 1,000 cycles"), 0U);
}

TEST(NetworkCollector, CountsPacketsAndStallsOfLinks) {
  NetworkCase one{.suite = "a", .name = "a", .cycles = 3000};
  one.back_pressure = {
      .kind = BackPressure::AllStalled, .stall_length = 200, .stall_interval = 100};
  const NetworkRun done = run(one);
  EXPECT_EQ(done.result.outcome, Outcome::Pass) << done.result.reason;
  const auto longest =
      *std::max_element(done.link_longest_stalls.begin(), done.link_longest_stalls.end());
  EXPECT_GE(longest, 190U);
  EXPECT_LE(longest, 260U);
  EXPECT_GT(sum(done.link_packets), done.result.delivered);
  EXPECT_GT(sum(done.link_stalls), 3000U);
}

}  // namespace
}  // namespace kernbench::sim
