// SPDX-License-Identifier: Apache-2.0
// A pin-trace on sound and on broken fabrics: each failure in the cycle computed by hand.
#include <gtest/gtest.h>

#include "reference_network.hpp"
#include "sim/check/irs_lockstep.hpp"
#include "sim/replay/pin_replay.hpp"
#include "wrapped_dut.hpp"

namespace kernbench::sim {
namespace {

// Link x[3] of the 8x2 torus has three stages: output 3 of node 0 leads to input 3 of node 4.
constexpr maze::Shape k8x2{8, 2, 8};
constexpr PinPort kSource{0, 3};
constexpr PinPort kSink{4, 3};

/// A reset, then two packets in a row to a receiver that is ready from cycle 6 on.
PinTrace two_packets() {
  PinTrace trace;
  trace.shape = k8x2;
  trace.receivers = {kSink};
  trace.cycles.push_back({true, {}, {true}});
  trace.cycles.push_back({false, {{kSource, 0x13}}, {false}});
  trace.cycles.push_back({false, {{kSource, 0x17}}, {false}});
  for (int cycle = 3; cycle < 9; ++cycle) trace.cycles.push_back({false, {}, {cycle >= 6}});
  return trace;
}

/// Changes a bit of one packet on its way out.
class FlippedPacketDut : public WrappedDut {
 public:
  explicit FlippedPacketDut(maze::Payload packet) : WrappedDut(k8x2), packet_(packet) {}
  void sample(maze::TopoOutputs& outputs) const override {
    WrappedDut::sample(outputs);
    maze::Payload& payload = outputs.in_payload.at(kSink.port, kSink.node);
    if (payload == packet_) payload ^= 2;
  }

 private:
  maze::Payload packet_;
};

TEST(PinReplay, OfASoundFabricHasNoFailure) {
  ReferenceDut dut(k8x2);
  const PinRun run = replay_pins(two_packets(), dut, {});
  EXPECT_FALSE(run.failure);
  EXPECT_EQ(run.cycles, 9U);
  EXPECT_EQ(run.checks, 9U * k8x2.links());
}

TEST(PinReplay, FailsInTheCycleInWhichAPacketShowsItsError) {
  // The first packet is offered at the receiver three cycles after cycle 1.
  FlippedPacketDut first(0x13);
  const PinRun early = replay_pins(two_packets(), first, {});
  ASSERT_TRUE(early.failure);
  EXPECT_EQ(early.failure->cycle, 4U);
  EXPECT_EQ(early.failure->checker, "lockstep");
  EXPECT_EQ(early.failure->message,
            "[0,0].x[3] -> [0,4].x[3]: payload is type=0 qos=0 src=[0,0] tgt=[0,0] data=0x11, the "
            "reference has type=0 qos=0 src=[0,0] tgt=[0,0] data=0x13");
  // The second follows when the first one has left at the end of cycle 6.
  FlippedPacketDut second(0x17);
  EXPECT_EQ(replay_pins(two_packets(), second, {}).failure->cycle, 7U);
}

/// Ignores every reset but the first.
class SingleResetDut : public WrappedDut {
 public:
  SingleResetDut() : WrappedDut(k8x2) {}
  void set_reset(bool asserted) override {
    WrappedDut::set_reset(asserted && !done_);
    done_ = done_ || !asserted;
  }

