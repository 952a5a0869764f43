// SPDX-License-Identifier: Apache-2.0
// Transfers over networks of NOC_ROUTERs: exact times, delivery under load, faults.
#include "model/fabric/noc/noc_fabric.hpp"

#include <algorithm>
#include <functional>

#include "fabric_fixture.hpp"
#include "model/fabric/clocked/fabric_failure.hpp"
#include "model/fabric/noc/flit_network.hpp"
#include "packet_checks.hpp"
#include "topology/zoo/zoo_spec.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::shared_ptr<const NocBase> base_of(const std::string& topology, const NocSettings& settings) {
  return std::make_shared<const NocBase>(topology::zoo::parse_zoo_text(topology), settings);
}

/// A network with a clock of 1 ns.
struct NocUnderTest {
  explicit NocUnderTest(std::shared_ptr<const NocBase> base, const NocUserSettings& users = {})
      : fabric(make_cycle_noc(simulation, std::move(base), kNs, users)), recorder(simulation) {}
  NocUnderTest(std::shared_ptr<const NocBase> base, std::unique_ptr<FlitNetwork> network)
      : fabric(std::make_unique<ClockedFabric>(
            simulation, kNs, std::make_unique<NocTransfers>(std::move(base), std::move(network)))),
        recorder(simulation) {}

  [[nodiscard]] const std::vector<Done>& run(const std::vector<Transfer>& transfers) {
    for (const Transfer& transfer : transfers) fabric->submit(transfer, recorder);
    simulation.run();
    return recorder.done;
  }
  /// Returns the failure of a run.
  [[nodiscard]] std::string failure(const std::vector<Transfer>& transfers) {
    try {
      (void)run(transfers);
      fabric->drain();
    } catch (const FabricFailure& error) {
      return error.what();
    }
    return "none";
  }

  engine::Simulation simulation;
  std::unique_ptr<ClockedFabric> fabric;
  Recorder recorder;
};

/// Returns the time of a transfer that meets no other over the estimate, submitted at time 0.
std::int64_t estimate(const NocBase& base, const Transfer& transfer) {
  engine::Simulation simulation;
  Recorder recorder(simulation);
  const auto fabric =
      make_analytic_noc(simulation, base.topology_ptr(), base.relation(), base.settings(), kNs);
  fabric->submit(transfer, recorder);
  simulation.run();
  return recorder.done.at(0).ps;
}

/// Returns the channels that a packet takes.
std::uint32_t hops(const NocBase& base, std::uint32_t src, std::uint32_t dst) {
  std::uint32_t count = 0;
  std::optional<topology::zoo::Hop> in;
  for (std::uint32_t node = src; node != dst; ++count) {
    in = base.relation()->next(node, in, dst).at(0);
    node = base.topology().channels()[in->channel].dst;
  }
  return count;
}

TEST(NocFabric, ATransferAloneTakesTheCyclesOfItsRoutersOnBothFabrics) {
  for (const char* topology :
       {"Mesh2D(4,3)", "BidirectionalTorus2D(4,4)", "UnidirectionalTorus1D(5)",
        "FlattenedButterfly(3,4)", "TerminalRouter(Mesh2D(2,2))"}) {
    for (const std::uint32_t stages : {0U, 1U, 3U}) {
      const auto base = base_of(topology, {.slots = 10, .stages = stages, .flit_bits = 8});
      const std::uint32_t nodes = base->topology().n_nodes();
      for (std::uint32_t src = 0; src < nodes; src += 2) {
        for (std::uint32_t dst = src % 3; dst < nodes; dst += 3) {
          for (const std::uint64_t bytes : {1U, 2U, 40U}) {
            const Transfer transfer = unicast(1, src, dst, bytes);
            NocUnderTest noc(base);
            // The first flit enters at edge 1, the last one `bytes` - 1 edges later.
            const std::int64_t cycles =
                static_cast<std::int64_t>(bytes) + (2 + stages) * (hops(*base, src, dst) + 1);
            EXPECT_THAT(noc.run({transfer}), ElementsAre(Done{1, 1000 * cycles}))
                << topology << " " << src << " to " << dst;
            EXPECT_EQ(estimate(*base, transfer), 1000 * cycles)
                << topology << " " << src << " to " << dst;
          }
        }
      }
    }
  }
}

TEST(NocFabric, LinksWithStagesOfTheirOwnTakeThemOnBothFabrics) {
  const auto topology = topology::zoo::parse_zoo_spec(
      "topology: {kind: CustomTopology, n: 3, edges: [[0, 1], [1, 2], [2, 0]], "
      "stages: [4, 0, 1]}",
      "ring");
  const auto base = std::make_shared<const NocBase>(
      topology, NocSettings{.slots = 16, .stages = 2, .flit_bits = 8});
  // Port A has the two stages of the settings.
  for (const auto& [src, dst, cycles] :
       {std::tuple{0U, 1U, 4 + 6}, {0U, 2U, 4 + 6 + 2}, {1U, 0U, 4 + 2 + 3}, {2U, 2U, 4}}) {
    NocUnderTest noc(base);
    EXPECT_THAT(noc.run({unicast(1, src, dst, 5)}), ElementsAre(Done{1, 1000 * (5 + cycles)}));
    EXPECT_EQ(estimate(*base, unicast(1, src, dst, 5)), 1000 * (5 + cycles));
  }
}

