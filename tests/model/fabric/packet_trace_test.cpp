// SPDX-License-Identifier: Apache-2.0
// Packets are followed by their position in links and queues, independently of their contents.
#include "model/fabric/trace/packet_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cycle_fabric.hpp"
#include "packet_checks.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using StepKind = PacketStep::Kind;
using Detail = PacketTrace::Detail;
constexpr std::uint32_t kNone = PacketStep::kNone;

TEST(PacketTrace, NamesEveryMoveOfAPacketThroughTheCorner) {
  PacketTrace trace(k4x4);
  CycleFabric cycle(k4x4, {.observer = &trace});
  // From [0,0] to [2,1]: by the wire x[0] to [0,1], then by y[1], which has stages.
  cycle.submit_at(500, unicast(7, 0, 9, 1));
  (void)cycle.run();
  ASSERT_EQ(trace.transfers().size(), 1U);
  const TracedTransfer& transfer = trace.transfers()[0];
  EXPECT_EQ(transfer.submitted.ps(), 500);
  EXPECT_EQ(transfer.seen, 1U);
  EXPECT_EQ(transfer.missing, 0U);
  const topology::MazeLink& first = trace.links().leaving(0, 0);
  const topology::MazeLink& second = trace.links().leaving(1, 4);
  ASSERT_EQ(first.to.node, 1U);
  ASSERT_EQ(second.to.node, 9U);
  const Edge corner = 1 + first.depth;
  const Edge end = corner + 1 + second.depth;
  const auto port = [](const topology::MazePort& at) { return static_cast<std::uint8_t>(at.port); };
  EXPECT_THAT(transfer.steps,
              ElementsAre(PacketStep{1, 0, kNone, 0, 0, StepKind::Injected},
                          PacketStep{corner, 0, 0, 1, port(first.to), StepKind::Queued},
                          PacketStep{corner + 1, 0, 1, 1, 4, StepKind::Forwarded},
                          PacketStep{end, 0, 2, 9, port(second.to), StepKind::Arrived},
                          PacketStep{end, 0, 3, 9, 0, StepKind::Delivered}));
  EXPECT_EQ(trace.last_edge(), end);
}

/// Returns the number of deliveries among the steps of a transfer. Checks that every chain of steps
/// begins at the source, and that consecutive steps agree in time, node and port.
std::uint64_t whole_deliveries(const TracedTransfer& transfer, const topology::MazeLinks& links) {
  std::uint64_t whole = 0;
  for (const PacketStep& end : transfer.steps) {
    if (end.kind != StepKind::Delivered) continue;
    const PacketStep* at = &end;
    bool good = true;
    while (at->before != kNone) {
      const PacketStep& before = transfer.steps[at->before];
      good = good && before.packet == at->packet && before.edge <= at->edge;
      if (at->leaves()) {
        const topology::MazeLink& link = links.arriving(at->node, at->port);
        good = good && before.enters() && link.from.node == before.node &&
               link.from.port == before.port && at->edge >= before.edge + link.depth;
      } else {
        good = good && before.leaves() && before.node == at->node &&
               (at->kind == StepKind::Delivered || before.kind == StepKind::Queued);
      }
      at = &before;
    }
    if (good && at->node == transfer.transfer.src) ++whole;
  }
  return whole;
}

