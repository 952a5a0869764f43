// SPDX-License-Identifier: Apache-2.0
// The latency of transfers, split into parts exact to the cycle.
#include "model/fabric/trace/lost_time.hpp"

#include <gtest/gtest.h>

#include "cycle_fabric.hpp"
#include "packet_checks.hpp"

namespace kernbench::model::fabric {
namespace {

/// A run of transfers submitted at time 0.
struct Traced {
  explicit Traced(const std::vector<Transfer>& transfers, const maze::Shape& shape = k4x4)
      : trace(shape), cycle(shape, {.observer = &trace}) {
    cycle.submit_all(transfers);
    (void)cycle.run();
  }
  [[nodiscard]] LostTime lost(std::size_t transfer) const {
    return lost_time(trace.transfers()[transfer], trace.links());
  }
  [[nodiscard]] std::string place(std::size_t transfer) const {
    return lost(transfer).place(trace.links());
  }
  PacketTrace trace;
  CycleFabric cycle;
};

TEST(LostTime, ATransferAloneWaitsNowhere) {
  const Traced run({unicast(0, 0, 9, 20)});
  const LostTime lost = run.lost(0);
  EXPECT_EQ(lost.serialization, 19U);
  EXPECT_EQ(lost.minimum,
            2 + run.trace.links().leaving(0, 0).depth + run.trace.links().leaving(1, 4).depth);
  EXPECT_EQ(lost.waited(), 0U);
  EXPECT_EQ(lost.latency, lost.serialization + lost.minimum);
  EXPECT_EQ(run.place(0), "did not wait");
  EXPECT_EQ(lost.path(run.trace.links()), "[0,0] x[0] -> [0,1] y[1] -> [2,1]");
}

TEST(LostTime, ATransferBehindAnotherOfItsSourceWaitsForAllItsPackets) {
  const Traced run({unicast(0, 0, 1, 12), unicast(1, 0, 2, 5)});
  EXPECT_EQ(run.lost(1).behind_others, 12U);
  EXPECT_EQ(run.lost(1).waited(), 12U);
  EXPECT_EQ(run.place(1), "waited 12 cycles at the source [0,0] behind other transfers");
}

TEST(LostTime, HighQosTakesTheSourceAndThatIsWhereLowWaits) {
  std::vector<Transfer> transfers{unicast(0, 0, 1, 12), unicast(1, 0, 2, 5, Qos::High)};
  const Traced run(transfers);
  EXPECT_EQ(run.lost(0).behind_others, 5U);
  EXPECT_EQ(run.lost(1).waited(), 0U);
}

TEST(LostTime, TwoThatMeetAtACornerShareItsOutput) {
  // From [0,0] and from [0,2] to [2,1]: both turn at [0,1].
  const Traced run({unicast(0, 0, 9, 10), unicast(1, 2, 9, 10)});
  EXPECT_EQ(run.lost(0).corner + run.lost(1).corner, 19U);  // last packets: 9 and 10
  EXPECT_EQ(run.place(0), "waited 10 cycles at the corner [0,1] for y[1]");
  EXPECT_EQ(run.lost(1).path(run.trace.links()), "[0,2] x[2] -> [0,1] y[1] -> [2,1]");
}

TEST(LostTime, ASourceThatSharesItsOutputWaitsForIt) {
  // [0,1] sends along the column into which packets from [0,0] turn.
  const Traced run({unicast(0, 0, 9, 40), unicast(1, 1, 9, 40)});
  EXPECT_GT(run.lost(1).source_output, 30U);
  EXPECT_EQ(run.place(1), fmt::format("waited {} cycles at the source [0,1] for y[1]",
                                      run.lost(1).source_output));
}

TEST(LostTime, ALinkWhoseCornerIsFullStandsStill) {
  // Three flows of 100 packets into one output: queues hold 16, so links fill up.
  const Traced run({unicast(0, 0, 9, 100), unicast(1, 2, 9, 100), unicast(2, 3, 9, 100)});
  Edge stood = 0;
  for (std::size_t i = 0; i < 3; ++i) stood += run.lost(i).first_link + run.lost(i).source_output;
  EXPECT_GT(stood, 100U);
}

TEST(LostTime, TheLongestWaitIsNamedWhicheverItIs) {
  const topology::MazeLinks links(4, 4);
  LostTime lost;
  lost.dst = 9;
  lost.outputs = {{0, 0}, {1, 4}};
  lost.source_output = 1;
  EXPECT_EQ(lost.place(links), "waited 1 cycle at the source [0,0] for x[0]");
  lost.first_link = 2;
  EXPECT_EQ(lost.place(links), "stalled 2 cycles in " + links.link_name(links.leaving(0, 0)));
  lost.second_link = 3;
  EXPECT_EQ(lost.place(links), "stalled 3 cycles in " + links.link_name(links.leaving(1, 4)));
}

TEST(LostTime, ThePartsSumToTheLatencyOfEveryUnicastOfRandomTraffic) {
  common::Rng rng = common::Rng::stream(11, "lost time");
  std::uint64_t checked = 0;
  std::uint64_t waited = 0;
  for (int round = 0; round < 30; ++round) {
    const maze::Shape shape = random_shape(rng);
    PacketTrace trace(
        shape, round % 2 == 0 ? PacketTrace::Detail::AllPackets : PacketTrace::Detail::LastPackets);
    CycleFabric cycle(shape, {.order = round % 4 < 2 ? topology::DimensionOrder::XY
                                                     : topology::DimensionOrder::YX,
                              .receiver_stalls = round % 3 == 0 ? 0.4 : 0.0,
                              .seed = 3,
                              .observer = &trace});
    const std::vector<Transfer> transfers =
        random_transfers(rng, shape, {.count = 60, .max_bytes = 80, .multicasts_in_8 = 1});
    cycle.submit_all(transfers);
    for (const Done& done : cycle.run()) {
      if (transfers[done.id].type != TransferType::Unicast) continue;
      const LostTime lost = lost_time(trace.transfers()[done.id], trace.links());
      // All were submitted at time 0, and edges are 1 ns apart.
      ASSERT_EQ(lost.latency, static_cast<Edge>(done.ps / 1000));
      ASSERT_EQ(lost.serialization + lost.minimum + lost.waited(), lost.latency)
          << "round " << round << " transfer " << done.id;
      ++checked;
      waited += lost.waited();
    }
  }
  EXPECT_GT(checked, 1000U);
  EXPECT_GT(waited, 10'000U);
}

TEST(LostTime, MulticastsAndTransfersUnderWayAreRefused) {
  PacketTrace trace(k4x4);
  Transfer row = unicast(3, 0, 0, 4);
  row.type = TransferType::XMulticast;
  trace.on_begun({}, 1, row, 4, 4);
  trace.on_begun({}, 1, unicast(4, 0, 9, 1), 1, 1);
  EXPECT_EQ(error_of([&] { (void)lost_time(trace.transfers()[0], trace.links()); }),
            "transfer 3 is not a complete unicast; its latency cannot be split");
  EXPECT_EQ(error_of([&] { (void)lost_time(trace.transfers()[1], trace.links()); }),
            "transfer 4 is not a complete unicast; its latency cannot be split");
}

TEST(LostTime, APacketThatOvertakesItsLinkIsAnError) {
  PacketTrace trace(k4x4);
  trace.on_begun({}, 5, unicast(4, 0, 2, 1), 1, 1);
  const topology::MazeLink& link = trace.links().leaving(0, 1);
  ASSERT_GT(link.depth, 0U);
  trace.on_injected(5, 0, 1, 4, 0);
  trace.on_arrived(5, 2, link.to.port, Qos::Low, false, true);
  trace.on_delivered(5, 2, 4, 0);
  EXPECT_EQ(
      error_of<std::logic_error>([&] { (void)lost_time(trace.transfers()[0], trace.links()); }),
      fmt::format("the last packet of transfer 4 took 0 edges; the minimum is {}", link.depth));
}

}  // namespace
}  // namespace kernbench::model::fabric
