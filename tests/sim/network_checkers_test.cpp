// SPDX-License-Identifier: Apache-2.0
// The checkers of a network, each on frames that are made by hand or on a reference that shows one
// wrong signal. No verilated model: lockstep and scoreboard, which see most errors both, are tested
// alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "reference_network.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/network/delivery_oracle.hpp"
#include "sim/network/network_lockstep.hpp"
#include "sim/network/network_run.hpp"
#include "sim/network/network_scoreboard.hpp"

namespace kernbench::sim {
namespace {

using maze::Payload;
using maze::Shape;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr Shape kSmall{3, 2, 8};

Payload packet(unsigned source, unsigned target, unsigned type = 0, std::uint32_t data = 7) {
  const maze::PacketLayout layout(kSmall);
  return layout.encode({.type = type,
                        .qos = 0,
                        .src = layout.address(source),
                        .tgt = layout.address(target),
                        .data = data});
}

/// Shows frames that are made by hand.
class Frames {
 public:
  explicit Frames(Extension& checker) : checker_(checker) {}

  /// Adds a packet that enters at A, or leaves at B, in the next cycle.
  Frames& accept(unsigned node, Payload one) {
    inputs_.out_valid.set(0, node);
    inputs_.out_payload[node] = one;
    source_fired_.set(0, node);
    return *this;
  }
  Frames& deliver(unsigned node, Payload one) {
    outputs_.in_valid.set(0, node);
    outputs_.in_payload[node] = one;
    sink_fired_.set(0, node);
    return *this;
  }
  Frames& reset() {
    in_reset_ = true;
    return *this;
  }
  /// Shows cycles, the first with what was added.
  void show(unsigned cycles = 1) {
    for (unsigned i = 0; i < cycles; ++i) {
      checker_.on_cycle({.cycle = cycle_++,
                         .in_reset = in_reset_,
                         .intended = &inputs_,
                         .driven = &inputs_,
                         .observed = &outputs_,
                         .source_fired = &source_fired_,
                         .sink_fired = &sink_fired_});
      for (maze::BitPlane* plane :
           {&inputs_.out_valid, &outputs_.in_valid, &source_fired_, &sink_fired_}) {
        plane->clear();
      }
      in_reset_ = false;
    }
  }
  void end(StopReason reason = StopReason::Drained) { checker_.after({reason, cycle_}); }