 private:
  bool done_ = false;
};

TEST(PinReplay, ComparesInResetToo) {
  PinTrace trace = two_packets();
  // With a packet at the receiver from cycle 4 on.
  trace.cycles[5].reset = true;
  ReferenceDut sound(k8x2);
  EXPECT_FALSE(replay_pins(trace, sound, {}).failure);
  SingleResetDut broken;
  const PinRun run = replay_pins(trace, broken, {});
  ASSERT_TRUE(run.failure);
  EXPECT_EQ(run.failure->cycle, 5U);
  EXPECT_EQ(run.failure->message, "[0,0].x[3] -> [0,4].x[3]: valid is 1, the reference has 0");
}

TEST(PinReplay, OffersInAResetAndOffersThatAreWithdrawnAreDrivenAsTheyAre) {
  PinTrace trace;
  trace.shape = k8x2;
  trace.receivers = {{0, 7}};
  // y[0] of 8x2 is a wire: node 8 to node 0.
  const PinPort wire{8, 7};
  trace.cycles.push_back({true, {{wire, 1}, {kSource, 1}}, {false}});
  trace.cycles.push_back({false, {{wire, 2}}, {false}});
  trace.cycles.push_back({false, {}, {false}});
  trace.cycles.push_back({false, {{wire, 3}}, {true}});
  /// Records what reaches the pins.
  class Recorder : public ReferenceDut {
   public:
    Recorder() : ReferenceDut(k8x2) {}
    void drive(const maze::TopoInputs& inputs) override {
      ReferenceDut::drive(inputs);
      text += inputs.out_valid.test(7, 8) ? std::to_string(inputs.out_payload.at(7, 8)) : "-";
      text += inputs.out_valid.test(3, 0) ? "x" : " ";
      text += inputs.in_ready.test(7, 0) ? "r" : " ";
      text += inputs.in_ready.test(7, 1) ? "R" : " ";
    }
    void set_reset(bool asserted) override {
      ReferenceDut::set_reset(asserted);
      text += asserted ? "[" : "]";
    }
    std::string text;
  };
  Recorder dut;
  EXPECT_FALSE(replay_pins(trace, dut, {}).failure);
  EXPECT_EQ(dut.text, "[1x R]2  R-  R3 rR");
}

/// A sound fabric whose checkers report a violation.
class ViolationDut : public WrappedDut {
 public:
  explicit ViolationDut(std::string rule) : WrappedDut(k8x2), rule_(std::move(rule)) {
    info_ = WrappedDut::info();
    info_.checkers = true;
  }
  [[nodiscard]] const DutInfo& info() const override { return info_; }
  std::vector<Violation> take_violations() override {
    return calls_++ == 3 ? std::vector<Violation>{{2, {0, 3}, rule_}} : std::vector<Violation>{};
  }

 private:
  DutInfo info_;
  std::string rule_;
  int calls_ = 0;
};

TEST(PinReplay, CountsRulesOfLinksButNotThoseOfSenders) {
  ViolationDut link("order");
  const PinRun run = replay_pins(two_packets(), link, {});
  ASSERT_TRUE(run.failure);
  EXPECT_EQ(run.failure->cycle, 2U);
  EXPECT_EQ(run.failure->message, "[0,0].x[3] -> [0,4].x[3]: rule 'order' violated");
  for (const char* rule : {"input_valid_stable", "input_payload_stable"}) {
    ViolationDut sender(rule);
    EXPECT_FALSE(replay_pins(two_packets(), sender, {}).failure) << rule;
  }
}

/// A chain of stages behind the pins of a 2x2 fabric, which may differ from that of the trace.
class ChainDut : public MazeDut {
 public:
  explicit ChainDut(const maze::IrsParams& params) : chain_(params) { info_.shape = {2, 2, 8}; }
  [[nodiscard]] const DutInfo& info() const override { return info_; }
  void set_reset(bool asserted) override { in_reset_ = asserted; }
  void drive(const maze::TopoInputs& inputs) override {
    pins_ = {inputs.out_valid.test(0, 0), inputs.out_payload.at(0, 0), inputs.in_ready.test(0, 1)};
  }
  void settle() override {
    if (in_reset_) chain_.reset();
  }
  void sample(maze::TopoOutputs& outputs) const override {
    const maze::IrsOutputs now = chain_.evaluate(pins_);
    outputs.out_ready.set(0, 0, now.ready_o);
    outputs.in_valid.set(0, 1, now.valid_o);
    outputs.in_payload.at(0, 1) = now.payload_o;
  }
  void falling_edge() override {}
  void clock_edge() override {
    if (!in_reset_) chain_.clock(pins_);
  }
  std::vector<Violation> take_violations() override { return {}; }
  void open_trace(const std::string& /*path*/) override {}
  void enable_trace(bool /*on*/) override {}
  void close_trace() override {}
  void annotate(const LinkNote& note) override { notes += note.expected_valid ? '1' : '0'; }
  void write_coverage(const std::string& /*path*/) override {}
  std::string notes;

