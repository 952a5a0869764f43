// SPDX-License-Identifier: Apache-2.0
// Tables of routes: the exports of all kinds are read back, and every error has its place.
#include "topology/zoo/table/routing_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "route_walk.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_export.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {
namespace {

class RouteFiles : public testing::Test {
 protected:
  std::shared_ptr<const RoutingTable> read(const std::string& name, const std::string& text,
                                           const BaseTopology& topology) {
    diagnostics_ = {};
    return read_routing_table(folder_.write(name, text), name, topology, diagnostics_);
  }
  /// Returns the errors in a table, without quoted lines and the name of the folder.
  std::vector<std::string> errors_in(const std::string& name, const std::string& text,
                                     const BaseTopology& topology) {
    EXPECT_EQ(read(name, text, topology), nullptr);
    std::vector<std::string> errors;
    for (const common::Diagnostic& error : diagnostics_.errors()) {
      const common::SourcePosition& at = error.position;
      std::string text_of = at.line == 0 ? "" : fmt::format("{}:{}: ", at.line, at.column);
      errors.push_back(text_of + error.message);
    }
    return errors;
  }
  std::vector<std::string> errors_of_rows(const std::string& rows, const BaseTopology& topology) {
    return errors_in("routes.csv", "src,dst,step,from,to,vc\n" + rows, topology);
  }
  std::vector<std::string> errors_of_data(const std::string& data, const BaseTopology& topology) {
    return errors_in("routes.json", "{\"kind\": \"base-topology\", \"data\": {\n" + data + "}}\n",
                     topology);
  }