 private:
  Extension& checker_;
  maze::NetworkInputs inputs_{kSmall};
  maze::NetworkOutputs outputs_{kSmall};
  maze::BitPlane source_fired_{kSmall, 1};
  maze::BitPlane sink_fired_{kSmall, 1};
  std::uint64_t cycle_ = 0;
  bool in_reset_ = false;
};

std::vector<std::string> messages(const Extension& checker) {
  std::vector<std::string> all;
  for (const Failure& failure : checker.failures()) {
    all.push_back("cycle " + std::to_string(failure.cycle) + ": " + failure.message);
  }
  return all;
}

TEST(NetworkScoreboard, CountsPacketsCopiesAndLatencies) {
  NetworkScoreboard scoreboard({.shape = kSmall});
  Frames frames(scoreboard);
  frames.accept(0, packet(0, 2)).show(5);
  frames.deliver(2, packet(0, 2)).show();
  frames.end();
  EXPECT_THAT(messages(scoreboard), IsEmpty());
  EXPECT_EQ(scoreboard.checks(), 1U);
  EXPECT_THAT(scoreboard.traffic().accepted, ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_THAT(scoreboard.traffic().delivered, ElementsAre(0, 0, 1, 0, 0, 0));
  EXPECT_EQ(scoreboard.traffic().of_qos(0).counts()[5], 1U);
  EXPECT_EQ(scoreboard.traffic().of_qos(1).copies(), 0U);
}

TEST(NetworkScoreboard, MissesWhatIsOwedAtTheEnd) {
  NetworkScoreboard scoreboard({.shape = kSmall});
  Frames frames(scoreboard);
  frames.accept(0, packet(0, 2)).accept(1, packet(1, 5)).show(3);
  frames.deliver(2, packet(0, 2)).show();
  frames.end();
  EXPECT_THAT(messages(scoreboard),
              ElementsAre("cycle 3: 1 copies are lost or stuck: node 5 owes type=0 qos=0 src=[0,1] "
                          "tgt=[1,2] data=0x07, accepted in cycle 0"));
  ASSERT_TRUE(scoreboard.failures()[0].link);
  EXPECT_EQ(*scoreboard.failures()[0].link, (LinkEnd{5, 3}));
  // After a failure elsewhere packets had no time to arrive.
  NetworkScoreboard stopped({.shape = kSmall});
  Frames others(stopped);
  others.accept(0, packet(0, 2)).show();
  others.end(StopReason::Failed);
  EXPECT_THAT(messages(stopped), IsEmpty());
}

TEST(NetworkScoreboard, AResetLosesWhatIsOwedAndNothingElse) {
  NetworkScoreboard scoreboard({.shape = kSmall});
  Frames frames(scoreboard);
  frames.accept(0, packet(0, 2)).show(2);
  frames.reset().show();
  frames.accept(0, packet(0, 2, 0, 9)).show(3);
  frames.deliver(2, packet(0, 2, 0, 9)).show();
  frames.end();
  EXPECT_THAT(messages(scoreboard), IsEmpty());
  frames.deliver(2, packet(0, 2)).show();
  EXPECT_THAT(messages(scoreboard),
              ElementsAre("cycle 7: node 2 delivers type=0 qos=0 src=[0,0] tgt=[0,2] data=0x07: it "
                          "owes none of this source, type and QoS"));
}

TEST(Oracle, RefusesAWrongTargetOfEachType) {
  const maze::PacketLayout layout(kSmall);
  const auto verdict = [&](unsigned type, unsigned sent, unsigned got, unsigned at) {
    DeliveryOracle oracle({.shape = kSmall});
    oracle.accept(0, 0, packet(0, sent, type));
    return oracle.deliver(5, at, packet(0, got, type));
  };
  // Node 4 is [1,1]. What the type names may not change, the rest may.
  EXPECT_THAT(verdict(0, 4, 1, 4), StartsWith("node 4 delivers type=0 qos=0 src=[0,0] tgt=[0,1]"));
  EXPECT_THAT(verdict(0, 4, 3, 4), StartsWith("node 4 delivers type=0 qos=0 src=[0,0] tgt=[1,0]"));
  EXPECT_THAT(verdict(1, 4, 3, 4), StartsWith("node 4 delivers type=1 qos=0 src=[0,0] tgt=[1,0]"));
  EXPECT_EQ(verdict(1, 4, 1, 4), "");
  EXPECT_THAT(verdict(2, 4, 1, 4), StartsWith("node 4 delivers type=2 qos=0 src=[0,0] tgt=[0,1]"));
  EXPECT_EQ(verdict(2, 4, 3, 4), "");
  EXPECT_EQ(verdict(3, 4, 0, 4), "");
}

TEST(Oracle, NamesTheNodesOfEachType) {
  const DeliveryOracle oracle({.shape = kSmall});
  EXPECT_THAT(oracle.named(packet(0, 4, 0)), ElementsAre(4));
  EXPECT_THAT(oracle.named(packet(0, 4, 1)), ElementsAre(1, 4));
  EXPECT_THAT(oracle.named(packet(0, 4, 2)), ElementsAre(3, 4, 5));
  EXPECT_THAT(oracle.named(packet(0, 4, 3)), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(DeliveryOracle({.shape = kSmall, .failed = 1}).named(packet(0, 4, 1)),
              ElementsAre(4));
}

TEST(LoneLatency, ExpectsTheExactCycleOfEachDelivery) {
  const DeliveryOracle oracle({.shape = kSmall});
  for (const auto& [cycles, message] : std::vector<std::pair<unsigned, std::string>>{
           {3, "cycle 3: node 1 delivers 3 cycles after node 0 sent, not 4"},
           {4, ""},
           {5, "cycle 5: node 1 delivers 5 cycles after node 0 sent, not 4"}}) {
    LoneLatency latency(kSmall, oracle);
    Frames frames(latency);
    frames.accept(0, packet(0, 1)).show(cycles);
    frames.deliver(1, packet(0, 1)).show();
    EXPECT_EQ(messages(latency),
              message.empty() ? std::vector<std::string>{} : std::vector{message});
    EXPECT_EQ(latency.checks(), 1U);
  }
}

TEST(LoneLatency, ExpectsNoPacketWhileAnotherIsOwed) {
  DeliveryOracle oracle({.shape = kSmall});
  LoneLatency latency(kSmall, oracle);
  Frames frames(latency);
  oracle.accept(0, 0, packet(0, 1));
  frames.accept(2, packet(2, 3)).show();
  EXPECT_THAT(messages(latency),
              ElementsAre("cycle 0: node 1 owes type=0 qos=0 src=[0,0] tgt=[0,1] data=0x07, "
                          "accepted in cycle 0"));
  frames.reset().show();
  EXPECT_EQ(latency.failure_count(), 1U);
}

TEST(NetworkWatchdog, NamesTheUserWhosePacketWaits) {
  Watchdog watchdog(Ports::of_users(kSmall), 10);
  maze::NetworkInputs inputs(kSmall);
  maze::NetworkOutputs outputs(kSmall);
  const maze::BitPlane none(kSmall, 1);
  inputs.out_valid.set(0, 4);
  outputs.in_valid.set(0, 2);
  for (std::uint64_t cycle = 0; cycle < 10; ++cycle) {
    watchdog.on_cycle({.cycle = cycle,
                       .intended = &inputs,
                       .driven = &inputs,
                       .observed = &outputs,
                       .source_fired = &none,
                       .sink_fired = &none});
  }
  EXPECT_THAT(
      messages(watchdog),
      ElementsAre(
          "cycle 9: [1,1].user: a packet waited at the source for 10 cycles (valid 1, ready 0)",
          "cycle 9: [0,2].user: a packet waited at the sink for 10 cycles (valid 1, ready 0)"));
}

/// A network that shows one wrong signal in cycle 60.
class WrongSignal : public ReferenceNetwork {
 public:
  using ChangeUsers = std::function<void(maze::TopoOutputs&)>;
  using ChangeLinks = std::function<void(LinkSignals&)>;
  WrongSignal(ChangeUsers users, ChangeLinks links)
      : ReferenceNetwork({.shape = kSmall}), users_(std::move(users)), links_(std::move(links)) {}

  void sample(maze::TopoOutputs& outputs) const override {
    ReferenceNetwork::sample(outputs);
    if (cycle() == 60 && users_) users_(outputs);
  }
  void sample_links(LinkSignals& signals) const override {
    ReferenceNetwork::sample_links(signals);
    if (cycle() == 60 && links_) links_(signals);
  }

 private:
  ChangeUsers users_;
  ChangeLinks links_;
};

/// Runs saturated traffic, which the lockstep alone checks. Returns kind and port of its only
/// failure.
std::string only_failure(WrongSignal::ChangeUsers users, WrongSignal::ChangeLinks links) {
  WrongSignal network(std::move(users), std::move(links));
  const NetworkCase one{.suite = "a",
                        .name = "a",
                        .cycles = 100,
                        .multicasts = 0.3,
                        .after_failure = 30,
                        .checks = {.scoreboard = false, .watchdog = false}};
  const CaseResult result = run_network_case(one, network, {}).result;
  if (result.failures.size() != 1) return std::to_string(result.failures.size()) + " failures";
  const Failure& failure = result.failures.front();
  EXPECT_EQ(failure.cycle, 60U);
  EXPECT_EQ(failure.checker, "lockstep");
  return failure.kind + " at " + Ports::of_users(kSmall).name(*failure.link);
}

/// Flips a bit of the first packet that is offered.
template <class Valid, class Packets>
void flip(const Valid& valid, Packets& packets, unsigned bit) {
  for (unsigned port = 0; port < valid.ports(); ++port) {
    for (unsigned node = 0; node < kSmall.nodes(); ++node) {
      if (!valid.test(port, node)) continue;
      packets.at(port, node) ^= Payload{1} << bit;
      return;
    }
  }
}

TEST(NetworkLockstep, SeesADifferenceInEachSignal) {
  const auto toggle = [](maze::BitPlane& plane, unsigned port, unsigned node) {
    plane.set(port, node, !plane.test(port, node));
  };
  EXPECT_EQ(only_failure({}, {}), "0 failures");
  for (unsigned node = 0; node < kSmall.nodes(); ++node) {
    const std::string user = Ports::of_users(kSmall).name({node, kSmall.ports()});
    EXPECT_EQ(only_failure([&](auto& out) { toggle(out.out_ready, 0, node); }, {}),
              "pkt_in_rdy at " + user);
    EXPECT_EQ(only_failure([&](auto& out) { toggle(out.in_valid, 0, node); }, {}),
              "pkt_out_vld at " + user);
    for (unsigned port = 0; port < kSmall.ports(); ++port) {
      const std::string at = Ports::of_users(kSmall).name({node, port});
      EXPECT_EQ(only_failure({}, [&](auto& c) { toggle(c.from_nodes.out_valid, port, node); }),
                "out_vld at " + at);
      EXPECT_EQ(only_failure({}, [&](auto& c) { toggle(c.from_nodes.in_ready, port, node); }),
                "in_rdy at " + at);
      EXPECT_EQ(only_failure({}, [&](auto& c) { toggle(c.to_nodes.in_valid, port, node); }),
                "in_vld at " + at);
      EXPECT_EQ(only_failure({}, [&](auto& c) { toggle(c.to_nodes.out_ready, port, node); }),
                "out_rdy at " + at);
    }
  }
  for (unsigned bit = 0; bit < kSmall.payload_w(); ++bit) {
    EXPECT_THAT(only_failure([&](auto& out) { flip(out.in_valid, out.in_payload, bit); }, {}),
                StartsWith("packet at B at "))
        << bit;
    EXPECT_THAT(
        only_failure({},
                     [&](auto& c) { flip(c.from_nodes.out_valid, c.from_nodes.out_payload, bit); }),
        StartsWith("packet out at "))
        << bit;
    EXPECT_THAT(
        only_failure({}, [&](auto& c) { flip(c.to_nodes.in_valid, c.to_nodes.in_payload, bit); }),
        StartsWith("packet in at "))
        << bit;
  }
}

TEST(NetworkLockstep, SaysWhatDiffers) {
  WrongSignal network({}, [](auto& c) { c.from_nodes.out_valid.set(1, 3, false); });
  const NetworkCase one{.suite = "a", .name = "a", .cycles = 100};
  const CaseResult result = run_network_case(one, network, {}).result;
  ASSERT_FALSE(result.failures.empty());
  EXPECT_EQ(result.failures[0].message, "[1,0].x[1]: out_vld is 0, the reference has 1");
}

}  // namespace
}  // namespace kernbench::sim
