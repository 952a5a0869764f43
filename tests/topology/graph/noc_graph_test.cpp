// SPDX-License-Identifier: Apache-2.0
// Graphs whose cubes or SIPs are joined by a network of any topology: nodes, links, routes, views.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "topology/graph/compile.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::topology {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TopologyGraph joined_system(const std::string& text) {
  return compile_topology(parse_topology_spec(text, "t.yaml"));
}

TopologyGraph joined_cubes(const std::string& noc, int w, int h) {
  return joined_system("system: {sips: {count: 1}}\nsip: {inter_cube: {noc: '" + noc +
                       "'}, cube_mesh: {w: " + std::to_string(w) + ", h: " + std::to_string(h) +
                       "}}\n");
}

std::size_t count_of_kind(const TopologyGraph& graph, EdgeKind kind) {
  std::size_t found = 0;
  for (const Edge& edge : graph.edges()) found += edge.kind == kind ? 1 : 0;
  return found;
}

/// Returns the nodes at which the links of a route's network begin and end.
std::vector<std::string> way_of_route(const TopologyGraph& graph, const std::string& from,
                                      const std::string& to) {
  const PathRouter router(graph);
  std::vector<std::string> names;
  for (const EdgeId id : router.wires(router.find_path(from, to))) {
    const Edge& edge = graph.edge(id);
    if (edge.kind != EdgeKind::NocLink) continue;
    if (names.empty()) names.emplace_back(graph.name(edge.from));
    names.emplace_back(graph.name(edge.to));
  }
  return names;
}

TEST(NocGraph, HasRoutersLinksAndAPortForEachCube) {
  const TopologyGraph graph = joined_cubes("BidirectionalTorus2D(4,4)", 4, 4);
  EXPECT_TRUE(graph.find("sip0.noc.n15"));
  EXPECT_FALSE(graph.find("sip0.noc.n16"));
  EXPECT_TRUE(graph.find("sip0.cube15.noc_port"));
  EXPECT_EQ(count_of_kind(graph, EdgeKind::NocLink),
            64U + 2 * 16U);  // channels, and ports both ways
  EXPECT_EQ(count_of_kind(graph, EdgeKind::UcieMesh), 0U);
  EXPECT_FALSE(graph.find("sip0.cube5.ucie_n"));
  EXPECT_TRUE(graph.find("sip0.cube1.ucie_n"));  // faces the IO chiplet
}

TEST(NocGraph, RoutesTakeThePreferredHopsOfTheTopology) {
  const TopologyGraph graph = joined_cubes("BidirectionalTorus2D(4,4)", 4, 4);
  EXPECT_THAT(way_of_route(graph, "sip0.cube1.pe0", "sip0.cube12.hbm_ctrl.pe0"),
              ElementsAre("sip0.cube1.noc_port", "sip0.noc.n1", "sip0.noc.n0", "sip0.noc.n12",
                          "sip0.cube12.noc_port"));
  EXPECT_THAT(way_of_route(graph, "sip0.cube1.pe0", "sip0.cube1.hbm_ctrl.pe7"), IsEmpty());
}

TEST(NocGraph, ARouteHasOneHopThroughTheNetwork) {
  const TopologyGraph graph = joined_cubes("BidirectionalTorus2D(4,4)", 4, 4);
  const Path path = PathRouter(graph).find_path("sip0.cube0.pe0", "sip0.cube10.hbm_ctrl.pe0");
  std::size_t hops = 0;
  for (const EdgeId id : path.edges) hops += is_carried(graph.edge(id).kind) ? 1 : 0;
  EXPECT_EQ(hops, 1U);
  EXPECT_THAT(path.edges, SizeIs(path.nodes.size() - 1));
}

TEST(NocGraph, AButterflyIsEnteredAtItsFirstStageAndLeftAtItsLast) {
  const TopologyGraph graph = joined_cubes("Butterfly(2,3)", 2, 2);
  EXPECT_THAT(way_of_route(graph, "sip0.cube1.pe0", "sip0.cube2.hbm_ctrl.pe0"),
              ElementsAre("sip0.cube1.noc_port", "sip0.noc.n1", testing::_, "sip0.noc.n10",
                          "sip0.cube2.noc_port"));
}

TEST(NocGraph, ATreeIsClimbedToTheCommonParent) {
  const TopologyGraph graph = joined_cubes("BidirectionalTree(1,3)", 2, 2);
  EXPECT_THAT(way_of_route(graph, "sip0.cube1.pe0", "sip0.cube3.hbm_ctrl.pe0"),
              ElementsAre("sip0.cube1.noc_port", "sip0.noc.n1", "sip0.noc.n0", "sip0.noc.n3",
                          "sip0.cube3.noc_port"));
}

TEST(NocGraph, SipsExchangeOverTheirNetworkAndTheHostOverTheSwitch) {
  const TopologyGraph graph = joined_system(
      "system:\n  sips: {count: 4}\n  inter_sip: {noc: 'BidirectionalTorus1D(4)'}\n"
      "  links: {switch_to_pcie_ep: {bw_gbs: 64, distance_mm: 0}}\n"
      "sip: {cube_mesh: {w: 2, h: 2}}\n");
  EXPECT_THAT(
      way_of_route(graph, "sip1.cube0.pe0", "sip0.cube3.hbm_ctrl.pe0"),
      ElementsAre("sip1.io0.noc_port", "fabric.noc.n1", "fabric.noc.n0", "sip0.io0.noc_port"));
  const PathRouter router(graph);
  for (const char* sip : {"sip0", "sip3"}) {
    const Path path =
        router.find_memory_path("fabric.host_cpu0", std::string(sip) + ".cube3.hbm_ctrl.pe0");
    EXPECT_EQ(graph.name(path.nodes.at(1)), "fabric.switch0");
    EXPECT_EQ(graph.name(path.nodes.at(2)), std::string(sip) + ".io0.pcie_ep");
    for (const EdgeId id : path.edges) EXPECT_FALSE(is_carried(graph.edge(id).kind));
  }
}

TEST(NocGraph, ViewsShowRoutersAndLinks) {
  const TopologyGraph graph = joined_cubes("Butterfly(2,3)", 2, 2);
  const View& view = graph.sip_view();
  EXPECT_EQ(view.title, "SIP: 2 x 2 cubes joined by Butterfly(2,3)");
  std::size_t routers = 0;
  for (const ViewNode& node : view.nodes) {
    if (node.shape != ViewShape::Node || node.kind != NodeKind::Noc) continue;
    ++routers;
    EXPECT_GE(node.center.x, 0);
    EXPECT_LE(node.center.x, view.w_mm);
    EXPECT_GE(node.center.y, 0);
    EXPECT_LE(node.center.y, view.h_mm);
  }
  EXPECT_EQ(routers, 12U);
  std::size_t links = 0;
  for (const ViewEdge& edge : view.edges) links += edge.kind == EdgeKind::NocLink ? 1 : 0;
  EXPECT_EQ(links, 16U + 8U);  // each cube at the first stage and at the last
}

TEST(NocGraph, ASpecWhoseSizeWasChangedDoesNotCompile) {
  TopologySpec spec = parse_topology_spec("sip: {inter_cube: {noc: 'Mesh2D(4,4)'}}\n", "t.yaml");
  spec.sip.cube_mesh_h = 2;
  EXPECT_THROW((void)compile_topology(spec), common::BadInput);
}

}  // namespace
}  // namespace kernbench::topology
