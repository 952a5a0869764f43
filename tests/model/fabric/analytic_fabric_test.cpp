// SPDX-License-Identifier: Apache-2.0
// The analytic fabric at zero load, and the transfers and settings that it rejects.
#include "model/fabric/analytic/analytic_fabric.hpp"

#include "fabric_fixture.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(AnalyticFabric, SeesASubmissionJustBeforeAnEdgeAtThatEdge) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(2999, unicast(1, 0, 1, 1));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 3000}));
}

TEST(AnalyticFabric, SeesASubmissionOnAnEdgeAtTheNextOne) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(3000, unicast(1, 0, 1, 1));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 4000}));
}

TEST(AnalyticFabric, SeesASubmissionJustAfterAnEdgeAtTheNextOne) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(3001, unicast(1, 0, 1, 1));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 4000}));
}

TEST(AnalyticFabric, SeesASubmissionAtTimeZeroAtEdgeOne) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(0, unicast(1, 0, 1, 1));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 1000}));
}

/// Returns the cycles of a transfer from node 0 to node `hops` of a line, submitted on an edge.
std::int64_t cycles(std::uint32_t hops, std::uint32_t stages, std::uint64_t packets) {
  FabricUnderTest test("BidirectionalLine(5)", stages);
  test.submit_at(7000, unicast(1, 0, hops, packets));
  return (test.run().at(0).ps - 7000) / 1000;
}

// The table of docs/developer/model.md.
TEST(AnalyticFabric, TakesPacketsPlusStagesPlusOneForEachFurtherHop) {
  EXPECT_EQ(cycles(1, 0, 1), 1);
  EXPECT_EQ(cycles(1, 0, 256), 256);
  EXPECT_EQ(cycles(1, 3, 1), 4);
  EXPECT_EQ(cycles(1, 3, 256), 259);
  EXPECT_EQ(cycles(2, 0, 1), 2);
  EXPECT_EQ(cycles(2, 0, 256), 257);
  EXPECT_EQ(cycles(2, 3, 1), 8);
  EXPECT_EQ(cycles(2, 3, 256), 263);
  EXPECT_EQ(cycles(4, 1, 10), 17);
}

TEST(AnalyticFabric, InjectsWhatANodeSendsToItselfAndUsesNoLink) {
  FabricUnderTest test("Mesh2D(2,2)");
  test.submit_at(500, unicast(1, 3, 3, 5));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 5000}));
  EXPECT_EQ(test.use(3, 1).packets, 0U);
}

TEST(AnalyticFabric, FillsPacketsAndPaysForThePartOfTheLast) {
  engine::Simulation simulation;
  const auto topology = topology::zoo::parse_zoo_text("BidirectionalLine(2)");
  AnalyticFabric fabric(simulation, topology, topology::zoo::natural_routing(*topology),
                        AnalyticSettings{.period = kNs, .packet_bits = 20});
  EXPECT_EQ(fabric.packets_of(1), 1U);
  EXPECT_EQ(fabric.packets_of(5), 2U);
  EXPECT_EQ(fabric.packets_of(6), 3U);
  Recorder recorder(simulation);
  fabric.submit(unicast(1, 0, 1, 6), recorder);
  simulation.run();
  EXPECT_THAT(recorder.done, ElementsAre(Done{1, 3000}));
}

TEST(AnalyticFabric, CarriesThe1TiBThatATransferMayHave) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(0, unicast(1, 0, 1, kMaxTransferBytes));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, std::int64_t{1000} << 40U}));
}

TEST(AnalyticFabric, CountsWhatALinkHasMovedUpToNow) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(0, unicast(1, 0, 1, 10));
  test.simulation.run_until(common::SimTime::from_ps(4000));
  EXPECT_EQ(test.use(0, 1).packets, 4U);
  EXPECT_EQ(test.use(0, 1).transfers, 1U);
  (void)test.run();
  EXPECT_EQ(test.use(0, 1).packets, 10U);
  EXPECT_EQ(test.use(1, 0).packets, 0U);
}

TEST(AnalyticFabric, LetsAListenerSubmitUnderTheSameIdAtOnce) {
  struct Again : TransferListener {
    explicit Again(FabricUnderTest& under_test) : test(under_test) {}
    void on_transfer_done(std::uint64_t id) override {
      times.push_back(test.simulation.now().ps());
      if (times.size() < 3) test.fabric.submit(unicast(id, 0, 1, 2), *this);
    }
    FabricUnderTest& test;
    std::vector<std::int64_t> times;
  };
  FabricUnderTest test("BidirectionalLine(2)");
  Again again(test);
  test.fabric.submit(unicast(9, 0, 1, 2), again);
  (void)test.run();
  EXPECT_THAT(again.times, ElementsAre(2000, 4000, 6000));
  EXPECT_EQ(test.fabric.in_flight(), 0U);
}

