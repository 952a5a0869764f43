// SPDX-License-Identifier: Apache-2.0
// Valid edge lists: their meaning, and round trips through export and import.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "common/random.hpp"
#include "tests/places.hpp"
#include "topology/exchange/edge_list_export.hpp"
#include "topology/exchange/edge_list_import.hpp"

namespace kernbench::topology {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

ImportedGraph csv(std::string_view text) {
  common::Diagnostics diagnostics;
  ImportedGraph graph = import_csv(text, "a.csv", diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  return graph;
}

ImportedGraph graphml(std::string_view text) {
  common::Diagnostics diagnostics;
  ImportedGraph graph = import_graphml(text, "a.graphml", diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  return graph;
}

TEST(CsvImport, ReadsOneDirectedEdgeALine) {
  const ImportedGraph graph = csv("src,dst\n0,1\n1,2\n2,0\n");
  EXPECT_EQ(graph.nodes, 3U);
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 0)));
}

TEST(CsvImport, TakesWindowsLineEndsAndAMissingLastOne) {
  EXPECT_THAT(csv("src,dst\r\n0,1\r\n1,0").edges, ElementsAre(Pair(0, 1), Pair(1, 0)));
}

TEST(CsvImport, CountsNodesByTheLargestNumberOrTheFirstLine) {
  EXPECT_EQ(csv("src,dst\n0,7\n").nodes, 8U);
  EXPECT_EQ(csv("# nodes: 12\nsrc,dst\n0,7\n").nodes, 12U);
  EXPECT_EQ(csv("# nodes: 1048576\nsrc,dst\n0,1048575\n").nodes, kMaxImportNodes);
}

TEST(GraphmlImport, NumbersNodesInTheOrderOfTheFile) {
  const ImportedGraph graph = graphml(
      "<graphml><graph edgedefault='directed'>\n"
      "<edge source='late' target='early'/><node id='early'/><node id='late'/>\n"
      "</graph></graphml>");
  EXPECT_EQ(graph.nodes, 2U);
  EXPECT_THAT(graph.edges, ElementsAre(Pair(1, 0)));
}

TEST(GraphmlImport, TurnsAnUndirectedEdgeIntoOneInEachDirection) {
  const ImportedGraph graph = graphml(
      "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><node id='c'/>"
      "<edge source='a' target='b'/><edge source='b' target='c' "
      "directed='true'/></graph></graphml>");
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1), Pair(1, 0), Pair(1, 2)));
}

TEST(GraphmlImport, TurnsAnEdgeThatSaysSoIntoOneInEachDirection) {
  const ImportedGraph graph = graphml(
      "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/>"
      "<edge id='e0' source='a' target='b' directed='false'/></graph></graphml>");
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1), Pair(1, 0)));
}

TEST(GraphmlImport, PassesOverWhatOtherToolsAdd) {
  const ImportedGraph graph = graphml(
      "\xef\xbb\xbf<?xml version='1.0' encoding='utf-8' standalone='no'?>\n"
      "<!-- by hand --><?tool hint?>\n"
      "<graphml xmlns='http://graphml.graphdrawing.org/xmlns' xmlns:y='http://x.org'\n"
      "         xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='x y'>\n"
      "<key id='d0' for='node' attr.name='label'><default>none</default></key><data key='d9'/>\n"
      "<graph id='G' edgedefault='directed' parse.nodes='2'><desc>two &amp; two</desc>\n"
      "<node id='&lt;1&gt;'><data key='d0'><y:Shape><y:node id='1'/></y:Shape></data></node>\n"
      "<node id='n2' parse.indegree='1'><desc/></node>\n"
      "<edge source='&lt;1&gt;' target='n2'><data key='d1'>5</data></edge>\n"
      "</graph></graphml>\n");
  EXPECT_EQ(graph.nodes, 2U);
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1)));
}

/// Reads GraphML without an error, and returns the notes about it.
std::vector<std::string> notes_of(std::string_view text, ImportedGraph& graph) {
  common::Diagnostics diagnostics;
  std::vector<std::string> notes;
  graph = import_graphml(text, "a.graphml", diagnostics, &notes);
  EXPECT_EQ(diagnostics.render(), "");
  return notes;
}

