// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "channel_sets.hpp"
#include "tests/topology/zoo/lines_on_a_ring.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/base/mesh_2d.hpp"
#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/base/torus_1d.hpp"

namespace kernbench::topology::zoo {
namespace {

TEST(TerminalRouter, PutsATerminalInFrontOfEachRouter) {
  const TerminalRouter topology(std::make_shared<BidirectionalLine>(4));
  EXPECT_EQ(topology.name(), "TerminalRouter(BidirectionalLine(4))");
  EXPECT_EQ(topology.n_nodes(), 8U);
  EXPECT_EQ(text_of(topology),
            "0->4 1->5 2->6 3->7 4->0 4->5 5->1 5->4 5->6 6->2 6->5 6->7 7->3 7->6");
}

TEST(TerminalRouter, KeepsOneWayChannelsOneWay) {
  const TerminalRouter topology(std::make_shared<UnidirectionalLine>(2));
  EXPECT_EQ(text_of(topology), "0->2 1->3 2->0 2->3 3->1");
}

TEST(HierarchicalTopology, NumbersTheBaseThenTheChildren) {
  const auto topology = lines_on_a_ring();
  EXPECT_EQ(topology->name(),
            "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),"
            "(2,1,BidirectionalLine(3)))");
  EXPECT_EQ(topology->n_nodes(), 12U);
  EXPECT_EQ(topology->first_node(0), 4U);
  EXPECT_EQ(topology->first_node(1), 9U);
  // The ring 0..3; the line 4..8, joined by its middle 6 to 0; the line 9..11, joined by 10 to 2.
  EXPECT_EQ(text_of(*topology),
            "0->1 0->6 1->2 2->3 2->10 3->0 4->5 5->4 5->6 6->0 6->5 6->7 7->6 7->8 8->7 "
            "9->10 10->2 10->9 10->11 11->10");
}

TEST(HierarchicalTopology, MayHaveTerminalsInFront) {
  const TerminalRouter topology(lines_on_a_ring());
  EXPECT_EQ(topology.n_nodes(), 24U);
  EXPECT_EQ(topology.channels().size(), 20U + 24U);
  EXPECT_TRUE(topology.connects(11, 23));
  EXPECT_TRUE(topology.connects(23, 11));
  EXPECT_TRUE(topology.connects(12, 18));   // base 0 to child node 6
  EXPECT_FALSE(topology.connects(13, 12));  // the ring is one-way
}

TEST(HierarchicalTopology, NestsBothWays) {
  std::vector<HierarchicalSubTopology> children;
  children.push_back({1, 4, lines_on_a_ring()});
  const HierarchicalTopology topology(lines_on_a_ring(), std::move(children));
  EXPECT_EQ(topology.n_nodes(), 24U);
  EXPECT_TRUE(topology.connects(1, 16));  // 12 + 4
  EXPECT_TRUE(topology.connects(16, 1));
  EXPECT_TRUE(topology.connects(12, 18));  // within the child: 0->6
  EXPECT_EQ(topology.channels().size(), 42U);
}

TEST(HierarchicalTopology, MayJoinSeveralChildrenToOneNodeAndHaveNone) {
  std::vector<HierarchicalSubTopology> children;
  children.push_back({0, 0, std::make_shared<BidirectionalLine>(1)});
  children.push_back({0, 0, std::make_shared<BidirectionalLine>(1)});
  EXPECT_EQ(text_of(HierarchicalTopology(std::make_shared<BidirectionalLine>(1), children)),
            "0->1 0->2 1->0 2->0");
  const HierarchicalTopology alone(std::make_shared<BidirectionalLine>(2), {});
  EXPECT_EQ(alone.name(), "HierarchicalTopology(BidirectionalLine(2))");
  EXPECT_EQ(text_of(alone), "0->1 1->0");
}

TEST(HierarchicalTopology, RefusesLinksToNodesThatAreNotThere) {
  const auto with_link = [](std::uint32_t base_node, std::uint32_t child_node) {
    std::vector<HierarchicalSubTopology> children;
    children.push_back({base_node, child_node, std::make_shared<BidirectionalLine>(3)});
    HierarchicalTopology{std::make_shared<Mesh2D>(2, 2), std::move(children)};
  };
  EXPECT_EQ(refusal_of([&] { with_link(4, 0); }), "child 0: the base Mesh2D(2,2) has no node 4");
  EXPECT_EQ(refusal_of([&] { with_link(3, 3); }), "child 0: BidirectionalLine(3) has no node 3");
  EXPECT_EQ(refusal_of([&] { with_link(3, 2); }), "");
}

TEST(HierarchicalTopology, RefusesToGrowTooLarge) {
  std::vector<HierarchicalSubTopology> children;
  children.push_back({0, 0, std::make_shared<BidirectionalLine>(40000)});
  const auto base = std::make_shared<BidirectionalLine>(40000);
  EXPECT_EQ(refusal_of([&] {
              HierarchicalTopology{base, children};
            }),
            "HierarchicalTopology(BidirectionalLine(40000),(0,0,BidirectionalLine(40000))) has "
            "more than 65536 nodes");
  EXPECT_EQ(refusal_of([&] { TerminalRouter{base}; }),
            "TerminalRouter(BidirectionalLine(40000)) has more than 65536 nodes");
}

TEST(CustomTopology, HasExactlyItsEdges) {
  const CustomTopology topology(10, {{0, 1}, {1, 2}, {7, 1}, {1, 7}, {9, 0}});
  EXPECT_EQ(topology.name(), "CustomTopology(10,5 edges)");
  EXPECT_EQ(topology.n_nodes(), 10U);
  EXPECT_EQ(text_of(topology), "0->1 1->2 1->7 7->1 9->0");
  EXPECT_EQ(CustomTopology(1, {}).channels().size(), 0U);
}

TEST(CustomTopology, BuildsConstellationsRings) {
  std::vector<Channel> edges;
  for (std::uint32_t i = 0; i < 8; ++i) edges.push_back({i, (i + 1) % 8});
  EXPECT_EQ(CustomTopology(8, edges).channels(), UnidirectionalTorus1D(8).channels());
  for (std::uint32_t i = 0; i < 8; ++i) edges.push_back({i, (i + 7) % 8});
  EXPECT_EQ(CustomTopology(8, edges).channels(), BidirectionalTorus1D(8).channels());
}

TEST(CustomTopology, RefusesEdgesThatMakeNoSense) {
  EXPECT_EQ(refusal_of([] { CustomTopology(0, {}); }),
            "CustomTopology(0,0 edges): 'n' must be at least 1, not 0");
  EXPECT_EQ(refusal_of([] {
              CustomTopology(3, {{0, 3}});
            }),
            "CustomTopology(3,1 edges): edge 0->3 is outside nodes 0..2");
  EXPECT_EQ(refusal_of([] {
              CustomTopology(3, {{3, 0}});
            }),
            "CustomTopology(3,1 edges): edge 3->0 is outside nodes 0..2");
  EXPECT_EQ(refusal_of([] {
              CustomTopology(3, {{1, 1}});
            }),
            "CustomTopology(3,1 edges): edge 1->1 leads to itself");
  EXPECT_EQ(refusal_of([] {
              CustomTopology(3, {{0, 1}, {1, 2}, {0, 1}});
            }),
            "CustomTopology(3,3 edges): edge 0->1 is given twice");
}

}  // namespace
}  // namespace kernbench::topology::zoo
