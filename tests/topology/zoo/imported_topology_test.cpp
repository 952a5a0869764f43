// SPDX-License-Identifier: Apache-2.0
// CustomTopology with its edges in a separate file.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "channel_sets.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/exchange/edge_list_export.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_export.hpp"
#include "topology/zoo/zoo_spec.hpp"
#include "topology/zoo/zoo_svg.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {
namespace {

class ImportedTopology : public testing::Test {
 protected:
  /// Reads `topology: {kind: CustomTopology, <keys>}` from a file in the folder.
  TopologyPtr load(const std::string& keys) {
    write("zoo.yaml", "topology: {kind: CustomTopology, " + keys + "}\n");
    return load_zoo_spec(folder_.path() / "zoo.yaml");
  }
  std::string error_of(const std::string& keys) {
    std::string text = common::bad_input_of([&] { (void)load(keys); });
    // The name of the folder differs in every run.
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
  void write(const std::string& name, const std::string& text) { (void)folder_.write(name, text); }

  common::TempFolder folder_;
};

TEST_F(ImportedTopology, TakesItsEdgesFromTheFolderOfTheSpec) {
  write("graph.csv", "src,dst\n0,1\n2,0\n");
  EXPECT_EQ(text_of(*load("edges_from: graph.csv")), "0->1 2->0");
}

TEST_F(ImportedTopology, TakesUndirectedEdgesBothWays) {
  write("graph.graphml",
        "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
        "<edge source=\"a\" target=\"b\"/></graph></graphml>\n");
  EXPECT_EQ(text_of(*load("edges_from: graph.graphml")), "0->1 1->0");
}

TEST_F(ImportedTopology, NotesWhatAPartLeavesOutOfItsFile) {
  write("graph.graphml",
        "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
        "<edge source=\"a\" target=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>\n");
  write("zoo.yaml",
        "topology: {kind: TerminalRouter, base: {kind: CustomTopology, edges_from: "
        "graph.graphml}}\n");
  std::vector<std::string> notes;
  (void)load_zoo_spec(folder_.path() / "zoo.yaml", &notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0], (folder_.path() / "graph.graphml").string() +
                          ": 1 link is parallel to another one; packets prefer the first");
}

TEST_F(ImportedTopology, CallsTheNodesByTheNamesOfTheirFile) {
  write("graph.graphml",
        "<graphml><graph edgedefault=\"directed\"><node id=\"R,0\"/><node id=\"R&amp;1\"/>"
        "<edge source=\"R,0\" target=\"R&amp;1\"/></graph></graphml>\n");
  const TopologyPtr topology = load("edges_from: graph.graphml");
  const auto routing = natural_routing(*topology);
  const RoutingCheck check = check_routing(*routing);
  EXPECT_NE(routing_report(*topology, check).find("  from node R&1 to node R,0\n"),
            std::string::npos);
  std::ostringstream routes;
  to_routes_csv(*routing, routes);
  EXPECT_EQ(routes.str(), "src,dst,step,from,to,vc\n\"R,0\",R&1,0,\"R,0\",R&1,0\n");
  std::ostringstream json;
  to_json(*routing, {}, json);
  EXPECT_NE(json.str().find("\"node_names\": [\"R,0\",\"R&1\"]"), std::string::npos);
  std::ostringstream graphml;
  to_graphml(plain_graph(*topology), graphml);
  common::Diagnostics diagnostics;
  EXPECT_EQ(import_graphml(graphml.str(), "again.graphml", diagnostics), plain_graph(*topology));
  EXPECT_NE(render_zoo_svg(*topology).find("R,0-&gt;R&amp;1"), std::string::npos);
}

TEST_F(ImportedTopology, PartsOfATopologyKeepTheNamesOfTheirNodes) {
  const TopologyPtr named = std::make_shared<const CustomTopology>(
      2, std::vector<Channel>{{0, 1}, {1, 0}}, std::vector<std::string>{"a", "b"});
  const TerminalRouter terminals(named);
  EXPECT_EQ(terminals.node_name(1), "b.terminal");
  EXPECT_EQ(terminals.node_name(3), "b");
  const HierarchicalTopology all(parse_zoo_text("BidirectionalLine(2)"), {{1, 0, named}});
  EXPECT_EQ(all.node_name(1), "1");
  EXPECT_EQ(all.node_name(3), "0.b");
}

TEST_F(ImportedTopology, KeepsParallelLinksAsChannels) {
  write(
      "graph.graphml",
      "<graphml><graph edgedefault=\"undirected\"><node id=\"n0\"/><node id=\"n1\"/>"
      "<edge source=\"n0\" target=\"n1\"/><edge source=\"n1\" target=\"n0\"/></graph></graphml>\n");
  const TopologyPtr topology = load("edges_from: graph.graphml");
  EXPECT_EQ(text_of(*topology), "0->1 0->1 1->0 1->0");
  EXPECT_TRUE(topology->has_parallel_channels());
  EXPECT_EQ(topology->find_channel(1, 0), 2U);
  EXPECT_EQ(hop_name(*topology, {3, 0}), "1->0#1 vc0");
  const TerminalRouter terminals(topology);
  EXPECT_EQ(terminals.channels().size(), 8U);
  EXPECT_TRUE(check_routing(*natural_routing(terminals)).passed());
}

TEST_F(ImportedTopology, PartsOfATopologyKeepTheirEndpoints) {
  const TopologyPtr counted = std::make_shared<const CustomTopology>(
      2, std::vector<Channel>{{0, 1}, {1, 0}}, std::vector<std::string>{},
      std::vector<std::uint32_t>{3, 0});
  EXPECT_EQ(TerminalRouter(counted).endpoints(), (std::vector<std::uint32_t>{3, 0, 0, 0}));
  const HierarchicalTopology all(parse_zoo_text("BidirectionalLine(2)"), {{1, 0, counted}});
  EXPECT_EQ(all.endpoints(), (std::vector<std::uint32_t>{1, 1, 3, 0}));
}

TEST_F(ImportedTopology, TakesNetworkFilesOfBookSim) {
  write("net.anynet", "router 0 node 0 node 1 router 1 4\nrouter 1 router 2\nrouter 2 node 2\n");
  const TopologyPtr topology = load("edges_from: net.anynet");
  EXPECT_EQ(text_of(*topology), "0->1 1->0 1->2 2->1");
  EXPECT_EQ(topology->endpoints(), (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST_F(ImportedTopology, IdsThatOnlyRepeatTheNumbersAreNoNames) {
  write("graph.graphml",
        "<graphml><graph edgedefault=\"undirected\"><node id=\"n0\"/><node id=\"n1\"/>"
        "<edge source=\"n0\" target=\"n1\"/></graph></graphml>\n");
  const TopologyPtr topology = load("edges_from: graph.graphml");
  EXPECT_FALSE(topology->has_node_names());
  EXPECT_EQ(topology->node_name(1), "1");
}

TEST_F(ImportedTopology, ReportsWhatIsWrongInTheFile) {
  write("graph.csv", "src,dst\n0,1\n1,1\n");
  EXPECT_EQ(error_of("edges_from: graph.csv"),
            "graph.csv:3:1: error: an edge must not lead from node 1 to itself\n"
            "    3 | 1,1\n"
            "      | ^");
  EXPECT_EQ(error_of("edges_from: nowhere.csv"),
            "error: cannot read 'nowhere.csv': No such file or directory");
  EXPECT_EQ(error_of("edges_from: zoo.yaml"),
            "zoo.yaml: error: an edge list must be a .csv, .graphml or .anynet file");
}

TEST_F(ImportedTopology, RefusesASecondSourceOfEdges) {
  write("graph.csv", "src,dst\n0,1\n");
  EXPECT_EQ(
      error_of("n: 2, edges: [[0, 1]], edges_from: graph.csv"),
      "zoo.yaml:1:37: error: 'edges_from' and 'n' exclude each other\n"
      "    1 | topology: {kind: CustomTopology, n: 2, edges: [[0, 1]], edges_from: graph.csv}\n"
      "      |                                     ^\n"
      "zoo.yaml:1:47: error: 'edges_from' and 'edges' exclude each other\n"
      "    1 | topology: {kind: CustomTopology, n: 2, edges: [[0, 1]], edges_from: graph.csv}\n"
      "      |                                               ^");
}

TEST_F(ImportedTopology, RefusesAFileWithTooManyNodes) {
  write("graph.csv", "# nodes: 70000\nsrc,dst\n0,1\n");
  EXPECT_EQ(error_of("edges_from: graph.csv"),
            "zoo.yaml:1:11: error: CustomTopology(70000,1 edges) has more than 65536 nodes\n"
            "    1 | topology: {kind: CustomTopology, edges_from: graph.csv}\n"
            "      |           ^");
}

}  // namespace
}  // namespace kernbench::topology::zoo