TEST(GraphmlImport, KeepsTheNamesOfNodes) {
  const std::string links =
      "<edge source='n0' target='n1'/><edge source='n1' target='n0'/></graph></graphml>";
  const std::string head = "<graphml><graph edgedefault='directed'>";
  EXPECT_THAT(graphml(head + "<node id='n1'/><node id='n0'/>" + links).names,
              ElementsAre("n1", "n0"));
  EXPECT_THAT(graphml(head + "<node id='n0'/><node id='n1'/>" + links).names, IsEmpty());
}

TEST(GraphmlImport, KeepsLinksThatJoinTheSameNodes) {
  ImportedGraph graph;
  // A MultiGraph of networkx and of the Topology Zoo: each edge may appear again with its own key.
  EXPECT_THAT(
      notes_of(
          "<graphml><graph edgedefault='undirected'><node id='0'/><node id='1'/>\n"
          "<node id='2'/><edge source='0' target='1' id='0'/>"
          "<edge source='1' target='0' id='1'/><edge source='1' target='2'/></graph></graphml>",
          graph),
      ElementsAre("a.graphml: 1 link is parallel to another one; packets prefer the first"));
  EXPECT_THAT(graph.edges,
              ElementsAre(Pair(0, 1), Pair(1, 0), Pair(1, 0), Pair(0, 1), Pair(1, 2), Pair(2, 1)));
  EXPECT_THAT(notes_of("<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/>"
                       "<edge source='a' target='b'/><edge source='a' target='b'/>"
                       "<edge source='a' target='b' directed='false'/></graph></graphml>",
                       graph),
              ElementsAre("a.graphml: 2 links are parallel to others; packets prefer the first"));
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1), Pair(0, 1), Pair(0, 1), Pair(1, 0)));
}

TEST(GraphmlImport, TakesGroupsOfEditorsApart) {
  ImportedGraph graph;
  EXPECT_THAT(
      notes_of(
          "<graphml xmlns='http://graphml.graphdrawing.org/xmlns' xmlns:y='http://x.org'>\n"
          "<graph edgedefault='directed' id='G'><node id='n0' yfiles.foldertype='group'>\n"
          "<data key='d4'><y:ProxyAutoBoundsNode/></data><graph edgedefault='undirected' id='n0:'>"
          "<node id='n0::n0'/><node id='n0::n1'/><edge source='n0::n0' target='n0::n1'/>"
          "</graph></node><node id='n1'/><edge source='n1' target='n0::n1'/></graph></graphml>",
          graph),
      ElementsAre("a.graphml: 1 group without links of its own is left out; its nodes are kept"));
  EXPECT_THAT(graph.names, ElementsAre("n0::n0", "n0::n1", "n1"));
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1), Pair(1, 0), Pair(2, 1)));
}

TEST(GraphmlImport, KeepsAGroupAtWhichALinkEnds) {
  ImportedGraph graph;
  EXPECT_THAT(notes_of("<graphml><graph edgedefault='directed'><node id='g'>"
                       "<graph edgedefault='directed'><node id='a'/></graph></node>"
                       "<edge source='g' target='a'/></graph></graphml>",
                       graph),
              IsEmpty());
  EXPECT_THAT(graph.names, ElementsAre("g", "a"));
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1)));
}

TEST(GraphmlImport, JoinsNodesWherePortsAreNamed) {
  ImportedGraph graph;
  EXPECT_THAT(notes_of("<graphml><graph edgedefault='directed'>"
                       "<node id='a'><port name='north'><port name='left'/></port></node>"
                       "<node id='b'/><edge source='a' target='b' sourceport='north' "
                       "targetport='south'/></graph></graphml>",
                       graph),
              ElementsAre("a.graphml: ports are ignored; links join nodes"));
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1)));
}

TEST(GraphmlImport, ReadsElementsWithAPrefix) {
  const ImportedGraph graph = graphml(
      "<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns'><g:key id='d0'/>"
      "<g:graph edgedefault='directed'><g:node id='a'><g:data key='d0'>1</g:data></g:node>"
      "<g:node id='b'/><g:edge source='a' target='b'/></g:graph></g:graphml>");
  EXPECT_THAT(graph.names, ElementsAre("a", "b"));
  EXPECT_THAT(graph.edges, ElementsAre(Pair(0, 1)));
}

