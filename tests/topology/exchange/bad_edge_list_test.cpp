// SPDX-License-Identifier: Apache-2.0
// Broken edge lists, each with its expected messages.
#include <gtest/gtest.h>

#include <string>

#include "topology/exchange/edge_list_import.hpp"

namespace kernbench::topology {
namespace {

struct BadFile {
  std::string name;
  std::string text;
  std::string errors;  ///< as rendered, without source lines
};

/// Returns the error and hint lines only.
std::string messages(const common::Diagnostics& diagnostics) {
  std::string out;
  for (const common::Diagnostic& error : diagnostics.errors()) {
    if (!out.empty()) out += '\n';
    const common::SourcePosition& at = error.position;
    if (at.line != 0) out += std::to_string(at.line) + ':' + std::to_string(at.column) + ": ";
    out += error.message;
    if (!error.hint.empty()) out += " (" + error.hint + ')';
    EXPECT_EQ(at.file, "bad");
  }
  return out;
}

const char* case_name(const testing::TestParamInfo<BadFile>& info) {
  return info.param.name.c_str();
}

class BadCsv : public testing::TestWithParam<BadFile> {};

TEST_P(BadCsv, IsRefusedWithItsMessages) {
  common::Diagnostics diagnostics;
  const ImportedGraph graph = import_csv(GetParam().text, "bad", diagnostics);
  EXPECT_EQ(messages(diagnostics), GetParam().errors);
  EXPECT_EQ(graph, ImportedGraph{});
}

INSTANTIATE_TEST_SUITE_P(
    , BadCsv,
    testing::Values(
        BadFile{"Empty", "", "the file is empty: expected the header 'src,dst'"},
        BadFile{"OnlyHeader", "src,dst\n", "the graph has no edges"},
        BadFile{"NoHeader", "0,1\n", "1:1: the header must be 'src,dst', not '0,1'"},
        BadFile{"OtherHeader", "from,to\n0,1\n",
                "1:1: the header must be 'src,dst', not 'from,to'"},
        BadFile{"BlankInHeader", "src, dst\n0,1\n",
                "1:1: the header must be 'src,dst', not 'src, dst'"},
        BadFile{"ByteOrderMark", "\xef\xbb\xbfsrc,dst\n0,1\n",
                "1:1: the file starts with a byte-order mark (save it as UTF-8 without one)"},
        BadFile{"TooFewEndpoints", "# nodes: 3\n# endpoints: 1,0\nsrc,dst\n0,1\n",
                "2:1: '# endpoints:' must have 3 numbers, one for each node, not 2"},
        BadFile{"BadEndpoints", "# nodes: 3\n# endpoints: 1,x,2000\nsrc,dst\n0,1\n",
                "2:16: endpoints must be an integer from 0 to 1024, not 'x'"},
        BadFile{"BadStages", "src,dst,stages\n0,1,16\n1,0,\n1,2\n\n",
                "2:5: register stages must be an integer from 0 to 15, not '16'\n"
                "3:5: register stages must be an integer from 0 to 15, not ''\n"
                "4:1: a line must hold 2 node numbers and the register stages of the edge, "
                "'src,dst,stages', not 2: '1,2'\n"
                "5:1: an empty line; every line must be 'src,dst,stages'"},
        BadFile{"NoNumber", "src,dst\n0,one\n",
                "2:3: a node must be an integer from 0 to 1048575, not 'one'"},
        BadFile{"Blanks", "src,dst\n 0,1\n0, 1\n",
                "2:1: a node must be an integer from 0 to 1048575, not ' 0'\n"
                "3:3: a node must be an integer from 0 to 1048575, not ' 1'"},
        BadFile{"Negative", "src,dst\n-1,0\n",
                "2:1: a node must be an integer from 0 to 1048575, not '-1'"},
        BadFile{"Fraction", "src,dst\n1.0,2\n",
                "2:1: a node must be an integer from 0 to 1048575, not '1.0'"},
        BadFile{"Hexadecimal", "src,dst\n0x1,2\n",
                "2:1: a node must be an integer from 0 to 1048575, not '0x1'"},
        BadFile{"LeadingZero", "src,dst\n01,2\n",
                "2:1: a node must be an integer from 0 to 1048575, not '01'"},
        BadFile{"TooLarge", "src,dst\n0,1048576\n",
                "2:3: a node must be an integer from 0 to 1048575, not '1048576'"},
        BadFile{"Huge", "src,dst\n99999999999999999999999,1\n",
                "2:1: a node must be an integer from 0 to 1048575, not '99999999999999999999999'"},
        BadFile{"EmptyField", "src,dst\n0,\n",
                "2:3: a node must be an integer from 0 to 1048575, not ''"},
        BadFile{"Quotes", "src,dst\n\"0\",1\n",
                "2:1: a node must be an integer from 0 to 1048575, not '\"0\"'"},
        BadFile{"OneField", "src,dst\n0\n",
                "2:1: a line must hold 2 node numbers, 'src,dst', not 1: '0'"},
        BadFile{"ThreeFields", "src,dst\n0,1,2\n",
                "2:1: a line must hold 2 node numbers, 'src,dst', not 3: '0,1,2'"},
        BadFile{"Semicolons", "src,dst\n0;1\n",
                "2:1: a line must hold 2 node numbers, 'src,dst', not 1: '0;1'"},
        BadFile{"EmptyLine", "src,dst\n0,1\n\n1,0\n",
                "3:1: an empty line; every line must be 'src,dst'"},
        BadFile{"SelfLoop", "src,dst\n3,3\n", "2:1: an edge must not lead from node 3 to itself"},
        BadFile{"Duplicate", "src,dst\n0,1\n1,0\n0,1\n",
                "4:1: the edge 0 -> 1 appears twice; the first is in line 2"},
        BadFile{"LateComment", "src,dst\n# nodes: 4\n0,1\n",
                "2:1: a line must hold 2 node numbers, 'src,dst', not 1: '# nodes: 4'"},
        BadFile{"OtherComment", "# a ring\nsrc,dst\n0,1\n",
                "1:1: expected '# nodes: N' or the header 'src,dst', not '# a ring'"},
        BadFile{"NoNodes", "# nodes: 0\nsrc,dst\n",
                "1:10: the number of nodes must be an integer from 1 to 1048576, not 0"},
        BadFile{"TooManyNodes", "# nodes: 1048577\nsrc,dst\n0,1\n",
                "1:10: the number of nodes must be an integer from 1 to 1048576, not 1048577"},
        BadFile{"BeyondTheNodes", "# nodes: 4\nsrc,dst\n0,4\n",
                "3:3: a node must be an integer from 0 to 3, not '4'"},
        BadFile{"NulAndControl", std::string("src,dst\n0,\0\x1b[31m\n", 17),
                "2:3: a node must be an integer from 0 to 1048575, not '\\x00\\x1b[31m'"},
        BadFile{"NotUtf8", "src,dst\n0,\xff\n",
                "2:3: a node must be an integer from 0 to 1048575, not '\\xff'"},
        BadFile{"SeveralAtOnce", "src,dst\na,b\n1,1\n0,1\n0,1\n",
                "2:1: a node must be an integer from 0 to 1048575, not 'a'\n"
                "2:3: a node must be an integer from 0 to 1048575, not 'b'\n"
                "3:1: an edge must not lead from node 1 to itself\n"
                "5:1: the edge 0 -> 1 appears twice; the first is in line 4"}),
    case_name);

/// Returns a GraphML document with one graph that contains `inside`.
std::string graph_of(const std::string& inside) {
  return "<graphml>\n<graph edgedefault=\"directed\">\n" + inside + "\n</graph>\n</graphml>\n";
}

const std::string kTwoNodes = "<node id=\"a\"/><node id=\"b\"/>\n";

class BadGraphml : public testing::TestWithParam<BadFile> {};

TEST_P(BadGraphml, IsRefusedWithItsMessages) {
  common::Diagnostics diagnostics;
  const ImportedGraph graph = import_graphml(GetParam().text, "bad", diagnostics);
  EXPECT_EQ(messages(diagnostics), GetParam().errors);
  EXPECT_EQ(graph, ImportedGraph{});
}

INSTANTIATE_TEST_SUITE_P(
    , BadGraphml,
    testing::Values(
        BadFile{"Empty", "", "1:1: not well-formed XML: no element found"},
        BadFile{"NoXml", "src,dst\n0,1\n", "1:1: not well-formed XML: syntax error"},
        BadFile{"CutOff", "<graphml>\n<graph edgedefault=\"directed\">\n<node id=\"a\"/>",
                "3:15: not well-formed XML: no element found"},
        BadFile{"MismatchedTag", "<graphml>\n</graph>\n",
                "2:3: not well-formed XML: mismatched tag"},
        BadFile{"AttributeTwice", graph_of("<node id=\"a\" id=\"b\"/>"),
                "3:14: not well-formed XML: duplicate attribute"},
        BadFile{"NotUtf8", graph_of("<node id=\"\xff\"/>"),
                "3:11: not well-formed XML: not well-formed (invalid token)"},
        BadFile{"Utf16", std::string("\xff\xfe<\0g\0/\0>\0", 10),
                "1:4: a NUL byte: the file must be text in UTF-8"},
        BadFile{"OtherEncoding", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<graphml/>",
                "1:1: the encoding must be UTF-8, not 'ISO-8859-1'"},
        BadFile{"Doctype", "<!DOCTYPE graphml SYSTEM \"graphml.dtd\">\n<graphml/>",
                "1:1: a document type declaration (DOCTYPE) is not supported"},
        BadFile{"EntityBomb",
                "<!DOCTYPE g [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<graphml>&b;</graphml>",
                "1:1: a document type declaration (DOCTYPE) is not supported"},
        BadFile{"UnknownEntity", graph_of("<node id=\"&a;\"/>"),
                "3:1: not well-formed XML: undefined entity"},
        BadFile{"OtherRoot", "<gexf/>", "1:1: the root element must be <graphml>, not <gexf>"},
        BadFile{"NoGraph", "<graphml>\n</graphml>", "missing <graph>"},
        BadFile{"TwoGraphs",
                "<graphml><graph edgedefault=\"directed\"/>\n<graph edgedefault=\"directed\"/>"
                "</graphml>",
                "2:1: a second <graph>: only one is allowed"},
        BadFile{"NoDirection", "<graphml>\n<graph/></graphml>",
                "2:1: <graph> must have 'edgedefault'"},
        BadFile{"OtherDirection", "<graphml>\n<graph edgedefault=\"both\"/></graphml>",
                "2:1: 'edgedefault' must be directed or undirected, not 'both'"},
        BadFile{"NoNodes", graph_of(""), "the graph has no edges"},
        BadFile{"NoEdges", graph_of(kTwoNodes), "the graph has no edges"},
        BadFile{"NodeWithoutId", graph_of("<node/>"), "3:1: <node> must have 'id'"},
        BadFile{"EmptyId", graph_of("<node id=\"\"/>"), "3:1: 'id' of <node> must not be empty"},
        BadFile{"NodeTwice", graph_of("<node id=\"a\"/>\n<node id=\"a\"/>"),
                "4:1: node 'a' appears twice; the first is in line 3"},
        BadFile{"EdgeWithoutEnds", graph_of("<edge/>"),
                "3:1: <edge> must have 'source'\n3:1: <edge> must have 'target'"},
        BadFile{"UnknownNode", graph_of(kTwoNodes + "<edge source=\"a\" target=\"c\"/>"),
                "4:1: unknown node 'c'"},
        BadFile{"SelfLoop", graph_of(kTwoNodes + "<edge source=\"b\" target=\"b\"/>"),
                "4:1: an edge must not lead from node 'b' to itself"},
        BadFile{"OtherDirected",
                graph_of(kTwoNodes + "<edge source=\"a\" target=\"b\" directed=\"yes\"/>"),
                "4:1: 'directed' must be true or false, not 'yes'"},
        BadFile{"Hyperedge", graph_of(kTwoNodes + "<hyperedge><endpoint node=\"a\"/></hyperedge>"),
                "4:1: <hyperedge> is not supported in a graph"},
        BadFile{"NestedGraph", graph_of("<node id=\"a\">\n<graph><node id=\"b\"/></graph></node>"),
                "4:1: <graph> must have 'edgedefault'"},
        BadFile{"NestedNodeTwice",
                graph_of("<node id=\"a\"><graph edgedefault=\"directed\">\n<node id=\"b\"/>\n"
                         "</graph></node><node id=\"b\"/>"),
                "5:16: node 'b' appears twice; the first is in line 4"},
        BadFile{"GraphInAnEdge",
                graph_of(kTwoNodes + "<edge source=\"a\" target=\"b\">\n"
                                     "<graph edgedefault=\"directed\"/></edge>"),
                "5:1: <graph> is not supported inside an edge"},
        BadFile{"OtherElementInANode", graph_of("<node id=\"a\">\n<edge/></node>"),
                "4:1: <edge> is not supported inside a node"},
        BadFile{"Locator", graph_of("<locator/>"), "3:1: <locator> is not supported in a graph"},
        BadFile{"NodeBesideTheGraph", "<graphml>\n<node id=\"a\"/></graphml>",
                "2:1: <node> is not supported beside the graph"},
        BadFile{"StrayText", graph_of(kTwoNodes + "0,1"), "4:1: text between elements: '0,1'"},
        BadFile{"SeveralAtOnce", graph_of("<node/>\n<edge source=\"x\" target=\"y\"/>\n<key/>"),
                "3:1: <node> must have 'id'\n5:1: <key> is not supported in a graph\n"
                "4:1: unknown node 'x'\n4:1: unknown node 'y'"}),
    case_name);

TEST(BadEdgeList, ShowsTheLineAndTheColumn) {
  common::Diagnostics diagnostics;
  static_cast<void>(import_csv("src,dst\n0,one\n", "ring.csv", diagnostics));
  EXPECT_EQ(diagnostics.render(),
            "ring.csv:2:3: error: a node must be an integer from 0 to 1048575, not 'one'\n"
            "    2 | 0,one\n"
            "      |   ^");
}

TEST(BadEdgeList, GivesUpAfterTwoHundredErrors) {
  std::string csv = "src,dst\n";
  std::string graphml = "<graphml><graph edgedefault='directed'>\n";
  for (int i = 0; i < 1000; ++i) csv += "x,1\n";
  for (int i = 0; i < 1000; ++i) graphml += "<node/>\n";
  common::Diagnostics of_csv;
  static_cast<void>(import_csv(csv, "a.csv", of_csv));
  EXPECT_EQ(of_csv.size(), 201U);
  EXPECT_EQ(of_csv.errors().back().message, "too many errors; the rest of the file is not checked");
  common::Diagnostics of_graphml;
  static_cast<void>(import_graphml(graphml, "a.graphml", of_graphml));
  EXPECT_EQ(of_graphml.size(), 201U);
}

TEST(BadEdgeList, WithNestingWithoutEndIsNoDanger) {
  std::string text = "<graphml>";
  for (int i = 0; i < 200000; ++i) text += "<desc>";
  common::Diagnostics diagnostics;
  EXPECT_EQ(import_graphml(text, "deep.graphml", diagnostics), ImportedGraph{});
  EXPECT_EQ(diagnostics.size(), 1U);
}

}  // namespace
}  // namespace kernbench::topology
