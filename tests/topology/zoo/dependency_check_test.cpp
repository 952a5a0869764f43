// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "channel_sets.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/dimension_order.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/routing/shortest_path.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {
namespace {

RoutingCheck naturally(const std::string& text) {
  const TopologyPtr topology = parse_zoo_text(text);
  return check_routing(*natural_routing(*topology));
}

/// Returns the number of connected pairs: Warshall's closure of connects().
std::uint64_t joined_pairs(const BaseTopology& topology) {
  const std::uint32_t n = topology.n_nodes();
  std::vector<std::vector<bool>> joined(n, std::vector<bool>(n, false));
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) joined[a][b] = topology.connects(a, b);
  }
  for (std::uint32_t via = 0; via < n; ++via) {
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = 0; b < n; ++b) {
        if (joined[a][via] && joined[via][b]) joined[a][b] = true;
      }
    }
  }
  std::uint64_t pairs = 0;
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) pairs += a != b && joined[a][b] ? 1 : 0;
  }
  return pairs;
}

TEST(DependencyCheck, PrintsTheCycleOfARingWithoutVirtualChannels) {
  const TopologyPtr ring = parse_zoo_text("UnidirectionalTorus1D(4)");
  const RoutingCheck check = check_routing(ShortestPathRouting(*ring));
  EXPECT_FALSE(check.deadlock_free());
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(routing_report(*ring, check),
            "topology: UnidirectionalTorus1D(4), 4 nodes, 4 channels\n"
            "routing: shortest path, 1 virtual channel\n"
            "pairs: 12, 12 of them joined by channels\n"
            "channel dependency graph: 4 virtual channels in use, 4 dependencies\n"
            "deadlock: possible, the dependency graph has the cycle\n"
            "  0->1 vc0, 1->2 vc0, 2->3 vc0, 3->0 vc0, back to 0->1 vc0\n");
}

TEST(DependencyCheck, PassesTheSameRingWithADateline) {
  const TopologyPtr ring = parse_zoo_text("UnidirectionalTorus1D(4)");
  const RoutingCheck check = check_routing(*natural_routing(*ring));
  EXPECT_TRUE(check.deadlock_free());
  EXPECT_TRUE(check.passed());
  // VC 1 on 0->1 1->2 2->3 3->0, VC 0 on 0->1 1->2 2->3; each waits for the next in this order.
  EXPECT_EQ(check.used_vcs, 7U);
  EXPECT_EQ(check.dependencies, 6U);
  EXPECT_EQ(routing_report(*ring, check),
            "topology: UnidirectionalTorus1D(4), 4 nodes, 4 channels\n"
            "routing: dimension order with datelines, 2 virtual channels\n"
            "pairs: 12, 12 of them joined by channels\n"
            "channel dependency graph: 7 virtual channels in use, 6 dependencies\n"
            "deadlock: none, the dependency graph has no cycle\n");
}

TEST(DependencyCheck, FindsTheShortestCycleOfATwoWayRing) {
  const TopologyPtr ring = parse_zoo_text("BidirectionalTorus1D(5)");
  const RoutingCheck check = check_routing(ShortestPathRouting(*ring));
  ASSERT_FALSE(check.deadlock_free());
  EXPECT_EQ(cycle_text(*ring, check.cycle),
            "0->1 vc0, 1->2 vc0, 2->3 vc0, 3->4 vc0, 4->0 vc0, back to 0->1 vc0");
}

TEST(DependencyCheck, FindsTheCycleOfUnrestrictedShortestPathsInAMesh) {
  const TopologyPtr mesh = parse_zoo_text("Mesh2D(2,2)");
  const RoutingCheck check = check_routing(ShortestPathRouting(*mesh));
  ASSERT_FALSE(check.deadlock_free());
  EXPECT_EQ(cycle_text(*mesh, check.cycle),
            "0->1 vc0, 1->3 vc0, 3->2 vc0, 2->0 vc0, back to 0->1 vc0");
}

