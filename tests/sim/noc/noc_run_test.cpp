// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_run.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference_noc.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

NocRun run(const NocCase& one, const ZooDevice& network, ReferenceNoc::Tamper tamper = {}) {
  ReferenceNoc dut(network.device->network, std::move(tamper));
  return run_noc_case(one, *network.bins, dut, {});
}

/// Returns the cases that hit all bins of a small network.
std::vector<NocCase> sign_off() {
  std::vector<NocCase> cases;
  cases.push_back({.name = "alone", .alone = true});
  cases.push_back({.name = "overload", .cycles = 6000, .longest = 16});
  cases.push_back({.name = "gaps", .cycles = 6000, .longest = 16, .gaps = 0.5});
  cases.push_back({.name = "single", .cycles = 3000, .longest = 1});
  NocCase slow = {.name = "slow", .cycles = 6000};
  slow.back_pressure = {.kind = BackPressure::Random, .ready_probability = 0.2};
  cases.push_back(slow);
  NocCase stalls = {.name = "stalls", .cycles = 6000};
  stalls.back_pressure = {.kind = BackPressure::LongStalls, .stall_length = 100};
  cases.push_back(stalls);
  cases.push_back({.name = "resets", .cycles = 6000, .resets = 20});
  return cases;
}

TEST(NocRun, PassesAndHitsEveryBinOfASmallNetwork) {
  for (const char* text : {"Mesh2D(3,2)", "BidirectionalTorus1D(4)", "UnidirectionalLine(3)",
                           "BidirectionalTree(1,3)", "CustomTopology(3,0->1,1->2,2->0)"}) {
    const ZooDevice network(text);
    NocHits hits(*network.bins);
    for (const NocCase& one : sign_off()) {
      const NocRun done = run(one, network);
      EXPECT_EQ(done.result.outcome, Outcome::Pass)
          << text << " " << one.name << ": " << done.result.reason;
      EXPECT_GT(done.result.delivered, 5U) << text << " " << one.name;
      hits.merge(*done.coverage);
    }
    std::vector<std::string> missed;
    for (const CoverageGroup& group : summary_of(*network.bins, hits).groups) {
      missed.insert(missed.end(), group.missed.begin(), group.missed.end());
    }
    EXPECT_THAT(missed, IsEmpty()) << text;
  }
}

TEST(NocRun, LetsPacketsOfSeveralLanesOvertake) {
  const ZooDevice network("Mesh2D(3,3)", {.lanes = 2, .slots = 4});
  const NocRun done = run({.name = "lanes", .cycles = 5000}, network);
  EXPECT_EQ(done.result.outcome, Outcome::Pass) << done.result.reason;
}

TEST(NocRun, IsTheSameForEverySeedAndNoOther) {
  const ZooDevice network("Mesh2D(3,2)");
  const auto hash = [&](std::uint64_t seed) {
    return run({.name = "same", .seed = seed, .cycles = 500}, network).result.output_hash;
  };
  EXPECT_EQ(hash(3), hash(3));
  EXPECT_NE(hash(3), hash(4));
}

/// Returns the first failure of a case with one checker on a line of three nodes.
Failure first_failure(bool NocChecks::*checker, ReferenceNoc::Tamper tamper,
                      NocCase one = {.name = "one", .cycles = 300}) {
  static const ZooDevice network("BidirectionalLine(3)");
  one.checks = {false, false, false, false};
  one.checks.*checker = true;
  const NocRun done = run(one, network, std::move(tamper));
  return done.result.failures.empty() ? Failure{} : done.result.failures.front();
}

/// Changes the first flit that link `link` carries from cycle 20 on.
ReferenceNoc::Tamper once(noc::Link link, std::function<void(NocOutputs&, noc::Link)> change) {
  return [link, change = std::move(change), done = std::make_shared<bool>(false)](
             std::uint64_t cycle, NocOutputs& outputs) {
    if (*done || cycle < 20 || outputs.valid[link] == 0) return;
    *done = true;
    change(outputs, link);
  };
}

// Links of the line: 0->1, 1->0, 1->2, 2->1, then the local ones of its nodes.
constexpr noc::Link kChannel = 2;
constexpr noc::Link kLocal = 4 + 1;

void corrupt(NocOutputs& outputs, noc::Link link) {
  outputs.flit[link] ^= noc::Flit{1} << 40U;
}
void drop(NocOutputs& outputs, noc::Link link) {
  outputs.valid[link] = 0;
}

