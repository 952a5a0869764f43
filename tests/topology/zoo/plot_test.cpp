// SPDX-License-Identifier: Apache-2.0
// Properties of legible pictures: nodes, channels and ports do not overlap.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "topology/zoo/layout/free_space.hpp"
#include "topology/zoo/layout/place_ports.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {
namespace {

const std::vector<std::string>& pictures() {
  const std::string lines_on_a_ring =
      "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),(2,1,"
      "BidirectionalLine(3)))";
  const std::string lines_with_terminals =
      "TerminalRouter(HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),"
      "(2,1,BidirectionalLine(3))))";
  const std::string meshes_on_a_line =
      "HierarchicalTopology(BidirectionalLine(4),(0,0,Mesh2D(2,2)),(1,0,Mesh2D(2,2)),(2,0,"
      "Mesh2D(2,2)),(3,0,Mesh2D(2,2)))";
  const std::string many_children =
      "HierarchicalTopology(Mesh2D(3,3),(0,0,UnidirectionalTorus1D(4)),(4,4,Mesh2D(3,3)),(8,0,"
      "BidirectionalTree(2,2)),(4,0,BidirectionalLine(3)),(5,0,HierarchicalTopology("
      "UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),(2,1,BidirectionalLine(3)))))";
  const std::string ring_with_bypasses =
      "CustomTopology(10,0->1,1->2,2->3,3->4,4->5,5->6,6->7,7->8,8->9,9->0,1->7,7->1,6->2,2->6,"
      "2->1)";
  const std::string all_to_all =
      "CustomTopology(6,0->1,0->2,0->3,0->4,0->5,1->2,1->3,1->4,1->5,2->3,2->4,2->5,3->4,3->5,"
      "4->5)";
  static const std::vector<std::string> kPictures = {
      "UnidirectionalLine(1)",
      "UnidirectionalLine(4)",
      "BidirectionalLine(16)",
      "UnidirectionalTorus1D(2)",
      "UnidirectionalTorus1D(3)",
      "BidirectionalTorus1D(16)",
      "Butterfly(2,3)",
      "Butterfly(4,2)",
      "Butterfly(2,4)",
      "BidirectionalTree(0,2)",
      "BidirectionalTree(3,2)",
      "BidirectionalTree(2,4)",
      "Mesh2D(4,3)",
      "Mesh2D(1,4)",
      "UnidirectionalTorus2D(4,3)",
      "BidirectionalTorus2D(2,2)",
      "BidirectionalTorus2D(8,8)",
      "FlattenedButterfly(4,4)",
      "FlattenedButterfly(8,8)",
      "FlattenedButterfly(2,5)",
      "TerminalRouter(BidirectionalLine(4))",
      "TerminalRouter(Mesh2D(4,4))",
      "TerminalRouter(BidirectionalTorus2D(4,4))",
      "TerminalRouter(BidirectionalTree(2,2))",
      "TerminalRouter(Butterfly(2,3))",
      "TerminalRouter(UnidirectionalTorus1D(6))",
      lines_on_a_ring,
      lines_with_terminals,
      meshes_on_a_line,
      many_children,
      ring_with_bypasses,
      all_to_all,
      "CustomTopology(8,0->1,1->0,2->3,3->2,4->5,5->6,6->4)",
      "CustomTopology(3,0->1,1->2,2->1,1->0,0->2)",
      "CustomTopology(7,0->1,1->0,0->2,2->0,0->3,3->0,0->4,4->0,0->5,5->0,0->6,6->0)"};
  return kPictures;
}

/// Returns the distance of a channel, as drawn, from a point.
double distance_of(const Plot& plot, const Channel& channel, Point at) {
  const std::vector<Point> line = drawn_points(plot, channel);
  double nearest = std::numeric_limits<double>::max();
  for (std::size_t i = 1; i < line.size(); ++i) {
    nearest = std::min(nearest, distance_to_line(at, line[i - 1], line[i]));
  }
  return nearest;
}

TEST(Plot, KeepsNodesApart) {
  for (const std::string& text : pictures()) {
    const Plot plot = parse_zoo_text(text)->plotter();
    for (std::size_t a = 0; a < plot.nodes.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        EXPECT_GT(length(plot.nodes[a].at - plot.nodes[b].at), 2 * kNodeRadius + 0.1)
            << text << ": nodes " << a << " and " << b;
      }
    }
  }
}

TEST(Plot, KeepsTheNodesOfADenseGraphApart) {
  std::string text = "CustomTopology(60";
  for (unsigned i = 0; i < 60; ++i) {
    const unsigned j = (7 * i + 3) % 60;
    if (i != j) text += fmt::format(",{}->{}", i, j);
    if (i != i * i % 60 && j != i * i % 60) text += fmt::format(",{}->{}", i, i * i % 60);
  }
  const Plot plot = parse_zoo_text(text + ")")->plotter();
  for (std::size_t a = 0; a < plot.nodes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_GT(length(plot.nodes[a].at - plot.nodes[b].at), 2 * kNodeRadius + 0.1);
    }
    EXPECT_LT(length(plot.nodes[a].at), 60) << "nodes lost far away";
  }
}

TEST(Plot, LeadsNoChannelThroughANodeThatItDoesNotJoin) {
  for (const std::string& text : pictures()) {
    const TopologyPtr topology = parse_zoo_text(text);
    const Plot plot = topology->plotter();
    for (const Channel& channel : topology->channels()) {
      for (std::uint32_t node = 0; node < topology->n_nodes(); ++node) {
        if (node == channel.src || node == channel.dst) continue;
        EXPECT_GT(distance_of(plot, channel, plot.nodes[node].at), kNodeRadius)
            << text << ": " << channel_name(channel) << " through " << node;
      }
    }
  }
}

