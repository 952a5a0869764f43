// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/irs_lockstep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl/irs_traffic.hpp"

namespace kernbench::tests {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::uint64_t kCycles = 10000;

void run(IrsLockstep& lockstep, const IrsTrafficSpec& spec, std::uint64_t cycles) {
  IrsTraffic traffic(spec, lockstep.instances());
  std::vector<bool> taken(lockstep.instances().size());
  for (std::uint64_t c = 0; c < cycles; ++c) taken = lockstep.step(traffic.next(taken));
}

void expect_all_delivered(const IrsLockstep& lockstep, std::uint64_t at_least) {
  for (std::size_t i = 0; i < lockstep.instances().size(); ++i) {
    EXPECT_GE(lockstep.delivered(i), at_least) << lockstep.instances()[i].name;
  }
}

std::vector<IrsTrafficSpec> traffic_specs() {
  using enum ReadyPattern;
  return {
      {.name = "BackToBackWithoutStalls"},
      {.name = "RarePacketsWithoutStalls", .valid = 0.1},
      {.name = "HalfLoadHalfReady", .valid = 0.5, .ready = 0.5},
      {.name = "HalfLoadHalfReadyOtherSeed", .valid = 0.5, .ready = 0.5, .seed = 2},
      {.name = "BackToBackMostlyReady", .valid = 1.0, .ready = 0.9},
      {.name = "BackToBackRarelyReady", .valid = 1.0, .ready = 0.1},
      {.name = "RarePacketsRarelyReady", .valid = 0.1, .ready = 0.1},
      {.name = "MostlyPacketsMostlyReady", .valid = 0.8, .ready = 0.8, .seed = 3},
      {.name = "BackToBackPeriodicReady", .pattern = kPeriodic},
      {.name = "RandomPacketsPeriodicReady", .valid = 0.6, .pattern = kPeriodic},
      {.name = "BackToBackLongStalls", .pattern = kStalls},
      {.name = "RandomPacketsLongStalls", .valid = 0.3, .pattern = kStalls},
      {.name = "AllStalledThenReleased", .pattern = kReleased},
      {.name = "RandomPacketsAllStalledThenReleased", .valid = 0.5, .pattern = kReleased},
      {.name = "SendersThatChangeTheirMind", .valid = 0.6, .ready = 0.5, .fickle = true},
  };
}

class IrsLockstepTraffic : public ::testing::TestWithParam<IrsTrafficSpec> {};

TEST_P(IrsLockstepTraffic, EveryInstanceEqualsTheModelInEveryCycle) {
  IrsLockstep lockstep(GetParam().seed);
  run(lockstep, GetParam(), kCycles);
  EXPECT_THAT(lockstep.mismatches(), IsEmpty());
  EXPECT_EQ(lockstep.cycles(), kCycles);
  // The minimum: no ready, a packet in one cycle of ten, accepted in one of ten.
  expect_all_delivered(lockstep, 50);
}

INSTANTIATE_TEST_SUITE_P(, IrsLockstepTraffic, ::testing::ValuesIn(traffic_specs()),
                         [](const auto& param) { return param.param.name; });

TEST(IrsLockstep, SeesEveryOccupancyTransitionOfEveryStage) {
  IrsLockstep lockstep;
  for (const IrsTrafficSpec& spec : traffic_specs()) run(lockstep, spec, 1000);
  EXPECT_THAT(lockstep.mismatches(), IsEmpty());
  EXPECT_THAT(lockstep.unseen_transitions(), IsEmpty());
}

TEST(IrsLockstep, ReportsTransitionsThatItDidNotSee) {
  IrsLockstep lockstep;
  EXPECT_THAT(lockstep.unseen_transitions(),
              Contains("IRS_N 23 bits, depth 3, flags 001 (IRS_LP), stage 2, 2 held, pop"));
  run(lockstep, {.name = "unstalled"}, kCycles);
  const std::vector<std::string> unseen = lockstep.unseen_transitions();
  // Without stalls no packet ever waits in the skid entry ...
  EXPECT_THAT(unseen, Contains("IRS_N 23 bits, depth 3, flags 001 (IRS_LP), stage 2, 2 held, pop"));
  // ... but packets pass.
  EXPECT_THAT(unseen, Not(Contains(HasSubstr("flags 001 (IRS_LP), stage 2, 1 held, both"))));
}

TEST(IrsLockstep, EqualsTheModelAcrossResetsBetweenEdgesAndOverEdges) {
  IrsLockstep lockstep;
  const std::vector<IrsInputs> idle(lockstep.instances().size());
  common::Rng random = common::Rng::stream(1, "resets");
  for (unsigned round = 0; round < 150; ++round) {
    run(lockstep,
        {.name = "traffic", .valid = 0.8, .ready = round % 3 == 0 ? 0.2 : 0.7, .seed = round},
        10 + random.below(40));
    // The clock is high here, just after a rising edge. Senders hold valid low during a reset.
    lockstep.set_reset(true);
    for (std::uint64_t edges = random.below(3); edges > 0; --edges) lockstep.step(idle);
    lockstep.set_reset(false);
  }
  EXPECT_THAT(lockstep.mismatches(), IsEmpty());
  EXPECT_GT(lockstep.cycles(), 4000U);
  expect_all_delivered(lockstep, 100);
}

TEST(IrsLockstep, ResetEmptiesWhateverThePowerOnStateWas) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    IrsLockstep lockstep(seed);
    run(lockstep, {.name = "after power-on", .valid = 0.5, .ready = 0.5, .seed = seed}, 200);
    EXPECT_THAT(lockstep.mismatches(), IsEmpty()) << "power-on seed " << seed;
  }
}