  common::TempFolder folder_;
  common::Diagnostics diagnostics_;
};

std::string csv_of(const RoutingRelation& relation) {
  std::ostringstream out;
  to_routes_csv(relation, out);
  return out.str();
}
std::string json_of(const RoutingRelation& relation) {
  std::ostringstream out;
  to_json(relation, {}, out);
  return out.str();
}

TEST_F(RouteFiles, ReadBackTheExportOfEveryKind) {
  for (const char* text :
       {"UnidirectionalLine(4)", "BidirectionalLine(4)", "UnidirectionalTorus1D(5)",
        "BidirectionalTorus1D(6)", "Butterfly(2,3)", "BidirectionalTree(2,3)", "Mesh2D(4,3)",
        "UnidirectionalTorus2D(4,3)", "BidirectionalTorus2D(4,4)", "FlattenedButterfly(3,3)",
        "TerminalRouter(BidirectionalTorus2D(3,4))",
        "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalTorus1D(4)),"
        "(2,1,BidirectionalLine(3)))",
        "CustomTopology(5,0->3,3->1,1->4,4->2,2->0,1->0,3->2)"}) {
    const TopologyPtr topology = parse_zoo_text(text);
    const auto natural = natural_routing(*topology);
    for (const std::string name : {"routes.csv", "routes.json"}) {
      const bool is_csv = name == "routes.csv";
      const auto table = read(name, is_csv ? csv_of(*natural) : json_of(*natural), *topology);
      ASSERT_NE(table, nullptr) << text << "\n" << diagnostics_.render();
      const TableRouting again(*topology, table);
      EXPECT_EQ(csv_of(again), csv_of(*natural)) << text;
      const RoutingCheck check = check_routing(again);
      EXPECT_TRUE(check.passed()) << routing_report(*topology, check);
      if (!is_csv) EXPECT_EQ(again.n_vcs(), natural->n_vcs());
    }
  }
}

TEST_F(RouteFiles, KeepTheNamesOfNodes) {
  const CustomTopology named(2, {{0, 1}, {1, 0}}, {"R,0", "R\"1\n"});
  const auto natural = natural_routing(named);
  for (const auto& [name, text] :
       {std::pair("routes.csv", csv_of(*natural)), std::pair("routes.json", json_of(*natural))}) {
    const auto table = read(name, text, named);
    ASSERT_NE(table, nullptr) << diagnostics_.render();
    EXPECT_EQ(csv_of(TableRouting(named, table)), csv_of(*natural));
  }
}

TEST_F(RouteFiles, TellParallelChannelsApart) {
  const CustomTopology pair(2, {{0, 1}, {0, 1}, {1, 0}}, {}, {}, false,
                            CustomTopology::SameEdges::AreParallel);
  const auto second =
      read("r.csv", "src,dst,step,from,to,vc,lane\n0,1,0,0,1,0,1\n1,0,0,1,0,0,0\n", pair);
  ASSERT_NE(second, nullptr) << diagnostics_.render();
  const TableRouting relation(pair, second);
  EXPECT_EQ(preferred_route(relation, 0, 1), (std::vector<Hop>{{1, 0}}));
  for (const auto& [name, text] :
       {std::pair("r.csv", csv_of(relation)), std::pair("r.json", json_of(relation))}) {
    const auto table = read(name, text, pair);
    ASSERT_NE(table, nullptr) << diagnostics_.render();
    EXPECT_EQ(csv_of(TableRouting(pair, table)), csv_of(relation)) << name;
  }
  EXPECT_THAT(
      errors_in("r.csv", "src,dst,step,from,to,vc,lane\n0,1,0,0,1,0,2\n1,0,0,1,0,0,0\n", pair),
      testing::ElementsAre("2:13: 'lane' must be an integer from 0 to 1, not '2'"));
  EXPECT_THAT(
      errors_of_data("\"nodes\": 2, \"channels\": [[0,1],[1,0],[1,0]], \"routing\": {\"vcs\": 1},"
                     "\"routes\": [{\"src\": 0, \"dst\": 1, \"hops\": [[0,0]]},"
                     "{\"src\": 1, \"dst\": 0, \"hops\": [[1,0]]}]",
                     pair),
      testing::ElementsAre("2:39: the topology has only 1 channel from 1 to 0"));
}

TEST_F(RouteFiles, ShowTheCircleAndTheLinesThatCloseIt) {
  const TopologyPtr ring = parse_zoo_text("UnidirectionalTorus1D(3)");
  const std::string rows =
      "src,dst,step,from,to,vc\n0,1,0,0,1,0\n0,2,0,0,1,0\n0,2,1,1,2,0\n1,2,0,1,2,0\n1,0,0,1,2,0\n"
      "1,0,1,2,0,0\n2,0,0,2,0,0\n2,1,0,2,0,0\n2,1,1,0,1,0\n";
  const TableRouting relation(*ring, read("ring.csv", rows, *ring));
  const RoutingCheck check = check_routing(relation);
  EXPECT_EQ(check.outcome(), common::Outcome::Mismatch);
  EXPECT_THAT(routing_report(*ring, check),
              testing::EndsWith("deadlock: possible, the dependency graph has the cycle\n"
                                "  0->1 vc0, 1->2 vc0, 2->0 vc0, back to 0->1 vc0\n"
                                "  ring.csv:4:1: 0->1 vc0 waits for 1->2 vc0\n"
                                "  ring.csv:7:1: 1->2 vc0 waits for 2->0 vc0\n"
                                "  ring.csv:10:1: 2->0 vc0 waits for 0->1 vc0\n"));
}

TEST_F(RouteFiles, NameEveryErrorOfCsvWithItsPlace) {
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(3)");
  EXPECT_THAT(errors_of_rows("0,1,0,0,1,0\n"
                             "0,2,0,0,2,0\n"   // no such channel
                             "1,0,0,1,0,64\n"  // no such virtual channel
                             "1,2,0,1,2,0\n"
                             "1,2,0,1,2,0\n"  // twice
                             "2,0,1,2,1,0\n"  // begins with step 1
                             "2,2,0,2,1,0\n"  // to itself
                             "2,1,0,2,1,0\n"
                             "2,1,1,1,0,0\n",  // has arrived
                             *line),
              testing::ElementsAre("3:7: no channel leads from 0 to 2",
                                   "4:11: 'vc' must be an integer from 0 to 63, not '64'",
                                   "6:1: a second route from 1 to 2; the first is in line 5",
                                   "7:5: the step of this hop must be 0, not 1",
                                   "8:1: a route from node 2 to itself",
                                   "10:1: the route from 2 to 1 has arrived before this hop"));
}

TEST_F(RouteFiles, NameRoutesThatAreMissingOrDoNotArrive) {
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(3)");
  EXPECT_THAT(
      errors_of_rows("0,1,0,0,1,0\n0,2,0,0,1,0\n1,0,0,1,0,0\n1,2,0,1,2,0\n2,1,0,1,2,0\n", *line),
      testing::ElementsAre("3:1: the route from 0 to 2 ends at node 1",
                           "6:1: the route from 2 to 1 is at node 2 here, not at 1",
                           "no route from 2 to 0, which channels join"));
}

TEST_F(RouteFiles, AreFunctionsOfInputVirtualChannelAndDestination) {
  // Packets from 3 and from 0 that arrive at 1 by 0->1 part on their way to 2.
  const TopologyPtr graph = parse_zoo_text("CustomTopology(4,0->1,1->2,1->3,3->2,3->0,2->0)");
  const auto natural = natural_routing(*graph);
  std::string text = csv_of(*natural);
  const std::string straight = "3,2,0,3,2,1\n";
  const std::size_t at = text.find(straight);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, straight.size(), "3,2,0,3,0,0\n3,2,1,0,1,0\n3,2,2,1,3,0\n3,2,3,3,2,0\n");
  const auto errors = errors_in("routes.csv", text, *graph);
  ASSERT_EQ(errors.size(), 1U) << testing::PrintToString(errors);
  EXPECT_EQ(errors[0],
            "22:1: after 0->1 vc0 packets to 2 take 1->3 vc0 here and 1->2 vc0 in line 4");
}

