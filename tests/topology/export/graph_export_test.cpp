// SPDX-License-Identifier: Apache-2.0
// The flat graph in the formats of other tools: complete, exact, and readable by their parsers.
#include "topology/export/graph_export.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "tests/places.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// Returns one SIP with two cubes joined by MAZE links.
TopologyGraph small_maze() {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.inter_cube = InterCube::Maze;
  spec.sip.cube_mesh_w = 2;
  spec.sip.cube_mesh_h = 2;
  return compile_topology(spec);
}

using Export = void (*)(const TopologyGraph&, std::ostream&);

std::string text_of(Export to_format, const TopologyGraph& graph) {
  std::ostringstream out;
  to_format(graph, out);
  return out.str();
}

void to_json_plainly(const TopologyGraph& graph, std::ostream& out) {
  common::ReportEnvelope frame;
  frame.config_hash = "0123";
  frame.command = "kernbench topology export \"a b\"";
  to_json(graph, frame, out);
}

fs::path write(const std::string& name, Export to_format, const TopologyGraph& graph) {
  const fs::path folder = fs::path(places::kBuild) / "tests" / "graph_export";
  fs::create_directories(folder);
  common::AtomicFile file(folder / name);
  to_format(graph, file.stream());
  file.commit();
  return folder / name;
}

TEST(GraphExport, HoldsEveryNodeAndEdgeOfTheDefaultSpecInJson) {
  const TopologyGraph graph = compile_topology({});
  const fs::path path = write("default.json", to_json_plainly, graph);
  const common::ReportEnvelope report = common::read_report(path, "topology");
  EXPECT_EQ(report.outcome, common::Outcome::Pass);
  EXPECT_EQ(report.config_hash, "0123");
  EXPECT_EQ(report.command, "kernbench topology export \"a b\"");
  ASSERT_EQ(report.data.at("nodes").size(), graph.nodes().size());
  ASSERT_EQ(report.data.at("edges").size(), graph.edges().size());
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.node(NodeId(i));
    const nlohmann::json& json = report.data.at("nodes")[i];
    ASSERT_EQ(json.at("name"), graph.name(NodeId(i)));
    EXPECT_EQ(json.at("kind"), name(node.kind));
    EXPECT_EQ(json.at("x_mm"), node.position.x);
    EXPECT_EQ(json.at("y_mm"), node.position.y);
    EXPECT_EQ(json.at("overhead_ns"), node.overhead.ns());
    EXPECT_EQ(json.at("overhead_ps"), node.overhead.ps());
    EXPECT_EQ(json.contains("sip"), node.sip != kNoIndex);
    EXPECT_EQ(json.value("cube", kNoIndex), node.cube);
    EXPECT_EQ(json.value("pe", kNoIndex), node.pe);
  }
  for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
    const Edge& edge = graph.edge(EdgeId(i));
    const nlohmann::json& json = report.data.at("edges")[i];
    ASSERT_EQ(json.at("from"), graph.name(edge.from));
    ASSERT_EQ(json.at("to"), graph.name(edge.to));
    EXPECT_EQ(json.at("kind"), name(edge.kind));
    EXPECT_EQ(json.at("bw_gbs"), edge.bw_gbs);
    EXPECT_NEAR(json.at("length_mm").get<double>() * 1e6, static_cast<double>(edge.length_nm),
                1e-3);
    EXPECT_NEAR(json.at("weight_mm").get<double>() * 1e6, static_cast<double>(edge.weight_nm()),
                1e-3);
  }
}