TEST(DependencyCheck, FindsNoCycleWhereShortestPathsCannotCloseOne) {
  // With two nodes, no packet takes two hops. In a tree or a line, no packet reverses.
  for (const char* text : {"UnidirectionalTorus1D(2)", "BidirectionalTree(3,2)",
                           "BidirectionalLine(6)", "Butterfly(2,3)"}) {
    const TopologyPtr topology = parse_zoo_text(text);
    EXPECT_TRUE(check_routing(ShortestPathRouting(*topology)).passed()) << text;
  }
}

TEST(DependencyCheck, CountsTheDependenciesOfXYInAMesh) {
  // 2 x 2: one Y channel follows each X channel, in the column of its end.
  const RoutingCheck check = naturally("Mesh2D(2,2)");
  EXPECT_EQ(check.used_vcs, 8U);
  EXPECT_EQ(check.dependencies, 4U);
  EXPECT_EQ(check.pairs, 12U);
}

TEST(DependencyCheck, PassesTheLargestFlattenedButterfly) {
  const RoutingCheck check = naturally("FlattenedButterfly(16,16)");
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(check.used_vcs, 7680U);
  EXPECT_EQ(check.dependencies, 256U * 15U * 15U);  // each X channel before 15 Y channels
  EXPECT_EQ(check.pairs, 256U * 255U);
}

TEST(DependencyCheck, PassesDimensionOrderYX) {
  const TopologyPtr topology = parse_zoo_text("Mesh2D(5,4)");
  const DimensionOrderRouting yx(*topology, {5, 4}, DimensionStep::Neighbour, DimensionOrder::YX);
  EXPECT_TRUE(check_routing(yx).passed());
}

TEST(DependencyCheck, PassesTheNaturalRelationOfEveryKind) {
  const std::string lines_on_a_ring =
      "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),(2,1,"
      "BidirectionalLine(3)))";
  const std::string lines_with_terminals =
      "TerminalRouter(HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),"
      "(2,1,BidirectionalLine(3))))";
  const std::string one_way_parts =
      "HierarchicalTopology(UnidirectionalLine(3),(0,1,UnidirectionalLine(3)),(2,0,Butterfly(2,2))"
      ")";
  const std::string rings_in_rings =
      "HierarchicalTopology(BidirectionalTorus2D(3,3),(0,0,HierarchicalTopology("
      "BidirectionalTorus1D(5),(1,2,UnidirectionalTorus1D(4)))),(0,1,TerminalRouter("
      "BidirectionalTorus1D(4))),(5,4,BidirectionalTorus2D(3,3)))";
  const std::vector<std::string> topologies = {
      "UnidirectionalLine(2)",
      "UnidirectionalLine(6)",
      "BidirectionalLine(6)",
      "UnidirectionalTorus1D(2)",
      "UnidirectionalTorus1D(3)",
      "UnidirectionalTorus1D(9)",
      "BidirectionalTorus1D(2)",
      "BidirectionalTorus1D(3)",
      "BidirectionalTorus1D(4)",
      "BidirectionalTorus1D(9)",
      "BidirectionalTorus1D(10)",
      "Butterfly(2,2)",
      "Butterfly(2,4)",
      "Butterfly(3,3)",
      "BidirectionalTree(1,2)",
      "BidirectionalTree(4,2)",
      "BidirectionalTree(3,3)",
      "Mesh2D(1,5)",
      "Mesh2D(5,1)",
      "Mesh2D(5,4)",
      "UnidirectionalTorus2D(2,2)",
      "UnidirectionalTorus2D(4,5)",
      "BidirectionalTorus2D(2,2)",
      "BidirectionalTorus2D(2,5)",
      "BidirectionalTorus2D(5,4)",
      "BidirectionalTorus2D(6,6)",
      "FlattenedButterfly(5,3)",
      "TerminalRouter(BidirectionalTorus2D(4,4))",
      "TerminalRouter(Butterfly(2,3))",
      "TerminalRouter(TerminalRouter(UnidirectionalTorus1D(4)))",
      lines_on_a_ring,
      lines_with_terminals,
      one_way_parts,
      rings_in_rings,
      "CustomTopology(5,0->1,1->0,1->2,2->1,2->0,0->2,2->3,3->2,3->4,4->3)",
      "CustomTopology(5,0->3,3->1,1->4,4->2,2->0,1->0,3->2)"};
  for (const std::string& text : topologies) {
    const TopologyPtr topology = parse_zoo_text(text);
    const RoutingCheck check = naturally(text);
    EXPECT_TRUE(check.passed()) << routing_report(*topology, check);
    EXPECT_EQ(check.joined(), joined_pairs(*topology)) << text;
  }
}

