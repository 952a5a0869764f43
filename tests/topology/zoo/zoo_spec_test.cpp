// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "channel_sets.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_export.hpp"

namespace kernbench::topology::zoo {
namespace {

std::string error_of(const std::string& text) {
  return common::bad_input_of([&] { (void)parse_zoo_spec(text, "zoo.yaml"); });
}

/// Returns the only error in `topology: <text>`, without the source line.
std::string error_in(const std::string& topology) {
  const std::string all = error_of("topology: " + topology + "\n");
  return all.substr(0, all.find('\n'));
}

TEST(ZooSpec, ReadsEverySizedKind) {
  EXPECT_EQ(parse_zoo_spec("topology: {kind: Butterfly, k_ary: 2, n_fly: 3}", "t")->name(),
            "Butterfly(2,3)");
  EXPECT_EQ(parse_zoo_spec("topology: {kind: BidirectionalTree, height: 3, d_ary: 2}", "t")->name(),
            "BidirectionalTree(3,2)");
  EXPECT_EQ(parse_zoo_spec("topology: {ny: 3, nx: 4, kind: Mesh2D}", "t")->name(), "Mesh2D(4,3)");
}

TEST(ZooSpec, ReadsWhatIsMadeOfOthers) {
  const std::string text =
      "topology:\n"
      "  kind: TerminalRouter\n"
      "  base:\n"
      "    kind: HierarchicalTopology\n"
      "    base: {kind: UnidirectionalTorus1D, n: 4}\n"
      "    children:\n"
      "      - {base_node: 0, child_node: 2, topology: {kind: BidirectionalLine, n: 5}}\n"
      "      - base_node: 2\n"
      "        child_node: 1\n"
      "        topology: {kind: CustomTopology, n: 2, edges: [[0, 1]]}\n";
  EXPECT_EQ(parse_zoo_spec(text, "t")->name(),
            "TerminalRouter(HierarchicalTopology(UnidirectionalTorus1D(4),"
            "(0,2,BidirectionalLine(5)),(2,1,CustomTopology(2,1 edges))))");
}

TEST(ZooSpec, ReadsACustomTopology) {
  EXPECT_EQ(text_of(*parse_zoo_spec(
                "topology: {kind: CustomTopology, n: 3, edges: [[2, 0], [0, 1]]}", "t")),
            "0->1 2->0");
}

TEST(ZooSpec, ShowsTheLineOfAnError) {
  EXPECT_EQ(error_of("topology:\n  kind: Mesh2D\n  nx: 4\n  ny: zero\n"),
            "zoo.yaml:4:7: error: 'ny' must be an integer from 1 to 65536, not 'zero'\n"
            "    4 |   ny: zero\n"
            "      |       ^");
}

TEST(ZooSpec, ReportsAllErrorsAtOnce) {
  EXPECT_EQ(
      error_of("topology:\n"
               "  kind: HierarchicalTopology\n"
               "  base: {kind: Mesh, nx: 4, ny: 3}\n"
               "  children:\n"
               "    - {base_node: 0, child_nod: 2, topology: {kind: BidirectionalLine, n: 0}}\n"
               "version: 2\n"),
      "zoo.yaml:3:16: error: 'kind' must be one of UnidirectionalLine, BidirectionalLine, "
      "UnidirectionalTorus1D, BidirectionalTorus1D, Butterfly, BidirectionalTree, Mesh2D, "
      "UnidirectionalTorus2D, BidirectionalTorus2D, FlattenedButterfly, TerminalRouter, "
      "HierarchicalTopology, CustomTopology, not 'Mesh'\n"
      "    3 |   base: {kind: Mesh, nx: 4, ny: 3}\n"
      "      |                ^\n"
      "  hint: did you mean 'Mesh2D'?\n"
      "zoo.yaml:5:7: error: missing key 'child_node'\n"
      "    5 |     - {base_node: 0, child_nod: 2, topology: {kind: BidirectionalLine, n: 0}}\n"
      "      |       ^\n"
      "  hint: it must be an integer from 0 to 4294967295\n"
      "zoo.yaml:5:22: error: unknown key 'child_nod'\n"
      "    5 |     - {base_node: 0, child_nod: 2, topology: {kind: BidirectionalLine, n: 0}}\n"
      "      |                      ^\n"
      "  hint: did you mean 'child_node'?\n"
      "zoo.yaml:5:75: error: 'n' must be an integer from 1 to 65536, not '0'\n"
      "    5 |     - {base_node: 0, child_nod: 2, topology: {kind: BidirectionalLine, n: 0}}\n"
      "      |                                                                           ^\n"
      "zoo.yaml:6:1: error: unknown key 'version'\n"
      "    6 | version: 2\n"
      "      | ^\n"
      "  hint: valid keys: topology, routes, routing");
}

TEST(ZooSpec, RefusesUnknownKindsAndKeys) {
  EXPECT_EQ(error_in("{kind: Mesh2d, nx: 4, ny: 3}"),
            "zoo.yaml:1:18: error: 'kind' must be one of UnidirectionalLine, BidirectionalLine, "
            "UnidirectionalTorus1D, BidirectionalTorus1D, Butterfly, BidirectionalTree, Mesh2D, "
            "UnidirectionalTorus2D, BidirectionalTorus2D, FlattenedButterfly, TerminalRouter, "
            "HierarchicalTopology, CustomTopology, not 'Mesh2d'");
  EXPECT_EQ(error_in("{kind: Mesh2D, nx: 4, nY: 3}"), "zoo.yaml:1:11: error: missing key 'ny'");
  EXPECT_EQ(error_in("{nx: 4, ny: 3}"), "zoo.yaml:1:11: error: missing key 'kind'");
  EXPECT_EQ(error_in("{kind: UnidirectionalLine, n: 4, m: 5}"),
            "zoo.yaml:1:44: error: unknown key 'm'");
  EXPECT_EQ(error_in("Mesh2D(4,3)"),
            "zoo.yaml:1:11: error: 'topology' must be a map, not 'Mesh2D(4,3)'");
  EXPECT_EQ(error_of("topologie: {kind: UnidirectionalLine, n: 4}\n"),
            "zoo.yaml:1:1: error: missing key 'topology'\n"
            "    1 | topologie: {kind: UnidirectionalLine, n: 4}\n"
            "      | ^\n"
            "  hint: it must be a map\n"
            "zoo.yaml:1:1: error: unknown key 'topologie'\n"
            "    1 | topologie: {kind: UnidirectionalLine, n: 4}\n"
            "      | ^\n"
            "  hint: did you mean 'topology'?");
}

TEST(ZooSpec, RefusesSizesThatMakeNoSense) {
  EXPECT_EQ(error_in("{kind: UnidirectionalLine, n: 0}"),
            "zoo.yaml:1:41: error: 'n' must be an integer from 1 to 65536, not '0'");
  EXPECT_EQ(error_in("{kind: UnidirectionalTorus1D, n: 1}"),
            "zoo.yaml:1:44: error: 'n' must be an integer from 2 to 65536, not '1'");
  EXPECT_EQ(error_in("{kind: BidirectionalTorus1D, n: -4}"),
            "zoo.yaml:1:43: error: 'n' must be an integer from 2 to 65536, not '-4'");
  EXPECT_EQ(error_in("{kind: BidirectionalTorus2D, nx: 4, ny: 1}"),
            "zoo.yaml:1:51: error: 'ny' must be an integer from 2 to 65536, not '1'");
  EXPECT_EQ(error_in("{kind: Butterfly, k_ary: 1, n_fly: 3}"),
            "zoo.yaml:1:36: error: 'k_ary' must be an integer from 2 to 65536, not '1'");
  EXPECT_EQ(error_in("{kind: BidirectionalTree, height: 2, d_ary: 1}"),
            "zoo.yaml:1:55: error: 'd_ary' must be an integer from 2 to 65536, not '1'");
  EXPECT_EQ(error_in("{kind: Mesh2D, nx: 4.0, ny: 3}"),
            "zoo.yaml:1:30: error: 'nx' must be an integer from 1 to 65536, not '4.0'");
  EXPECT_EQ(error_in("{kind: Mesh2D, nx: .nan, ny: 3}"),
            "zoo.yaml:1:30: error: 'nx' must be an integer from 1 to 65536, not '.nan'");
  EXPECT_EQ(error_in("{kind: Mesh2D, nx: 65537, ny: 3}"),
            "zoo.yaml:1:30: error: 'nx' must be an integer from 1 to 65536, not '65537'");
}

TEST(ZooSpec, RefusesTopologiesThatAreTooLarge) {
  EXPECT_EQ(error_in("{kind: Mesh2D, nx: 257, ny: 256}"),
            "zoo.yaml:1:11: error: Mesh2D(257,256) has more than 65536 nodes");
  EXPECT_EQ(error_in("{kind: BidirectionalTree, height: 65536, d_ary: 2}"),
            "zoo.yaml:1:11: error: BidirectionalTree(65536,2) has more than 65536 nodes");
  EXPECT_EQ(error_in("{kind: Butterfly, k_ary: 65536, n_fly: 65536}"),
            "zoo.yaml:1:11: error: Butterfly(65536,65536) has more than 65536 nodes");
  EXPECT_EQ(error_in("{kind: FlattenedButterfly, nx: 65536, ny: 1}"),
            "zoo.yaml:1:11: error: FlattenedButterfly(65536,1) has more than 4194304 channels");
  EXPECT_EQ(error_in("{kind: TerminalRouter, base: {kind: Mesh2D, nx: 256, ny: 256}}"),
            "zoo.yaml:1:11: error: TerminalRouter(Mesh2D(256,256)) has more than 65536 nodes");
}

TEST(ZooSpec, RefusesLinksToNodesThatAreNotThere) {
  const std::string child = "topology: {kind: BidirectionalLine, n: 3}}]}";
  const std::string base = "{kind: HierarchicalTopology, base: {kind: Mesh2D, nx: 2, ny: 2}, ";
  EXPECT_EQ(error_in(base + "children: [{base_node: 4, child_node: 0, " + child),
            "zoo.yaml:1:99: error: 'base_node' must be an integer from 0 to 3, not '4'");
  EXPECT_EQ(error_in(base + "children: [{base_node: 0, child_node: 3, " + child),
            "zoo.yaml:1:114: error: 'child_node' must be an integer from 0 to 2, not '3'");
  EXPECT_EQ(error_in(base + "children: [{base_node: 0, " + child),
            "zoo.yaml:1:87: error: missing key 'child_node'");
  EXPECT_EQ(error_in(base + "children: {base_node: 0}}"),
            "zoo.yaml:1:86: error: 'children' must be a list, not a map");
  EXPECT_EQ(error_in(base + "children: [{base_node: 0, child_node: 0}]}"),
            "zoo.yaml:1:87: error: missing key 'topology'");
  EXPECT_EQ(error_in("{kind: HierarchicalTopology, children: []}"),
            "zoo.yaml:1:11: error: missing key 'base'");
  EXPECT_EQ(error_in("{kind: TerminalRouter}"), "zoo.yaml:1:11: error: missing key 'base'");
}

TEST(ZooSpec, RefusesEdgesThatMakeNoSense) {
  const std::string custom = "{kind: CustomTopology, n: 3, edges: ";
  EXPECT_EQ(
      error_in(custom + "[[0, 3]]}"),
      "zoo.yaml:1:52: error: item 2 of item 1 of 'edges' must be an integer from 0 to 2, not '3'");
  EXPECT_EQ(error_in(custom + "[[0, 1], [1, 1]]}"),
            "zoo.yaml:1:56: error: edge 1->1 leads to itself");
  EXPECT_EQ(error_in(custom + "[[0, 1], [1, 2], [0, 1]]}"),
            "zoo.yaml:1:64: error: edge 0->1 is given twice");
  EXPECT_EQ(error_in(custom + "[[0, 1, 2]]}"),
            "zoo.yaml:1:48: error: item 1 of 'edges' must be a list of 2 items, not of 3");
  EXPECT_EQ(error_in(custom + "[0, 1]}"),
            "zoo.yaml:1:48: error: item 1 of 'edges' must be a list of 2 items, not '0'");
  EXPECT_EQ(error_in(custom + "[[0, -1]]}"),
            "zoo.yaml:1:52: error: item 2 of item 1 of 'edges' must be an integer from 0 to "
            "4294967295, not '-1'");
  EXPECT_EQ(error_in("{kind: CustomTopology, n: 3}"),
            "zoo.yaml:1:11: error: missing key 'edges_from' or 'edges'");
  EXPECT_EQ(error_in("{kind: CustomTopology, n: 0, edges: []}"),
            "zoo.yaml:1:37: error: 'n' must be an integer from 1 to 65536, not '0'");
}

/// Returns `depth` nested topologies of kind TerminalRouter.
std::string nested(int depth) {
  std::string text;
  for (int i = 1; i < depth; ++i) text += "{kind: TerminalRouter, base: ";
  text += "{kind: BidirectionalLine, n: 2}";
  return text + std::string(static_cast<std::size_t>(depth - 1), '}');
}

TEST(ZooSpec, LimitsTheNesting) {
  EXPECT_EQ(parse_zoo_spec("topology: " + nested(8), "t")->n_nodes(), 256U);
  EXPECT_EQ(error_in(nested(9)), "zoo.yaml:1:243: error: topologies are nested more than 8 deep");
}

TEST(ZooSpec, RefusesAHierarchyThatContainsItself) {
  EXPECT_EQ(error_of("topology: &self\n  kind: TerminalRouter\n  base: *self\n"),
            "zoo.yaml:1:11: error: anchors and aliases are not supported\n"
            "    1 | topology: &self\n"
            "      |           ^\n"
            "  hint: write the value out at each place\n"
            "zoo.yaml:3:9: error: anchors and aliases are not supported\n"
            "    3 |   base: *self\n"
            "      |         ^\n"
            "  hint: write the value out at each place");
}

TEST(ZooSpec, TakesARelationThatIsRegistered) {
  const std::string mesh = "topology: {kind: Mesh2D, nx: 3, ny: 2}\n";
  EXPECT_EQ(natural_routing(*parse_zoo_spec(mesh, "t"))->name(), "dimension order XY");
  EXPECT_EQ(natural_routing(*parse_zoo_spec(mesh + "routing: yx\n", "t"))->name(),
            "dimension order YX");
  EXPECT_EQ(natural_routing(*parse_zoo_spec(mesh + "routing: up_down\n", "t"))->name(),
            "up*/down* over a spanning tree");
  EXPECT_EQ(
      error_of("topology: {kind: UnidirectionalLine, n: 2}\nrouting: up_down\n"),
      "zoo.yaml:2:10: error: up*/down* needs bidirectional channels, but UnidirectionalLine(2) "
      "has one-way channels\n"
      "    2 | routing: up_down\n"
      "      |          ^");
  EXPECT_EQ(error_of("topology: {kind: UnidirectionalLine, n: 2}\nrouting: yx\n"),
            "zoo.yaml:2:10: error: 'yx' routes grids of two dimensions, not "
            "UnidirectionalLine(2)\n"
            "    2 | routing: yx\n"
            "      |          ^");
  EXPECT_THAT(
      error_of(mesh + "routing: yz\n"),
      testing::HasSubstr("'routing' must be one of yx, up_down, negative_hop, shortest_path, "
                         "not 'yz'"));
  EXPECT_THAT(error_of(mesh + "routing: yx\nroutes: a.csv\n"),
              testing::HasSubstr("'routes' and 'routing' exclude each other"));
}

TEST(ZooSpec, CountsTheEndpointsOfNodes) {
  const std::string edges = "edges: [[0, 1], [1, 0], [1, 2], [2, 1]]";
  const TopologyPtr line = parse_zoo_spec(
      "topology: {kind: CustomTopology, n: 3, " + edges + ", endpoints: [2, 0, 1]}", "t");
  EXPECT_EQ(line->endpoints(), (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_FALSE(line->is_pair(0, 1));
  const auto routing = natural_routing(*line);
  const RoutingCheck check = check_routing(*routing);
  EXPECT_EQ(check.pairs, 2U);
  EXPECT_THAT(routing_report(*line, check),
              testing::StartsWith("topology: CustomTopology(3,4 edges), 3 nodes, 4 channels, 3 "
                                  "endpoints at 2 nodes\n"));
  std::ostringstream routes;
  to_routes_csv(*routing, routes);
  EXPECT_EQ(routes.str(),
            "src,dst,step,from,to,vc\n0,2,0,0,1,0\n0,2,1,1,2,0\n2,0,0,2,1,0\n2,0,1,1,0,0\n");
  std::ostringstream json;
  to_json(*routing, {}, json);
  EXPECT_THAT(json.str(), testing::HasSubstr("\"endpoints\": [2,0,1]"));
  EXPECT_EQ(line->plotter().nodes[1].has_ingress, false);
  EXPECT_EQ(error_in("{kind: CustomTopology, n: 3, " + edges + ", endpoints: [2, 0]}"),
            "zoo.yaml:1:92: error: 'endpoints' must have 3 items, one for each node, not 2");
  EXPECT_EQ(error_in("{kind: CustomTopology, n: 3, " + edges + ", endpoints: [2, 0, 1025]}"),
            "zoo.yaml:1:99: error: item 3 of 'endpoints' must be an integer from 0 to 1024, not "
            "'1025'");
}

TEST(ZooSpec, GivesChannelsTheirRegisterStages) {
  const std::string text = "{kind: CustomTopology, n: 2, edges: [[1, 0], [0, 1]], stages: ";
  const TopologyPtr pair = parse_zoo_spec("topology: " + text + "[3, 0]}", "t");
  EXPECT_EQ(pair->channels()[0].stages, 0);  // 0->1
  EXPECT_EQ(pair->channels()[1].stages, 3);
  EXPECT_EQ(error_in(text + "[3]}"),
            "zoo.yaml:1:73: error: 'stages' must have 2 items, one for each of the edges, not 1");
  EXPECT_EQ(error_in(text + "[3, 16]}"),
            "zoo.yaml:1:77: error: item 2 of 'stages' must be an integer from 0 to 15, not '16'");
}

TEST(ZooSpec, NamesTheNodes) {
  const std::string text =
      "topology: {kind: CustomTopology, n: 2, edges: [[0, 1], [1, 0]], names: ";
  const TopologyPtr pair = parse_zoo_spec(text + "[cpu, dram]}", "t");
  EXPECT_EQ(pair->node_name(1), "dram");
  EXPECT_THAT(error_of(text + "[cpu]}\n"),
              testing::StartsWith("zoo.yaml:1:72: error: 'names' must have 2 items, one for each "
                                  "node, not 1\n"));
  EXPECT_THAT(error_of(text + "[cpu, cpu]}\n"),
              testing::StartsWith("zoo.yaml:1:78: error: 'cpu' is in the list twice\n"));
}

TEST(ZooSpec, LetsAPartialTopologyHaveUnjoinedNodes) {
  const std::string text = "topology: {kind: CustomTopology, n: 4, edges: [[0, 1], [1, 0], [2, 3]]";
  const TopologyPtr whole = parse_zoo_spec(text + "}", "t");
  EXPECT_EQ(check_routing(*natural_routing(*whole)).outcome(), common::Outcome::Mismatch);
  const TopologyPtr partial = parse_zoo_spec(text + ", partial: true}", "t");
  const RoutingCheck check = check_routing(*natural_routing(*partial));
  EXPECT_EQ(check.outcome(), common::Outcome::Pass);
  EXPECT_EQ(check.one_way.count, 9U);
  EXPECT_THAT(routing_report(*partial, check),
              testing::HasSubstr("\nnot joined by channels, as the topology allows: 9\n"));
}

TEST(ZooSpec, ReportsWhatIsWrongInItsRoutes) {
  const common::TempFolder folder;
  (void)folder.write("r.csv", "src,dst,step,from,to,vc\n0,1,0,0,1,0\n0,1,0,0,1,0\n");
  std::string error = common::bad_input_of([&] {
    (void)parse_zoo_spec("topology: {kind: BidirectionalLine, n: 2}\nroutes: r.csv\n", "zoo.yaml",
                         folder.path());
  });
  const std::string file = (folder.path() / "r.csv").string();
  for (std::size_t at = error.find(file); at != std::string::npos; at = error.find(file)) {
    error.replace(at, file.size(), "r.csv");
  }
  EXPECT_EQ(error,
            "r.csv: error: no route from 1 to 0, which channels join\n"
            "r.csv:3:1: error: a second route from 0 to 1; the first is in line 2\n"
            "    3 | 0,1,0,0,1,0\n"
            "      | ^");
}

TEST(ZooSpec, NamesAFileThatIsNotThere) {
  EXPECT_EQ(common::bad_input_of([] { (void)load_zoo_spec("/nowhere/zoo.yaml"); }),
            "error: cannot read '/nowhere/zoo.yaml': No such file or directory");
}

}  // namespace
}  // namespace kernbench::topology::zoo
