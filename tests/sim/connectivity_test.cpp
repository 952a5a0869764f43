// SPDX-License-Identifier: Apache-2.0
// Discovery finds every link of a correct fabric and reports the errors of a miswired one.
#include "sim/check/connectivity.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "shapes.hpp"
#include "wrapped_dut.hpp"

namespace kernbench::sim {
namespace {

using maze::Payload;
using maze::Shape;
using maze::TopoInputs;
using maze::TopoOutputs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using topology::MazePort;

// Node 0's x[0] and node 1's x[0] are wires to nodes 1 and 2; x[1] has one stage, x[2] two.
constexpr MazePort kSinkA{1, 0};
constexpr MazePort kSinkB{2, 0};

const topology::MazeLinks& links() {
  static const topology::MazeLinks kLinks(k8x8.nx, k8x8.ny);
  return kLinks;
}

/// Returns "kind @node.port: message" for every error that discovery finds in a fabric.
std::vector<std::string> complaints(MazeDut& dut) {
  std::vector<std::string> lines;
  for (const Failure& f : compare_connectivity(discover_connectivity(dut), links())) {
    EXPECT_EQ(f.checker, "connectivity");
    lines.push_back(
        fmt::format("{} @{}.{}: {}", f.kind, f.link.value().node, f.link.value().port, f.message));
  }
  return lines;
}

void swap_bits(maze::BitPlane& plane, const MazePort& a, const MazePort& b) {
  const bool at_a = plane.test(a.port, a.node);
  plane.set(a.port, a.node, plane.test(b.port, b.node));
  plane.set(b.port, b.node, at_a);
}

TEST(Connectivity, FindsAll896LinksOfASoundFabric) {
  ReferenceDut dut(k8x8);
  const std::vector<FoundLink> found = discover_connectivity(dut);
  ASSERT_EQ(found.size(), 896U);
  unsigned stages = 0;
  for (const FoundLink& link : found) {
    const topology::MazeLink& expected = links().leaving(link.source.node, link.source.port);
    EXPECT_THAT(link.targets, ElementsAre(FoundTarget{expected.to, expected.depth}));
    EXPECT_THAT(link.ready_from, ElementsAre(expected.to));
    EXPECT_EQ(link.capacity, 2 * expected.depth);
    stages += link.targets.front().latency;
  }
  EXPECT_EQ(stages, 1152U);
  EXPECT_THAT(compare_connectivity(found, links()), IsEmpty());
}

TEST(Connectivity, FindsTheLinksOfOtherShapesToo) {
  for (const Shape shape : {Shape{2, 2, 1}, Shape{8, 3, 8}, Shape{3, 16, 32}, Shape{16, 2, 8}}) {
    ReferenceDut dut(shape);
    EXPECT_THAT(
        compare_connectivity(discover_connectivity(dut), topology::MazeLinks(shape.nx, shape.ny)),
        IsEmpty())
        << shape.nx << "x" << shape.ny;
  }
}

class SwappedSinks : public WrappedDut {
 public:
  using WrappedDut::WrappedDut;
  void drive(const TopoInputs& inputs) override {
    TopoInputs pins = inputs;
    swap_bits(pins.in_ready, kSinkA, kSinkB);
    WrappedDut::drive(pins);
  }
  void sample(TopoOutputs& outputs) const override {
    WrappedDut::sample(outputs);
    swap_bits(outputs.in_valid, kSinkA, kSinkB);
    std::swap(outputs.in_payload.at(kSinkA.port, kSinkA.node),
              outputs.in_payload.at(kSinkB.port, kSinkB.node));
  }
};

TEST(Connectivity, TwoSwappedSinksAreWrongTargetsOfBothLinks) {
  SwappedSinks dut(k8x8);
  EXPECT_THAT(complaints(dut),
              ElementsAre("wrong_target @0.0: node 0 (y=0,x=0) x[0]: leads to node 2 (y=0,x=2) "
                          "x[0], expected node 1 (y=0,x=1) x[0]",
                          "ready_path @0.0: node 0 (y=0,x=0) x[0]: its ready follows node 2 "
                          "(y=0,x=2) x[0], expected node 1 (y=0,x=1) x[0]",
                          "wrong_target @1.0: node 1 (y=0,x=1) x[0]: leads to node 1 (y=0,x=1) "
                          "x[0], expected node 2 (y=0,x=2) x[0]",
                          "ready_path @1.0: node 1 (y=0,x=1) x[0]: its ready follows node 1 "
                          "(y=0,x=1) x[0], expected node 2 (y=0,x=2) x[0]"));
}

class ExtraSink : public WrappedDut {
 public:
  using WrappedDut::WrappedDut;
  void sample(TopoOutputs& outputs) const override {
    WrappedDut::sample(outputs);
    if (!outputs.in_valid.test(kSinkA.port, kSinkA.node)) return;
    if (outputs.in_valid.test(kSinkB.port, kSinkB.node)) return;
    outputs.in_valid.set(kSinkB.port, kSinkB.node);
    outputs.in_payload.at(kSinkB.port, kSinkB.node) =
        outputs.in_payload.at(kSinkA.port, kSinkA.node);
  }
};

TEST(Connectivity, ACopyAtASecondSinkIsExtra) {
  ExtraSink dut(k8x8);
  EXPECT_THAT(
      complaints(dut),
      ElementsAre("extra @0.0: node 0 (y=0,x=0) x[0]: leads also to node 2 (y=0,x=2) x[0]"));
}

/// Delays the packets that arrive at node 2's x[1], one stage behind node 0, by a cycle.
class LateLink : public WrappedDut {
 public:
  explicit LateLink(const Shape& shape) : WrappedDut(shape), now_(shape) {}
  void settle() override {
    WrappedDut::settle();
    WrappedDut::sample(now_);
  }
  void sample(TopoOutputs& outputs) const override {
    outputs = now_;
    outputs.in_valid.set(1, 2, was_valid_);
    outputs.in_payload.at(1, 2) = was_payload_;
  }
  void clock_edge() override {
    was_valid_ = now_.in_valid.test(1, 2);
    was_payload_ = now_.in_payload.at(1, 2);
    WrappedDut::clock_edge();
  }