TEST_F(RouteFiles, RefuseCsvOfAnotherForm) {
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(2)");
  EXPECT_THAT(errors_in("t.csv", "src,dst\n0,1\n", *line),
              testing::ElementsAre("1:1: the header must be 'src,dst,step,from,to,vc', not "
                                   "'src,dst'"));
  EXPECT_THAT(
      errors_of_rows("0,1,0,0,1\n1,x,0,1,0,0\n\"0,1\n", *line),
      testing::ElementsAre("2:1: a line must hold 6 cells, 'src,dst,step,from,to,vc', not 5",
                           "3:3: 'dst' must be an integer from 0 to 1, not 'x'",
                           "4:1: a quote that is not closed",
                           "4:1: a line must hold 6 cells, 'src,dst,step,from,to,vc', not 1"));
  EXPECT_THAT(errors_in("t.txt", "", *line),
              testing::ElementsAre("a table of routes must be a .csv or a .json file"));
}

TEST_F(RouteFiles, NameEveryErrorOfJsonWithItsPlace) {
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(2)");
  EXPECT_THAT(errors_of_data("\"nodes\": 2, \"channels\": [[0,1],[1,0],[0,2]],\n"
                             "\"routing\": {\"vcs\": 1},\n"
                             "\"routes\": [{\"src\": 0, \"dst\": 1, \"hops\": [[5, 0]]},\n"
                             "{\"src\": 1, \"dst\": 0, \"hops\": [[1, 1]]},\n"
                             "{\"src\": 1, \"dst\": 2, \"hops\": []},\n"
                             "{\"src\": 1, \"hops\": []}]\n",
                             *line),
              testing::ElementsAre("2:41: a node must be an integer from 0 to 1, not 2",
                                   "4:43: a channel must be an integer from 0 to 2, not 5",
                                   "5:35: a virtual channel must be an integer from 0 to 0, not 1",
                                   "6:19: 'dst' must be an integer from 0 to 1, not 2",
                                   "7:1: the route has no 'dst'"));
  const TopologyPtr one_way = parse_zoo_text("UnidirectionalLine(2)");
  EXPECT_THAT(errors_of_data("\"nodes\": 2, \"channels\": [[0,1],[1,0]],\n"
                             "\"routing\": {\"vcs\": 1}, \"routes\": []",
                             *one_way),
              testing::ElementsAre("2:33: no channel of the topology leads from 1 to 0",
                                   "no route from 0 to 1, which channels join"));
}