TEST(NocFabric, AVirtualChannelAloneCarriesItsSlotsInEachCreditLoop) {
  // One packet of 6000 flits over one virtual channel, whose credit loop takes 4 + 2D cycles.
  for (const auto& [slots, stages, cycles] :
       {std::tuple{4U, 1U, 9000U}, {3U, 1U, 12000U}, {4U, 2U, 12000U}, {6U, 1U, 6000U}}) {
    NocUnderTest noc(
        base_of("BidirectionalLine(3)",
                {.slots = slots, .stages = stages, .flit_bits = 8, .packet_flits = 6000}));
    const auto done = noc.run({unicast(1, 0, 2, 6000)});
    EXPECT_NEAR(static_cast<double>(done.at(0).ps) / 1000, cycles, 3 * (2 + stages) + slots + 2)
        << slots << " slots, " << stages << " stages";
  }
}

/// Returns transfers of all sizes between random nodes.
std::vector<Transfer> many(std::uint32_t nodes, std::uint64_t seed) {
  common::Rng rng(seed);
  std::vector<Transfer> transfers;
  for (std::uint64_t id = 1; id <= 400; ++id) {
    const auto src = static_cast<std::uint32_t>(rng.below(nodes));
    const auto dst = static_cast<std::uint32_t>(rng.below(nodes));
    transfers.push_back(unicast(id, src, dst, 1 + rng.below(60)));
  }
  return transfers;
}

TEST(NocFabric, DeliversAllTransfersUnderLoadWithLanesThatLetPacketsOvertake) {
  for (const NocSettings& settings :
       {NocSettings{.flit_bits = 8, .packet_flits = 4},
        NocSettings{.lanes = 3, .slots = 2, .stages = 0, .flit_bits = 5, .packet_flits = 7},
        NocSettings{.lanes = 2, .flit_bits = 512, .packet_flits = 1}}) {
    std::vector<std::uint64_t> hashes;
    for (const double stalls : {0.0, 0.9, 0.9}) {
      NocUnderTest noc(base_of("BidirectionalTorus2D(4,3)", settings),
                       {.receiver_stalls = stalls, .seed = 5});
      EXPECT_THAT(noc.run(many(12, 3)), SizeIs(400));
      noc.fabric->drain();
      hashes.push_back(noc.fabric->network().hash());
    }
    EXPECT_EQ(hashes[1], hashes[2]);
    EXPECT_NE(hashes[0], hashes[1]);
  }
}

TEST(NocFabric, CountsTheFlitsOfEachChannelAndSkipsIdleCycles) {
  const auto base = base_of("BidirectionalLine(3)", {.flit_bits = 8});
  NocUnderTest noc(base);
  (void)noc.run({unicast(1, 0, 2, 10), unicast(2, 1, 0, 3)});
  std::vector<std::uint64_t> entered;
  for (std::size_t i = 0; i < noc.fabric->network().links(); ++i) {
    entered.push_back(noc.fabric->network().entered_link(i));
  }
  EXPECT_THAT(entered, ElementsAre(10, 3, 10, 0));  // 0->1, 1->0, 1->2, 2->1
  const std::uint64_t cycles = noc.fabric->cycles();
  noc.simulation.run_until(common::SimTime::from_ps(1'000'000));
  (void)noc.run({unicast(3, 0, 0, 1)});
  EXPECT_EQ(noc.recorder.done.back(), (Done{3, 1'004'000}));
  EXPECT_LT(noc.fabric->cycles(), cycles + 12);
}

/// A reference whose view a test changes.
class ChangedFlits final : public FlitNetwork {
 public:
  using Change = std::function<void(Edge edge, NocUserView& view)>;
  ChangedFlits(const noc::Network& network, Change change)
      : inner_(network), change_(std::move(change)) {}

  void send(std::uint32_t node, std::uint32_t vc, noc::Flit flit) override {
    inner_.send(node, vc, flit);
  }
  void take(std::uint32_t node, std::uint32_t vc) override {
    if (node < 64) inner_.take(node, vc);
  }
  void step(Edge edge, NocUserView& view) override {
    inner_.step(edge, view);
    change_(edge, view);
  }
  [[nodiscard]] std::uint64_t entered(std::uint32_t channel) const override {
    return inner_.entered(channel);
  }
  [[nodiscard]] std::vector<noc::LinkCredit> circle() const override { return {{0, 0}, {2, 0}}; }

 private:
  ReferenceFlits inner_;
  Change change_;
};

