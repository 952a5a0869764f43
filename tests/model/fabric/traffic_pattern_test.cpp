// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/traffic_pattern.hpp"

#include <map>
#include <set>

#include "fabric_fixture.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::model::fabric {
namespace {

using topology::zoo::TopologyPtr;

struct Routed {
  explicit Routed(const std::string& text)
      : topology(topology::zoo::parse_zoo_text(text)),
        relation(topology::zoo::natural_routing(*topology)) {}
  TopologyPtr topology;
  std::unique_ptr<topology::zoo::RoutingRelation> relation;
};

/// Returns all pairs of a permutation, as "0>2 1>3".
std::string ways(const std::string& topology, const std::string& kind) {
  const Routed routed(topology);
  const TrafficPattern pattern(*routed.relation, {.kind = kind});
  common::Rng rng(1);
  std::string text;
  for (std::size_t i = 0; i < pattern.senders().size(); ++i) {
    text += fmt::format("{}{}>{}", i == 0 ? "" : " ", pattern.senders()[i],
                        pattern.destination(i, rng));
  }
  return text;
}

std::string refusal(const std::string& topology, const TrafficPatternSpec& spec) {
  const Routed routed(topology);
  return error_of([&] { const TrafficPattern pattern(*routed.relation, spec); });
}

/// Returns how often `sender` draws each destination in 10,000 draws.
std::map<std::uint32_t, int> drawn(const TrafficPattern& pattern, std::size_t sender) {
  common::Rng rng(7);
  std::map<std::uint32_t, int> counts;
  for (int i = 0; i < 10000; ++i) ++counts[pattern.destination(sender, rng)];
  return counts;
}

TEST(TrafficPattern, TransposeSwapsCoordinatesAndLeavesTheDiagonalSilent) {
  EXPECT_EQ(ways("Mesh2D(3,3)", "transpose"), "1>3 2>6 3>1 5>7 6>2 7>5");
  EXPECT_EQ(ways("TerminalRouter(Mesh2D(2,2))", "transpose"), "1>2 2>1");
}

TEST(TrafficPattern, BitComplementAndBitReverseWorkOnTheNumberOfAnEndpoint) {
  EXPECT_EQ(ways("Mesh2D(2,2)", "bit_complement"), "0>3 1>2 2>1 3>0");
  EXPECT_EQ(ways("BidirectionalTorus1D(8)", "bit_reverse"), "1>4 3>6 4>1 6>3");
}

TEST(TrafficPattern, HalfRotationGoesHalfOfAllEndpointsFurther) {
  EXPECT_EQ(ways("BidirectionalTorus1D(5)", "half_rotation"), "0>2 1>3 2>4 3>0 4>1");
}

TEST(TrafficPattern, TornadoGoesAlmostHalfAroundInEveryDimension) {
  // 4 columns: 1 further; 5 rows: 2 further.
  EXPECT_THAT(ways("BidirectionalTorus2D(4,5)", "booksim.tornado"),
              ::testing::StartsWith("0>9 1>10 2>11 3>8 4>13 "));
}

TEST(TrafficPattern, NeighborGoesOneFurtherInEveryDimension) {
  EXPECT_EQ(ways("Mesh2D(2,2)", "booksim.neighbor"), "0>3 1>2 2>1 3>0");
  EXPECT_EQ(ways("BidirectionalTorus1D(3)", "booksim.neighbor"), "0>1 1>2 2>0");
}

TEST(TrafficPattern, SendsFromTheFirstStageOfAButterflyToTheLast) {
  EXPECT_EQ(ways("Butterfly(2,3)", "bit_complement"), "0>11 1>10 2>9 3>8");
  const Routed routed("Butterfly(2,3)");
  const TrafficPattern pattern(*routed.relation, {});
  EXPECT_EQ(pattern.senders(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  const std::map<std::uint32_t, int> counts = drawn(pattern, 0);
  EXPECT_EQ(counts.begin()->first, 8U);
  EXPECT_EQ(counts.size(), 4U);
  EXPECT_EQ(pattern.unreachable_pairs(), 0U);
}

TEST(TrafficPattern, SendsFromTerminalsToTerminals) {
  const Routed routed("TerminalRouter(BidirectionalLine(4))");
  const TrafficPattern pattern(*routed.relation, {});
  EXPECT_EQ(pattern.senders(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(drawn(pattern, 3).rbegin()->first, 2U);
}

TEST(TrafficPattern, SendsFromTerminalsOfTheChildrenOfAHierarchy) {
  const Routed routed(
      "HierarchicalTopology(BidirectionalLine(2),(0,1,TerminalRouter(BidirectionalLine(2))))");
  const TrafficPattern pattern(*routed.relation, {});
  EXPECT_EQ(pattern.senders(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(drawn(pattern, 0).size(), 3U);
}

TEST(TrafficPattern, DrawsAllOthersEquallyOften) {
  const Routed routed("Mesh2D(3,3)");
  const TrafficPattern pattern(*routed.relation, {});
  const std::map<std::uint32_t, int> counts = drawn(pattern, 4);
  EXPECT_EQ(counts.size(), 8U);
  EXPECT_FALSE(counts.contains(4));
  // Expected 1250, standard deviation 33.
  for (const auto& [node, count] : counts) EXPECT_NEAR(count, 1250, 165) << node;
}

TEST(TrafficPattern, DrawsOnlyWhatCanBeReachedAndSaysSo) {
  const Routed routed("UnidirectionalLine(4)");
  const TrafficPattern pattern(*routed.relation, {});
  EXPECT_EQ(pattern.senders(), (std::vector<std::uint32_t>{0, 1, 2}));  // 3 reaches no other
  EXPECT_EQ(pattern.endpoints(), 4U);
  EXPECT_EQ(pattern.unreachable_pairs(), 6U);
  EXPECT_EQ(drawn(pattern, 1).begin()->first, 2U);
  EXPECT_EQ(drawn(pattern, 2).size(), 1U);
}

TEST(TrafficPattern, SendsItsShareToTheHotspotAndTheRestAnywhere) {
  const Routed routed("Mesh2D(3,3)");
  const TrafficPattern pattern(*routed.relation,
                               {.kind = "hotspot", .hotspot_node = 5, .hotspot_share = 0.75});
  EXPECT_NEAR(drawn(pattern, 0)[5], 7500 + 2500 / 8, 250);
  EXPECT_EQ(drawn(pattern, 0).size(), 8U);
  EXPECT_NEAR(drawn(pattern, 5)[0], 1250, 165);  // the hotspot itself sends uniformly
  EXPECT_FALSE(drawn(pattern, 5).contains(5));
}

TEST(TrafficPattern, IsRefusedWhereItDoesNotFit) {
  EXPECT_EQ(refusal("Mesh2D(4,3)", {.kind = "transpose"}),
            "transpose needs a square grid, which Mesh2D(4,3) is not");
  EXPECT_EQ(refusal("BidirectionalTree(2,2)", {.kind = "transpose"}),
            "transpose needs a square grid, which BidirectionalTree(2,2) is not");
  EXPECT_EQ(refusal("Mesh2D(4,3)", {.kind = "bit_reverse"}),
            "bit_reverse needs 2^b endpoints; Mesh2D(4,3) has 12");
  EXPECT_EQ(refusal("UnidirectionalLine(4)", {.kind = "booksim.neighbor"}),
            "booksim.neighbor sends from node 3 to node 0, but UnidirectionalLine(4) has no route");
  EXPECT_EQ(refusal("UnidirectionalLine(4)", {.kind = "hotspot", .hotspot_node = 1}),
            "hotspot sends from node 2 to node 1, but UnidirectionalLine(4) has no route");
  EXPECT_EQ(
      refusal("TerminalRouter(BidirectionalLine(4))", {.kind = "hotspot", .hotspot_node = 4}),
      "hotspot node 4 is not a destination in TerminalRouter(BidirectionalLine(4)); nodes 0 to 3 "
      "are");
  EXPECT_EQ(refusal("Mesh2D(1,1)", {}),
            "under uniform_random no node of Mesh2D(1,1) has a destination");
  EXPECT_EQ(refusal("BidirectionalLine(2)", {.kind = "booksim.tornado"}),
            "under booksim.tornado no node of BidirectionalLine(2) has a destination");
  EXPECT_EQ(refusal("BidirectionalLine(5000)", {}),
            "BidirectionalLine(5000) has 5000 nodes; routes are computed for at most 4096");
}

}  // namespace
}  // namespace kernbench::model::fabric
