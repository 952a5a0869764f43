// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "channel_sets.hpp"
#include "route_walk.hpp"
#include "topology/zoo/base/butterfly.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/base/mesh_2d.hpp"
#include "topology/zoo/base/torus_1d.hpp"
#include "topology/zoo/base/torus_2d.hpp"
#include "topology/zoo/base/tree.hpp"
#include "topology/zoo/routing/butterfly_routing.hpp"
#include "topology/zoo/routing/dimension_order.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/routing/shortest_path.hpp"
#include "topology/zoo/routing/tree_routing.hpp"
#include "topology/zoo/routing/up_down.hpp"

namespace kernbench::topology::zoo {
namespace {

// Routes read "node -virtual channel> node".

TEST(DimensionOrderRouting, WalksALine) {
  const BidirectionalLine line(5);
  const auto relation = natural_routing(line);
  EXPECT_EQ(relation->name(), "dimension order");
  EXPECT_EQ(relation->n_vcs(), 1U);
  EXPECT_EQ(route(*relation, 1, 4), "1 -0> 2 -0> 3 -0> 4");
  EXPECT_EQ(route(*relation, 3, 0), "3 -0> 2 -0> 1 -0> 0");
}

TEST(DimensionOrderRouting, HasNoWayBackOnAOneWayLine) {
  const UnidirectionalLine line(4);
  const auto relation = natural_routing(line);
  EXPECT_EQ(route(*relation, 0, 3), "0 -0> 1 -0> 2 -0> 3");
  EXPECT_EQ(route(*relation, 3, 0), "none");
}

TEST(DimensionOrderRouting, GoesThroughAMeshXFirstOrYFirst) {
  const Mesh2D mesh(4, 3);
  const DimensionOrderRouting xy(mesh, mesh.grid(), DimensionStep::Neighbour, DimensionOrder::XY);
  EXPECT_EQ(xy.name(), "dimension order XY");
  EXPECT_EQ(route(xy, 0, 11), "0 -0> 1 -0> 2 -0> 3 -0> 7 -0> 11");
  EXPECT_EQ(route(xy, 11, 0), "11 -0> 10 -0> 9 -0> 8 -0> 4 -0> 0");
  const DimensionOrderRouting yx(mesh, mesh.grid(), DimensionStep::Neighbour, DimensionOrder::YX);
  EXPECT_EQ(yx.name(), "dimension order YX");
  EXPECT_EQ(route(yx, 0, 11), "0 -0> 4 -0> 8 -0> 9 -0> 10 -0> 11");
  EXPECT_EQ(route(yx, 2, 4), "2 -0> 6 -0> 5 -0> 4");
}

TEST(DimensionOrderRouting, CrossesAFlattenedButterflyInTwoHops) {
  const FlattenedButterfly all(4, 4);
  const auto relation = natural_routing(all);
  EXPECT_EQ(relation->n_vcs(), 1U);
  EXPECT_EQ(route(*relation, 0, 15), "0 -0> 3 -0> 15");
  EXPECT_EQ(route(*relation, 0, 3), "0 -0> 3");
  EXPECT_EQ(route(*relation, 14, 2), "14 -0> 2");
}

TEST(DimensionOrderRouting, ChangesVirtualChannelAtTheDatelineOfAOneWayRing) {
  const UnidirectionalTorus1D ring(4);
  const auto relation = natural_routing(ring);
  EXPECT_EQ(relation->name(), "dimension order with datelines");
  EXPECT_EQ(relation->n_vcs(), 2U);
  // Virtual channel 1 up to the dateline 3->0, then 0; without it, 1 to the first half of the ring.
  EXPECT_EQ(route(*relation, 0, 3), "0 -0> 1 -0> 2 -0> 3");
  EXPECT_EQ(route(*relation, 0, 2), "0 -1> 1 -1> 2");
  EXPECT_EQ(route(*relation, 2, 1), "2 -1> 3 -1> 0 -0> 1");
  EXPECT_EQ(route(*relation, 3, 0), "3 -1> 0");
}

TEST(DimensionOrderRouting, TakesTheShorterWayRoundAndOfEqualOnesThatOfTheSourcesParity) {
  const BidirectionalTorus1D ring(6);
  const auto relation = natural_routing(ring);
  EXPECT_EQ(route(*relation, 1, 3), "1 -1> 2 -1> 3");
  EXPECT_EQ(route(*relation, 1, 4), "1 -1> 0 -1> 5 -0> 4");
  EXPECT_EQ(route(*relation, 4, 1), "4 -1> 5 -1> 0 -0> 1");
  EXPECT_EQ(route(*relation, 1, 5), "1 -1> 0 -1> 5");
  EXPECT_EQ(route(*relation, 1, 0), "1 -0> 0");
  EXPECT_EQ(route(*relation, 5, 3), "5 -1> 4 -1> 3");
}

TEST(DimensionOrderRouting, ChoosesTheVirtualChannelAgainInTheSecondDimension) {
  const BidirectionalTorus2D torus(4, 3);
  const auto relation = natural_routing(torus);
  EXPECT_EQ(relation->name(), "dimension order XY with datelines");
  EXPECT_EQ(route(*relation, 0, 7), "0 -1> 3 -1> 7");
  EXPECT_EQ(route(*relation, 3, 8), "3 -1> 0 -1> 8");
  EXPECT_EQ(route(*relation, 1, 4), "1 -0> 0 -1> 4");
  const UnidirectionalTorus2D one_way(4, 3);
  const auto forward = natural_routing(one_way);
  EXPECT_EQ(route(*forward, 10, 4), "10 -1> 11 -1> 8 -1> 0 -0> 4");
  EXPECT_EQ(route(*forward, 1, 0), "1 -1> 2 -1> 3 -1> 0");
  EXPECT_EQ(route(*forward, 1, 11), "1 -0> 2 -0> 3 -0> 7 -0> 11");
}

TEST(DimensionOrderRouting, IsRefusedOverAGridOfAnotherSize) {
  const Mesh2D mesh(4, 3);
  EXPECT_EQ(refusal_of([&] {
              DimensionOrderRouting(mesh, {4, 4}, DimensionStep::Neighbour, DimensionOrder::XY);
            }),
            "Mesh2D(4,3) is not a grid of 4 x 4");
}

TEST(TreeRouting, ClimbsToTheLowestCommonNode) {
  const BidirectionalTree tree(2, 2);
  const auto relation = natural_routing(tree);
  EXPECT_EQ(relation->n_vcs(), 1U);
  EXPECT_EQ(route(*relation, 3, 4), "3 -0> 1 -0> 4");
  EXPECT_EQ(route(*relation, 3, 6), "3 -0> 1 -0> 0 -0> 2 -0> 6");
  EXPECT_EQ(route(*relation, 0, 5), "0 -0> 2 -0> 5");
  EXPECT_EQ(route(*relation, 5, 0), "5 -0> 2 -0> 0");
  EXPECT_EQ(route(*relation, 1, 2), "1 -0> 0 -0> 2");
}

TEST(TreeRouting, FindsItsWayInTreesOfOtherArity) {
  const BidirectionalTree tree(3, 3);
  const auto relation = natural_routing(tree);
  // 13 is the first leaf (0, 1, 4, 13), 39 the last (0, 3, 12, 39).
  EXPECT_EQ(route(*relation, 13, 39), "13 -0> 4 -0> 1 -0> 0 -0> 3 -0> 12 -0> 39");
  EXPECT_EQ(route(*relation, 15, 16), "15 -0> 4 -0> 1 -0> 5 -0> 16");
}

TEST(ButterflyRouting, PutsADigitRightAtEachStage) {
  const Butterfly butterfly(2, 3);
  const auto relation = natural_routing(butterfly);
  EXPECT_EQ(relation->name(), "destination tag");
  EXPECT_EQ(route(*relation, 0, 11), "0 -0> 5 -0> 11");
  EXPECT_EQ(route(*relation, 1, 8), "1 -0> 4 -0> 8");
  EXPECT_EQ(route(*relation, 3, 9), "3 -0> 7 -0> 9");
}

TEST(ButterflyRouting, SaysWhichNodesAreNotReached) {
  const Butterfly butterfly(2, 3);
  const auto relation = natural_routing(butterfly);
  EXPECT_EQ(route(*relation, 0, 5), "0 -0> 5");
  EXPECT_EQ(route(*relation, 0, 6), "none");  // differs in the digit of the second stage
  EXPECT_EQ(route(*relation, 4, 9), "none");  // differs in the digit of the first stage
  EXPECT_EQ(route(*relation, 4, 0), "none");  // backwards
  EXPECT_EQ(route(*relation, 0, 1), "none");  // within a stage
  EXPECT_EQ(route(*relation, 8, 11), "none");
}

/// Returns a two-way ring of `n` nodes as a custom topology.
CustomTopology two_way_ring(std::uint32_t n) {
  return {n, BidirectionalTorus1D(n).channels()};
}

TEST(UpDownRouting, NeverTurnsFromDownToUp) {
  const CustomTopology ring = two_way_ring(4);  // ranks: 0, then 1 and 3, then 2
  const auto relation = natural_routing(ring);
  EXPECT_EQ(relation->name(), "up*/down* over a spanning tree");
  EXPECT_EQ(relation->n_vcs(), 1U);
  EXPECT_EQ(offers(*relation, 0, {}, 2), "0->1 vc0, 0->3 vc0");
  EXPECT_EQ(offers(*relation, 2, {}, 0), "2->1 vc0, 2->3 vc0");
  EXPECT_EQ(offers(*relation, 1, {}, 3), "1->0 vc0");  // not 1->2->3, down and up
  EXPECT_EQ(offers(*relation, 2, hop_over(ring, 1, 2), 3), "");
  EXPECT_EQ(offers(*relation, 0, hop_over(ring, 1, 0), 3), "0->3 vc0");
}

TEST(UpDownRouting, TakesALongerWayWhereTheShortestIsForbidden) {
  const CustomTopology ring = two_way_ring(6);
  const auto relation = natural_routing(ring);
  EXPECT_EQ(route(*relation, 2, 4), "2 -0> 1 -0> 0 -0> 5 -0> 4");
  EXPECT_EQ(route(*relation, 2, 3), "2 -0> 3");
}

TEST(UpDownRouting, RoutesEachPartOfATopologyInPieces) {
  const CustomTopology pieces(5, {{0, 2}, {2, 0}, {1, 3}, {3, 1}, {3, 4}, {4, 3}});
  const auto relation = natural_routing(pieces);
  EXPECT_EQ(route(*relation, 1, 4), "1 -0> 3 -0> 4");
  EXPECT_EQ(route(*relation, 2, 0), "2 -0> 0");
  EXPECT_EQ(route(*relation, 0, 1), "none");
}

TEST(UpDownRouting, NeedsChannelsBothWays) {
  const CustomTopology one_way(2, {{0, 1}});
  EXPECT_EQ(
      refusal_of([&] { UpDownRouting{one_way}; }),
      "up*/down* needs bidirectional channels, but CustomTopology(2,1 edges) has one-way channels");
}

TEST(ShortestPathRouting, OffersEveryFirstHopOfAShortestPath) {
  const BidirectionalTorus1D ring(4);
  const ShortestPathRouting relation(ring);
  EXPECT_EQ(offers(relation, 0, {}, 2), "0->1 vc0, 0->3 vc0");
  EXPECT_EQ(offers(relation, 1, hop_over(ring, 0, 1), 2), "1->2 vc0");
  const Mesh2D mesh(3, 3);
  const ShortestPathRouting over_mesh(mesh);
  EXPECT_EQ(offers(over_mesh, 0, {}, 8), "0->1 vc0, 0->3 vc0");
  EXPECT_EQ(offers(over_mesh, 2, {}, 8), "2->5 vc0");
}

TEST(ShortestPathRouting, OffersNothingWhereNoChannelsLead) {
  const UnidirectionalLine line(3);
  const ShortestPathRouting relation(line);
  EXPECT_EQ(offers(relation, 2, {}, 0), "");
}

TEST(NegativeHopRouting, TakesAVirtualChannelMoreForEveryHopToASmallerNode) {
  const CustomTopology ring(4, UnidirectionalTorus1D(4).channels());
  const auto relation = natural_routing(ring);
  EXPECT_EQ(relation->n_vcs(), 2U);
  EXPECT_EQ(route(*relation, 2, 1), "2 -0> 3 -1> 0 -1> 1");
  const CustomTopology backwards(4, {{0, 3}, {3, 2}, {2, 1}, {1, 0}});
  const auto against = natural_routing(backwards);
  EXPECT_EQ(against->n_vcs(), 4U);
  EXPECT_EQ(route(*against, 3, 0), "3 -1> 2 -2> 1 -3> 0");
  EXPECT_EQ(route(*against, 1, 2), "1 -1> 0 -1> 3 -2> 2");
}

TEST(RoutingTables, AreRefusedForTooManyNodes) {
  const BidirectionalLine line(4097);
  EXPECT_EQ(refusal_of([&] { ShortestPathRouting{line}; }),
            "BidirectionalLine(4097) has 4097 nodes; routes are computed for at most 4096");
  EXPECT_EQ(refusal_of([&] { UpDownRouting{line}; }),
            "BidirectionalLine(4097) has 4097 nodes; routes are computed for at most 4096");
}

}  // namespace
}  // namespace kernbench::topology::zoo
