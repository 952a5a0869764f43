// SPDX-License-Identifier: Apache-2.0
// The shrinker on conditions made by hand: it ends at the packets, stalls, idle times and resets
// that the failure needs, and at nothing else.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/debug/shrink.hpp"

namespace kernbench::sim {
namespace {

constexpr LinkEnd kSource{0, 1};
constexpr LinkEnd kSink{2, 1};

/// 400 packets, a stall of 30 cycles in every 100, and two resets.
Script long_script() {
  Script script;
  script.cycles = 1000;
  for (std::uint64_t i = 0; i < 400; ++i) script.packets.push_back({2 * i, kSource, 0x1000 + i});
  for (std::uint64_t at = 0; at < 1000; at += 100) {
    script.stalls.push_back({at + 10, at + 40, kSink});
  }
  script.resets = {{.at = 300}, {.at = 700}};
  return script;
}

TEST(Shrink, KeepsTheTwoPacketsThatAFailureNeeds) {
  const auto fails = [](const Script& script) {
    const auto has = [&](maze::Payload packet) {
      return std::any_of(script.packets.begin(), script.packets.end(),
                         [&](const ScriptPacket& one) { return one.packet == packet; });
    };
    return has(0x1000 + 211) && has(0x1000 + 377);
  };
  const ShrunkScript shrunk = shrink(long_script(), fails);
  ASSERT_EQ(shrunk.script.packets.size(), 2U);
  EXPECT_EQ(shrunk.script.packets[0].packet, 0x1000U + 211);
  EXPECT_EQ(shrunk.script.packets[1].packet, 0x1000U + 377);
  EXPECT_TRUE(shrunk.script.stalls.empty());
  EXPECT_TRUE(shrunk.script.resets.empty());
  EXPECT_LE(shrunk.script.cycles, 1U);
  EXPECT_TRUE(shrunk.ended);
}

TEST(Shrink, FindsTheExactLengthOfAStall) {
  const auto fails = [](const Script& script) {
    return std::any_of(script.stalls.begin(), script.stalls.end(),
                       [](const ScriptStall& stall) { return stall.end - stall.first >= 23; });
  };
  const ShrunkScript shrunk = shrink(long_script(), fails);
  EXPECT_TRUE(shrunk.script.packets.empty());
  ASSERT_EQ(shrunk.script.stalls.size(), 1U);
  EXPECT_EQ(shrunk.script.stalls[0].end - shrunk.script.stalls[0].first, 23U);
}

TEST(Shrink, FindsTheExactNumberOfPacketsOfACount) {
  const auto fails = [](const Script& script) { return script.packets.size() >= 37; };
  EXPECT_EQ(shrink(long_script(), fails).script.packets.size(), 37U);
}

TEST(Shrink, FindsTheExactIdleTimeBetweenTwoPackets) {
  const auto fails = [](const Script& script) {
    for (std::size_t i = 1; i < script.packets.size(); ++i) {
      if (script.packets[i].at - script.packets[i - 1].at >= 57) return true;
    }
    return false;
  };
  Script script = long_script();
  script.packets.erase(script.packets.begin() + 100, script.packets.begin() + 160);
  const ShrunkScript shrunk = shrink(script, fails);
  ASSERT_EQ(shrunk.script.packets.size(), 2U);
  EXPECT_EQ(shrunk.script.packets[1].at - shrunk.script.packets[0].at, 57U);
}

TEST(Shrink, KeepsTheCycleOfAFailureAndDropsWhatIsBeforeItInOneTrial) {
  // Fails if a packet is offered in the cycle that the last packet of the whole script has.
  const auto fails = [](const Script& script) {
    return std::any_of(script.packets.begin(), script.packets.end(),
                       [](const ScriptPacket& packet) { return packet.at == 798; });
  };
  Script script = long_script();
  script.cycles = 800;
  ShrinkLimits limits;
  limits.cycles = 2000;  // two trials and a half of the whole script
  const ShrunkScript shrunk = shrink(script, fails, limits);
  EXPECT_EQ(shrunk.script.cycles, 800U);
  EXPECT_LE(shrunk.script.packets.size(), 8U);
  EXPECT_EQ(shrunk.script.packets.back().at, 798U);
}

TEST(Shrink, KeepsAResetThatAFailureNeeds) {
  const auto fails = [](const Script& script) { return !script.resets.empty(); };
  EXPECT_EQ(shrink(long_script(), fails).script.resets.size(), 1U);
}

TEST(Shrink, NumbersThePacketsWhoseBitsDoNotMatter) {
  const auto fails = [](const Script& script) { return script.packets.size() >= 2; };
  ShrinkLimits limits;
  limits.plain = 0xff;
  const Script shrunk = shrink(long_script(), fails, limits).script;
  ASSERT_EQ(shrunk.packets.size(), 2U);
  EXPECT_EQ(shrunk.packets[0].packet & 0xff, 1U);
  EXPECT_EQ(shrunk.packets[1].packet & 0xff, 2U);
}

TEST(Shrink, NeverTakesAScriptThatDoesNotFail) {
  const Script script = long_script();
  const auto only_whole = [&](const Script& tried) { return tried == script; };
  const ShrunkScript shrunk = shrink(script, only_whole);
  EXPECT_EQ(shrunk.script, script);
}

TEST(Shrink, EndsAtItsLimitAndSaysSo) {
  const auto fails = [](const Script& script) { return script.packets.size() >= 37; };
  ShrinkLimits limits;
  limits.trials = 5;
  const ShrunkScript shrunk = shrink(long_script(), fails, limits);
  EXPECT_EQ(shrunk.trials, 5U);
  EXPECT_FALSE(shrunk.ended);
  EXPECT_GE(shrunk.script.packets.size(), 37U);
}

}  // namespace
}  // namespace kernbench::sim
