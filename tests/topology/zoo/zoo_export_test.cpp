// SPDX-License-Identifier: Apache-2.0
// The export of base topologies: exact routes, and files that other readers of this project take.
#include "topology/zoo/zoo_export.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "topology/exchange/edge_list_export.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/base/mesh_2d.hpp"
#include "topology/zoo/base/torus_1d.hpp"
#include "topology/zoo/routing/natural_routing.hpp"

namespace kernbench::topology::zoo {
namespace {

using ::testing::HasSubstr;

/// Sends every packet to the right for ever.
class RoundAndRound : public RoutingRelation {
 public:
  using RoutingRelation::RoutingRelation;
  [[nodiscard]] std::string name() const override { return "round and round"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> /*in*/,
                                      std::uint32_t /*dst*/) const override {
    return hop(at, at == 0 ? 1 : 0, 0);
  }
};

TEST(ZooExport, WritesEveryHopOfEveryRoute) {
  const UnidirectionalTorus1D ring(3);
  std::ostringstream out;
  to_routes_csv(*natural_routing(ring), out);
  EXPECT_EQ(out.str(),
            "src,dst,step,from,to,vc\n"
            "0,1,0,0,1,1\n"
            "0,2,0,0,1,0\n"
            "0,2,1,1,2,0\n"
            "1,0,0,1,2,1\n"
            "1,0,1,2,0,1\n"
            "1,2,0,1,2,0\n"
            "2,0,0,2,0,1\n"
            "2,1,0,2,0,1\n"
            "2,1,1,0,1,0\n");
}

TEST(ZooExport, HasNoRouteWhereThereIsNone) {
  const UnidirectionalLine line(2);
  std::ostringstream out;
  to_routes_csv(*natural_routing(line), out);
  EXPECT_EQ(out.str(), "src,dst,step,from,to,vc\n0,1,0,0,1,0\n");
}

TEST(ZooExport, RefusesARouteThatDoesNotEnd) {
  const BidirectionalLine line(3);
  const RoundAndRound relation(line);
  EXPECT_THAT([&] { (void)preferred_route(relation, 0, 2); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "the routing has a loop: its route from 0 to 2 does not end"));
}

TEST(ZooExport, WritesJsonWithChannelsAndRoutes) {
  const BidirectionalLine line(3);
  common::ReportEnvelope frame;
  frame.command = "kernbench topology zoo 'BidirectionalLine(3)' -o line.json";
  std::ostringstream out;
  to_json(*natural_routing(line), frame, out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json.at("kind"), "base-topology");
  EXPECT_EQ(json.at("command"), frame.command);
  const nlohmann::json& data = json.at("data");
  EXPECT_EQ(data.size(), 5U);
  EXPECT_EQ(data.at("name"), "BidirectionalLine(3)");
  EXPECT_EQ(data.at("nodes"), 3);
  EXPECT_EQ(data.at("channels").dump(), "[[0,1],[1,0],[1,2],[2,1]]");
  EXPECT_EQ(data.at("routing").dump(), R"({"relation":"dimension order","vcs":1})");
  std::vector<std::string> routes;
  for (const auto& route : data.at("routes")) routes.push_back(route.dump());
  EXPECT_THAT(routes, testing::ElementsAre(R"({"dst":1,"hops":[[0,0]],"src":0})",
                                           R"({"dst":2,"hops":[[0,0],[2,0]],"src":0})",
                                           R"({"dst":0,"hops":[[1,0]],"src":1})",
                                           R"({"dst":2,"hops":[[2,0]],"src":1})",
                                           R"({"dst":0,"hops":[[3,0],[1,0]],"src":2})",
                                           R"({"dst":1,"hops":[[3,0]],"src":2})"));
}

TEST(ZooExport, WritesGraphsThatCanBeImported) {
  const Mesh2D mesh(3, 2);
  const ImportedGraph graph = plain_graph(mesh);
  EXPECT_EQ(graph.nodes, 6U);
  EXPECT_EQ(graph.edges.size(), mesh.channels().size());
  std::ostringstream csv;
  std::ostringstream graphml;
  to_csv(graph, csv);
  to_graphml(graph, graphml);
  common::Diagnostics diagnostics;
  EXPECT_EQ(import_csv(csv.str(), "mesh.csv", diagnostics), graph);
  EXPECT_EQ(import_graphml(graphml.str(), "mesh.graphml", diagnostics), graph);
  EXPECT_EQ(diagnostics.render(), "");
}

TEST(ZooExport, KeepsEndpointsAndStages) {
  const CustomTopology topology(3, {{0, 1, 2}, {1, 0, 0}, {1, 2, 15}, {2, 1, 1}}, {}, {1, 0, 3});
  const ImportedGraph graph = plain_graph(topology);
  std::ostringstream csv;
  std::ostringstream graphml;
  to_csv(graph, csv);
  to_graphml(graph, graphml);
  EXPECT_EQ(csv.str(),
            "# nodes: 3\n# endpoints: 1,0,3\nsrc,dst,stages\n0,1,2\n1,0,0\n1,2,15\n2,1,1\n");
  EXPECT_THAT(graphml.str(), HasSubstr("  <node id=\"n2\"><data key=\"endpoints\">3</data></node>\n"
                                       "  <edge source=\"n0\" target=\"n1\"><data key=\"stages\">2"
                                       "</data></edge>\n"));
  common::Diagnostics diagnostics;
  EXPECT_EQ(import_csv(csv.str(), "line.csv", diagnostics), graph);
  EXPECT_EQ(import_graphml(graphml.str(), "line.graphml", diagnostics), graph);
  EXPECT_EQ(diagnostics.render(), "");
}

}  // namespace
}  // namespace kernbench::topology::zoo
