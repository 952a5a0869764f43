// SPDX-License-Identifier: Apache-2.0
// The shrinker on conditions made by hand: it ends at the packets, stalls, idle times and resets
// that the failure needs, and at nothing else.
#include <gtest/gtest.h>

#include <algorithm>

#include "maze/packet_layout.hpp"
#include "sim/debug/shrink.hpp"
#include "topology/maze_links.hpp"

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

/// A packet and a stall on the link [0,0].x[3] -> [0,4].x[3] of an 8x2 TOPO.
MovedScript on_a_link() {
  MovedScript one;
  one.unit = {Unit::Kind::Link, {0, 3}};
  one.script.cycles = 9;
  one.script.packets = {{2, {0, 3}, 0x12}};
  one.script.stalls = {{3, 5, {4, 3}}};
  return one;
}

TEST(MovedScripts, KeepDistancesOrLeaveOutColumns) {
  const MovedScript one = on_a_link();
  const auto moved = moved_scripts(one.script, one.unit, {8, 2, 8}, {5, 2, 8}, false);
  ASSERT_EQ(moved.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const LinkEnd from = moved[i].script.packets.at(0).from;
    const LinkEnd to = moved[i].script.stalls.at(0).to;
    EXPECT_EQ(from, (LinkEnd{0, i == 0 ? 3U : 0U}));
    EXPECT_EQ(moved[i].unit.at, from);
    const topology::MazePort end = topology::MazeLinks(5, 2).leaving(from.node, from.port).to;
    EXPECT_EQ(to, (LinkEnd{end.node, end.port}));
    EXPECT_EQ(end.node, i == 0 ? 4U : 1U);
    EXPECT_EQ(moved[i].script.packets[0].at, 2U);
    EXPECT_EQ(moved[i].script.packets[0].packet, 0x12U);
    EXPECT_EQ(moved[i].script.cycles, 9U);
  }
  EXPECT_EQ(moved_scripts(one.script, one.unit, {8, 2, 8}, {4, 2, 8}, false).size(), 1U);
}

TEST(MovedScripts, AreNoneIfTheNodesDoNotFit) {
  MovedScript one = on_a_link();
  one.script.packets.push_back({4, {2, 0}, 1});  // [0,2] -> [0,3]
  EXPECT_TRUE(moved_scripts(one.script, one.unit, {8, 2, 8}, {3, 2, 8}, false).empty());
  EXPECT_EQ(moved_scripts(one.script, one.unit, {8, 2, 8}, {4, 2, 8}, false).size(), 1U);
}

TEST(MovedScripts, AimThePacketsOfANetworkAtTheMovedNodes) {
  const maze::Shape large{8, 8, 8};
  const maze::Shape small{2, 2, 8};
  const maze::PacketLayout layout(large);
  const maze::PacketLayout small_layout(small);
  Script script;
  script.cycles = 3;
  // From [2,3] to [7,5].
  script.packets = {
      {0, {19, 0}, layout.encode({0, 1, layout.address(19), layout.address(61), 0x5a})}};
  script.stalls = {{0, 2, {61, 0}}};
  const auto moved = moved_scripts(script, {Unit::Kind::Node, {61, 0}}, large, small, true);
  ASSERT_EQ(moved.size(), 1U);
  const ScriptPacket& packet = moved[0].script.packets.at(0);
  EXPECT_EQ(packet.from, (LinkEnd{0, 0}));
  EXPECT_EQ(packet.packet,
            small_layout.encode({0, 1, small_layout.address(0), small_layout.address(3), 0x5a}));
  EXPECT_EQ(moved[0].script.stalls.at(0).to, (LinkEnd{3, 0}));
  EXPECT_EQ(moved[0].unit, (Unit{Unit::Kind::Node, {3, 0}}));
}

}  // namespace
}  // namespace kernbench::sim
