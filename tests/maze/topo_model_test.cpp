// SPDX-License-Identifier: Apache-2.0
#include "maze/topo_model.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace kernbench::maze {
namespace {

constexpr unsigned kNode = 28;  // [3,4] of an 8x8 torus
constexpr unsigned kX3 = 3;     // x[3]: four nodes away, three stages
constexpr unsigned kFar = 24;   // node at the end of x[3]: [3,0]

std::uint64_t bit(unsigned node) {
  return std::uint64_t{1} << node;
}

class TopoModelTest : public testing::Test {
 protected:
  void send(unsigned port, unsigned node, Payload payload) {
    in_.out_valid.set(port, node);
    in_.out_payload.at(port, node) = payload;
  }
  void all_ready() {
    for (unsigned p = 0; p < shape_.ports(); ++p) *in_.in_ready.port(p) = ~std::uint64_t{0};
  }
  void cycle() {
    topo_.clock(in_);
    in_.out_valid.clear();
    topo_.evaluate(in_, out_);
  }

  Shape shape_;
  TopoModel topo_{shape_};
  TopoInputs in_{shape_};
  TopoOutputs out_{shape_};
};

TEST_F(TopoModelTest, HasTheDepthsOfAnEightNodeRing) {
  const std::vector<unsigned> expected{0, 1, 2, 3, 2, 1, 0, 0, 1, 2, 3, 2, 1, 0};
  for (unsigned p = 0; p < shape_.ports(); ++p) EXPECT_EQ(topo_.depth(p), expected[p]);
}

TEST_F(TopoModelTest, DeliversAfterExactlyAsManyCyclesAsTheLinkIsDeep) {
  all_ready();
  send(kX3, kNode, 0x5a5a5a);
  topo_.evaluate(in_, out_);
  ASSERT_TRUE(out_.out_ready.test(kX3, kNode));
  for (unsigned c = 1; c <= 2; ++c) {
    cycle();
    EXPECT_EQ(out_.in_valid, BitPlane(shape_)) << "cycle " << c;
  }
  cycle();
  EXPECT_EQ(*out_.in_valid.port(kX3), bit(kFar));
  EXPECT_EQ(out_.in_payload.at(kX3, kFar), 0x5a5a5aU);
  cycle();
  EXPECT_EQ(out_.in_valid, BitPlane(shape_));
  EXPECT_TRUE(topo_.empty());
}

TEST_F(TopoModelTest, WiresFollowTheirInputsInTheSameCycleInResetToo) {
  topo_.reset();
  send(6, kNode, 0x123456);    // x[6] of [3,4] leads to [3,3]
  in_.in_ready.set(7, kNode);  // y[0] of [3,4] comes from [2,4]
  topo_.evaluate(in_, out_);
  EXPECT_EQ(*out_.in_valid.port(6), bit(27));
  EXPECT_EQ(out_.in_payload.at(6, 27), 0x123456U);
  EXPECT_EQ(*out_.out_ready.port(7), bit(20));
  EXPECT_EQ(*out_.out_ready.port(6), 0U);
  topo_.clock(in_);
  EXPECT_TRUE(topo_.empty());
}

TEST_F(TopoModelTest, MovesOnePacketPerCycleOnEveryLink) {
  all_ready();
  for (unsigned c = 0; c < 40; ++c) {
    for (unsigned p = 0; p < shape_.ports(); ++p) {
      for (unsigned n = 0; n < 64; ++n) send(p, n, 1000 * c + 64 * p + n);
    }
    topo_.evaluate(in_, out_);
    for (unsigned p = 0; p < shape_.ports(); ++p) {
      ASSERT_EQ(*out_.out_ready.port(p), ~std::uint64_t{0}) << "cycle " << c << " port " << p;
      ASSERT_EQ(*out_.in_valid.port(p), c >= topo_.depth(p) ? ~std::uint64_t{0} : 0)
          << "cycle " << c << " port " << p;
    }
    topo_.clock(in_);
  }
  EXPECT_EQ(topo_.stored(), 1152U);  // one packet in every stage
}

TEST_F(TopoModelTest, HoldsTwoPacketsPerStageAndThenTellsTheSenderToWait) {
  for (unsigned c = 0; c < 6; ++c) {
    send(kX3, kNode, c);
    topo_.evaluate(in_, out_);
    ASSERT_TRUE(out_.out_ready.test(kX3, kNode)) << "packet " << c;
    cycle();
  }
  EXPECT_FALSE(out_.out_ready.test(kX3, kNode));
  EXPECT_EQ(topo_.stored(), 6U);
  in_.in_ready.set(kX3, kFar);
  for (unsigned c = 0; c < 6; ++c) {
    topo_.evaluate(in_, out_);
    ASSERT_TRUE(out_.in_valid.test(kX3, kFar));
    EXPECT_EQ(out_.in_payload.at(kX3, kFar), c);
    cycle();
  }
  EXPECT_TRUE(topo_.empty());
}

TEST_F(TopoModelTest, ResetEmptiesEveryStageUnderTraffic) {
  for (unsigned c = 0; c < 10; ++c) {
    for (unsigned p = 0; p < shape_.ports(); ++p) {
      for (unsigned n = 0; n < 64; ++n) send(p, n, c);
    }
    cycle();
  }
  ASSERT_EQ(topo_.stored(), 2304U);
  topo_.reset();
  topo_.evaluate(in_, out_);
  EXPECT_EQ(topo_.stored(), 0U);
  EXPECT_TRUE(topo_.empty());
  EXPECT_EQ(*out_.out_ready.port(kX3), ~std::uint64_t{0});
  EXPECT_EQ(out_.in_valid, BitPlane(shape_));
  EXPECT_EQ(*topo_.pushed(kX3, 0), 0U);
  EXPECT_EQ(*topo_.popped(kX3, 2), 0U);
}

TEST_F(TopoModelTest, ShowsEachStageToCoverageByReceivingNode) {
  send(kX3, kNode, 1);
  cycle();
  EXPECT_EQ(*topo_.pushed(kX3, 0), bit(kFar));
  EXPECT_EQ(*topo_.popped(kX3, 0), 0U);
  EXPECT_EQ(*topo_.one_or_more(kX3, 0), bit(kFar));
  EXPECT_EQ(*topo_.two(kX3, 0), 0U);
  send(kX3, kNode, 2);
  cycle();
  EXPECT_EQ(*topo_.pushed(kX3, 0), bit(kFar));
  EXPECT_EQ(*topo_.popped(kX3, 0), bit(kFar));
  EXPECT_EQ(*topo_.pushed(kX3, 1), bit(kFar));
  for (Payload more = 3; more <= 6; ++more) {
    send(kX3, kNode, more);
    cycle();
  }
  for (unsigned s = 0; s < 3; ++s) EXPECT_EQ(*topo_.two(kX3, s), bit(kFar));
  cycle();
  EXPECT_EQ(*topo_.pushed(kX3, 0), 0U);
}

TEST_F(TopoModelTest, ObserversOfAStageThatDoesNotExistThrow) {
  EXPECT_THROW(static_cast<void>(topo_.two(0, 0)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(topo_.one_or_more(kX3, 3)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(topo_.pushed(14, 0)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(topo_.depth(14)), std::out_of_range);
}

TEST(TopoModelShape, IsRefusedOutsideItsRange) {
  EXPECT_THROW(TopoModel({.nx = 1, .ny = 8}), std::invalid_argument);
  EXPECT_THROW(TopoModel({.nx = 8, .ny = 17}), std::invalid_argument);
  EXPECT_THROW(TopoModel({.flit_w = 0}), std::invalid_argument);
  EXPECT_THROW(TopoModel({.flit_w = 33}), std::invalid_argument);
  try {
    TopoModel({.nx = 8, .ny = 17});
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "a MAZE Topo has 2..16 nodes a side, not 8x17");
  }
}

}  // namespace
}  // namespace kernbench::maze