TEST_F(RouteFiles, RefuseJsonOfAnotherForm) {
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(2)");
  EXPECT_THAT(errors_in("t.json", "[]", *line),
              testing::ElementsAre("1:1: expected a map, not a list"));
  EXPECT_THAT(errors_in("t.json", "{\"kind\": \"traffic\"}", *line),
              testing::ElementsAre("1:10: 'kind' is 'traffic', not 'base-topology'"));
  EXPECT_THAT(errors_in("t.json", "{\"data\": {\"nodes\": ", *line),
              testing::ElementsAre(testing::StartsWith("1:19: invalid JSON: syntax error")));
  EXPECT_THAT(errors_of_data("\"nodes\": 3, \"routing\": {\"vcs\": 65}, \"routes\": 1", *line),
              testing::ElementsAre(
                  "2:47: expected a list, not 1", "the file has no 'data.channels'",
                  "the file has no 'data.routes'", "2:10: BidirectionalLine(2) has 2 nodes, not 3",
                  "2:32: 'vcs' must be an integer from 1 to 64, not 65"));
  EXPECT_THAT(errors_of_data("\"nodes\": -2, \"channels\": [[0,1,1], [0,\"a\"], 4],\n"
                             "\"routing\": {\"vcs\": 1}, \"routes\": [3, {\"src\": null}]",
                             *line),
              testing::ElementsAre(
                  "2:10: expected a whole number, not -2", "2:27: expected two numbers, not 3",
                  "2:39: expected a whole number, not 'a'", "2:36: expected two numbers, not 1",
                  "2:45: expected a list of two numbers, not 4", "3:35: expected a map, not 3",
                  "3:46: expected a whole number, not null", "the file has no 'data.nodes'"));
}

TEST_F(RouteFiles, AreRefusedForTooManyNodes) {
  EXPECT_THAT(errors_in("t.csv", "", *parse_zoo_text("BidirectionalLine(4097)")),
              testing::ElementsAre("BidirectionalLine(4097) has 4097 nodes; a table routes at most "
                                   "4096"));
}

TEST_F(RouteFiles, HaveNoRoutesOfNodesWithoutEndpoints) {
  const CustomTopology line(3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}, {}, {1, 0, 1});
  EXPECT_NE(read("t.csv", csv_of(*natural_routing(line)), line), nullptr);
  EXPECT_THAT(errors_of_rows("0,2,0,0,1,0\n0,2,1,1,2,0\n0,1,0,0,1,0\n", line),
              testing::ElementsAre("4:1: the route from 0 to 1: node 1 has no endpoint",
                                   "no route from 2 to 0, which channels join"));
}

TEST_F(RouteFiles, RefuseTheTableOfOtherNodes) {
  const CustomTopology named(2, {{0, 1}, {1, 0}}, {"a", "b"});
  const CustomTopology others(2, {{0, 1}, {1, 0}}, {"a", "c"});
  EXPECT_THAT(errors_in("t.json", json_of(*natural_routing(named)), others),
              testing::ElementsAre(testing::EndsWith("node 1 is 'b' here and c in the topology")));
  EXPECT_THAT(
      errors_in("t.csv", csv_of(*natural_routing(named)), others),
      testing::ElementsAre("2:3: 'dst' must be a node of the topology, such as 'a', not 'b'",
                           "3:1: 'src' must be a node of the topology, such as 'a', not 'b'"));
}

}  // namespace
}  // namespace kernbench::topology::zoo