 private:
  TopoOutputs now_;
  bool was_valid_ = false;
  Payload was_payload_ = 0;
};

TEST(Connectivity, ALinkThatTakesACycleLongerHasTheWrongDepth) {
  LateLink dut(k8x8);
  EXPECT_THAT(complaints(dut), ElementsAre("wrong_depth @0.1: node 0 (y=0,x=0) x[1]: takes 2 "
                                           "cycles to node 2 (y=0,x=2) x[1], expected 1"));
}

class CutLink : public WrappedDut {
 public:
  using WrappedDut::WrappedDut;
  void sample(TopoOutputs& outputs) const override {
    WrappedDut::sample(outputs);
    outputs.in_valid.set(kSinkA.port, kSinkA.node, false);
  }
};

TEST(Connectivity, ALinkWithoutItsValidIsMissing) {
  CutLink dut(k8x8);
  EXPECT_THAT(complaints(dut), ElementsAre("missing @0.0: node 0 (y=0,x=0) x[0]: leads nowhere, "
                                           "expected node 1 (y=0,x=1) x[0]"));
}

class FlippedBit : public WrappedDut {
 public:
  using WrappedDut::WrappedDut;
  void sample(TopoOutputs& outputs) const override {
    WrappedDut::sample(outputs);
    outputs.in_payload.at(kSinkA.port, kSinkA.node) ^= 0x10;
  }
};

TEST(Connectivity, ALinkThatChangesThePacketHasAWrongPayloadAndIsNotMissing) {
  FlippedBit dut(k8x8);
  EXPECT_THAT(complaints(dut),
              ElementsAre("wrong_payload @0.0: node 0 (y=0,x=0) x[0]: delivers 0x3779a1 to node 1 "
                          "(y=0,x=1) x[0], expected 0x3779b1: bits 0x10 differ"));
}

TEST(Connectivity, ALinkThatTakesNothingIsMissingHoldsNothingAndIsNeverReady) {
  DeadLinkDut dut(k8x8, 5, 8);  // y[1]: one stage
  EXPECT_THAT(complaints(dut),
              ElementsAre("missing @5.8: node 5 (y=0,x=5) y[1]: leads nowhere, expected node 21 "
                          "(y=2,x=5) y[1]",
                          "wrong_capacity @5.8: node 5 (y=0,x=5) y[1]: holds 0 packets while its "
                          "receiver is not ready, expected 2",
                          "ready_path @5.8: node 5 (y=0,x=5) y[1]: its ready follows no input, "
                          "expected node 21 (y=2,x=5) y[1]"));
}

/// Node 0's x[1] (sink: node 2) accepts only one packet while stalled instead of two.
class ShallowLink : public WrappedDut {
 public:
  explicit ShallowLink(const Shape& shape) : WrappedDut(shape), in_(shape), out_(shape) {}
  void set_reset(bool asserted) override {
    if (asserted) held_ = 0;
    WrappedDut::set_reset(asserted);
  }
  void drive(const TopoInputs& inputs) override {
    in_ = inputs;
    if (held_ != 0) in_.out_valid.set(1, 0, false);
    WrappedDut::drive(in_);
  }
  void settle() override {
    WrappedDut::settle();
    WrappedDut::sample(out_);
    if (held_ != 0) out_.out_ready.set(1, 0, false);
  }
  void sample(TopoOutputs& outputs) const override { outputs = out_; }
  void clock_edge() override {
    if (in_.out_valid.test(1, 0) && out_.out_ready.test(1, 0)) ++held_;
    if (out_.in_valid.test(1, 2) && in_.in_ready.test(1, 2)) --held_;
    WrappedDut::clock_edge();
  }

 private:
  TopoInputs in_;
  TopoOutputs out_;
  unsigned held_ = 0;
};

TEST(Connectivity, ALinkThatHoldsTooFewPacketsHasTheWrongCapacity) {
  ShallowLink dut(k8x8);
  EXPECT_THAT(complaints(dut),
              ElementsAre("wrong_capacity @0.1: node 0 (y=0,x=0) x[1]: holds 1 packets while its "
                          "receiver is not ready, expected 2"));
}

class SwappedReadies : public WrappedDut {
 public:
  using WrappedDut::WrappedDut;
  void drive(const TopoInputs& inputs) override {
    TopoInputs pins = inputs;
    swap_bits(pins.in_ready, kSinkA, kSinkB);
    WrappedDut::drive(pins);
  }
};

TEST(Connectivity, ALinkThatFollowsAnothersReadyIsFoundByItsReadyPath) {
  SwappedReadies dut(k8x8);
  EXPECT_THAT(complaints(dut), ElementsAre("ready_path @0.0: node 0 (y=0,x=0) x[0]: its ready "
                                           "follows node 2 (y=0,x=2) x[0], expected node 1 "
                                           "(y=0,x=1) x[0]",
                                           "ready_path @1.0: node 1 (y=0,x=1) x[0]: its ready "
                                           "follows node 1 (y=0,x=1) x[0], expected node 2 "
                                           "(y=0,x=2) x[0]"));
}

}  // namespace
}  // namespace kernbench::sim