TEST(PacketTrace, EveryCopyOfEveryPacketHasAWholeWayFromItsSource) {
  common::Rng rng = common::Rng::stream(5, "packet trace");
  for (int round = 0; round < 20; ++round) {
    const maze::Shape shape = random_shape(rng);
    const auto order = round % 2 == 0 ? topology::DimensionOrder::XY : topology::DimensionOrder::YX;
    PacketTrace trace(shape);
    CycleFabric cycle(shape, {.order = order,
                              .receiver_stalls = round % 3 == 0 ? 0.3 : 0.0,
                              .seed = 9,
                              .observer = &trace});
    const std::vector<Transfer> transfers = random_transfers(rng, shape);
    cycle.submit_all(transfers);
    ASSERT_EQ(cycle.run().size(), transfers.size());
    std::uint64_t entered = 0;
    for (const TracedTransfer& transfer : trace.transfers()) {
      std::uint64_t nodes = 0;
      for (unsigned node = 0; node < shape.nodes(); ++node) {
        nodes += is_for(transfer.transfer, node, shape.nx) ? 1 : 0;
      }
      ASSERT_EQ(whole_deliveries(transfer, trace.links()), nodes * transfer.packets)
          << "round " << round << " transfer " << transfer.transfer.id;
      ASSERT_EQ(transfer.missing, 0U);
      ASSERT_TRUE(std::is_sorted(transfer.steps.begin(), transfer.steps.end(),
                                 [](const auto& a, const auto& b) { return a.edge < b.edge; }));
      entered += static_cast<std::uint64_t>(
          std::count_if(transfer.steps.begin(), transfer.steps.end(),
                        [](const PacketStep& step) { return step.enters(); }));
    }
    EXPECT_EQ(entered, cycle.entered());
  }
}

TEST(PacketTrace, WithoutDetailItKeepsTheStepsOfLastPacketsAlone) {
  PacketTrace all(k4x4);
  PacketTrace last(k4x4, Detail::LastPackets);
  for (PacketTrace* trace : {&all, &last}) {
    CycleFabric cycle(k4x4, {.observer = trace});
    cycle.submit_all({unicast(0, 0, 9, 20), unicast(1, 3, 9, 20), unicast(2, 5, 5, 3)});
    (void)cycle.run();
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const TracedTransfer& whole = all.transfers()[i];
    std::vector<std::pair<Edge, StepKind>> expected;
    for (const PacketStep& step : whole.steps) {
      if (step.packet + 1 == whole.packets) expected.emplace_back(step.edge, step.kind);
    }
    std::vector<std::pair<Edge, StepKind>> kept;
    for (const PacketStep& step : last.transfers()[i].steps)
      kept.emplace_back(step.edge, step.kind);
    EXPECT_EQ(kept, expected);
    EXPECT_EQ(last.transfers()[i].last, whole.last);
  }
}