TEST(NocLockstep, SeesEverySignalOfALink) {
  const Failure flit = first_failure(&NocChecks::lockstep, once(kChannel, corrupt));
  EXPECT_EQ(flit.checker + " " + flit.kind, "lockstep flit");
  EXPECT_THAT(flit.message, testing::MatchesRegex(
                                "1->2: vc 0, 0x[0-9a-f]+, the reference has vc 0, 0x[0-9a-f]+"));
  const Failure valid = first_failure(&NocChecks::lockstep, once(kChannel, drop));
  EXPECT_EQ(valid.kind, "valid");
  EXPECT_THAT(valid.message, HasSubstr("1->2: no flit, the reference has vc 0, 0x"));
  const Failure credit = first_failure(
      &NocChecks::lockstep,
      once(kChannel, [](NocOutputs& outputs, noc::Link link) { outputs.credit[link] ^= 1U; }));
  EXPECT_EQ(credit.kind, "credit");
  EXPECT_THAT(credit.message,
              testing::MatchesRegex("1->2: credits 0b[01], the reference has 0b[01]"));
}

TEST(NocLockstep, SeesANetworkThatReturnsTooManyCredits) {
  const ReferenceNoc::Tamper generous = [](std::uint64_t cycle, NocOutputs& outputs) {
    if (cycle > 10) outputs.credit[kLocal] = 1;
  };
  const ZooDevice network("BidirectionalLine(3)");
  NocCase one = {.name = "generous", .cycles = 300, .after_failure = 100};
  one.checks = {true, false, false, false};
  // The reference in place of a model has no slot either, so that it drops what arrives too much.
  ReferenceNoc dut(network.device->network, generous);
  dut.drop_overflows();
  const NocRun done = run_noc_case(one, *network.bins, dut, {});
  const auto overflow =
      std::find_if(done.result.failures.begin(), done.result.failures.end(),
                   [](const Failure& failure) { return failure.kind == "overflow"; });
  ASSERT_NE(overflow, done.result.failures.end());
  EXPECT_EQ(overflow->message,
            "a flit arrived at input 2 of node 1 without a credit: the network has returned more "
            "credits than the reference");
}

TEST(NocScoreboard, SeesWhatIsWrongWithADelivery) {
  const auto failure = [](std::function<void(NocOutputs&, noc::Link)> change, NocCase one) {
    return first_failure(&NocChecks::scoreboard, once(kLocal, std::move(change)), std::move(one));
  };
  const NocCase single = {.name = "single", .cycles = 300, .longest = 1};
  const NocCase several = {.name = "several", .cycles = 300, .shortest = 4};
  EXPECT_THAT(failure(corrupt, single).message, HasSubstr("no such packet is under way"));
  EXPECT_THAT(failure(drop, single).message, HasSubstr("a packet that was sent before it, 0x"));
  EXPECT_THAT(failure([](NocOutputs& outputs, noc::Link link) { outputs.flit[link] ^= 1U; }, single)
                  .message,
              HasSubstr("its destination is node 0"));
  EXPECT_EQ(failure(drop, several).kind, "delivery");
  // The last packet of a source is missed at the end.
  const NocCase last = {.name = "last", .cycles = 21, .load = 0.2, .longest = 1};
  ReferenceNoc::Tamper none_arrive = [](std::uint64_t, NocOutputs& outputs) {
    for (noc::Link link = 4; link < 7; ++link) outputs.valid[link] = 0;
  };
  EXPECT_THAT(
      first_failure(&NocChecks::scoreboard, none_arrive, last).message,
      testing::MatchesRegex("node [0-2] to node [0-2]: the packet 0x[0-9a-f]+, sent on vc 0 "
                            "in cycle [0-9]+, has not arrived"));
}

TEST(NocScoreboard, KnowsTheExactTimeOfAPacketAlone) {
  // Each flit at port B of node 1 shows a cycle late.
  auto held = std::make_shared<NocOutputs>(7);
  const ReferenceNoc::Tamper late = [held](std::uint64_t, NocOutputs& outputs) {
    std::swap(held->valid[kLocal], outputs.valid[kLocal]);
    std::swap(held->flit[kLocal], outputs.flit[kLocal]);
  };
  const Failure failure = first_failure(&NocChecks::scoreboard, late, {.name = "a", .alone = true});
  EXPECT_EQ(failure.kind, "latency");
  EXPECT_EQ(failure.message, "node 0 to node 1: 1 flits took 7 cycles, not 6");
}

