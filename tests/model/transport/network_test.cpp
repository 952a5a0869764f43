// SPDX-License-Identifier: Apache-2.0
// Times of flits on wires, in exact picoseconds (DESIGN section 5).
#include "model/transport/network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "line_graph.hpp"
#include "model/transport/wire_time.hpp"
#include "topology/graph/compile.hpp"
#include "topology/graph/graph_builder.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::transport {
namespace {

using common::SimTime;
using ::testing::ElementsAre;
using ::testing::Pair;
using topology::EdgeId;
using topology::NodeId;

TEST(WireTime, OccupancyIsRoundedUpToAPicosecondOnceAFlit) {
  EXPECT_EQ(occupancy(256, 256.0).ps(), 1000);
  EXPECT_EQ(occupancy(1, 256.0).ps(), 4);  // 3.90625
  EXPECT_EQ(occupancy(16, 3.0).ps(), 5334);
}

TEST(WireTime, PropagationIsRoundedHalfUp) {
  EXPECT_EQ(propagation(1'000'000, 0.01).ps(), 10);
  EXPECT_EQ(propagation(50'000, 0.01).ps(), 1);  // half a picosecond
  EXPECT_EQ(propagation(49'000, 0.01).ps(), 0);
}

/// Records the flits that arrive, when they arrive, and when the network reports them.
class Receiving : public ::testing::Test, public FlitReceiver {
 protected:
  void on_flit(std::uint64_t message, std::uint64_t index, SimTime arrival) override {
    seen_.emplace_back(message, index);
    at_.push_back(arrival.ps());
    reported_.push_back(simulation_.now().ps());
  }
  /// Runs to the end and expects that each flit was reported when it arrived.
  void run() {
    simulation_.run();
    EXPECT_EQ(reported_, at_);
  }

  engine::Simulation simulation_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen_;
  std::vector<std::int64_t> at_;
  std::vector<std::int64_t> reported_;
};

/// The network of line_graph().
class Line : public Receiving {
 protected:
  const std::vector<EdgeId> a_to_d_{EdgeId(0), EdgeId(2), EdgeId(4)};
  const std::vector<EdgeId> e_to_c_{EdgeId(6), EdgeId(2)};
  topology::TopologyGraph graph_ = line_graph();
  Network network_{simulation_, graph_};
};

TEST_F(Line, AFlitPaysOverheadOccupancyAndTravelOfEveryHop) {
  network_.send(a_to_d_, 256, *this, 7);
  run();
  EXPECT_THAT(seen_, ElementsAre(Pair(7, 0)));
  // (2000 + 1000 + 10) + (2000 + 2000 + 10) + (2000 + 1000 + 10)
  EXPECT_THAT(at_, ElementsAre(10'030));
}

TEST_F(Line, FlitsOfAMessageFollowEachOtherAtThePaceOfTheNarrowestWire) {
  network_.send(a_to_d_, 3 * 256 + 16, *this, 0);
  run();
  EXPECT_THAT(seen_, ElementsAre(Pair(0, 0), Pair(0, 1), Pair(0, 2), Pair(0, 3)));
  // The last flit is short, but also waits at the last wire until the third has left it.
  EXPECT_THAT(at_, ElementsAre(10'030, 12'030, 14'030, 14'020 + 63 + 10));
}

TEST_F(Line, MessagesShareAWireInOrderOfArrival) {
  network_.send(a_to_d_, 2 * 256, *this, 0);
  network_.send(e_to_c_, 256, *this, 1);
  run();
  // Both first flits arrive at b at 3010. The narrow wire carries the first flit of message 0, then
  // message 1, then the second flit of message 0, which arrived at 4010.
  EXPECT_THAT(seen_, ElementsAre(Pair(1, 0), Pair(0, 0), Pair(0, 1)));
  EXPECT_THAT(at_, ElementsAre(5'010 + 2'000 + 2'000 + 10, 10'030, 10'030 + 2 * 2'000));
}

TEST_F(Line, AMessageWaitsForAllEarlierMessagesOfItsSource) {
  network_.send(a_to_d_, 2 * 256, *this, 0);
  network_.send(std::vector<EdgeId>{EdgeId(0)}, 256, *this, 1);
  run();
  EXPECT_EQ(at_[0], 2'000 + 3 * 1'000 + 10);
  EXPECT_THAT(seen_[0], Pair(1, 0));
}

TEST_F(Line, AnOpenFlowLeavesWhenItsFlitsAreReadyWithoutTheOverheadOfItsSource) {
  const std::uint32_t flow =
      network_.open(network_.route(std::vector<EdgeId>{EdgeId(0)}), 300, *this, 3);
  network_.deliver_flit(flow, SimTime::from_ps(500));
  network_.deliver_flit(flow, SimTime::from_ps(5'000));
  run();
  EXPECT_THAT(seen_, ElementsAre(Pair(3, 0), Pair(3, 1)));
  EXPECT_THAT(at_, ElementsAre(500 + 1'000 + 10, 5'000 + 172 + 10));  // 44 bytes: 171.875 ps
}

TEST_F(Line, WiresCountWhatTheyCarriedAndTheLongestWait) {
  network_.send(a_to_d_, 3 * 256, *this, 0);
  run();
  const WireUse& narrow = network_.use(EdgeId(2));
  EXPECT_EQ(narrow.flits, 3U);
  EXPECT_EQ(narrow.bytes, 768U);
  EXPECT_EQ(narrow.busy.ps(), 6'000);
  EXPECT_EQ(narrow.longest_wait.ps(), 2'000);  // the third flit is ready at 7010 and starts at 9010
  EXPECT_EQ(network_.use(EdgeId(0)).flits, 3U);
  EXPECT_EQ(network_.use(EdgeId(0)).busy.ps(), 3'000);
  EXPECT_EQ(network_.use(EdgeId(1)).flits, 0U);
  EXPECT_EQ(network_.flit_hops(), 9U);
}

TEST_F(Line, TheReverseOfARouteTakesTheOppositeWires) {
  EXPECT_THAT(network_.reversed(a_to_d_), ElementsAre(EdgeId(5), EdgeId(3), EdgeId(1)));
}

TEST_F(Line, RejectsMessagesThatCannotBeSent) {
  EXPECT_THROW(network_.send(a_to_d_, 0, *this, 0), std::invalid_argument);
  EXPECT_THROW(network_.send(std::vector<EdgeId>{}, 1, *this, 0), std::invalid_argument);
  EXPECT_THROW(network_.send(std::vector<EdgeId>{EdgeId(0), EdgeId(4)}, 1, *this, 0),
               std::invalid_argument);
}

TEST_F(Line, AReceiverCanAskForTheFirstAndTheLastFlitOnly) {
  const auto send = [&](std::uint64_t bytes, std::uint64_t message, const auto& edges) {
    network_.send(edges, bytes, *this, message, {}, SourceOverhead::Added, Notify::FirstAndLast);
  };
  send(4 * 256, 0, a_to_d_);
  send(256, 1, a_to_d_);
  send(3 * 256, 2, std::vector<EdgeId>{EdgeId(6)});
  run();
  EXPECT_THAT(seen_, ElementsAre(Pair(2, 0), Pair(2, 2), Pair(0, 0), Pair(0, 3), Pair(1, 0)));
  EXPECT_THAT(at_, ElementsAre(3'010, 5'010, 10'030, 16'030, 18'030));
  EXPECT_EQ(network_.use(EdgeId(4)).flits, 5U);
  EXPECT_EQ(network_.flit_hops(), 18U);
}

/// A line of nodes e, a, k, b with an overhead of 2 ns each. Node k only passes flits on, so the
/// wire from k to b follows the one from a to k. It has 128 GB/s, the others 256; all are 1 mm (10
/// ps).
class Passage : public Receiving {
 protected:
  Passage() : graph_(build()) {}

  static topology::TopologyGraph build() {
    topology::GraphBuilder builder(topology::TopologySpec{}, topology::CubeMesh{});
    topology::Node passing;
    passing.kind = topology::NodeKind::UcieConn;
    const NodeId e = builder.add_node("e", 2.0, topology::Node{});
    const NodeId a = builder.add_node("a", 2.0, topology::Node{});
    const NodeId k = builder.add_node("k", 2.0, passing);
    const NodeId b = builder.add_node("b", 2.0, topology::Node{});
    builder.add_pair(e, a, topology::EdgeKind::Pcie, {256, 1'000'000, 0});
    builder.add_pair(a, k, topology::EdgeKind::Pcie, {256, 1'000'000, 0});
    builder.add_pair(k, b, topology::EdgeKind::Pcie, {128, 1'000'000, 0});
    return std::move(builder).finish({});
  }

  const std::vector<EdgeId> e_to_b_{EdgeId(0), EdgeId(2), EdgeId(4)};
  const std::vector<EdgeId> a_to_b_{EdgeId(2), EdgeId(4)};
  topology::TopologyGraph graph_;
  trace::HopTrace trace_;
  Network network_{simulation_, graph_, &trace_};
};

TEST_F(Passage, AFollowerCarriesFlitsInTheOrderOfItsLeader) {
  network_.send(e_to_b_, 256, *this, 1, {1, "from e"});
  network_.send(a_to_b_, 3 * 256, *this, 2, {2, "from a"});
  run();
  // The flits from a arrive at k at 3010, 4010 and 5010; the flit from e arrives at a at 3010 and
  // at k at 6020.
  EXPECT_THAT(seen_, ElementsAre(Pair(2, 0), Pair(2, 1), Pair(2, 2), Pair(1, 0)));
  EXPECT_THAT(at_, ElementsAre(5'010 + 2'000 + 10, 9'020, 11'020, 13'020));
  EXPECT_EQ(network_.use(EdgeId(4)).longest_wait.ps(), 11'010 - 8'020);
}

TEST_F(Passage, TheTraceHasTheTimesAtANodeThatOnlyPassesFlitsOn) {
  network_.send(a_to_b_, 3 * 256, *this, 2, {2, "from a"});
  network_.send(e_to_b_, 256, *this, 1, {1, "from e"});
  run();
  ASSERT_EQ(trace_.records().size(), 3U + 4U);
  const trace::HopRecord& at_k = trace_.records()[3 + 2];
  EXPECT_EQ(graph_.name(at_k.node), "k");
  EXPECT_EQ(at_k.label.transaction, 1U);
  EXPECT_EQ(at_k.arrive.ps(), 6'020);
  EXPECT_EQ(at_k.depart.ps(), 13'010);
  EXPECT_EQ(at_k.wait.ps(), 11'010 - 8'020);
  EXPECT_EQ(at_k.behind, 2U);
}

TEST_F(Passage, RejectsRoutesThatBeginOrTurnBackWhereFlitsAreOnlyPassedOn) {
  const auto rejection = [&](const std::vector<EdgeId>& edges) {
    try {
      (void)network_.route(edges);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string reason =
      "a route must not begin or turn back at a node that only passes flits on";
  EXPECT_EQ(rejection({EdgeId(4)}), reason);
  EXPECT_EQ(rejection({EdgeId(2), EdgeId(3)}), reason);
  EXPECT_EQ(rejection({EdgeId(2)}), "accepted");
}

/// A line of nodes p, r, m. Node m is a memory with an overhead of 20 ns, the others have 2 ns.
/// Wires have 256 GB/s and 1 mm (10 ps).
class AtMemory : public Receiving {
 protected:
  AtMemory() : graph_(build()) {}

  static topology::TopologyGraph build() {
    topology::GraphBuilder builder(topology::TopologySpec{}, topology::CubeMesh{});
    topology::Node memory;
    memory.kind = topology::NodeKind::HbmCtrl;
    const NodeId p = builder.add_node("p", 2.0, topology::Node{});
    const NodeId r = builder.add_node("r", 2.0, topology::Node{});
    const NodeId m = builder.add_node("m", 20.0, memory);
    builder.add_pair(p, r, topology::EdgeKind::Pcie, {256, 1'000'000, 0});
    builder.add_pair(r, m, topology::EdgeKind::Pcie, {256, 1'000'000, 0});
    return std::move(builder).finish({});
  }

  topology::TopologyGraph graph_;
  Network network_{simulation_, graph_};
};

TEST_F(AtMemory, ReportsFlitsTogetherOnceTheOverheadOfTheFirstHasElapsed) {
  network_.send(std::vector<EdgeId>{EdgeId(0), EdgeId(2)}, 30 * 256, *this, 0);
  simulation_.run();
  ASSERT_EQ(at_.size(), 30U);
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const auto step = static_cast<std::int64_t>(i) * 1'000;
    EXPECT_EQ(at_[i], 3'010 + 3'010 + step);
    EXPECT_EQ(reported_[i], i < 21 ? 6'020 + 20'000 : 6'020 + 21'000 + 20'000);
  }
}

TEST_F(AtMemory, UnreportedFlitsTakeTheWireInTheOrderInWhichTheyAreReady) {
  const Route& route = network_.route(std::vector<EdgeId>{EdgeId(3)});
  const std::uint32_t first = network_.open(route, 3 * 256, *this, 1, {}, Notify::FirstAndLast);
  const std::uint32_t other = network_.open(route, 3 * 256, *this, 2, {}, Notify::FirstAndLast);
  for (const std::int64_t ready : {100, 2'000, 9'000}) {
    network_.deliver_flit(first, SimTime::from_ps(ready));
  }
  for (const std::int64_t ready : {500, 2'500, 4'000}) {
    network_.deliver_flit(other, SimTime::from_ps(ready));
  }
  simulation_.run();
  // Flits start at 100, 1100 (ready at 500), 2100 (2000), 3100 (2500), 4100 (4000) and 9000.
  EXPECT_THAT(seen_, ElementsAre(Pair(1, 0), Pair(2, 0), Pair(2, 2), Pair(1, 2)));
  EXPECT_THAT(at_, ElementsAre(1'110, 2'110, 5'110, 10'010));
  EXPECT_EQ(reported_, at_);
  EXPECT_EQ(network_.use(EdgeId(3)).longest_wait.ps(), 600);
}

TEST_F(AtMemory, ANewMessageWaitsForFlitsThatWereHandedOverEarlier) {
  const Route& route = network_.route(std::vector<EdgeId>{EdgeId(3)});
  const std::uint32_t flow = network_.open(route, 3 * 256, *this, 1, {}, Notify::FirstAndLast);
  for (const std::int64_t ready : {100, 1'900, 9'000}) {
    network_.deliver_flit(flow, SimTime::from_ps(ready));
  }
  (void)simulation_.run_until(SimTime::from_ps(2'000));
  network_.send(route, 256, *this, 2, {}, SourceOverhead::Paid);
  simulation_.run();
  EXPECT_THAT(seen_, ElementsAre(Pair(1, 0), Pair(2, 0), Pair(1, 2)));
  EXPECT_THAT(at_, ElementsAre(1'110, 1'900 + 2 * 1'000 + 10, 10'010));
}

TEST_F(AtMemory, RejectsARouteThroughIt) {
  EXPECT_THROW((void)network_.route(std::vector<EdgeId>{EdgeId(2), EdgeId(3)}),
               std::invalid_argument);
}

}  // namespace
}  // namespace kernbench::model::transport
