// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "channel_sets.hpp"
#include "route_walk.hpp"
#include "tests/topology/zoo/lines_on_a_ring.hpp"
#include "topology/zoo/base/butterfly.hpp"
#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/base/torus_1d.hpp"
#include "topology/zoo/routing/hierarchical_routing.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/routing/terminal_routing.hpp"

namespace kernbench::topology::zoo {
namespace {

TEST(TerminalRouting, PreservesTheRoutesOfTheBase) {
  const TerminalRouter topology(std::make_shared<BidirectionalLine>(4));
  const auto relation = natural_routing(topology);
  EXPECT_EQ(relation->name(), "terminals, dimension order");
  EXPECT_EQ(relation->n_vcs(), 1U);
  EXPECT_EQ(route(*relation, 0, 3), "0 -0> 4 -0> 5 -0> 6 -0> 7 -0> 3");
  EXPECT_EQ(route(*relation, 3, 2), "3 -0> 7 -0> 6 -0> 2");
  EXPECT_EQ(route(*relation, 0, 6), "0 -0> 4 -0> 5 -0> 6");
  EXPECT_EQ(route(*relation, 6, 0), "6 -0> 5 -0> 4 -0> 0");
  EXPECT_EQ(route(*relation, 1, 5), "1 -0> 5");
}

TEST(TerminalRouting, KeepsTheVirtualChannelsOfTheBase) {
  const TerminalRouter topology(std::make_shared<UnidirectionalTorus1D>(4));
  const auto relation = natural_routing(topology);
  EXPECT_EQ(relation->n_vcs(), 2U);
  EXPECT_EQ(route(*relation, 2, 1), "2 -0> 6 -1> 7 -1> 4 -0> 5 -0> 1");
}

TEST(TerminalRouting, InjectsNothingThatTheBaseCannotDeliver) {
  const TerminalRouter topology(std::make_shared<Butterfly>(2, 2));
  const auto relation = natural_routing(topology);
  EXPECT_EQ(route(*relation, 0, 3), "0 -0> 4 -0> 7 -0> 3");
  EXPECT_EQ(route(*relation, 0, 1), "none");
  EXPECT_EQ(route(*relation, 3, 0), "none");
  EXPECT_EQ(route(*relation, 0, 4), "0 -0> 4");
}

TEST(TerminalRouting, IsRefusedWithTheRelationOfAnotherTopology) {
  const TerminalRouter topology(std::make_shared<BidirectionalLine>(4));
  const BidirectionalLine other(4);
  EXPECT_EQ(refusal_of([&] { TerminalRouting(topology, natural_routing(other)); }),
            "a relation over BidirectionalLine(4) cannot route BidirectionalLine(4)");
}

TEST(HierarchicalRouting, GoesUpThroughTheBaseAndDown) {
  const auto topology = lines_on_a_ring();
  const auto relation = natural_routing(*topology);
  EXPECT_EQ(relation->name(),
            "hierarchy, base: dimension order with datelines, children: dimension order");
  EXPECT_EQ(relation->n_vcs(), 2U);
  // Down in a child: the second half of its virtual channels. In the base: the base's own rule.
  EXPECT_EQ(route(*relation, 4, 11), "4 -0> 5 -0> 6 -0> 0 -1> 1 -1> 2 -0> 10 -1> 11");
  EXPECT_EQ(route(*relation, 11, 4), "11 -0> 10 -0> 2 -1> 3 -1> 0 -0> 6 -1> 5 -1> 4");
}

TEST(HierarchicalRouting, StaysWithinAPart) {
  const auto topology = lines_on_a_ring();
  const auto relation = natural_routing(*topology);
  EXPECT_EQ(route(*relation, 4, 8), "4 -0> 5 -0> 6 -0> 7 -0> 8");
  EXPECT_EQ(route(*relation, 3, 2), "3 -1> 0 -0> 1 -0> 2");
}

TEST(HierarchicalRouting, GoesBetweenBaseAndChild) {
  const auto topology = lines_on_a_ring();
  const auto relation = natural_routing(*topology);
  EXPECT_EQ(route(*relation, 1, 9), "1 -1> 2 -0> 10 -1> 9");
  EXPECT_EQ(route(*relation, 2, 10), "2 -0> 10");
  EXPECT_EQ(route(*relation, 9, 3), "9 -0> 10 -0> 2 -0> 3");
  EXPECT_EQ(route(*relation, 6, 0), "6 -0> 0");
}

TEST(HierarchicalRouting, DoublesTheVirtualChannelsAtEveryLevel) {
  std::vector<HierarchicalSubTopology> children;
  children.push_back({1, 4, lines_on_a_ring()});  // nodes 2..13; 4 is the end of the line of five
  const HierarchicalTopology topology(std::make_shared<BidirectionalLine>(2), std::move(children));
  const auto relation = natural_routing(topology);
  EXPECT_EQ(relation->n_vcs(), 4U);
  // Into the child (2..3), up to its own base, and down again within the child (3 = 2 + 1).
  EXPECT_EQ(route(*relation, 0, 13), "0 -0> 1 -0> 6 -2> 7 -2> 8 -2> 2 -3> 3 -3> 4 -2> 12 -3> 13");
}

TEST(HierarchicalRouting, InjectsNothingThatAPartOnTheWayCannotDeliver) {
  std::vector<HierarchicalSubTopology> children;
  children.push_back({0, 0, std::make_shared<UnidirectionalLine>(2)});  // nodes 2, 3: 2->3
  children.push_back({1, 0, std::make_shared<UnidirectionalLine>(2)});  // nodes 4, 5: 4->5
  const HierarchicalTopology topology(std::make_shared<UnidirectionalLine>(2), std::move(children));
  const auto relation = natural_routing(topology);
  EXPECT_EQ(route(*relation, 2, 5), "2 -0> 0 -0> 1 -0> 4 -1> 5");
  EXPECT_EQ(route(*relation, 3, 5), "none");  // the child leads away from its gate
  EXPECT_EQ(route(*relation, 4, 2), "none");  // the base is one-way
  EXPECT_EQ(route(*relation, 5, 4), "none");
}

TEST(HierarchicalRouting, IsRefusedWithTheWrongRelations) {
  const auto topology = lines_on_a_ring();
  EXPECT_EQ(
      refusal_of([&] { HierarchicalRouting(*topology, natural_routing(topology->base()), {}); }),
      "0 relations for 2 children");
}

}  // namespace
}  // namespace kernbench::topology::zoo