TEST(NocRules, SeeFlitsAndCreditsThatNoLinkMayCarry) {
  const auto credit = [](NocOutputs& outputs, noc::Link link) { outputs.credit[link] = 1; };
  NocCase idle = {.name = "idle", .cycles = 300, .load = 0.02, .longest = 1};
  EXPECT_THAT(
      first_failure(&NocChecks::rules, once(kChannel, credit), idle).message,
      testing::AnyOf(HasSubstr("a credit for vc 0, whose slots are all free"), testing::IsEmpty()));
  const ReferenceNoc::Tamper free_credit = [](std::uint64_t cycle, NocOutputs& outputs) {
    if (cycle == 10) outputs.credit[kChannel] = 1;
  };
  const Failure extra = first_failure(&NocChecks::rules, free_credit, idle);
  EXPECT_EQ(extra.kind, "credit");
  EXPECT_EQ(extra.message, "1->2: a credit for vc 0, whose slots are all free");
  const ReferenceNoc::Tamper no_credits = [](std::uint64_t, NocOutputs& outputs) {
    outputs.credit[kChannel] = 0;
  };
  const Failure without = first_failure(&NocChecks::rules, no_credits);
  EXPECT_EQ(without.kind, "no_credit");
  EXPECT_THAT(without.message, HasSubstr("all 4 slots of the receiver are taken"));
  const auto no_tail = [](NocOutputs& outputs, noc::Link link) {
    outputs.flit[link] &= ~(noc::Flit{1} << 62U);
  };
  const NocCase single = {.name = "single", .cycles = 300, .longest = 1};
  const Failure stream = first_failure(&NocChecks::rules, once(kChannel, no_tail), single);
  EXPECT_EQ(stream.kind, "stream");
  EXPECT_THAT(stream.message, HasSubstr("the packet before has no tail yet"));
}

TEST(NocWatchdog, NamesTheCircleOfADeadlock) {
  const ZooDevice ring("UnidirectionalTorus1D(4)", {.slots = 2}, 1, /*may_deadlock=*/true);
  const NocCase one = {.name = "ring", .cycles = 20'000, .longest = 8, .watchdog_cycles = 500};
  const NocRun done = run(one, ring);
  EXPECT_EQ(done.result.outcome, Outcome::Deadlock);
  EXPECT_THAT(
      done.result.reason,
      testing::MatchesRegex("no flit has moved for 500 cycles, and [0-9]+ are inside; these "
                            "virtual channels wait for each other: .*"));
  EXPECT_THAT(done.result.reason,
              HasSubstr("0->1 vc 0, 1->2 vc 0, 2->3 vc 0, 3->0 vc 0, back to 0->1 vc 0"));
}

TEST(NocWatchdog, SeesANetworkThatStandsStillWithoutACircle) {
  const ZooDevice line("BidirectionalLine(3)");
  const NocCase one = {.name = "line",
                       .cycles = 2000,
                       .watchdog_cycles = 100,
                       .checks = {false, false, false, true}};
  const NocRun done = run(one, line, [](std::uint64_t cycle, NocOutputs& outputs) {
    if (cycle < 50) return;
    outputs = NocOutputs(outputs.valid.size());
  });
  EXPECT_THAT(done.result.reason, HasSubstr("no flit has moved for 100 cycles, and "));
}

TEST(NocBins, LeaveOutWhatTheRoutesNeverUse) {
  // Packets go along X first: none turns from Y into X.
  const ZooDevice mesh("Mesh2D(3,3)");
  const noc::Network& network = mesh.device->network;
  std::size_t turns = 0;
  for (std::uint32_t in = 0; in + 1 < network.inputs(4); ++in) {
    for (std::uint32_t out = 0; out + 1 < network.outputs(4); ++out) {
      const auto& from = network.channels()[network.incoming(4)[in]];
      const auto& to = network.channels()[network.outgoing(4)[out]];
      const bool was_along_y = from.src % 3 == 1;
      const bool is_along_x = to.dst % 3 != 1;
      const bool is_bin = mesh.bins->find(NocBin::Crosspoint, 4, in, out) != NocBins::kNone;
      if (was_along_y && is_along_x) {
        EXPECT_FALSE(is_bin) << in << " " << out;
        ++turns;
      }
    }
  }
  EXPECT_EQ(turns, 4U);
  EXPECT_EQ(mesh.bins->name(NocBin::Crosspoint, 0),
            "node 0: input 2 vc 0 never sent by output 2 vc 0");
}

TEST(NocRun, RefusesTheModelOfAnotherNetwork) {
  const ZooDevice line("BidirectionalLine(3)");
  ReferenceNoc dut(line.device->network);
  const ZooDevice other("BidirectionalLine(4)");
  try {
    require_network(dut, other.device->network, "m.so");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("m.so: the model has 3 nodes, 4 channels, 1 virtual channels and flits of "
                  "64 bits; the network has 4, 6, 1 and 64"));
  }
}

}  // namespace
}  // namespace kernbench::sim