TEST(GraphExport, GivesTimesInWholePicosecondsRoundedHalfUp) {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.system.wire_ns_per_mm = 0.003;         // 1.5 ps over 0.5 mm
  spec.cube.hbm_ctrl_overhead_ns = 30.00049;  // rounds to 30 ns
  const std::string text = text_of(to_json_plainly, compile_topology(spec));
  EXPECT_THAT(text, HasSubstr("\n   {\"bw_gbs\":256.0,\"from\":\"sip0.cube0.noc.r0c0\",\"kind\":"
                              "\"router_to_hbm\",\"length_mm\":0.5,\"propagation_ps\":2,\"to\":"
                              "\"sip0.cube0.hbm_ctrl.pe0\",\"weight_mm\":0.5},\n"));
  EXPECT_THAT(text,
              HasSubstr("\n   {\"cube\":0,\"kind\":\"hbm_ctrl\",\"name\":\"sip0.cube0.hbm_ctrl."
                        "pe0\",\"overhead_ns\":30.0,\"overhead_ps\":30000,\"pe\":0,\"sip\":0,"));
}

TEST(GraphExport, KeepsPortAndDepthOfMazeLinksInJson) {
  const TopologyGraph graph = small_maze();
  const nlohmann::json json = nlohmann::json::parse(text_of(to_json_plainly, graph));
  std::size_t links = 0;
  for (const nlohmann::json& edge : json.at("data").at("edges")) {
    EXPECT_EQ(edge.contains("maze_port"), edge.at("kind") == "maze_link");
    EXPECT_EQ(edge.contains("maze_depth"), edge.at("kind") == "maze_link");
    if (edge.at("kind") == "maze_link") ++links;
  }
  EXPECT_EQ(links, 8U);
}

TEST(GraphExport, NamesLanesOfConnectionsAndVerticalEdgesInJson) {
  const nlohmann::json json = nlohmann::json::parse(text_of(to_json_plainly, compile_topology({})));
  for (const nlohmann::json& node : json.at("data").at("nodes")) {
    const std::string name = node.at("name");
    EXPECT_EQ(node.contains("lane"), node.at("kind") == "ucie_conn");
    if (!node.contains("lane")) continue;
    EXPECT_EQ(name.substr(name.rfind(".c") + 2), std::to_string(node.at("lane").get<int>()));
  }
  std::map<std::string, std::size_t> vertical;  // by kind
  for (const nlohmann::json& edge : json.at("data").at("edges")) {
    if (edge.contains("vertical")) ++vertical[edge.at("kind")];
  }
  // In each of 32 cubes 10 edges in each of 4 full columns and 4 in each of 2 around the HBM; and 4
  // connections on each of 2 sides.
  EXPECT_EQ(vertical, (std::map<std::string, std::size_t>{{"router_mesh", 32 * (4 * 10 + 2 * 4)},
                                                          {"router_to_ucie_conn", 32 * 8},
                                                          {"ucie_conn_to_router", 32 * 8}}));
}

TEST(GraphExport, WritesAnElementALine) {
  const TopologyGraph graph = small_maze();
  EXPECT_THAT(text_of(to_dot, graph),
              HasSubstr("\n  \"sip0.cube0.noc.r0c0\" [kind=\"router\", x_mm=1.5, y_mm=14.5, "
                        "overhead_ns=1, pos=\"108,-1044\"];\n"));
  EXPECT_THAT(text_of(to_dot, graph),
              HasSubstr("\n  \"sip0.cube0.noc.r0c0\" -> \"sip0.cube0.noc.r0c1\" "
                        "[kind=\"router_mesh\", bw_gbs=256, length_mm=3, weight_mm=3];\n"));
  EXPECT_THAT(text_of(to_graphml, graph),
              HasSubstr("\n  <node id=\"sip0.cube0.noc.r0c0\"><data key=\"kind\">router</data>"
                        "<data key=\"x_mm\">1.5</data><data key=\"y_mm\">14.5</data>"
                        "<data key=\"overhead_ns\">1</data></node>\n"));
  EXPECT_THAT(
      text_of(to_graphml, graph),
      HasSubstr("\n  <edge source=\"sip0.cube0.noc.r0c0\" target=\"sip0.cube0.noc.r0c1\">"
                "<data key=\"kind\">router_mesh</data><data key=\"bw_gbs\">256</data>"
                "<data key=\"length_mm\">3</data><data key=\"weight_mm\">3</data></edge>\n"));
}

