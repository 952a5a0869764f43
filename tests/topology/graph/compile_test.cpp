// SPDX-License-Identifier: Apache-2.0
// The compiled graph (ADR-0053 D1, D4, D5; DESIGN section 4).
#include "topology/graph/compile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "topology/maze_links.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TopologySpec maze_spec(std::uint32_t w, std::uint32_t h) {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.inter_cube = InterCube::Maze;
  spec.sip.cube_mesh_w = w;
  spec.sip.cube_mesh_h = h;
  return spec;
}

std::map<std::string, int> count_nodes(const TopologyGraph& graph) {
  std::map<std::string, int> counts;
  for (const Node& node : graph.nodes()) ++counts[std::string(name(node.kind))];
  return counts;
}

std::map<std::string, int> count_edges(const TopologyGraph& graph) {
  std::map<std::string, int> counts;
  for (const Edge& edge : graph.edges()) ++counts[std::string(name(edge.kind))];
  return counts;
}

/// Returns the edges from one node to another, in order of creation.
std::vector<Edge> edges_between(const TopologyGraph& graph, std::string_view from,
                                std::string_view to) {
  std::vector<Edge> found;
  for (const Edge& edge : graph.edges()) {
    if (graph.name(edge.from) == from && graph.name(edge.to) == to) found.push_back(edge);
  }
  return found;
}

Edge only_edge(const TopologyGraph& graph, std::string_view from, std::string_view to) {
  const std::vector<Edge> found = edges_between(graph, from, to);
  EXPECT_EQ(found.size(), 1U) << from << " -> " << to;
  return found.empty() ? Edge{} : found.front();
}

TEST(Compile, NodesOfTheDefaultSpecByKindAreGolden) {
  const TopologyGraph graph = compile_topology({});
  EXPECT_EQ(graph.nodes().size(), 4312U);
  EXPECT_THAT(
      count_nodes(graph),
      ElementsAre(Pair("conn", 8), Pair("hbm_ctrl", 256), Pair("host_cpu", 1), Pair("io_cpu", 2),
                  Pair("io_noc", 2), Pair("io_ucie", 8), Pair("m_cpu", 32), Pair("pcie_ep", 2),
                  Pair("pe_cpu", 256), Pair("pe_dma", 256), Pair("pe_fetch_store", 256),
                  Pair("pe_gemm", 256), Pair("pe_ipcq", 256), Pair("pe_math", 256),
                  Pair("pe_mmu", 256), Pair("pe_scheduler", 256), Pair("pe_tcm", 256),
                  Pair("router", 1024), Pair("sram", 32), Pair("switch", 1), Pair("ucie_conn", 512),
                  Pair("ucie_phy", 128)));
}

TEST(Compile, EdgesOfTheDefaultSpecByKindAreGolden) {
  const TopologyGraph graph = compile_topology({});
  EXPECT_EQ(graph.edges().size(), 15198U);
  EXPECT_THAT(
      count_edges(graph),
      ElementsAre(Pair("command", 1092), Pair("cube_to_io", 8), Pair("hbm_to_router", 256),
                  Pair("io_internal", 20), Pair("io_to_cube", 8), Pair("mcpu_to_router", 32),
                  Pair("noc_to_ucie_conn", 8), Pair("pcie", 6), Pair("pe_internal", 7680),
                  Pair("pe_to_router", 512), Pair("router_mesh", 3072), Pair("router_to_hbm", 256),
                  Pair("router_to_mcpu", 32), Pair("router_to_sram", 32),
                  Pair("router_to_ucie_conn", 512), Pair("sram_to_router", 32),
                  Pair("ucie_conn_to_noc", 8), Pair("ucie_conn_to_router", 512),
                  Pair("ucie_internal", 1024), Pair("ucie_mesh", 96)));
}