TEST(NocFabric, AFlitThatIsLostDoubledChangedOrLedAstrayIsReported) {
  const auto base = base_of("BidirectionalLine(3)", {.flit_bits = 8, .packet_flits = 4});
  const auto failure = [&base](const ChangedFlits::Change& change) {
    NocUnderTest noc(base, std::make_unique<ChangedFlits>(base->network(), change));
    return noc.failure({unicast(1, 0, 2, 6)});
  };
  // Six flits arrive at edges 10 to 15, the first four as one packet on virtual channel 0.
  EXPECT_EQ(failure([](Edge, NocUserView&) {}), "none");
  const auto at = [&failure](Edge when, const std::function<void(NocUserView&)>& change) {
    return failure([&](Edge edge, NocUserView& view) {
      if (edge == when) change(view);
    });
  };
  const std::string port = "port B of node 2, virtual channel 0: an unexpected flit 0x";
  EXPECT_THAT(at(10, [](auto& view) { view.arrivals.clear(); }),
              AllOf(HasSubstr("edge 11: " + port), HasSubstr(": it follows no head")));
  EXPECT_THAT(at(11, [](auto& view) { view.arrivals.clear(); }),
              AllOf(HasSubstr("edge 12: " + port), HasSubstr(": its data are others")));
  EXPECT_THAT(at(11, [](auto& view) { view.arrivals.push_back(view.arrivals[0]); }),
              AllOf(HasSubstr("edge 11: " + port), HasSubstr(": its data are others")));
  EXPECT_THAT(
      at(10, [](auto& view) { view.arrivals.push_back(view.arrivals[0]); }),
      AllOf(HasSubstr("edge 10: " + port), HasSubstr(": the packet before it has not ended")));
  EXPECT_THAT(at(12, [](auto& view) { view.arrivals[0].flit ^= 4U; }),
              AllOf(HasSubstr("edge 12: " + port), HasSubstr(": its packet is another one")));
  EXPECT_THAT(at(12, [](auto& view) { view.arrivals[0].node = 1; }),
              AllOf(HasSubstr("edge 12: port B of node 1, virtual channel 0: "),
                    HasSubstr(": its destination is another node")));
  const noc::Flit tail = noc::Flit{1} << (base->network().sizes().flit_bits - 2);
  EXPECT_THAT(at(12, [&](auto& view) { view.arrivals[0].flit |= tail; }),
              AllOf(HasSubstr("edge 12: " + port), HasSubstr(": its packet does not end here")));
  EXPECT_THAT(at(13, [&](auto& view) { view.arrivals[0].flit &= ~tail; }),
              AllOf(HasSubstr("edge 13: " + port), HasSubstr(": its packet ends here")));
  noc::Flit head = 0;
  EXPECT_THAT(failure([&](Edge edge, NocUserView& view) {
                if (edge == 10) head = view.arrivals[0].flit;
                if (edge == 18) view.arrivals.push_back({2, 0, head});
              }),
              AllOf(HasSubstr("edge 18: " + port), HasSubstr(": no such packet is on its way")));
  EXPECT_EQ(failure([](Edge edge, NocUserView& view) {
              if (edge >= 12) view.arrivals.clear();
            }),
            "edge 4107: nothing has moved for 4096 cycles; transfer 1 from node 0: 6 of 6 packets "
            "sent, 1 node incomplete; these wait for each other: 0->1 vc0, 1->2 vc0");
}

TEST(NocFabric, RefusesTransfersThatItCannotCarry) {
  NocUnderTest noc(base_of("UnidirectionalLine(3)", {.flit_bits = 8}));
  EXPECT_EQ(error_of([&] { (void)noc.run({unicast(1, 2, 0, 1)}); }),
            "transfer 1: UnidirectionalLine(3) has no route from node 2 to node 0");
  EXPECT_EQ(error_of([&] { (void)noc.run({unicast(1, 0, 2, 1, Qos::High)}); }),
            "transfer 1: the routers of UnidirectionalLine(3) have no levels of QoS");
  EXPECT_EQ(noc.fabric->in_flight(), 0U);
}

TEST(NocFabric, RefusesSizesOutOfRange) {
  const auto refusal = [](const std::string& topology, const NocSettings& settings) {
    return error_of([&] { (void)base_of(topology, settings); });
  };
  EXPECT_EQ(refusal("Mesh2D(2,2)", {.lanes = 0}), "the number of lanes is 0, not 1 to 64");
  EXPECT_EQ(refusal("Mesh2D(2,2)", {.slots = 256}), "the number of slots is 256, not 1 to 255");
  EXPECT_EQ(refusal("Mesh2D(2,2)", {.stages = 16}), "the number of stages is 16, not 0 to 15");
  EXPECT_EQ(refusal("Mesh2D(2,2)", {.flit_bits = 0}),
            "the number of data bits of a flit is 0, not 1 to 65536");
  EXPECT_EQ(refusal("Mesh2D(2,2)", {.packet_flits = 0}),
            "the number of flits of a packet is 0, not 1 to 65536");
  EXPECT_EQ(refusal("Mesh2D(32,32)", {.lanes = 8}),
            "flits of Mesh2D(32,32) have 76 bits with addresses and numbers; 64 is the most");
}

}  // namespace
}  // namespace kernbench::model::fabric
