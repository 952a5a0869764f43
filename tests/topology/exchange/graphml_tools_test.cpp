// SPDX-License-Identifier: Apache-2.0
// GraphML in the shape in which yEd and networkx write it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "topology/exchange/edge_list_import.hpp"

namespace kernbench::topology {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ImportedGraph sound_graph(const std::string& text, std::vector<std::string>& notes) {
  common::Diagnostics diagnostics;
  ImportedGraph graph = import_graphml(text, "tool.graphml", diagnostics, &notes);
  EXPECT_EQ(diagnostics.render(), "");
  return graph;
}

std::string yed_node(const std::string& id, const std::string& label) {
  return "    <node id=\"" + id +
         "\">\n"
         "      <data key=\"d5\"/>\n"
         "      <data key=\"d6\">\n"
         "        <y:ShapeNode>\n"
         "          <y:Geometry height=\"30.0\" width=\"30.0\" x=\"0.0\" y=\"0.0\"/>\n"
         "          <y:NodeLabel alignment=\"center\" visible=\"true\" xml:space=\"preserve\">" +
         label +
         "<y:LabelModel><y:SmartNodeLabelModel distance=\"4.0\"/></y:LabelModel></y:NodeLabel>\n"
         "          <y:Shape type=\"rectangle\"/>\n"
         "        </y:ShapeNode>\n"
         "      </data>\n"
         "    </node>\n";
}

std::string yed_edge(const std::string& ends, const std::string& arrows) {
  return "    <edge id=\"e\" " + ends +
         ">\n"
         "      <data key=\"d9\"/>\n"
         "      <data key=\"d10\">\n"
         "        <y:PolyLineEdge>\n"
         "          <y:LineStyle color=\"#000000\" type=\"line\" width=\"1.0\"/>\n"
         "          <y:Arrows " +
         arrows +
         "/>\n"
         "        </y:PolyLineEdge>\n"
         "      </data>\n"
         "    </edge>\n";
}

std::string yed(const std::string& content) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
         "xmlns:y=\"http://www.yworks.com/xml/graphml\" "
         "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
         "xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
         "http://www.yworks.com/xml/schema/graphml/1.1/ygraphml.xsd\">\n"
         "  <!--Created by yEd 3.23-->\n"
         "  <key attr.name=\"Description\" attr.type=\"string\" for=\"graph\" id=\"d0\"/>\n"
         "  <key for=\"port\" id=\"d1\" yfiles.type=\"portgraphics\"/>\n"
         "  <key attr.name=\"url\" attr.type=\"string\" for=\"node\" id=\"d4\"/>\n"
         "  <key attr.name=\"description\" attr.type=\"string\" for=\"node\" id=\"d5\"/>\n"
         "  <key for=\"node\" id=\"d6\" yfiles.type=\"nodegraphics\"/>\n"
         "  <key for=\"graphml\" id=\"d7\" yfiles.type=\"resources\"/>\n"
         "  <key attr.name=\"description\" attr.type=\"string\" for=\"edge\" id=\"d9\"/>\n"
         "  <key for=\"edge\" id=\"d10\" yfiles.type=\"edgegraphics\"/>\n"
         "  <graph edgedefault=\"directed\" id=\"G\">\n"
         "    <data key=\"d0\" xml:space=\"preserve\"/>\n" +
         content +
         "  </graph>\n"
         "  <data key=\"d7\"><y:Resources/></data>\n"
         "</graphml>\n";
}

TEST(GraphmlOfYed, CallsNodesByTheirLabelsAndFollowsTheArrows) {
  std::vector<std::string> notes;
  const ImportedGraph graph = sound_graph(
      yed(yed_node("n0", "R0") + yed_node("n1", " R1\n") + yed_node("n2", "host &amp;\n  io") +
          yed_edge("source=\"n0\" target=\"n1\"", "source=\"none\" target=\"standard\"") +
          yed_edge("source=\"n0\" target=\"n2\"", "source=\"standard\" target=\"none\"") +
          yed_edge("source=\"n1\" target=\"n2\"", "source=\"none\" target=\"none\"")),
      notes);
  EXPECT_THAT(graph.names, ElementsAre("R0", "R1", "host & io"));
  EXPECT_EQ(graph.edges, (Edges{{0, 1}, {2, 0}, {1, 2}, {2, 1}}));
  EXPECT_THAT(notes, ElementsAre("tool.graphml: 1 link has arrows at both ends or at none, and "
                                 "leads both ways"));
}

