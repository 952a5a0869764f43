// SPDX-License-Identifier: Apache-2.0
// Arbitration between inputs and QoS levels, and that no offered packet is withdrawn.
#include "cycle_fabric.hpp"
#include "packet_checks.hpp"
#include "watched_links.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using topology::DimensionOrder;

/// Records the inputs whose packets leave by one output: 0 and up are ports.
class OutputLog final : public PacketObserver {
 public:
  static constexpr unsigned kOwn = 99;
  OutputLog(unsigned node, unsigned port) : node_(node), port_(port) {}

  void on_injected(Edge edge, unsigned node, unsigned port, std::uint64_t /*id*/,
                   std::uint64_t /*packet*/) override {
    note(edge, node, port, kOwn);
  }
  void on_forwarded(Edge edge, unsigned node, unsigned from, Qos /*qos*/, unsigned port,
                    bool /*last*/) override {
    note(edge, node, port, from);
  }
  void on_arrived(Edge /*edge*/, unsigned /*node*/, unsigned /*port*/, Qos /*qos*/, bool /*queued*/,
                  bool /*ends*/) override {}
  void on_delivered(Edge /*edge*/, unsigned /*node*/, std::uint64_t /*id*/,
                    std::uint64_t /*packet*/) override {}

  std::vector<unsigned> inputs;
  Edge first = 0;
  Edge last = 0;

 private:
  void note(Edge edge, unsigned node, unsigned port, unsigned input) {
    if (node != node_ || port != port_) return;
    if (inputs.empty()) first = edge;
    last = edge;
    inputs.push_back(input);
  }
  unsigned node_;
  unsigned port_;
};

/// Node [0,3] receives packets for [1,3] from [0,2] by port 0, from [0,1] by port 1, a cycle later
/// than the others, and from [0,0] by port 2; it also sends its own.
std::vector<Transfer> four_that_meet(std::array<Qos, 4> qos, std::uint64_t bytes) {
  return {unicast(0, 2, 7, bytes, qos[0]), unicast(1, 1, 7, bytes, qos[1]),
          unicast(2, 0, 7, bytes, qos[2]), unicast(3, 3, 7, bytes, qos[3])};
}
constexpr unsigned kOwn = OutputLog::kOwn;

TEST(NodeQos, InputsOfOneLevelTakeTurnsAndTheNodesOwnPacketsAreOneOfThem) {
  for (const Qos qos : {Qos::Low, Qos::High}) {
    OutputLog log(3, 3);
    CycleFabric cycle(k4x4, {.observer = &log});
    cycle.submit_all(four_that_meet({qos, qos, qos, qos}, 4));
    EXPECT_EQ(cycle.run().size(), 4U);
    // The node's own packet is alone at the first edge; port 1 requests the output from the third
    // on.
    EXPECT_THAT(log.inputs,
                ElementsAre(kOwn, 0, 1, 2, kOwn, 0, 1, 2, kOwn, 0, 1, 2, kOwn, 0, 1, 2));
    EXPECT_EQ(log.first, 1U);
    EXPECT_EQ(log.last, 16U);  // no idle cycles
  }
}

TEST(NodeQos, HighGoesBeforeAllLowOnes) {
  OutputLog log(3, 3);
  CycleFabric cycle(k4x4, {.observer = &log});
  cycle.submit_all(four_that_meet({Qos::Low, Qos::High, Qos::Low, Qos::Low}, 4));
  EXPECT_EQ(cycle.run().size(), 4U);
  EXPECT_THAT(log.inputs, ElementsAre(kOwn, 0, 1, 1, 1, 1, 2, kOwn, 0, 2, kOwn, 0, 2, kOwn, 0, 2));
}

TEST(NodeQos, TwoHighOnesTakeTurnsBeforeTheLowOnes) {
  OutputLog log(3, 3);
  CycleFabric cycle(k4x4, {.observer = &log});
  cycle.submit_all(four_that_meet({Qos::High, Qos::Low, Qos::High, Qos::Low}, 3));
  EXPECT_EQ(cycle.run().size(), 4U);
  EXPECT_THAT(log.inputs, ElementsAre(kOwn, 2, 0, 2, 0, 2, 0, 1, kOwn, 1, kOwn, 1));
}