TEST(PacketTrace, AnIdThatIsFreeAgainIsAnotherTransfer) {
  PacketTrace trace(k4x4);
  CycleFabric cycle(k4x4, {.observer = &trace});
  cycle.submit_at(0, unicast(4, 0, 1, 2));
  (void)cycle.run();
  cycle.submit_at(50'000, unicast(4, 0, 2, 3));
  (void)cycle.run();
  ASSERT_EQ(trace.transfers().size(), 2U);
  EXPECT_EQ(trace.transfers()[0].packets, 2U);
  EXPECT_EQ(trace.transfers()[1].packets, 3U);
  EXPECT_EQ(trace.transfers()[1].missing, 0U);
}

// Every check fails once, on moves that a MAZE cannot make.
class PacketTraceChecks : public ::testing::Test {
 protected:
  PacketTraceChecks() {
    trace_.on_begun({}, 1, unicast(7, 0, 1, 2), 2, 1);
    trace_.on_begun({}, 1, unicast(8, 0, 9, 2), 2, 1);
  }
  template <typename Action>
  static std::string fault_of(Action action) {
    return error_of<std::logic_error>(action);
  }
  /// Moves a packet over the wire from node 0 to node 1.
  void cross(std::uint64_t id, std::uint64_t packet, bool queued) {
    trace_.on_injected(3, 0, 0, id, packet);
    trace_.on_arrived(3, 1, kIn, Qos::Low, queued, !queued);
  }
  PacketTrace trace_{k4x4};
  const unsigned kIn = trace_.links().leaving(0, 0).to.port;
};

TEST_F(PacketTraceChecks, TwoTransfersOfOneId) {
  EXPECT_EQ(fault_of([&] { trace_.on_begun({}, 2, unicast(7, 0, 1, 2), 2, 1); }),
            "packet trace: edge 2, node 0: transfer 7 begins but is already in flight");
}
TEST_F(PacketTraceChecks, MorePacketsThanItCanCount) {
  EXPECT_EQ(error_of<std::length_error>([&] {
              trace_.on_begun({}, 2, unicast(9, 0, 1, 2), PacketTrace::kMaxPackets + 1, 1);
            }),
            "packet trace: transfer 9 has 4294967296 packets; the limit is 4294967295");
}
TEST_F(PacketTraceChecks, APacketOfATransferThatDidNotBegin) {
  EXPECT_EQ(fault_of([&] { trace_.on_injected(3, 0, 0, 9, 0); }),
            "packet trace: edge 3, node 0: transfer 9 is not in flight");
}
TEST_F(PacketTraceChecks, APacketThatTheTransferDoesNotHaveThere) {
  EXPECT_EQ(fault_of([&] { trace_.on_injected(3, 0, 0, 7, 2); }),
            "packet trace: edge 3, node 0: sends packet 2 of transfer 7, which has 2 from node 0");
  EXPECT_EQ(fault_of([&] { trace_.on_injected(3, 5, 0, 7, 0); }),
            "packet trace: edge 3, node 5: sends packet 0 of transfer 7, which has 2 from node 0");
}
TEST_F(PacketTraceChecks, AnArrivalOutOfAnEmptyLink) {
  EXPECT_EQ(fault_of([&] { trace_.on_arrived(3, 1, kIn, Qos::Low, false, true); }),
            fmt::format("packet trace: edge 3, node 1: a packet arrives by {}, whose link is empty",
                        trace_.links().port_name(kIn)));
}
TEST_F(PacketTraceChecks, AForwardOutOfAnEmptyQueue) {
  EXPECT_EQ(fault_of([&] { trace_.on_forwarded(3, 1, 0, Qos::Low, 4, true); }),
            "packet trace: edge 3, node 1: forwards a packet from x[0], whose queue is empty");
}
TEST_F(PacketTraceChecks, AnotherQosThanItsTransferHas) {
  trace_.on_injected(3, 0, 0, 7, 0);
  EXPECT_EQ(fault_of([&] { trace_.on_arrived(3, 1, kIn, Qos::High, false, true); }),
            "packet trace: edge 3, node 1: packet 0 of transfer 7 has changed its QoS");
}
TEST_F(PacketTraceChecks, AnotherPacketThanTheOneThatArrived) {
  cross(7, 0, false);
  EXPECT_EQ(fault_of([&] { trace_.on_delivered(3, 1, 7, 1); }),
            "packet trace: edge 3, node 1: packet 1 of transfer 7 is delivered instead of "
            "packet 0 of transfer 7");
  EXPECT_EQ(fault_of([&] { trace_.on_delivered(3, 1, 8, 0); }),
            "packet trace: edge 3, node 1: packet 0 of transfer 8 is delivered instead of "
            "packet 0 of transfer 7");
}
TEST_F(PacketTraceChecks, ADeliveryWithoutAnArrival) {
  cross(8, 0, true);
  EXPECT_EQ(
      fault_of([&] { trace_.on_delivered(3, 1, 8, 0); }),
      "packet trace: edge 3, node 1: packet 0 of transfer 8 is delivered but has not arrived");
}
TEST_F(PacketTraceChecks, AnArrivalAtTheEndThatIsNotDelivered) {
  cross(7, 0, false);
  EXPECT_EQ(
      fault_of([&] { trace_.on_injected(4, 0, 0, 7, 1); }),
      "packet trace: edge 4, node 0: packet 0 of transfer 7 reached its destination but was not "
      "delivered");
}

}  // namespace
}  // namespace kernbench::model::fabric