 private:
  DutInfo info_;
  maze::IrsModel chain_;
  maze::IrsInputs pins_;
  bool in_reset_ = false;
};

PinTrace chain_trace(const maze::IrsParams& params) {
  PinTrace trace;
  trace.shape = {2, 2, 8};
  trace.primitive = PinPrimitive{64, params};
  trace.receivers = {{0, 0}};
  trace.cycles.push_back({true, {}, {true}});
  const maze::Payload wide = ~maze::Payload{0};
  trace.cycles.push_back({false, {{{0, 0}, wide}}, {false}});
  trace.cycles.push_back({false, {{{0, 0}, wide - 1}}, {false}});
  for (int i = 0; i < 4; ++i) trace.cycles.push_back({false, {}, {true}});
  return trace;
}

TEST(PinReplay, ComparesAPrimitiveWithTheStagesOfItsTrace) {
  const maze::IrsParams lp{.depth = 1};
  const maze::IrsParams half{.depth = 1, .half = true};
  ChainDut sound(lp);
  const PinRun run = replay_pins(chain_trace(lp), sound, {});
  EXPECT_FALSE(run.failure);
  EXPECT_EQ(run.checks, 7U);
  EXPECT_EQ(sound.notes, "0011100") << "two packets, the first one stalled for a cycle";
  // IRS_HALF is not ready while it holds the first packet, from cycle 2 on.
  ChainDut slow(half);
  const PinRun refused = replay_pins(chain_trace(lp), slow, {});
  ASSERT_TRUE(refused.failure);
  EXPECT_EQ(refused.failure->cycle, 2U);
  EXPECT_EQ(refused.failure->message, "IRS_N: ready is 0, the reference has 1");
  // Without ready the second packet replaces the first one in cycle 3.
  maze::IrsParams no_ready{.depth = 1, .no_ready = true};
  ChainDut stored(no_ready);
  EXPECT_FALSE(replay_pins(chain_trace(no_ready), stored, {}).failure);
  ChainDut lossy(no_ready);
  const PinRun lost = replay_pins(chain_trace(lp), lossy, {});
  ASSERT_TRUE(lost.failure);
  EXPECT_EQ(lost.failure->cycle, 3U);
}

TEST(PinReplay, ComparesTheWholePayloadOfAPrimitive) {
  const maze::IrsParams wires{};
  PinTrace trace = chain_trace(wires);
  class Cut : public ChainDut {
   public:
    using ChainDut::ChainDut;
    void sample(maze::TopoOutputs& outputs) const override {
      ChainDut::sample(outputs);
      outputs.in_payload.at(0, 1) &= ~(maze::Payload{1} << 63);
    }
  };
  Cut dut(wires);
  const PinRun run = replay_pins(trace, dut, {});
  ASSERT_TRUE(run.failure);
  EXPECT_EQ(run.failure->cycle, 1U);
  EXPECT_EQ(run.failure->message,
            "IRS_N: payload is 0x7fffffffffffffff, the reference has 0xffffffffffffffff");
}

// --- Networks ------------------------------------------------------------------------------------

constexpr maze::Shape k2x2{2, 2, 8};

/// A packet from A of node 0 to B of node 3, which takes it in cycle 8.
PinTrace packet_of_a_network() {
  const maze::PacketLayout layout(k2x2);
  const maze::Payload packet =
      layout.encode({.src = layout.address(0), .tgt = layout.address(3), .data = 0x55});
  PinTrace trace;
  trace.bench = PinBench::Network;
  trace.shape = k2x2;
  trace.receivers = {{3, 0}};
  trace.cycles.push_back({true, {}, {true}});
  trace.cycles.push_back({false, {{{0, 0}, packet}}, {false}});
  for (int cycle = 2; cycle < 10; ++cycle) trace.cycles.push_back({false, {}, {cycle >= 8}});
  return trace;
}

TEST(PinReplay, OfASoundNetworkHasNoFailure) {
  ReferenceNetwork dut({k2x2});
  const PinRun run = replay_pins(packet_of_a_network(), dut, {});
  EXPECT_FALSE(run.failure);
  EXPECT_EQ(run.cycles, 10U);
  EXPECT_EQ(run.checks, 10U * (k2x2.nodes() + k2x2.links()));
}

TEST(PinReplay, OfANetworkFailsInTheCycleInWhichAPacketArrives) {
  class Flipped : public ReferenceNetwork {
   public:
    using ReferenceNetwork::ReferenceNetwork;
    void sample(maze::TopoOutputs& outputs) const override {
      ReferenceNetwork::sample(outputs);
      outputs.in_payload.at(0, 3) ^= 1;
    }
  };
  Flipped dut({k2x2});
  const PinRun run = replay_pins(packet_of_a_network(), dut, {});
  ASSERT_TRUE(run.failure);
  // Accepted at the end of cycle 1, and six cycles on the way.
  EXPECT_EQ(run.failure->cycle, 7U);
  EXPECT_EQ(run.failure->message,
            "[1,1].user: packet at B is type=0 qos=0 src=[0,0] tgt=[1,1] data=0x54, the reference "
            "has type=0 qos=0 src=[0,0] tgt=[1,1] data=0x55");
  EXPECT_EQ(run.failure->packet, packet_of_a_network().cycles[1].offers[0].packet);
}

}  // namespace
}  // namespace kernbench::sim