TEST(Compile, EveryNodeIsFoundByItsNameAndNoOther) {
  const TopologyGraph graph = compile_topology({});
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    ASSERT_EQ(graph.find(graph.name(NodeId(i))), NodeId(i));
  }
  for (const char* name : {"", "sip0", "sip2.cube0.m_cpu", "sip0.cube0.noc.r2c2", "SIP0.cube0.sram",
                           "sip0.cube0.sram ", "sip00.cube0.sram"}) {
    EXPECT_EQ(graph.find(name), std::nullopt) << name;
  }
}

TEST(Compile, NamesFollowTheConvention) {
  const TopologyGraph graph = compile_topology({});
  for (const char* name :
       {"fabric.host_cpu0", "fabric.switch0", "sip1.io0.pcie_ep", "sip1.io0.io_cpu",
        "sip1.io0.io_noc", "sip1.io0.conn.3", "sip1.io0.io_ucie.s3", "sip1.cube15.m_cpu",
        "sip1.cube15.sram", "sip1.cube15.hbm_ctrl.pe7", "sip1.cube15.noc.r5c5",
        "sip1.cube15.ucie_w", "sip1.cube15.ucie_w.c3", "sip1.cube15.pe7.pe_cpu",
        "sip1.cube15.pe7.pe_ipcq"}) {
    EXPECT_TRUE(graph.find(name).has_value()) << name;
  }
}

