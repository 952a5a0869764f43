// SPDX-License-Identifier: Apache-2.0
// CustomTopology with its edges in a separate file.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "channel_sets.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/zoo/zoo_spec.hpp"

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
                          ": 1 link joins nodes that another link joins already, and is merged "
                          "with it");
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
            "zoo.yaml: error: an edge list must be a .csv or a .graphml file");
}

TEST_F(ImportedTopology, RefusesASecondSourceOfEdges) {
  write("graph.csv", "src,dst\n0,1\n");
  EXPECT_EQ(
      error_of("n: 2, edges: [[0, 1]], edges_from: graph.csv"),
      "zoo.yaml:1:37: error: 'n' cannot be combined with 'edges_from'\n"
      "    1 | topology: {kind: CustomTopology, n: 2, edges: [[0, 1]], edges_from: graph.csv}\n"
      "      |                                     ^\n"
      "  hint: the file defines the number of nodes and all edges\n"
      "zoo.yaml:1:47: error: 'edges' cannot be combined with 'edges_from'\n"
      "    1 | topology: {kind: CustomTopology, n: 2, edges: [[0, 1]], edges_from: graph.csv}\n"
      "      |                                               ^\n"
      "  hint: the file defines the number of nodes and all edges");
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