TEST(GraphExport, GivesTheSameTextEachTime) {
  for (const Export to_format : {Export{to_dot}, Export{to_graphml}, Export{to_json_plainly}}) {
    EXPECT_EQ(text_of(to_format, small_maze()), text_of(to_format, small_maze()));
  }
}

/// Returns the number of edges that repeat the ends of an earlier edge, such as a control edge
/// beside a data edge.
std::size_t parallel_edges(const TopologyGraph& graph) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Edge& edge : graph.edges()) pairs.emplace(edge.from.value(), edge.to.value());
  return graph.edges().size() - pairs.size();
}

TEST(GraphExport, IsGraphmlThatTheImporterReads) {
  const TopologyGraph graph = small_maze();
  const std::string text = text_of(to_graphml, graph);
  EXPECT_THAT(text, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns="));
  common::Diagnostics diagnostics;
  std::vector<std::string> notes;
  const ImportedGraph read = import_graphml(text, "maze.graphml", diagnostics, &notes);
  EXPECT_EQ(diagnostics.render(), "");
  // A command wire is parallel to a data wire.
  const std::size_t parallel = parallel_edges(graph);
  EXPECT_EQ(read.edges.size(), graph.edges().size());
  EXPECT_THAT(notes, ElementsAre(fmt::format(
                         "maze.graphml: {} links are parallel to others; packets prefer the first",
                         parallel)));
  ASSERT_EQ(read.names.size(), graph.nodes().size());
  for (std::uint32_t i = 0; i < read.nodes; ++i) EXPECT_EQ(read.names[i], graph.name(NodeId(i)));
}

bool runs(const std::string& command) {
  return std::system(command.c_str()) == 0;
}

TEST(GraphExport, IsDrawnByGraphviz) {
  if (!runs("command -v dot > /dev/null")) GTEST_SKIP() << "no graphviz";
  TopologySpec one_cube;
  one_cube.system.sips = 1;
  one_cube.sip.cube_mesh_w = 1;
  one_cube.sip.cube_mesh_h = 1;
  const fs::path path = write("one_cube.dot", to_dot, compile_topology(one_cube));
  const std::string draw = "dot -Tsvg '" + path.string() + "' 2>&1 > '" + path.string() + ".svg'";
  EXPECT_TRUE(runs(draw));
  // Graphviz takes the engine from the file, which keeps the places: 3 mm are 3 inches.
  ASSERT_TRUE(runs("dot -Tplain '" + path.string() + "' > '" + path.string() + ".plain'"));
  const std::string plain = common::read_text_file(path.string() + ".plain");
  const auto x_of = [&](const std::string& node) {
    const std::string line = "\nnode \"" + node + "\" ";
    return std::stod(plain.substr(plain.find(line) + line.size()));
  };
  EXPECT_NEAR(x_of("sip0.cube0.noc.r0c1") - x_of("sip0.cube0.noc.r0c0"), 3.0, 1e-3);
  EXPECT_THAT(common::read_text_file(path.string() + ".svg"),
              HasSubstr(">sip0.cube0.noc.r0c0</text>"));
  std::ofstream(path, std::ios::app) << "a -> }";
  EXPECT_FALSE(runs(draw + " 2> /dev/null")) << "graphviz takes anything";
}

TEST(GraphExport, GivesGraphvizEveryNodeAndEdge) {
  if (!runs("command -v gc > /dev/null")) GTEST_SKIP() << "no graphviz";
  const TopologyGraph graph = compile_topology({});
  const std::string path = write("default.dot", to_dot, graph).string();
  ASSERT_TRUE(runs("gc -n -e '" + path + "' > '" + path + ".counts'"));
  std::istringstream counts(common::read_text_file(path + ".counts"));
  std::size_t nodes = 0;
  std::size_t edges = 0;
  counts >> nodes >> edges;
  EXPECT_EQ(nodes, graph.nodes().size());
  EXPECT_EQ(edges, graph.edges().size());
}

}  // namespace
}  // namespace kernbench::topology
