// SPDX-License-Identifier: Apache-2.0
// Network files of BookSim2.
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

ImportedGraph sound(const std::string& text, std::vector<std::string>* notes = nullptr) {
  common::Diagnostics diagnostics;
  ImportedGraph graph = import_anynet(text, "net.anynet", diagnostics, notes);
  EXPECT_EQ(diagnostics.render(), "");
  return graph;
}

std::vector<std::string> errors_in(const std::string& text) {
  common::Diagnostics diagnostics;
  EXPECT_EQ(import_anynet(text, "net.anynet", diagnostics), ImportedGraph{});
  std::vector<std::string> errors;
  for (const common::Diagnostic& error : diagnostics.errors()) {
    errors.push_back(std::to_string(error.position.line) + ":" +
                     std::to_string(error.position.column) + ": " + error.message);
  }
  return errors;
}

TEST(AnynetImport, ReadsRoutersWithSeveralNodesOrNone) {
  std::vector<std::string> notes;
  const ImportedGraph graph = sound(
      "router 0 node 0 node 1 router 1 router 2\n"
      "\n"
      "router 1\trouter 0  router 2 \r\n"
      "router 2 node 2\n",
      &notes);
  EXPECT_EQ(graph.nodes, 3U);
  EXPECT_EQ(graph.edges, (Edges{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}}));
  EXPECT_THAT(graph.endpoints, ElementsAre(2, 0, 1));
  EXPECT_THAT(notes, IsEmpty());
}

TEST(AnynetImport, TakesLinesThatBeginWithANode) {
  const ImportedGraph graph = sound("node 1 router 1\nnode 0 router 0\nrouter 0 router 1\n");
  EXPECT_THAT(graph.endpoints, ElementsAre(1, 1));
}

TEST(AnynetImport, NotesWhatItLeavesOut) {
  std::vector<std::string> notes;
  (void)sound("router 0 node 1 5 router 1 15\nrouter 1 node 0 1\n", &notes);
  EXPECT_THAT(
      notes, ElementsAre("net.anynet: 2 latencies above 1 are ignored; every channel is alike",
                         "net.anynet: nodes become endpoints in the order of their routers, not of "
                         "their numbers"));
}

TEST(AnynetImport, NamesEveryErrorWithItsPlace) {
  EXPECT_THAT(
      errors_in("router 0 node 0 fast router 1\n"
                "switch 1 router 0\n"
                "router 1 node\n"
                "router 1 router x\n"
                "router 1 router 1\n"
                "node 1 node 2\n"
                "router 0 router 1 0\n"
                "router 1 node 0\n"),
      ElementsAre("1:17: expected 'router', 'node' or a latency of 1 or more, not 'fast'",
                  "2:1: expected 'router' or 'node', not 'switch'", "3:10: 'node' needs a number",
                  "4:17: the number of a router must be an integer from 0 to 1048575, not "
                  "'x'",
                  "5:10: router 1 is joined to itself",
                  "6:8: node 1 must be joined to a router, not to a node",
                  "7:19: expected 'router', 'node' or a latency of 1 or more, not '0'",
                  "8:10: node 0 is already at router 0, in line 1"));
}

TEST(AnynetImport, RefusesNumbersWithGaps) {
  EXPECT_THAT(errors_in("router 0 router 2\nrouter 2 node 3\n"),
              ElementsAre("1:10: there is no router 1 before this one",
                          "2:10: there are no nodes 0 to 2 before this one"));
  EXPECT_THAT(errors_in(""), ElementsAre("0:0: the graph has no edges"));
}

}  // namespace
}  // namespace kernbench::topology
