// SPDX-License-Identifier: Apache-2.0
// The intents of ADR-0051 D2-D4, hop by hop.
#include "topology/routing/path_router.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

const TopologyGraph& default_graph() {
  static const TopologyGraph graph = compile_topology({});
  return graph;
}

std::vector<std::string> names(const TopologyGraph& graph, const Path& route) {
  std::vector<std::string> hops;
  for (const NodeId id : route.nodes) hops.emplace_back(graph.name(id));
  return hops;
}

std::vector<NodeId> of_kind(const TopologyGraph& graph, NodeKind kind) {
  std::vector<NodeId> found;
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (graph.nodes()[i].kind == kind) found.emplace_back(i);
  }
  return found;
}

bool has_kind(const TopologyGraph& graph, const Path& route, EdgeKind kind) {
  return std::any_of(route.edges.begin(), route.edges.end(),
                     [&](EdgeId edge) { return graph.edge(edge).kind == kind; });
}

template <typename Call>
std::string refusal(Call call) {
  try {
    (void)call();
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "answered";
}

// The table of D2, repeated independently: membership of each kind in All, Data, McpuDma and Local.
TEST(Adjacency, HoldsTheKindsOfTheTable) {
  struct Row {
    EdgeKind kind;
    std::array<bool, kAdjacencies> in;
  };
  const std::vector<Row> excluded = {{EdgeKind::Command, {true, false, true, true}},
                                     {EdgeKind::PeInternal, {true, true, false, true}},
                                     {EdgeKind::PeToRouter, {true, true, false, true}},
                                     {EdgeKind::UcieInternal, {true, true, true, false}},
                                     {EdgeKind::UcieConnToRouter, {true, true, true, false}},
                                     {EdgeKind::RouterToUcieConn, {true, true, true, false}},
                                     {EdgeKind::UcieConnToNoc, {true, true, true, false}},
                                     {EdgeKind::NocToUcieConn, {true, true, true, false}},
                                     {EdgeKind::UcieMesh, {true, true, true, false}},
                                     {EdgeKind::IoToCube, {true, true, true, false}},
                                     {EdgeKind::CubeToIo, {true, true, true, false}},
                                     {EdgeKind::MazeLink, {true, true, true, false}},
                                     {EdgeKind::MazeAttach, {true, true, true, false}},
                                     {EdgeKind::NocLink, {true, true, true, false}},
                                     {EdgeKind::NocAttach, {true, true, true, false}}};
  for (std::size_t k = 0; k < kEdgeKinds; ++k) {
    const auto kind = static_cast<EdgeKind>(k);
    const auto row = std::find_if(excluded.begin(), excluded.end(),
                                  [kind](const Row& r) { return r.kind == kind; });
    for (std::size_t a = 0; a < kAdjacencies; ++a) {
      EXPECT_EQ(contains(static_cast<Adjacency>(a), kind), row == excluded.end() || row->in.at(a))
          << name(kind) << " in adjacency " << a;
    }
  }
}

TEST(PathRouter, APeReachesItsOwnSliceThroughItsRouterOnly) {
  const PathRouter router(default_graph());
  const Path route = router.find_path("sip0.cube0.pe2", "sip0.cube0.hbm_ctrl.pe2");
  EXPECT_THAT(
      names(default_graph(), route),
      ElementsAre("sip0.cube0.pe2.pe_dma", "sip0.cube0.noc.r1c4", "sip0.cube0.hbm_ctrl.pe2"));
  EXPECT_EQ(route.distance_nm, 1'000'000);
  EXPECT_EQ(route.distance_mm(), 1.0);
}

TEST(PathRouter, AnotherSliceOfTheCubeCostsTheMeshDistance) {
  const PathRouter router(default_graph());
  const Path route = router.find_path("sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe7");
  EXPECT_EQ(route.distance_nm, 500'000 + 14'000'000 + 11'000'000 + 500'000);
  EXPECT_FALSE(has_kind(default_graph(), route, EdgeKind::UcieInternal));
}

TEST(PathRouter, AnotherCubeIsReachedOverUcie) {
  const PathRouter router(default_graph());
  // On connection 1, that of the source's row, on both sides.
  const Path route = router.find_path("sip0.cube0.pe3", "sip0.cube1.hbm_ctrl.pe0");
  EXPECT_THAT(names(default_graph(), route),
              ElementsAre("sip0.cube0.pe3.pe_dma", "sip0.cube0.noc.r1c5", "sip0.cube0.ucie_e.c1",
                          "sip0.cube0.ucie_e", "sip0.cube1.ucie_w", "sip0.cube1.ucie_w.c1",
                          "sip0.cube1.noc.r1c0", "sip0.cube1.noc.r0c0", "sip0.cube1.hbm_ctrl.pe0"));
  EXPECT_EQ(route.distance_nm, 500'000 + 500'000 + 31'000'000 + 1'000'000 + 31'000'000 + 500'000 +
                                   2'500'000 + 500'000);
}

TEST(PathRouter, ASearchMayBeginAndEndAtAPhyAndTakesItsNearestLane) {
  const TopologyGraph& graph = default_graph();
  const PathRouter router(graph);
  EXPECT_THAT(names(graph, router.find_node_path("sip0.cube0.ucie_e", "sip0.cube0.noc.r4c5")),
              ElementsAre("sip0.cube0.ucie_e", "sip0.cube0.ucie_e.c2", "sip0.cube0.noc.r4c5"));
  EXPECT_THAT(names(graph, router.find_node_path("sip0.cube0.noc.r4c5", "sip0.cube0.ucie_e")),
              ElementsAre("sip0.cube0.noc.r4c5", "sip0.cube0.ucie_e.c2", "sip0.cube0.ucie_e"));
  // All lanes are equally near: the lowest.
  const Path between = router.find_node_path("sip0.cube0.ucie_e", "sip0.cube2.ucie_w");
  EXPECT_THAT(names(graph, between), Contains("sip0.cube1.ucie_w.c0"));
  EXPECT_EQ(PathRouter(graph, 0).find_node_path("sip0.cube0.ucie_e", "sip0.cube2.ucie_w"), between);
  EXPECT_THAT(names(graph, router.find_node_path("sip0.io0.io_ucie.s1", "sip0.cube1.ucie_n")),
              ElementsAre("sip0.io0.io_ucie.s1", "sip0.cube1.ucie_n"));
}

TEST(PathRouter, AnMCpuDoesNotReachThePartsOfAPe) {
  const PathRouter router(default_graph());
  for (const char* part : {"sip0.cube0.pe1.pe_tcm", "sip0.cube6.pe7.pe_tcm"}) {
    EXPECT_EQ(refusal([&] { return router.find_mcpu_dma_path("sip0.cube0.m_cpu", part); }),
              std::string("no path from sip0.cube0.m_cpu to ") + part);
  }
}

TEST(PathRouter, NoRouteBetweenCubesOfASipTakesTheIoChiplet) {
  const TopologyGraph& graph = default_graph();
  const PathRouter router(graph);
  for (const NodeId dst : of_kind(graph, NodeKind::HbmCtrl)) {
    if (graph.node(dst).sip != 0) continue;
    const Path route = router.find_path(graph.find("sip0.cube0.pe0.pe_dma").value(), dst);
    EXPECT_FALSE(has_kind(graph, route, EdgeKind::CubeToIo)) << graph.name(dst);
  }
}

TEST(PathRouter, AnotherSipIsReachedThroughBothIoChipletsAndTheSwitch) {
  const TopologyGraph& graph = default_graph();
  const Path route = PathRouter(graph).find_path("sip0.cube2.pe0", "sip1.cube1.hbm_ctrl.pe0");
  EXPECT_THAT(
      names(graph, route),
      ElementsAre("sip0.cube2.pe0.pe_dma", "sip0.cube2.noc.r0c0", "sip0.cube2.ucie_n.c0",
                  "sip0.cube2.ucie_n", "sip0.io0.io_ucie.s2", "sip0.io0.conn.2", "sip0.io0.io_noc",
                  "sip0.io0.pcie_ep", "fabric.switch0", "sip1.io0.pcie_ep", "sip1.io0.io_noc",
                  "sip1.io0.conn.1", "sip1.io0.io_ucie.s1", "sip1.cube1.ucie_n",
                  "sip1.cube1.ucie_n.c0", "sip1.cube1.noc.r0c0", "sip1.cube1.hbm_ctrl.pe0"));
}

TEST(PathRouter, PeDmaNeverTravelsTheControlPlane) {
  const TopologyGraph& graph = default_graph();
  const PathRouter router(graph);
  for (const char* dst : {"sip0.cube0.m_cpu", "sip0.cube3.m_cpu", "sip0.cube0.pe5.pe_mmu",
                          "sip0.cube1.pe5.pe_cpu", "sip1.io0.io_noc"}) {
    EXPECT_FALSE(has_kind(graph, router.find_path("sip0.cube0.pe0", dst), EdgeKind::Command))
        << dst;
  }
  EXPECT_EQ(refusal([&] { return router.find_path("sip0.cube0.pe0", "sip0.io0.io_cpu"); }),
            "no path from sip0.cube0.pe0.pe_dma to sip0.io0.io_cpu");
}

TEST(PathRouter, NoMCpuDmaPathHoldsANodeOfAPe) {
  const TopologyGraph& graph = default_graph();
  const PathRouter router(graph);
  for (const char* m_cpu : {"sip0.cube0.m_cpu", "sip0.cube5.m_cpu"}) {
    for (const NodeId dst : of_kind(graph, NodeKind::HbmCtrl)) {
      if (graph.node(dst).sip != 0) continue;
      const Path route = router.find_mcpu_dma_path(graph.find(m_cpu).value(), dst);
      for (std::size_t i = 0; i + 1 < route.nodes.size(); ++i) {
        EXPECT_EQ(graph.node(route.nodes[i]).pe, kNoIndex) << graph.name(route.nodes[i]);
      }
    }
  }
}

TEST(PathRouter, MCpuDmaStaysInTheMeshOfItsCube) {
  const Path route =
      PathRouter(default_graph()).find_mcpu_dma_path("sip0.cube0.m_cpu", "sip0.cube0.hbm_ctrl.pe3");
  EXPECT_THAT(names(default_graph(), route),
              ElementsAre("sip0.cube0.m_cpu", "sip0.cube0.noc.r2c0", "sip0.cube0.noc.r2c1",
                          "sip0.cube0.noc.r1c1", "sip0.cube0.noc.r1c2", "sip0.cube0.noc.r1c3",
                          "sip0.cube0.noc.r1c4", "sip0.cube0.noc.r1c5", "sip0.cube0.hbm_ctrl.pe3"));
}

TEST(PathRouter, DataOfAnMCpuTakeItsDataWireEvenWhereTheCommandWireIsShorter) {
  TopologySpec spec;
  spec.cube.m_cpu_pos = {3.0, 5.5};  // 1.5 mm from its router
  const TopologyGraph graph = compile_topology(spec);
  const PathRouter router(graph);
  EXPECT_FALSE(has_kind(graph,
                        router.find_mcpu_dma_path("sip0.cube0.m_cpu", "sip0.cube0.hbm_ctrl.pe3"),
                        EdgeKind::Command));
  EXPECT_FALSE(has_kind(graph, router.find_memory_path("fabric.host_cpu0", "sip0.cube0.m_cpu"),
                        EdgeKind::Command));
  EXPECT_TRUE(has_kind(graph, router.find_node_path("sip0.cube0.m_cpu", "sip0.cube0.pe0.pe_cpu"),
                       EdgeKind::Command));
}

TEST(PathRouter, HostMemoryAccessGoesFromTheEndpointStraightToTheHbm) {
  const TopologyGraph& graph = default_graph();
  const PathRouter router(graph);
  EXPECT_THAT(names(graph, router.find_memory_path("sip0.io0.pcie_ep", "sip0.cube2.hbm_ctrl.pe1")),
              ElementsAre("sip0.io0.pcie_ep", "sip0.io0.io_noc", "sip0.io0.conn.2",
                          "sip0.io0.io_ucie.s2", "sip0.cube2.ucie_n", "sip0.cube2.ucie_n.c1",
                          "sip0.cube2.noc.r0c1", "sip0.cube2.hbm_ctrl.pe1"));
  for (const NodeId dst : of_kind(graph, NodeKind::HbmCtrl)) {
    const Path route = router.find_memory_path(graph.find("fabric.host_cpu0").value(), dst);
    EXPECT_FALSE(has_kind(graph, route, EdgeKind::PeInternal));
    EXPECT_FALSE(has_kind(graph, route, EdgeKind::PeToRouter));
  }
}

TEST(PathRouter, AnyNodeIsReachedFromAnyOtherWithTheControlPlane) {
  const TopologyGraph& graph = default_graph();
  const PathRouter router(graph);
  EXPECT_THAT(
      names(graph, router.find_node_path("sip0.io0.io_cpu", "sip0.cube0.m_cpu")),
      ElementsAre("sip0.io0.io_cpu", "sip0.io0.io_noc", "sip0.io0.conn.0", "sip0.io0.io_ucie.s0",
                  "sip0.cube0.ucie_n", "sip0.cube0.ucie_n.c0", "sip0.cube0.noc.r0c0",
                  "sip0.cube0.noc.r1c0", "sip0.cube0.noc.r2c0", "sip0.cube0.m_cpu"));
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    EXPECT_NO_THROW((void)router.find_node_path(graph.find("fabric.host_cpu0").value(), NodeId(i)));
  }
}

TEST(PathRouter, AnswersTheSameStartAndGoalWithThatNodeAlone) {
  const PathRouter router(default_graph());
  const Path route = router.find_node_path("sip0.cube0.sram", "sip0.cube0.sram");
  EXPECT_THAT(names(default_graph(), route), ElementsAre("sip0.cube0.sram"));
  EXPECT_EQ(route.distance_nm, 0);
}

TEST(PathRouter, ThePlainSearchesLeaveTheControlPlaneOutAndNothingElse) {
  const TopologyGraph& graph = default_graph();
  const PathRouter router(graph);
  EXPECT_EQ(refusal([&] { return router.dijkstra("sip0.io0.io_noc", "sip0.io0.io_cpu"); }),
            "no path from sip0.io0.io_noc to sip0.io0.io_cpu");
  const Path route = router.dijkstra_with_distance("sip0.cube0.pe0.pe_gemm", "sip0.cube0.sram");
  EXPECT_EQ(route.nodes, router.dijkstra("sip0.cube0.pe0.pe_gemm", "sip0.cube0.sram"));
  EXPECT_EQ(route.distance_nm, 500'000 + 7'000'000);
}

TEST(PathRouter, RefusesNodesThatAreNotThereByName) {
  const PathRouter router(default_graph());
  EXPECT_EQ(refusal([&] { return router.find_path("sip0.cube0.pe8", "sip0.cube0.sram"); }),
            "node sip0.cube0.pe8.pe_dma not found in topology");
  EXPECT_EQ(refusal([&] { return router.find_node_path("sip0.cube0.sram", "nowhere"); }),
            "node nowhere not found in topology");
}

// In a part of the grid without the HBM zone, any spacing of rows and columns gives the XY route.
TEST(PathRouter, MeshRoutesOutsideTheRowsOfTheHbmEqualXy) {
  const TopologyGraph& graph = default_graph();
  const CubeMesh& mesh = graph.mesh();
  const PathRouter router(graph);
  const auto router_at = [&](std::uint32_t row, std::uint32_t column) {
    return graph.find("sip0.cube0.noc.r" + std::to_string(row) + "c" + std::to_string(column))
        .value();
  };
  const std::array<std::array<std::uint32_t, 4>, 4> full_parts = {{
      // First and last row, first and last column of each part without the HBM zone.
      {0, 1, 0, 5},
      {4, 5, 0, 5},
      {0, 5, 0, 1},
      {0, 5, 4, 5},
  }};
  int checked = 0;
  for (const auto& [top, bottom, left, right] : full_parts) {
    for (std::uint32_t r0 = top; r0 <= bottom; ++r0) {
      for (std::uint32_t c0 = left; c0 <= right; ++c0) {
        for (std::uint32_t r1 = top; r1 <= bottom; ++r1) {
          for (std::uint32_t c1 = left; c1 <= right; ++c1) {
            std::vector<NodeId> xy{router_at(r0, c0)};
            for (std::uint32_t c = c0; c != c1;) xy.push_back(router_at(r0, c < c1 ? ++c : --c));
            for (std::uint32_t r = r0; r != r1;) xy.push_back(router_at(r < r1 ? ++r : --r, c1));
            EXPECT_EQ(router.dijkstra(graph.name(xy.front()), graph.name(xy.back())), xy);
            ++checked;
          }
        }
      }
    }
  }
  EXPECT_EQ(mesh.rows(), 6U);
  EXPECT_EQ(checked, 4 * 12 * 12);
}

TEST(PathRouter, ACachedAnswerEqualsAnUncachedOneInAnyOrderOfQuestions) {
  const TopologyGraph& graph = default_graph();
  const PathRouter cached(graph);
  const PathRouter uncached(graph, 0);
  const PathRouter cramped(graph, 8 * ShortestPaths::bytes(Stops(graph)));  // always evicts
  const std::vector<NodeId> sources = of_kind(graph, NodeKind::PeDma);
  const std::vector<NodeId> goals = of_kind(graph, NodeKind::HbmCtrl);
  std::size_t s = 0;
  std::size_t g = 0;
  for (int i = 0; i < 300; ++i) {
    s = (s + 89) % 40;
    g = (g + 151) % goals.size();
    const Path route = cached.find_path(sources[s], goals[g]);
    EXPECT_EQ(uncached.find_path(sources[s], goals[g]), route);
    EXPECT_EQ(cramped.find_path(sources[s], goals[g]), route);
    EXPECT_EQ(cached.find_path(sources[s], goals[g]), route);
  }
}

TEST(PathRouter, RoutesFollowEdgesWhoseWeightsSumUpToTheDistance) {
  const TopologyGraph& graph = default_graph();
  const PathRouter router(graph);
  for (const NodeId dst : of_kind(graph, NodeKind::HbmCtrl)) {
    const Path route = router.find_path(graph.find("sip1.cube9.pe4.pe_dma").value(), dst);
    std::int64_t sum = 0;
    ASSERT_EQ(route.edges.size() + 1, route.nodes.size());
    for (std::size_t i = 0; i < route.edges.size(); ++i) {
      const Edge& edge = graph.edge(route.edges[i]);
      EXPECT_EQ(edge.from, route.nodes[i]);
      EXPECT_EQ(edge.to, route.nodes[i + 1]);
      sum += edge.weight_nm();
    }
    EXPECT_EQ(sum, route.distance_nm);
  }
}

class MazeRouting : public ::testing::Test {
 protected:
  static TopologySpec spec() {
    TopologySpec spec;
    spec.system.sips = 1;
    spec.sip.inter_cube = InterCube::Maze;
    return spec;
  }
  TopologyGraph graph_ = compile_topology(spec());
  PathRouter router_{graph_};
};

TEST_F(MazeRouting, IsOneHopFromMazeNodeToMazeNodeAlsoAroundACorner) {
  const Path route = router_.find_path("sip0.cube0.pe0", "sip0.cube15.hbm_ctrl.pe4");
  EXPECT_THAT(names(graph_, route),
              ElementsAre("sip0.cube0.pe0.pe_dma", "sip0.cube0.noc.r0c0", "sip0.cube0.maze",
                          "sip0.cube15.maze", "sip0.cube15.noc.r4c0", "sip0.cube15.hbm_ctrl.pe4"));
  // One link in each direction of the torus: 18 mm and 15 mm.
  EXPECT_EQ(route.distance_nm,
            500'000 + 31'000'000 + 18'000'000 + 15'000'000 + 31'000'000 + 500'000);
}

TEST_F(MazeRouting, TheWiresOfAHopAreItsLinksInTheOrderOfTheFabric) {
  for (const auto& [order, corner] : {std::pair(DimensionOrder::XY, "sip0.cube2.maze"),
                                      std::pair(DimensionOrder::YX, "sip0.cube12.maze")}) {
    TopologySpec spec = MazeRouting::spec();
    spec.sip.maze.order = order;
    const TopologyGraph graph = compile_topology(spec);
    const PathRouter router(graph);
    const Path route = router.find_path("sip0.cube0.pe0", "sip0.cube14.hbm_ctrl.pe4");
    const std::vector<EdgeId> wires = router.wires(route);
    ASSERT_EQ(wires.size(), route.edges.size() + 1);
    EXPECT_EQ(wires[2], route.edges[2]);
    EXPECT_EQ(graph.name(graph.edge(wires[2]).from), "sip0.cube0.maze");
    EXPECT_EQ(graph.name(graph.edge(wires[2]).to), corner);
    EXPECT_EQ(graph.edge(wires[3]).from, graph.edge(wires[2]).to);
    EXPECT_EQ(graph.name(graph.edge(wires[3]).to), "sip0.cube14.maze");
  }
  const Path straight = router_.find_path("sip0.cube0.pe0", "sip0.cube2.hbm_ctrl.pe0");
  EXPECT_EQ(router_.wires(straight), straight.edges);
}

TEST_F(MazeRouting, AMazeNodeIsNoShortcutWithinACube) {
  const Path route = router_.find_node_path("sip0.cube5.noc.r0c0", "sip0.cube5.noc.r5c0");
  EXPECT_FALSE(has_kind(graph_, route, EdgeKind::MazeAttach));
  EXPECT_EQ(route.nodes.size(), 6U);
}

TEST_F(MazeRouting, NeverGoesThroughTheIoChipletFromCubeToCube) {
  for (const NodeId dst : of_kind(graph_, NodeKind::HbmCtrl)) {
    const Path route = router_.find_path(graph_.find("sip0.cube1.pe0.pe_dma").value(), dst);
    EXPECT_FALSE(has_kind(graph_, route, EdgeKind::CubeToIo)) << graph_.name(dst);
  }
}

TEST_F(MazeRouting, TheHostReachesCubesWithoutAPhyThroughTheMaze) {
  const Path route = router_.find_memory_path("sip0.io0.pcie_ep", "sip0.cube9.hbm_ctrl.pe0");
  EXPECT_TRUE(has_kind(graph_, route, EdgeKind::MazeLink));
  EXPECT_TRUE(has_kind(graph_, route, EdgeKind::IoToCube));
}

}  // namespace
}  // namespace kernbench::topology