TEST(GraphmlImport, NamesWithMarkupComeBackFromTheExport) {
  const ImportedGraph graph{2, {{0, 1}}, {"<a> & 'b'", "\"c\""}};
  std::ostringstream text;
  to_graphml(graph, text);
  EXPECT_EQ(graphml(text.str()), graph);
}

ImportedGraph random_graph(std::uint64_t seed) {
  common::Rng random(seed);
  ImportedGraph graph;
  graph.nodes = 2 + static_cast<std::uint32_t>(random.below(20));
  for (std::uint32_t from = 0; from < graph.nodes; ++from) {
    for (std::uint32_t to = 0; to < graph.nodes; ++to) {
      if (from != to && random.below(4) == 0) graph.edges.emplace_back(from, to);
    }
  }
  graph.edges.emplace_back(graph.nodes - 1, graph.nodes);
  graph.nodes += 3;  // the last nodes have no edges
  return graph;
}

TEST(EdgeList, ComesBackFromCsvAndGraphmlAsItWas) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const ImportedGraph graph = random_graph(seed);
    std::ostringstream csv_text;
    to_csv(graph, csv_text);
    EXPECT_EQ(csv(csv_text.str()), graph);
    std::ostringstream graphml_text;
    to_graphml(graph, graphml_text);
    EXPECT_EQ(graphml(graphml_text.str()), graph);
  }
}

class EdgeListFile : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(places::kBuild) / "tests" / "edge_list" / test.name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  fs::path written(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  fs::path folder_;
  common::Diagnostics diagnostics_;
};

TEST_F(EdgeListFile, IsReadByItsEnding) {
  EXPECT_THAT(import_edge_list(written("a.csv", "src,dst\n0,1\n"), diagnostics_).edges,
              ElementsAre(Pair(0, 1)));
  const fs::path graphml_file =
      written("a.graphml",
              "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/>"
              "<edge source='b' target='a'/></graph></graphml>");
  EXPECT_THAT(import_edge_list(graphml_file, diagnostics_).edges, ElementsAre(Pair(1, 0)));
  EXPECT_EQ(diagnostics_.render(), "");
}

TEST_F(EdgeListFile, WithAnotherEndingIsRefused) {
  const fs::path path = written("a.txt", "src,dst\n0,1\n");
  EXPECT_THAT(import_edge_list(path, diagnostics_).edges, IsEmpty());
  EXPECT_EQ(diagnostics_.render(),
            path.string() + ": error: an edge list must be a .csv, .graphml or .anynet file");
}

TEST_F(EdgeListFile, ThatIsMissingOrAFolderIsAnErrorAmongTheOthers) {
  diagnostics_.error({"spec.yaml", 3, 5}, "something else");
  const fs::path missing = folder_ / "missing.csv";
  fs::create_directory(folder_ / "folder.graphml");
  EXPECT_THAT(import_edge_list(missing, diagnostics_).edges, IsEmpty());
  EXPECT_THAT(import_edge_list(folder_ / "folder.graphml", diagnostics_).edges, IsEmpty());
  EXPECT_EQ(diagnostics_.render(),
            "spec.yaml:3:5: error: something else\n"
            "error: cannot read '" +
                missing.string() +
                "': No such file or directory\n"
                "error: cannot read '" +
                (folder_ / "folder.graphml").string() + "': it is a folder");
}

TEST_F(EdgeListFile, BeyondTheSizeLimitIsRefusedWithoutReadingIt) {
  const fs::path path = written("large.csv", "");
  fs::resize_file(path, kMaxImportBytes + 1);  // a sparse file takes no space
  EXPECT_THAT(import_edge_list(path, diagnostics_).edges, IsEmpty());
  EXPECT_THAT(diagnostics_.render(), testing::HasSubstr("cannot read '" + path.string() + "': "));
}

}  // namespace
}  // namespace kernbench::topology
