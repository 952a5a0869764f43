// SPDX-License-Identifier: Apache-2.0
// The four projections (ADR-0053 D6), at the coordinates that routing uses.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

const ViewNode* find(const View& view, std::string_view id) {
  const auto found = std::find_if(view.nodes.begin(), view.nodes.end(),
                                  [id](const ViewNode& node) { return node.id == id; });
  return found == view.nodes.end() ? nullptr : &*found;
}

std::ptrdiff_t count(const View& view, ViewShape shape) {
  return std::count_if(view.nodes.begin(), view.nodes.end(),
                       [shape](const ViewNode& node) { return node.shape == shape; });
}

std::ptrdiff_t count(const View& view, EdgeKind kind) {
  return std::count_if(view.edges.begin(), view.edges.end(),
                       [kind](const ViewEdge& edge) { return edge.kind == kind; });
}

TEST(Views, EachKnowsItsLevelAndHoldsEveryNodeInside) {
  const TopologyGraph graph = compile_topology({});
  for (const ViewLevel level :
       {ViewLevel::System, ViewLevel::Sip, ViewLevel::Cube, ViewLevel::Pe}) {
    const View& view = graph.view(level);
    EXPECT_EQ(view.level, level);
    EXPECT_FALSE(view.title.empty());
    std::set<std::string> ids;
    for (const ViewNode& node : view.nodes) {
      EXPECT_TRUE(ids.insert(node.id).second) << node.id;
      EXPECT_GE(node.center.x - node.w_mm / 2, 0) << node.id;
      EXPECT_LE(node.center.x + node.w_mm / 2, view.w_mm) << node.id;
      EXPECT_GE(node.center.y - node.h_mm / 2, 0) << node.id;
      EXPECT_LE(node.center.y + node.h_mm / 2, view.h_mm) << node.id;
    }
    for (const ViewEdge& edge : view.edges) {
      EXPECT_LT(edge.from, view.nodes.size());
      EXPECT_LT(edge.to, view.nodes.size());
      EXPECT_NE(edge.from, edge.to);
    }
  }
}

TEST(Views, TheSystemViewHasHostSwitchAndSipsJoinedByPcie) {
  const View view = compile_topology({}).system_view();
  EXPECT_EQ(view.nodes.size(), 4U);
  EXPECT_EQ(count(view, ViewShape::SipBlock), 2);
  EXPECT_EQ(count(view, EdgeKind::Pcie), 3);
}

TEST(Views, TheSipViewHasTheCubeMeshAndTheIoChiplet) {
  const TopologyGraph graph = compile_topology({});
  const View& view = graph.sip_view();
  EXPECT_EQ(count(view, ViewShape::CubeBlock), 16);
  EXPECT_EQ(count(view, ViewShape::IoBlock), 1);
  EXPECT_EQ(count(view, EdgeKind::UcieMesh), 24);
  EXPECT_EQ(count(view, EdgeKind::IoToCube), 4);
  for (const char* id : {"sip0.io0.pcie_ep", "sip0.io0.io_cpu", "sip0.io0.io_noc"}) {
    const ViewNode* node = find(view, id);
    ASSERT_NE(node, nullptr) << id;
    EXPECT_EQ(node->center, graph.node(graph.find(id).value()).position);
  }
}

TEST(Views, AMazeSipViewHasOneLineForEachPairOfLinksWithItsDepth) {
  TopologySpec spec;
  spec.sip.inter_cube = InterCube::Maze;
  spec.sip.cube_mesh_w = 8;
  spec.sip.cube_mesh_h = 8;
  const View view = compile_topology(spec).sip_view();
  EXPECT_EQ(count(view, EdgeKind::MazeLink), 448);
  const auto deep = std::count_if(view.edges.begin(), view.edges.end(),
                                  [](const ViewEdge& edge) { return edge.maze_depth == 3; });
  EXPECT_EQ(deep, 64);
}

TEST(Views, TheCubeViewHasRoutersPesAndWhatAttachesAtTheirPlaces) {
  const TopologyGraph graph = compile_topology({});
  const View& view = graph.cube_view();
  EXPECT_EQ(view.w_mm, 17.0);
  EXPECT_EQ(view.h_mm, 14.0);
  EXPECT_EQ(count(view, ViewShape::PeBlock), 8);
  EXPECT_EQ(count(view, ViewShape::HbmZone), 1);
  EXPECT_EQ(count(view, EdgeKind::RouterMesh), 48);
  EXPECT_EQ(count(view, EdgeKind::RouterToHbm), 8);
  EXPECT_EQ(count(view, EdgeKind::PeToRouter), 8);
  EXPECT_EQ(count(view, EdgeKind::RouterToUcieConn), 16);
  EXPECT_EQ(count(view, EdgeKind::UcieInternal), 16);
  // Every node of the graph has the same distance from the cube's corner as in the graph.
  const PositionMm corner = {0, 13};  // below the IO chiplet
  std::size_t nodes = 0;
  for (const ViewNode& node : view.nodes) {
    if (node.shape != ViewShape::Node) continue;
    ++nodes;
    const PositionMm there = graph.node(graph.find(node.id).value()).position;
    EXPECT_NEAR(node.center.x, there.x - corner.x, 1e-9) << node.id;
    EXPECT_NEAR(node.center.y, there.y - corner.y, 1e-9) << node.id;
  }
  EXPECT_EQ(nodes, 32U + 8U + 2U + 20U);
}

TEST(Views, TheCubeViewOfAMazeSipShowsItsMazeNodeAndThePhyOfTheIoChiplet) {
  TopologySpec spec;
  spec.sip.inter_cube = InterCube::Maze;
  const View view = compile_topology(spec).cube_view();
  EXPECT_NE(find(view, "sip0.cube0.maze"), nullptr);
  EXPECT_NE(find(view, "sip0.cube0.ucie_n"), nullptr);
  EXPECT_EQ(find(view, "sip0.cube0.ucie_e"), nullptr);
  EXPECT_EQ(count(view, EdgeKind::MazeAttach), 4);
}

TEST(Views, ThePeViewHasTheNinePartsAndTheirInternalEdges) {
  const TopologyGraph graph = compile_topology({});
  const View& view = graph.pe_view();
  EXPECT_EQ(view.nodes.size(), 9U);
  std::set<std::pair<std::string, std::string>> lines;
  for (const ViewEdge& edge : view.edges) {
    EXPECT_TRUE(edge.both_ways);
    lines.emplace(view.nodes[edge.from].id, view.nodes[edge.to].id);
    lines.emplace(view.nodes[edge.to].id, view.nodes[edge.from].id);
  }
  std::set<std::pair<std::string, std::string>> edges;
  for (const Edge& edge : graph.edges()) {
    const Node& node = graph.node(edge.from);
    if (edge.kind == EdgeKind::PeInternal && node.sip == 0 && node.cube == 0 && node.pe == 0) {
      edges.emplace(graph.name(edge.from), graph.name(edge.to));
    }
  }
  EXPECT_EQ(lines, edges);
}

}  // namespace
}  // namespace kernbench::topology