TEST(NodeQos, ALevelGoesOnWithItsTurnsWhereItStopped) {
  OutputLog log(3, 3);
  CycleFabric cycle(k4x4, {.observer = &log});
  for (const Transfer& transfer : four_that_meet({Qos::Low, Qos::Low, Qos::Low, Qos::Low}, 3)) {
    cycle.fabric.submit(transfer, cycle.recorder);
  }
  // Arrives at node 3 by port 0 at edge 5.
  cycle.submit_at(4000, unicast(4, 2, 7, 1, Qos::High));
  EXPECT_EQ(cycle.run().size(), 5U);
  EXPECT_THAT(log.inputs, ElementsAre(kOwn, 0, 1, 2, kOwn, 0, 0, 1, 2, kOwn, 0, 1, 2));
}

/// Drives pins by hand, checked by WatchedLinks.
struct WatchedPins {
  WatchedPins()
      : links(std::make_unique<CycleLinks>(k4x4), DimensionOrder::XY, counts),
        inputs(k4x4),
        outputs(k4x4) {
    for (unsigned port = 0; port < k4x4.ports(); ++port) {
      for (unsigned node = 0; node < k4x4.nodes(); ++node) inputs.in_ready.set(port, node);
    }
  }
  void offer(unsigned node, unsigned port, const maze::PacketFields& fields) {
    inputs.out_valid.set(port, node);
    inputs.out_payload.at(port, node) = maze::PacketLayout(k4x4).encode(fields);
  }
  void step() { links.step(++edge, inputs, outputs); }

  WatchedLinks::Counts counts;
  WatchedLinks links;
  maze::TopoInputs inputs;
  maze::TopoOutputs outputs;
  Edge edge = 0;
};

TEST(WatchedLinks, SeeAnOfferThatIsTakenBackOrChanged) {
  WatchedPins pins;
  pins.inputs.in_ready.set(0, 1, false);
  pins.offer(0, 0, {.src = 0, .tgt = 1});
  pins.step();
  pins.step();
  pins.offer(0, 0, {.src = 0, .tgt = 1, .data = 1});
  EXPECT_EQ(error_of<std::logic_error>([&] { pins.step(); }),
            "edge 3: node 0 (y=0,x=0) x[0] took back what it offered");
  pins.inputs.out_valid.set(0, 0, false);
  EXPECT_EQ(error_of<std::logic_error>([&] { pins.step(); }),
            "edge 4: node 0 (y=0,x=0) x[0] took back what it offered");
}

TEST(WatchedLinks, SeeALowPacketThatIsOfferedWhileAHighOneWaits) {
  WatchedPins pins;
  pins.offer(0, 0, {.qos = 1, .src = 0, .tgt = 9});  // to [1,1] through [0,1]
  pins.step();
  pins.inputs.out_valid.set(0, 0, false);
  pins.offer(1, 3, {.qos = 0, .src = 1, .tgt = 9});
  EXPECT_EQ(error_of<std::logic_error>([&] { pins.step(); }),
            "edge 2: node 1 (y=0,x=1) y[0] offers low QoS while high waits");
}

TEST(WatchedLinks, SeeAQueueThatGrowsTooLong) {
  WatchedPins pins;
  pins.offer(0, 0, {.src = 0, .tgt = 9});
  for (int i = 0; i < 16; ++i) pins.step();
  EXPECT_EQ(error_of<std::logic_error>([&] { pins.step(); }),
            "edge 17: node 1 (y=0,x=1) x[0] took a 17th packet");
}

TEST(NodeQos, NoHighPacketWaitsForALowOneLongerThanThatIsInService) {
  WatchedLinks::Counts counts;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    common::Rng rng = common::Rng::stream(seed, "node_qos");
    const maze::Shape shape = random_shape(rng);
    const auto order = seed % 2 == 0 ? DimensionOrder::XY : DimensionOrder::YX;
    const double stalls = std::array{0.0, 0.3, 0.9}.at(seed % 3);
    // Far more than the capacity of the links.
    const auto transfers =
        random_transfers(rng, shape, {.count = 60, .max_bytes = 60, .multicasts_in_8 = 1});
    DeliveryCheck check(shape, transfers);
    CycleFabric cycle(
        std::make_unique<WatchedLinks>(std::make_unique<CycleLinks>(shape), order, counts),
        {.order = order, .receiver_stalls = stalls, .seed = seed, .observer = &check});
    cycle.submit_all(transfers);
    ASSERT_NO_THROW((void)cycle.run()) << "seed " << seed;
    EXPECT_EQ(check.verdict(), "") << "seed " << seed;
  }
  EXPECT_GT(counts.offers, 10'000U);
  EXPECT_GT(counts.overtaken, 1000U);  // otherwise nothing was tested
  EXPECT_EQ(counts.longest_queue, kNodeQueueDepth);
}

}  // namespace
}  // namespace kernbench::model::fabric