class Refusal : public ::testing::Test {
 protected:
  [[nodiscard]] std::string refused(const Transfer& transfer) {
    const std::string message = error_of([&] { test_.fabric.submit(transfer, test_.recorder); });
    EXPECT_EQ(test_.fabric.in_flight(), 0U);
    EXPECT_THAT(test_.run(), IsEmpty());
    return message;
  }
  FabricUnderTest test_{"UnidirectionalLine(4)"};
};

TEST_F(Refusal, OfATransferWithoutBytes) {
  EXPECT_EQ(refused(unicast(7, 0, 1, 0)), "transfer 7 has no bytes");
}

TEST_F(Refusal, OfMoreThan1TiB) {
  EXPECT_EQ(refused(unicast(7, 0, 1, kMaxTransferBytes + 1)),
            "transfer 7 has 1099511627777 bytes; at most 1099511627776 can be carried");
}

TEST_F(Refusal, OfAnUnknownSource) {
  EXPECT_EQ(refused(unicast(7, 4, 1, 1)), "transfer 7 has source 4; the last node is 3");
}

TEST_F(Refusal, OfAnUnknownDestination) {
  EXPECT_EQ(refused(unicast(7, 0, 4, 1)), "transfer 7 has destination 4; the last node is 3");
}

TEST_F(Refusal, OfADestinationWithoutAWay) {
  EXPECT_EQ(refused(unicast(7, 2, 1, 1)),
            "transfer 7: UnidirectionalLine(4) has no route from node 2 to node 1");
}

TEST_F(Refusal, OfAMulticastWithoutRowsAndColumns) {
  Transfer transfer = unicast(7, 0, 1, 1);
  transfer.type = TransferType::YMulticast;
  EXPECT_EQ(refused(transfer),
            "transfer 7 is a multicast; this fabric has no rows and columns of nodes that are "
            "joined to each other");
}

TEST(AnalyticFabric, RefusesAnIdThatIsInFlightAndCarriesTheFirst) {
  FabricUnderTest test("BidirectionalLine(2)");
  test.submit_at(0, unicast(7, 0, 1, 1));
  EXPECT_EQ(error_of([&] { test.fabric.submit(unicast(7, 1, 0, 1), test.recorder); }),
            "transfer 7 is still in flight");
  EXPECT_THAT(test.run(), ElementsAre(Done{7, 1000}));
}

TEST(AnalyticFabric, RefusesSettingsThatMakeNoSense) {
  engine::Simulation simulation;
  const auto line = topology::zoo::parse_zoo_text("BidirectionalLine(3)");
  const auto ring = topology::zoo::parse_zoo_text("BidirectionalTorus1D(3)");
  const auto made = [&](const AnalyticSettings& settings,
                        const topology::zoo::BaseTopology& routed) {
    return error_of([&] {
      const AnalyticFabric fabric(simulation, line, topology::zoo::natural_routing(routed),
                                  settings);
    });
  };
  EXPECT_EQ(made({.period = kNs}, *ring),
            "a relation over BidirectionalTorus1D(3) cannot route BidirectionalLine(3)");
  EXPECT_EQ(made({.period = kNs, .packet_bits = 0}, *line), "packets must have data bits");
  EXPECT_EQ(made({.period = kNs, .link_stages = {1, 2}}, *line),
            "2 stages given for the 4 channels of BidirectionalLine(3)");
  EXPECT_EQ(made({.period = kNs, .link_turns = {0}}, *line),
            "1 turns given for the 4 channels of BidirectionalLine(3)");
  EXPECT_EQ(made({.period = kNs, .finite_queues = true}, *line),
            "finite queues need rows and columns, which BidirectionalLine(3) does not have");
  EXPECT_EQ(made({.period = kNs, .parameters = {.stage_packets = 1}}, *line),
            "'stage_packets' must be at least 2, not 1");
  EXPECT_EQ(made({.period = kNs, .parameters = {.queue_packets = 3, .restart_cycles = 3}}, *line),
            "'queue_packets' must be at least 4, not 3");
  EXPECT_EQ(made({.period = kNs, .parameters = {.quantum_packets = 0}}, *line),
            "'quantum_packets' must be at least 1, not 0");
  EXPECT_EQ(made({.period = kNs, .parameters = {.multicast_stride = 0}}, *line),
            "'multicast_stride' must be at least 1, not 0");
}

// A fabric that completes everything twice triggers the check in Fabric::complete().
TEST(Fabric, IsStoppedWhenItCompletesATransferTwice) {
  struct Doubling : Fabric {
    explicit Doubling(engine::Simulation& simulation)
        : Fabric(simulation, {.n_nodes = 2, .period = kNs}) {}
    void carry(const Transfer& transfer) override {
      complete(transfer.id);
      complete(transfer.id);
    }
  };
  engine::Simulation simulation;
  Doubling fabric(simulation);
  Recorder recorder(simulation);
  EXPECT_EQ(error_of<std::logic_error>([&] { fabric.submit(unicast(5, 0, 1, 1), recorder); }),
            "transfer 5 was completed, but is not in flight");
  EXPECT_THAT(recorder.done, ElementsAre(Done{5, 0}));
}

}  // namespace
}  // namespace kernbench::model::fabric