TEST(Plot, KeepsPortsClearOfNodesAndOfEachOther) {
  for (const std::string& text : pictures()) {
    const Plot plot = parse_zoo_text(text)->plotter();
    std::vector<Point> ports;
    for (const PlotNode& node : plot.nodes) {
      if (node.has_ingress) ports.push_back(node.ingress);
      if (node.has_egress) ports.push_back(node.egress);
    }
    for (std::size_t a = 0; a < ports.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        EXPECT_GT(length(ports[a] - ports[b]), 0.1) << text << ": ports " << a << " and " << b;
      }
      for (std::size_t node = 0; node < plot.nodes.size(); ++node) {
        EXPECT_GT(length(ports[a] - plot.nodes[node].at), kNodeRadius + 0.05)
            << text << ": port " << a << " on node " << node;
      }
    }
  }
}

TEST(Plot, HasAnIngressAndAnEgressWherePacketsEnterAndLeave) {
  const Plot line = parse_zoo_text("BidirectionalLine(3)")->plotter();
  for (const PlotNode& node : line.nodes) EXPECT_TRUE(node.has_ingress && node.has_egress);

  const Plot butterfly = parse_zoo_text("Butterfly(2,3)")->plotter();
  for (std::size_t i = 0; i < butterfly.nodes.size(); ++i) {
    EXPECT_EQ(butterfly.nodes[i].has_ingress, i < 4) << i;
    EXPECT_EQ(butterfly.nodes[i].has_egress, i >= 8) << i;
  }
  const Plot terminals = parse_zoo_text("TerminalRouter(BidirectionalLine(3))")->plotter();
  for (std::size_t i = 0; i < terminals.nodes.size(); ++i) {
    EXPECT_EQ(terminals.nodes[i].has_ingress, i < 3) << i;
    EXPECT_EQ(terminals.nodes[i].has_egress, i < 3) << i;
    EXPECT_EQ(terminals.nodes[i].role, i < 3 ? NodeRole::Terminal : NodeRole::Router) << i;
  }
}

/// Returns the places of all nodes, rounded to hundredths: "0,0 1,0".
std::string places(const std::string& text) {
  std::string all;
  for (const PlotNode& node : parse_zoo_text(text)->plotter().nodes) {
    if (!all.empty()) all += " ";
    all += fmt::format("{},{}", std::round(node.at.x * 100) / 100 + 0.0,
                       std::round(node.at.y * 100) / 100 + 0.0);
  }
  return all;
}

TEST(Plot, LaysLinesMeshesAndTreesOutAsTheirNamesSay) {
  EXPECT_EQ(places("UnidirectionalLine(3)"), "0,0 1,0 2,0");
  EXPECT_EQ(places("Mesh2D(2,2)"), "0,0 1,0 0,1 1,1");
  EXPECT_EQ(places("BidirectionalTree(1,2)"), "0.7,0 0.35,1.1 1.05,1.1");
  EXPECT_EQ(places("Butterfly(2,2)"), "0,0 0,0.8 1.5,0 1.5,0.8");
  EXPECT_EQ(places("BidirectionalTorus1D(4)"), "0,-0.71 0.71,0 0,0.71 -0.71,0");
}

TEST(Plot, PutsAChildBesideItsNodeOfTheBase) {
  // The ring is in the middle. The line of 5 is level above its node 0, joined by its middle.
  const Plot plot = parse_zoo_text(
                        "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),"
                        "(2,1,BidirectionalLine(3)))")
                        ->plotter();
  for (std::size_t i = 4; i <= 8; ++i) {
    EXPECT_EQ(plot.nodes[i].role, NodeRole::Child);
    EXPECT_LT(plot.nodes[i].at.y, plot.nodes[0].at.y);
    EXPECT_NEAR(plot.nodes[i].at.y, plot.nodes[4].at.y, 1e-9);
  }
  EXPECT_NEAR(plot.nodes[6].at.x, plot.nodes[0].at.x, 1e-9);
  EXPECT_NEAR(plot.nodes[10].at.x, plot.nodes[2].at.x, 1e-9);
  EXPECT_GT(plot.nodes[10].at.y, plot.nodes[2].at.y);
  EXPECT_EQ(plot.nodes[0].role, NodeRole::Router);
}

TEST(Plot, DoesNotLayACustomTopologyOutAsALine) {
  const Plot plot = parse_zoo_text("CustomTopology(4,0->1,1->2,2->3,3->0)")->plotter();
  // A square: level and upright sides of equal length.
  const Point a = plot.nodes[1].at - plot.nodes[0].at;
  const Point b = plot.nodes[2].at - plot.nodes[1].at;
  EXPECT_NEAR(length(a), length(b), 0.01);
  EXPECT_NEAR(a.x * b.x + a.y * b.y, 0, 0.01);
}

TEST(Plot, BendsTheTwoChannelsOfAPairAlike) {
  const Plot plot = parse_zoo_text("FlattenedButterfly(4,4)")->plotter();
  EXPECT_EQ(plot.bends.size(), 48U);  // of 96 channels: all except between adjacent nodes
  for (const auto& [channel, control] : plot.bends) {
    const auto back = plot.bends.find({channel.dst, channel.src});
    ASSERT_NE(back, plot.bends.end());
    EXPECT_EQ(back->second.x, control.x);
    EXPECT_EQ(back->second.y, control.y);
  }
}

}  // namespace
}  // namespace kernbench::topology::zoo