TEST(Compile, NodesKnowWhereTheyBelongAndStand) {
  const TopologyGraph graph = compile_topology({});
  const Node& hbm = graph.node(graph.find("sip1.cube6.hbm_ctrl.pe3").value());
  EXPECT_EQ(hbm.kind, NodeKind::HbmCtrl);
  EXPECT_EQ(hbm.sip, 1);
  EXPECT_EQ(hbm.cube, 6);
  EXPECT_EQ(hbm.pe, 3);
  EXPECT_EQ(hbm.overhead.ps(), 30'000);
  // Cube 6 is in column 2 and row 1, below an IO chiplet of 12 mm at a distance of 1 mm. PE 3's
  // router is at (15.5, 4.0) in the cube, and the controller half a millimetre towards the HBM.
  EXPECT_EQ(hbm.position, (PositionMm{2 * 18.0 + 15.5, 13.0 + 15.0 + 4.5}));
  EXPECT_EQ(graph.node(graph.find("fabric.switch0").value()).sip, kNoIndex);
  EXPECT_EQ(graph.node(graph.find("sip0.io0.io_noc").value()).cube, kNoIndex);
  EXPECT_EQ(graph.node(graph.find("sip0.cube0.noc.r0c0").value()).pe, kNoIndex);
}

TEST(Compile, OverheadsAreRoundedHalfUpToAPicosecond) {
  TopologySpec spec;
  spec.cube.router_overhead_ns = 0.0005;
  spec.cube.m_cpu_overhead_ns = 0.00049;
  const TopologyGraph graph = compile_topology(spec);
  EXPECT_EQ(graph.node(graph.find("sip0.cube0.noc.r0c0").value()).overhead.ps(), 1);
  EXPECT_EQ(graph.node(graph.find("sip0.cube0.m_cpu").value()).overhead.ps(), 0);
}

TEST(Compile, ARouterListsEastAndWestBeforeNorthAndSouth) {
  const TopologyGraph graph = compile_topology({});
  const NodeId router = graph.find("sip0.cube0.noc.r1c1").value();
  std::vector<std::string> neighbours;
  for (const Edge& edge : graph.edges()) {
    if (edge.from == router && edge.kind == EdgeKind::RouterMesh) {
      neighbours.emplace_back(graph.name(edge.to));
    }
  }
  EXPECT_THAT(neighbours, ElementsAre("sip0.cube0.noc.r1c2", "sip0.cube0.noc.r1c0",
                                      "sip0.cube0.noc.r0c1", "sip0.cube0.noc.r2c1"));
}

TEST(Compile, MeshEdgesAreAsLongAsTheirRoutersAreApart) {
  const TopologyGraph graph = compile_topology({});
  const Edge east = only_edge(graph, "sip0.cube0.noc.r0c1", "sip0.cube0.noc.r0c2");
  EXPECT_EQ(east.length_nm, 2'666'667U);
  EXPECT_FALSE(east.vertical);
  EXPECT_EQ(east.bw_gbs, 256.0);
  const Edge south = only_edge(graph, "sip0.cube0.noc.r1c1", "sip0.cube0.noc.r2c1");
  EXPECT_EQ(south.length_nm, 1'500'000U);
  EXPECT_TRUE(south.vertical);
}

TEST(Compile, AnMCpuHasACommandPairAndADataPairAsLongAsItsPlacementSays) {
  TopologySpec spec;
  spec.cube.m_cpu_pos = {1.5, 6.25};
  const TopologyGraph graph = compile_topology(spec);
  const std::vector<Edge> to = edges_between(graph, "sip0.cube0.noc.r2c0", "sip0.cube0.m_cpu");
  const std::vector<Edge> back = edges_between(graph, "sip0.cube0.m_cpu", "sip0.cube0.noc.r2c0");
  ASSERT_EQ(to.size(), 2U);
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(to[0].kind, EdgeKind::RouterToMcpu);
  EXPECT_EQ(to[0].length_nm, 750'000U);
  EXPECT_EQ(to[0].bw_gbs, 64.0);
  EXPECT_EQ(to[1].kind, EdgeKind::Command);
  EXPECT_EQ(to[1].length_nm, 500'000U);
  EXPECT_EQ(back[0].kind, EdgeKind::McpuToRouter);
  EXPECT_EQ(back[1].kind, EdgeKind::Command);
}

TEST(Compile, PeCpuAndPeMmuHaveCommandPairsAndPeDmaADataPair) {
  const TopologyGraph graph = compile_topology({});
  const std::string pe = "sip0.cube0.pe2.";
  const std::string router = "sip0.cube0.noc.r1c4";
  for (const auto& [part, kind] :
       std::map<std::string, EdgeKind>{{"pe_cpu", EdgeKind::Command},
                                       {"pe_mmu", EdgeKind::Command},
                                       {"pe_dma", EdgeKind::PeToRouter}}) {
    EXPECT_EQ(only_edge(graph, pe + part, router).kind, kind) << part;
    EXPECT_EQ(only_edge(graph, router, pe + part).kind, kind) << part;
  }
}

TEST(Compile, APhyTiesItsConnectionsTogetherAtNoLengthButAtARoutingWeight) {
  const TopologyGraph graph = compile_topology({});
  const Edge edge = only_edge(graph, "sip0.cube0.ucie_e.c2", "sip0.cube0.ucie_e");
  EXPECT_EQ(edge.kind, EdgeKind::UcieInternal);
  EXPECT_EQ(edge.length_nm, 0U);
  EXPECT_EQ(edge.routing_weight_nm, 31'000'000);
  EXPECT_EQ(edge.weight_nm(), 31'000'000);
}

TEST(Compile, FacingPhysAreJoinedAtTheBandwidthOfAllConnections) {
  const TopologyGraph graph = compile_topology({});
  const Edge east = only_edge(graph, "sip0.cube4.ucie_e", "sip0.cube5.ucie_w");
  EXPECT_EQ(east.kind, EdgeKind::UcieMesh);
  EXPECT_EQ(east.bw_gbs, 512.0);
  EXPECT_EQ(east.length_nm, 1'000'000U);
  EXPECT_EQ(only_edge(graph, "sip0.cube5.ucie_s", "sip0.cube9.ucie_n").kind, EdgeKind::UcieMesh);
  EXPECT_TRUE(edges_between(graph, "sip0.cube3.ucie_e", "sip0.cube4.ucie_w").empty());
}

TEST(Compile, TheIoChipletReachesEveryNorthernCubeThroughItsOwnConnection) {
  const TopologyGraph graph = compile_topology({});
  for (const char* x : {"0", "1", "2", "3"}) {
    const std::string conn = std::string("sip0.io0.conn.") + x;
    const std::string phy = std::string("sip0.io0.io_ucie.s") + x;
    EXPECT_EQ(only_edge(graph, "sip0.io0.io_noc", conn).kind, EdgeKind::NocToUcieConn);
    EXPECT_EQ(only_edge(graph, conn, "sip0.io0.io_noc").kind, EdgeKind::UcieConnToNoc);
    EXPECT_EQ(only_edge(graph, conn, phy).kind, EdgeKind::IoInternal);
    const std::string cube = std::string("sip0.cube") + x + ".ucie_n";
    EXPECT_EQ(only_edge(graph, phy, cube).kind, EdgeKind::IoToCube);
    EXPECT_EQ(only_edge(graph, cube, phy).kind, EdgeKind::CubeToIo);
  }
}

TEST(Compile, TheSwitchReachesEveryPcieEndpointAndTheHost) {
  const TopologyGraph graph = compile_topology({});
  std::vector<std::string> reached;
  for (const Edge& edge : graph.edges()) {
    if (graph.name(edge.from) == "fabric.switch0") reached.emplace_back(graph.name(edge.to));
  }
  EXPECT_THAT(reached,
              UnorderedElementsAre("fabric.host_cpu0", "sip0.io0.pcie_ep", "sip1.io0.pcie_ep"));
}

TEST(Compile, IoChipletsOfEverySideReachTheCubesOfThatSide) {
  const std::map<Side, std::vector<std::string>> expected = {
      {Side::North, {"sip0.cube0.ucie_n", "sip0.cube1.ucie_n", "sip0.cube2.ucie_n"}},
      {Side::South, {"sip0.cube3.ucie_s", "sip0.cube4.ucie_s", "sip0.cube5.ucie_s"}},
      {Side::West, {"sip0.cube0.ucie_w", "sip0.cube3.ucie_w"}},
      {Side::East, {"sip0.cube2.ucie_e", "sip0.cube5.ucie_e"}}};
  for (const auto& [side, cubes] : expected) {
    TopologySpec spec;
    spec.sip.cube_mesh_w = 3;
    spec.sip.cube_mesh_h = 2;
    spec.sip.io_chiplets[0].side = side;
    const TopologyGraph graph = compile_topology(spec);
    std::vector<std::string> reached;
    for (const Edge& edge : graph.edges()) {
      if (edge.kind == EdgeKind::IoToCube && graph.node(edge.from).sip == 0) {
        reached.emplace_back(graph.name(edge.to));
      }
    }
    EXPECT_EQ(reached, cubes);
  }
}

TEST(Compile, EveryEdgeHasAnOppositeOfItsKindOfLink) {
  // Kinds with a direction in the name, and their opposites.
  const std::map<EdgeKind, EdgeKind> opposites = {
      {EdgeKind::RouterToHbm, EdgeKind::HbmToRouter},
      {EdgeKind::RouterToMcpu, EdgeKind::McpuToRouter},
      {EdgeKind::RouterToSram, EdgeKind::SramToRouter},
      {EdgeKind::RouterToUcieConn, EdgeKind::UcieConnToRouter},
      {EdgeKind::NocToUcieConn, EdgeKind::UcieConnToNoc},
      {EdgeKind::IoToCube, EdgeKind::CubeToIo}};
  for (const TopologySpec& spec : {TopologySpec{}, maze_spec(4, 3)}) {
    const TopologyGraph graph = compile_topology(spec);
    std::set<std::tuple<std::uint32_t, std::uint32_t, EdgeKind>> edges;
    for (const Edge& edge : graph.edges()) {
      EXPECT_TRUE(edges.emplace(edge.from.value(), edge.to.value(), edge.kind).second);
    }
    for (const Edge& edge : graph.edges()) {
      EdgeKind kind = edge.kind;
      for (const auto& [a, b] : opposites) {
        if (edge.kind == a) kind = b;
        if (edge.kind == b) kind = a;
      }
      EXPECT_TRUE(edges.contains({edge.to.value(), edge.from.value(), kind}))
          << graph.name(edge.from) << " -> " << graph.name(edge.to);
    }
  }
}

TEST(CompileMaze, An8x8SipHasTheLinksOfTheTopoAndPhysOnlyAtTheIoChiplet) {
  const TopologyGraph graph = compile_topology(maze_spec(8, 8));
  EXPECT_EQ(count_edges(graph)["maze_link"], 896);
  EXPECT_EQ(count_edges(graph)["ucie_mesh"], 0);
  EXPECT_EQ(count_nodes(graph)["maze"], 64);
  EXPECT_EQ(count_nodes(graph)["ucie_phy"], 8);
  EXPECT_EQ(count_nodes(graph)["ucie_conn"], 32);
  EXPECT_TRUE(graph.find("sip0.cube7.ucie_n").has_value());
  EXPECT_FALSE(graph.find("sip0.cube7.ucie_e").has_value());
  EXPECT_FALSE(graph.find("sip0.cube8.ucie_n").has_value());
}

TEST(CompileMaze, EveryLinkHasThePortDepthBandwidthAndLengthOfItsMazeLink) {
  const TopologySpec spec = maze_spec(8, 3);
  const TopologyGraph graph = compile_topology(spec);
  const MazeLinks links(8, 3);
  std::size_t checked = 0;
  for (const Edge& edge : graph.edges()) {
    if (edge.kind != EdgeKind::MazeLink) continue;
    const MazeLink& link = links.links()[checked++];
    EXPECT_EQ(graph.node(edge.from).cube, link.from.node);
    EXPECT_EQ(graph.node(edge.to).cube, link.to.node);
    EXPECT_EQ(edge.maze_port, link.from.port);
    EXPECT_EQ(edge.maze_depth, link.depth);
    EXPECT_EQ(edge.bw_gbs, 1.0);  // one byte per nanosecond
    EXPECT_EQ(edge.length_nm, (link.depth + 1) * (link.from.port < 7 ? 18'000'000U : 15'000'000U));
  }
  EXPECT_EQ(checked, links.links().size());
}

TEST(CompileMaze, AMazeNodeAttachesToTheWestColumnOfAllPeRows) {
  const TopologyGraph graph = compile_topology(maze_spec(2, 2));
  std::vector<std::string> routers;
  for (const Edge& edge : graph.edges()) {
    if (edge.kind == EdgeKind::MazeAttach && graph.name(edge.from) == "sip0.cube3.maze") {
      routers.emplace_back(graph.name(edge.to));
      EXPECT_EQ(edge.length_nm, 500'000U);
      EXPECT_EQ(edge.bw_gbs, 256.0);
    }
  }
  EXPECT_THAT(routers, ElementsAre("sip0.cube3.noc.r0c0", "sip0.cube3.noc.r1c0",
                                   "sip0.cube3.noc.r4c0", "sip0.cube3.noc.r5c0"));
}

TEST(CompileMaze, SixteenBySixteenCubesFit) {
  const TopologyGraph graph = compile_topology(maze_spec(16, 16));
  EXPECT_EQ(count_nodes(graph)["maze"], 256);
  EXPECT_EQ(count_edges(graph)["maze_link"], 256 * 30);
}

TEST(Compile, TwoCompilationsAreEqualNodeByNodeAndEdgeByEdge) {
  const TopologyGraph a = compile_topology({});
  const TopologyGraph b = compile_topology({});
  ASSERT_EQ(a.nodes().size(), b.nodes().size());
  for (std::uint32_t i = 0; i < a.nodes().size(); ++i) {
    ASSERT_EQ(a.name(NodeId(i)), b.name(NodeId(i)));
    ASSERT_EQ(a.nodes()[i].position, b.nodes()[i].position);
  }
  ASSERT_EQ(a.edges().size(), b.edges().size());
  for (std::uint32_t i = 0; i < a.edges().size(); ++i) {
    ASSERT_EQ(a.edges()[i].from, b.edges()[i].from);
    ASSERT_EQ(a.edges()[i].to, b.edges()[i].to);
    ASSERT_EQ(a.edges()[i].kind, b.edges()[i].kind);
  }
}

}  // namespace
}  // namespace kernbench::topology
