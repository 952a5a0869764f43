// SPDX-License-Identifier: Apache-2.0
#include "maze/irs_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <stdexcept>
#include <vector>

namespace kernbench::maze {
namespace {

constexpr IrsInputs send(Payload payload, bool ready) {
  return {true, payload, ready};
}
constexpr IrsInputs idle(bool ready) {
  return {false, 0, ready};
}

/// Returns the cycles, counted from that of the first packet, in which packets are delivered, with
/// sender and receiver always ready. Checks that packets arrive in order.
std::vector<unsigned> delivery_cycles(IrsModel& irs, unsigned cycles) {
  std::vector<unsigned> delivered;
  Payload next = 1;
  Payload expected = 1;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    const IrsInputs in = send(next, true);
    const IrsOutputs out = irs.evaluate(in);
    if (out.valid_o) {
      EXPECT_EQ(out.payload_o, expected++);
      delivered.push_back(cycle);
    }
    irs.clock(in);
    if (out.ready_o) ++next;
  }
  return delivered;
}

/// Returns the packets accepted from an always valid sender while the receiver is never ready.
unsigned accepted_while_stalled(IrsModel& irs) {
  unsigned accepted = 0;
  for (Payload cycle = 0; cycle < 64; ++cycle) {
    const IrsInputs in = send(cycle, false);
    if (irs.evaluate(in).ready_o) ++accepted;
    irs.clock(in);
  }
  return accepted;
}

class IrsOfDepth : public testing::TestWithParam<unsigned> {
 protected:
  unsigned depth_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Depths, IrsOfDepth, testing::Range(1U, 8U));

TEST_P(IrsOfDepth, SkidAddsItsDepthInCyclesAndMovesOnePacketPerCycle) {
  IrsModel irs({.depth = depth_});
  const std::vector<unsigned> cycles = delivery_cycles(irs, depth_ + 20);
  ASSERT_EQ(cycles.size(), 20U);
  for (unsigned i = 0; i < cycles.size(); ++i) EXPECT_EQ(cycles[i], depth_ + i);
}

TEST_P(IrsOfDepth, SkidHoldsTwoPacketsPerStageAndDeliversThemInOrder) {
  IrsModel irs({.depth = depth_});
  EXPECT_EQ(accepted_while_stalled(irs), 2 * depth_);
  EXPECT_EQ(irs.stored(), 2 * depth_);
  for (unsigned s = 0; s < depth_; ++s) EXPECT_EQ(irs.occupancy(s), 2U);
  std::vector<Payload> order;
  for (unsigned cycle = 0; cycle < 4 * depth_; ++cycle) {
    const IrsOutputs out = irs.evaluate(idle(true));
    if (out.valid_o) order.push_back(out.payload_o);
    irs.clock(idle(true));
  }
  EXPECT_EQ(irs.stored(), 0U);
  ASSERT_EQ(order.size(), 2 * depth_);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_P(IrsOfDepth, HalfMovesOnePacketEveryTwoCyclesAndHoldsOnePerStage) {
  IrsModel irs({.depth = depth_, .half = true});
  const std::vector<unsigned> cycles = delivery_cycles(irs, depth_ + 10);
  ASSERT_EQ(cycles.size(), 5U);
  for (unsigned i = 0; i < cycles.size(); ++i) EXPECT_EQ(cycles[i], depth_ + 2 * i);
  irs.reset();
  EXPECT_EQ(accepted_while_stalled(irs), depth_);
}

TEST_P(IrsOfDepth, WithoutReadyIsADelayLineThatLosesWhatNobodyTakes) {
  IrsModel irs({.depth = depth_, .no_ready = true});
  // Valid in cycles 0, 1 and 3; the receiver is never ready.
  for (unsigned cycle = 0; cycle < depth_ + 6; ++cycle) {
    const bool valid = cycle == 0 || cycle == 1 || cycle == 3;
    const IrsInputs in{valid, 100 + cycle, false};
    const IrsOutputs out = irs.evaluate(in);
    EXPECT_TRUE(out.ready_o);
    const unsigned sent = cycle - depth_;
    ASSERT_EQ(out.valid_o, cycle >= depth_ && (sent == 0 || sent == 1 || sent == 3)) << cycle;
    if (out.valid_o) {
      EXPECT_EQ(out.payload_o, 100 + sent);
    }
    irs.clock(in);
  }
}

TEST_P(IrsOfDepth, NoReadyWinsOverHalf) {
  IrsModel irs({.depth = depth_, .no_ready = true, .half = true});
  EXPECT_EQ(accepted_while_stalled(irs), 64U);
}

TEST_P(IrsOfDepth, ResetEmptiesEveryStageUnderTraffic) {
  for (const IrsParams& kind :
       {IrsParams{}, IrsParams{.half = true}, IrsParams{.no_ready = true}}) {
    IrsParams params = kind;
    params.depth = depth_;
    IrsModel irs(params);
    static_cast<void>(accepted_while_stalled(irs));
    ASSERT_GT(irs.stored(), 0U);
    irs.reset();
    EXPECT_EQ(irs.stored(), 0U);
    EXPECT_FALSE(irs.evaluate(idle(true)).valid_o);
    EXPECT_TRUE(irs.evaluate(idle(false)).ready_o);
    EXPECT_EQ(delivery_cycles(irs, depth_ + 1), std::vector<unsigned>{depth_});
  }
}

TEST_P(IrsOfDepth, SkidIsTheSameWithAndWithoutRoEn) {
  IrsModel plain({.depth = depth_});
  IrsModel read_only({.depth = depth_, .ro_en = true});
  std::mt19937_64 random(depth_);
  for (unsigned cycle = 0; cycle < 2000; ++cycle) {
    const std::uint64_t bits = random();
    const IrsInputs in{(bits & 1) != 0, bits >> 2, (bits & 2) != 0};
    const IrsOutputs a = plain.evaluate(in);
    const IrsOutputs b = read_only.evaluate(in);
    ASSERT_EQ(a.ready_o, b.ready_o);
    ASSERT_EQ(a.valid_o, b.valid_o);
    ASSERT_EQ(a.payload_o, b.payload_o);
    plain.clock(in);
    read_only.clock(in);
  }
}

/// Random stalls on both sides: no packet is lost, duplicated or reordered, and a stalled output is
/// stable.
TEST_P(IrsOfDepth, KeepsTheHandshakeContractUnderRandomStalls) {
  for (const bool half : {false, true}) {
    IrsModel irs({.depth = depth_, .half = half});
    std::mt19937_64 random(7 * depth_ + (half ? 1 : 0));
    std::deque<Payload> in_flight;
    bool stalled = false;
    Payload held = 0;
    unsigned delivered = 0;
    for (Payload cycle = 0; cycle < 5000; ++cycle) {
      const std::uint64_t bits = random();
      const IrsInputs in{(bits & 1) != 0, cycle, (bits & 2) != 0};
      const IrsOutputs out = irs.evaluate(in);
      ASSERT_EQ(irs.stored(), in_flight.size());
      if (stalled) {
        ASSERT_TRUE(out.valid_o);
        ASSERT_EQ(out.payload_o, held);
      }
      stalled = out.valid_o && !in.ready_i;
      held = out.payload_o;
      if (out.valid_o && in.ready_i) {
        ASSERT_FALSE(in_flight.empty());
        ASSERT_EQ(out.payload_o, in_flight.front());
        in_flight.pop_front();
        ++delivered;
      }
      if (in.valid_i && out.ready_o) in_flight.push_back(cycle);
      irs.clock(in);
    }
    EXPECT_GT(delivered, 1000U);
  }
}

TEST(IrsModel, DepthZeroIsAWireWhateverTheKindAndInResetToo) {
  for (const bool no_ready : {false, true}) {
    for (const bool half : {false, true}) {
      IrsModel irs({.depth = 0, .no_ready = no_ready, .half = half});
      irs.reset();
      for (const bool valid : {false, true}) {
        for (const bool ready : {false, true}) {
          const IrsOutputs out = irs.evaluate({valid, 0x7abcde, ready});
          EXPECT_EQ(out.valid_o, valid);
          EXPECT_EQ(out.ready_o, ready);
          EXPECT_EQ(out.payload_o, 0x7abcdeU);
        }
      }
    }
  }
}

TEST(IrsModel, SkidReadyAndValidDoNotFollowTheInputsOfTheSameCycle) {
  IrsModel irs({.depth = 1});
  irs.clock(send(1, false));
  irs.clock(send(2, false));  // full
  EXPECT_FALSE(irs.evaluate(send(3, true)).ready_o);
  irs.clock(send(3, true));  // rejects 3 although 1 leaves
  EXPECT_EQ(irs.stored(), 1U);
  EXPECT_EQ(irs.evaluate(idle(true)).payload_o, 2U);
  EXPECT_TRUE(irs.evaluate(idle(false)).ready_o);
}

TEST(IrsModel, AStageThatDoesNotExistIsRefused) {
  const IrsModel irs({.depth = 2});
  EXPECT_THROW(static_cast<void>(irs.occupancy(2)), std::out_of_range);
}

}  // namespace
}  // namespace kernbench::maze