TEST(DependencyCheck, SaysWhichPairsNoChannelsJoin) {
  const TopologyPtr line = parse_zoo_text("UnidirectionalLine(3)");
  const RoutingCheck check = check_routing(*natural_routing(*line));
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(routing_report(*line, check),
            "topology: UnidirectionalLine(3), 3 nodes, 2 channels\n"
            "routing: dimension order, 1 virtual channel\n"
            "pairs: 6, 3 of them joined by channels\n"
            "channel dependency graph: 2 virtual channels in use, 1 dependencies\n"
            "not joined by channels, as the topology allows: 3\n"
            "  from node 1 to node 0\n"
            "  from node 2 to node 0\n"
            "  from node 2 to node 1\n"
            "deadlock: none, the dependency graph has no cycle\n");
}

TEST(DependencyCheck, FailsForPairsThatNoChannelsJoin) {
  const auto check_of = [](const std::string& text) { return naturally(text); };
  const RoutingCheck islands = check_of("CustomTopology(4,0->1,1->0,2->3,3->2)");
  EXPECT_EQ(islands.outcome(), common::Outcome::Mismatch);
  EXPECT_EQ(islands.unjoined.count, 8U);
  EXPECT_EQ(verdict_text(islands), "FAIL  no path for 8 of 12 pairs");
  const RoutingCheck one_way = check_of("CustomTopology(3,0->1,1->2,2->1)");
  EXPECT_EQ(verdict_text(one_way), "FAIL  no path for 2 of 6 pairs");
  for (const char* part :
       {"TerminalRouter(CustomTopology(2,0->1))",
        "HierarchicalTopology(BidirectionalLine(2),(0,0,CustomTopology(2,0->1)))",
        "HierarchicalTopology(CustomTopology(2,0->1),(0,0,BidirectionalLine(2)))"}) {
    EXPECT_EQ(check_of(part).outcome(), common::Outcome::Mismatch) << part;
  }
}

TEST(DependencyCheck, PassesOneWayKindsOnlyForThePairsThatTheyServe) {
  EXPECT_EQ(naturally("UnidirectionalLine(4)").one_way.count, 6U);
  // Between terminals 4 x 4 of the first and the last stage, and what the terminals add.
  EXPECT_EQ(naturally("TerminalRouter(Butterfly(2,3))").outcome(), common::Outcome::Pass);
  EXPECT_EQ(naturally("Butterfly(2,3)").outcome(), common::Outcome::Pass);
}

TEST(DependencyCheck, WithoutAnyPairNothingWasChecked) {
  for (const char* text : {"UnidirectionalLine(1)", "BidirectionalTree(0,2)", "Mesh2D(1,1)",
                           "CustomTopology(1)", "FlattenedButterfly(1,1)"}) {
    const RoutingCheck check = naturally(text);
    EXPECT_EQ(check.outcome(), common::Outcome::Vacuous) << text;
    EXPECT_EQ(verdict_text(check), "VACUOUS  no pair of nodes has a route to check") << text;
  }
}

TEST(DependencyCheck, SaysHowManyFindingsItLeavesOut) {
  const TopologyPtr butterfly = parse_zoo_text("Butterfly(2,3)");
  const RoutingCheck check = check_routing(*natural_routing(*butterfly));
  // The 4 first nodes reach 2 + 4 others; the 4 middle ones reach 2.
  EXPECT_EQ(check.joined(), 4U * 6U + 4U * 2U);
  EXPECT_EQ(check.one_way.first.size(), 10U);
  EXPECT_NE(routing_report(*butterfly, check).find("  and 90 more\n"), std::string::npos);
}

TEST(DependencyCheck, RefusesTooManyNodes) {
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(4097)");
  EXPECT_EQ(refusal_of([&] { (void)check_routing(*natural_routing(*line)); }),
            "BidirectionalLine(4097) has 4097 nodes; routes are computed for at most 4096");
}

}  // namespace
}  // namespace kernbench::topology::zoo
