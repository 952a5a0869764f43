// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "channel_sets.hpp"
#include "tests/common/expect_bad_input.hpp"

namespace kernbench::topology::zoo {
namespace {

std::string text_error_of(const std::string& text) {
  return common::bad_input_of([&] { (void)parse_zoo_text(text); });
}

TEST(ZooText, ReadsNamesBack) {
  const std::string nested_parts =
      "TerminalRouter(HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),"
      "(2,1,HierarchicalTopology(Mesh2D(2,2),(3,0,BidirectionalTree(1,2))))))";
  const std::vector<std::string> names = {"UnidirectionalLine(4)",
                                          "BidirectionalLine(4)",
                                          "UnidirectionalTorus1D(4)",
                                          "BidirectionalTorus1D(4)",
                                          "Butterfly(2,3)",
                                          "BidirectionalTree(3,2)",
                                          "Mesh2D(4,3)",
                                          "UnidirectionalTorus2D(4,3)",
                                          "BidirectionalTorus2D(4,3)",
                                          "FlattenedButterfly(8,8)",
                                          "TerminalRouter(TerminalRouter(Mesh2D(4,3)))",
                                          nested_parts};
  for (const std::string& name : names) EXPECT_EQ(parse_zoo_text(name)->name(), name);
}

TEST(ZooText, ReadsEdgesOfACustomTopology) {
  EXPECT_EQ(text_of(*parse_zoo_text("CustomTopology(3,0->1,1->2,2->0)")), "0->1 1->2 2->0");
  EXPECT_EQ(parse_zoo_text("CustomTopology(3)")->channels().size(), 0U);
}

TEST(ZooText, TakesBlanksBetweenWords) {
  EXPECT_EQ(parse_zoo_text("  Mesh2D ( 4 , 3 )  ")->name(), "Mesh2D(4,3)");
  EXPECT_EQ(parse_zoo_text("CustomTopology(2, 0 -> 1)")->channels().size(), 1U);
}

TEST(ZooText, PointsAtWhatIsWrong) {
  EXPECT_EQ(text_error_of("Mesh2D(4,3"),
            "topology:1:11: error: expected ')' here\n"
            "    1 | Mesh2D(4,3\n"
            "      |           ^");
  EXPECT_EQ(text_error_of("TerminalRouter(Mesh3D(4,3))"),
            "topology:1:16: error: 'Mesh3D' is not a known topology\n"
            "    1 | TerminalRouter(Mesh3D(4,3))\n"
            "      |                ^\n"
            "  hint: did you mean 'Mesh2D'?");
}

/// Returns the first line of the message, after the file name.
std::string message_of(const std::string& text) {
  const std::string all = text_error_of(text);
  const std::string first = all.substr(0, all.find('\n'));
  return first.substr(first.find(':') + 1);
}

TEST(ZooText, RefusesWhatIsNoTopology) {
  EXPECT_EQ(message_of(""), "1:1: error: expected a topology here");
  EXPECT_EQ(message_of("(4)"), "1:1: error: expected a topology here");
  EXPECT_EQ(message_of("Torus(4)"), "1:1: error: 'Torus' is not a known topology");
  EXPECT_EQ(message_of("mesh2d(4,3)"), "1:1: error: 'mesh2d' is not a known topology");
  EXPECT_EQ(message_of("Mesh2D"), "1:7: error: expected '(' here");
  EXPECT_EQ(message_of("Mesh2D(4,3)x"), "1:12: error: unexpected text after the topology");
  EXPECT_EQ(message_of("Mesh2D(4)"), "1:9: error: expected ',' here");
  EXPECT_EQ(message_of("Mesh2D(4,3,2)"), "1:11: error: expected ')' here");
}

TEST(ZooText, RefusesNumbersThatAreNone) {
  EXPECT_EQ(message_of("Mesh2D(4,)"), "1:10: error: 'ny' must be an integer from 1 to 65536");
  EXPECT_EQ(message_of("Mesh2D(-4,3)"), "1:8: error: 'nx' must be an integer from 1 to 65536");
  EXPECT_EQ(message_of("Mesh2D(4x,3)"), "1:8: error: 'nx' must be an integer from 1 to 65536");
  EXPECT_EQ(message_of("Mesh2D(4.5,3)"), "1:9: error: expected ',' here");
  EXPECT_EQ(message_of("Mesh2D(0,3)"), "1:8: error: 'nx' must be an integer from 1 to 65536");
  EXPECT_EQ(message_of("UnidirectionalTorus1D(1)"),
            "1:23: error: 'n' must be an integer from 2 to 65536");
  EXPECT_EQ(message_of("BidirectionalLine(99999999999999999999)"),
            "1:19: error: 'n' must be an integer from 1 to 65536");
  EXPECT_EQ(message_of("BidirectionalLine(010)"),
            "1:19: error: 'n' must be an integer from 1 to 65536");
}

TEST(ZooText, RefusesTopologiesThatMakeNoSense) {
  EXPECT_EQ(message_of("TerminalRouter(Mesh2D(257,256))"),
            "1:16: error: Mesh2D(257,256) has more than 65536 nodes");
  EXPECT_EQ(message_of("HierarchicalTopology(Mesh2D(2,2),(4,0,BidirectionalLine(2)))"),
            "1:1: error: child 0: the base Mesh2D(2,2) has no node 4");
  EXPECT_EQ(message_of("CustomTopology(3,0->3)"),
            "1:1: error: CustomTopology(3,1 edges): edge 0->3 is outside nodes 0..2");
  EXPECT_EQ(message_of("CustomTopology(3,0-1)"), "1:19: error: expected '->' here");
  EXPECT_EQ(message_of("HierarchicalTopology(Mesh2D(2,2),BidirectionalLine(2))"),
            "1:34: error: expected '(' here");
}

/// Returns `depth` nested topologies of kind TerminalRouter.
std::string nested_text(int depth) {
  std::string text;
  for (int i = 1; i < depth; ++i) text += "TerminalRouter(";
  text += "BidirectionalLine(2)";
  return text + std::string(static_cast<std::size_t>(depth - 1), ')');
}

TEST(ZooText, LimitsTheNesting) {
  EXPECT_EQ(parse_zoo_text(nested_text(8))->n_nodes(), 2U << 7U);
  EXPECT_EQ(message_of(nested_text(9)), "1:121: error: topologies are nested more than 8 deep");
  EXPECT_EQ(message_of(nested_text(100000)),
            "1:121: error: topologies are nested more than 8 deep");
}

}  // namespace
}  // namespace kernbench::topology::zoo