TEST(GraphmlOfYed, KeepsNodesOfGroups) {
  std::vector<std::string> notes;
  const std::string group =
      "    <node id=\"n0\" yfiles.foldertype=\"group\">\n"
      "      <data key=\"d6\"><y:ProxyAutoBoundsNode><y:Realizers active=\"0\"><y:GroupNode>"
      "<y:NodeLabel>cluster</y:NodeLabel></y:GroupNode></y:Realizers></y:ProxyAutoBoundsNode>"
      "</data>\n"
      "      <graph edgedefault=\"directed\" id=\"n0:\">\n" +
      yed_node("n0::n0", "a") + yed_node("n0::n1", "b") + "      </graph>\n    </node>\n";
  const ImportedGraph graph =
      sound_graph(yed(group + yed_edge("source=\"n0::n0\" target=\"n0::n1\"",
                                       "source=\"none\" target=\"standard\"")),
                  notes);
  EXPECT_THAT(graph.names, ElementsAre("a", "b"));
  EXPECT_THAT(notes, ElementsAre("tool.graphml: 1 group without links of its own is left out; its "
                                 "nodes are kept"));
}

TEST(GraphmlOfYed, KeepsIdsWhereLabelsAreNotNames) {
  std::vector<std::string> notes;
  const std::string edge =
      yed_edge("source=\"n0\" target=\"n2\"", "source=\"none\" target=\"standard\"");
  const ImportedGraph twice =
      sound_graph(yed(yed_node("n0", "R") + yed_node("n2", "R") + edge), notes);
  EXPECT_THAT(twice.names, ElementsAre("n0", "n2"));
  EXPECT_THAT(notes,
              ElementsAre("tool.graphml: labels are missing or occur twice; nodes are called "
                          "by their ids"));
  notes.clear();
  const ImportedGraph none =
      sound_graph(yed(yed_node("n0", "") + yed_node("n2", "") + edge), notes);
  EXPECT_THAT(none.names, ElementsAre("n0", "n2"));
  EXPECT_THAT(notes, IsEmpty());
}

std::string networkx(const std::string& keys, const std::string& graph) {
  return "<?xml version='1.0' encoding='utf-8'?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
         "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
         "xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
         "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n" +
         keys + graph + "</graphml>\n";
}

TEST(GraphmlOfNetworkx, ReadsAnUndirectedGraphWithWeights) {
  std::vector<std::string> notes;
  const ImportedGraph graph = sound_graph(
      networkx(
          "  <key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\" />\n",
          "  <graph edgedefault=\"undirected\">\n"
          "    <node id=\"0\" />\n    <node id=\"1\" />\n    <node id=\"2\" />\n"
          "    <edge source=\"0\" target=\"1\">\n      <data key=\"d0\">3</data>\n    </edge>\n"
          "    <edge source=\"1\" target=\"2\" />\n  </graph>\n"),
      notes);
  EXPECT_THAT(graph.names, IsEmpty());
  EXPECT_EQ(graph.edges, (Edges{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_THAT(notes, IsEmpty());
}

TEST(GraphmlOfNetworkx, ReadsAMultigraphWithLabels) {
  std::vector<std::string> notes;
  const ImportedGraph graph = sound_graph(
      networkx("  <key id=\"d0\" for=\"node\" attr.name=\"label\" attr.type=\"string\" />\n",
               "  <graph edgedefault=\"directed\">\n"
               "    <node id=\"0\">\n      <data key=\"d0\">east</data>\n    </node>\n"
               "    <node id=\"1\">\n      <data key=\"d0\">west</data>\n    </node>\n"
               "    <edge source=\"0\" target=\"1\" id=\"0\" />\n"
               "    <edge source=\"0\" target=\"1\" id=\"1\" />\n"
               "    <edge source=\"1\" target=\"0\" id=\"0\" />\n"
               "    <data key=\"d1\">a name</data>\n  </graph>\n"),
      notes);
  EXPECT_THAT(graph.names, ElementsAre("east", "west"));
  EXPECT_EQ(graph.edges, (Edges{{0, 1}, {0, 1}, {1, 0}}));
  EXPECT_THAT(notes, ElementsAre("tool.graphml: 1 link is parallel to another one; packets prefer "
                                 "the first"));
}

}  // namespace
}  // namespace kernbench::topology