TEST(IrsLockstep, BenchesInOneProcessDoNotDisturbEachOther) {
  IrsLockstep first(1);
  IrsLockstep second(2);
  const IrsTrafficSpec busy{.name = "busy", .ready = 0.5};
  const IrsTrafficSpec quiet{.name = "quiet", .valid = 0.2, .ready = 0.5};
  IrsTraffic first_traffic(busy, first.instances());
  IrsTraffic second_traffic(quiet, second.instances());
  std::vector<bool> first_taken(first.instances().size());
  std::vector<bool> second_taken(second.instances().size());
  for (std::uint64_t c = 0; c < kCycles; ++c) {
    first_taken = first.step(first_traffic.next(first_taken));
    second_taken = second.step(second_traffic.next(second_taken));
    if (c == kCycles / 2) {
      second.set_reset(true);
      second.set_reset(false);
    }
  }
  EXPECT_THAT(first.mismatches(), IsEmpty());
  EXPECT_THAT(second.mismatches(), IsEmpty());
}

// The comparison itself detects a single fault in one cycle of one instance.

constexpr std::size_t kVictim = 3 * 8 + 1;  // IRS_N 23 bits, depth 3, IRS_LP, RO_EN 1

/// Runs unstalled traffic for 101 cycles and applies `fault` to the victim in cycle 100.
template <typename Fault>
std::vector<std::string> mismatches_with(const Fault& fault) {
  IrsLockstep lockstep;
  run(lockstep, {.name = "traffic"}, 100);
  EXPECT_THAT(lockstep.mismatches(), IsEmpty());
  lockstep.set_tamper([&](std::size_t instance, IrsOutputs& observed) {
    if (instance == kVictim) fault(observed);
  });
  // The clock is high, then low: two comparisons. Then the accounting.
  lockstep.step(std::vector<IrsInputs>(lockstep.instances().size(), IrsInputs{.ready_i = true}));
  lockstep.set_tamper({});
  return lockstep.mismatches();
}

constexpr const char* kWhere = "cycle 100, IRS_N 23 bits, depth 3, flags 001 (IRS_LP): ";

TEST(IrsLockstep, ReportsAFlippedPayloadBit) {
  const auto found = mismatches_with([](IrsOutputs& observed) { observed.payload_o ^= 1; });
  ASSERT_EQ(found.size(), 3U);
  EXPECT_THAT(found[0], ::testing::StartsWith(std::string(kWhere) + "payload_o is 0x"));
  EXPECT_THAT(found[1], ::testing::StartsWith(std::string(kWhere) + "payload_o is 0x"));
  EXPECT_THAT(found[2], ::testing::StartsWith(std::string(kWhere) + "delivered 0x"));
}

TEST(IrsLockstep, ReportsAValidThatIsMissing) {
  const std::string text = std::string(kWhere) + "valid_o is 0, expected 1";
  EXPECT_THAT(mismatches_with([](IrsOutputs& observed) { observed.valid_o = false; }),
              ElementsAre(text, text));
}

TEST(IrsLockstep, ReportsAReadyThatIsMissing) {
  const std::string text = std::string(kWhere) + "ready_o is 0, expected 1";
  EXPECT_THAT(mismatches_with([](IrsOutputs& observed) { observed.ready_o = false; }),
              ElementsAre(text, text));
}

TEST(IrsLockstep, ReportsADuplicatedPacketAndOneTooManyInside) {
  IrsLockstep lockstep;
  const std::vector<IrsInputs> idle(lockstep.instances().size(), IrsInputs{.ready_i = true});
  const std::vector<IrsInputs> stalled(lockstep.instances().size(), IrsInputs{.valid_i = true});
  lockstep.set_tamper([](std::size_t instance, IrsOutputs& observed) {
    if (instance == kVictim) observed.valid_o = true;
  });
  lockstep.step(idle);
  EXPECT_THAT(lockstep.mismatches(), Contains(HasSubstr("delivered a packet that was never sent")));

  lockstep.set_tamper([](std::size_t instance, IrsOutputs& observed) {
    if (instance == kVictim) observed.ready_o = true;
  });
  for (unsigned c = 0; c < 7; ++c) lockstep.step(stalled);
  EXPECT_THAT(lockstep.mismatches(), Contains(HasSubstr("7 packets inside, more than fit")));
}

}  // namespace
}  // namespace kernbench::tests
