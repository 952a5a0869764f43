// SPDX-License-Identifier: Apache-2.0
// Tests the viewer's API over a socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/web/assets.hpp"
#include "raw_client.hpp"
#include "running_viewer.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/routing/path_router.hpp"

namespace kernbench {
namespace {

using cli_test::get;
using cli_test::HttpAnswer;
using cli_test::RunningViewer;
using cli_test::small_system;
using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using topology::EdgeId;
using topology::NodeId;

class ViewerApi : public ::testing::Test {
 protected:
  [[nodiscard]] json ask(const RunningViewer& viewer, const std::string& target,
                         int status = 200) const {
    const HttpAnswer answer = get(viewer.port(), target);
    EXPECT_EQ(answer.status, status) << target << "\n" << answer.body;
    EXPECT_THAT(answer.head, HasSubstr("Content-Type: application/json\r\n"));
    return json::parse(answer.body);
  }
  [[nodiscard]] std::string error(const std::string& target, int status) const {
    return ask(viewer_, target, status).at("error");
  }

  common::TempFolder folder_;
  RunningViewer viewer_{small_system(), folder_.path()};
};

TEST_F(ViewerApi, ShowsTheBoxesAndLinesOfEachView) {
  for (const auto& [name, level] : topology::kViewLevelNames) {
    const json view = ask(viewer_, "/api/topology?view=" + std::string(name));
    EXPECT_EQ(view["title"], viewer_.graph().view(level).title);
    EXPECT_EQ(view["nodes"].size(), viewer_.graph().view(level).nodes.size()) << name;
    EXPECT_EQ(view["edges"].size(), viewer_.graph().view(level).edges.size()) << name;
    for (const json& node : view["nodes"]) {
      EXPECT_LE(node["box"][0].get<double>() + node["box"][2].get<double>(),
                view["size"][0].get<double>() + 0.1);
    }
  }
}

TEST_F(ViewerApi, NamesTheBoxesOfAnotherCubeAfterIt) {
  const json view = ask(viewer_, "/api/topology?view=cube&of=sip0.cube3");
  EXPECT_EQ(view["of"], "sip0.cube3");
  std::set<std::string> names;
  for (const json& node : view["nodes"]) names.insert(node["id"]);
  EXPECT_THAT(names, IsSupersetOf({"sip0.cube3.pe7", "sip0.cube3.noc.r0c0", "sip0.cube3.m_cpu",
                                   "sip0.cube3.hbm_ctrl"}));
  EXPECT_THAT(names, Not(Contains(HasSubstr("cube0"))));
}

/// Expects every line to represent edges of its kind and every edge between two boxes to have a
/// line.
void expect_all_edges_drawn(const json& view, const topology::TopologyGraph& graph,
                            const std::string& inside) {
  std::set<std::uint32_t> drawn;
  for (const json& line : view["edges"]) {
    EXPECT_FALSE(line["ids"].empty()) << line.dump();
    for (const std::uint32_t id : line["ids"]) {
      drawn.insert(id);
      const topology::EdgeKind kind = graph.edge(EdgeId(id)).kind;
      EXPECT_TRUE(name(kind) == line["kind"] || name(opposite(kind)) == line["kind"]);
    }
  }
  std::set<std::string> boxes;
  for (const json& node : view["nodes"]) boxes.insert(node["id"]);
  for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
    const topology::Edge& edge = graph.edge(EdgeId(i));
    const std::string from(graph.name(edge.from));
    const std::string to(graph.name(edge.to));
    if (!from.starts_with(inside) || !boxes.contains(from) || !boxes.contains(to)) continue;
    EXPECT_THAT(drawn, Contains(i)) << from << " " << to;
  }
}

TEST_F(ViewerApi, EachLineStandsForTheEdgesOfTheGraphThatItDraws) {
  const RunningViewer maze(small_system(topology::InterCube::Maze), folder_.path());
  const RunningViewer networks(cli_test::networked_system(), folder_.path());
  for (const RunningViewer* viewer :
       std::initializer_list<const RunningViewer*>{&viewer_, &maze, &networks}) {
    for (const char* of : {"cube&of=sip0.cube0", "cube&of=sip0.cube3", "sip&of=sip0",
                           "pe&of=sip0.cube1.pe2", "system"}) {
      const json view = ask(*viewer, std::string("/api/topology?view=") + of);
      expect_all_edges_drawn(view, viewer->graph(), view["of"]);
    }
  }
}

TEST_F(ViewerApi, LeavesOutThePhysThatOneCubeOfAMazeDoesNotHave) {
  const RunningViewer maze(small_system(topology::InterCube::Maze), folder_.path());
  const auto has_phy = [&](const std::string& cube) {
    const json view = ask(maze, "/api/topology?view=cube&of=" + cube);
    for (const json& node : view["nodes"]) {
      if (node["id"] == cube + ".ucie_n") return true;
    }
    return false;
  };
  EXPECT_TRUE(has_phy("sip0.cube1"));   // beside the IO chiplet
  EXPECT_FALSE(has_phy("sip0.cube2"));  // in the second row
}

TEST_F(ViewerApi, ShowsTheParametersAndEdgesOfANode) {
  const json node = ask(viewer_, "/api/node/sip0.cube1.hbm_ctrl.pe2");
  EXPECT_EQ(node["kind"], "hbm_ctrl");
  EXPECT_EQ(node["overhead_ns"], 30.0);
  EXPECT_EQ(node["cube"], 1);
  EXPECT_EQ(node["pe"], 2);
  EXPECT_EQ(node["attributes"]["slice_bw_gbs"], 128.0);
  EXPECT_EQ(node["edge_count"], 2);
  EXPECT_EQ(node["edges"][0]["kind"], "router_to_hbm");
  EXPECT_EQ(node["edges"][0]["bandwidth_gbs"], 256.0);
  EXPECT_EQ(node["edges"][0]["to"], "sip0.cube1.hbm_ctrl.pe2");
  EXPECT_EQ(node["edges"][1]["from"], "sip0.cube1.hbm_ctrl.pe2");
}

TEST_F(ViewerApi, ShowsTheContentsOfABlockAndTheEdgesThatLeaveIt) {
  const json block = ask(viewer_, "/api/node/sip0.cube0.pe3");
  EXPECT_EQ(block["kind"], "block");
  EXPECT_EQ(block["contents"].size(), 9U);
  // Two edges of kind pe_to_router, and a pair of command edges each for pe_cpu and pe_mmu.
  EXPECT_EQ(block["edge_count"], 6);
  for (const json& edge : block["edges"]) {
    EXPECT_NE(edge["from"].get<std::string>().starts_with("sip0.cube0.pe3."),
              edge["to"].get<std::string>().starts_with("sip0.cube0.pe3."));
  }
}

TEST_F(ViewerApi, ShowsAnEdgeWithItsTimesAndTheEdgeBack) {
  const auto& edges = viewer_.graph().edges();
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    if (edges[i].kind != topology::EdgeKind::RouterToUcieConn) continue;
    const json edge = ask(viewer_, "/api/edge/" + std::to_string(i));
    EXPECT_EQ(edge["kind"], "router_to_ucie_conn");
    EXPECT_EQ(edge["bandwidth_gbs"], 128.0);
    EXPECT_EQ(edge["length_mm"], 0.5);
    EXPECT_EQ(edge["propagation_ns"], 0.005);
    EXPECT_EQ(edge["flit_ns"], 2.0);
    const topology::Edge& back = viewer_.graph().edge(EdgeId(edge["opposite"]));
    EXPECT_EQ(back.from, edges[i].to);
    EXPECT_EQ(back.to, edges[i].from);
    return;
  }
  FAIL() << "no such edge";
}

TEST_F(ViewerApi, FindsTheRouteOfTheRouterForEachIntent) {
  const json answer = ask(viewer_, "/api/route?from=sip0.cube0&to=sip0.cube3.hbm_ctrl.pe7");
  const topology::PathRouter router(viewer_.graph());
  const std::array<topology::Path, 4> expected = {
      router.find_path("sip0.cube0.pe0", "sip0.cube3.hbm_ctrl.pe7"),
      router.find_mcpu_dma_path("sip0.cube0.m_cpu", "sip0.cube3.hbm_ctrl.pe7"),
      router.find_memory_path("sip0.cube0.m_cpu", "sip0.cube3.hbm_ctrl.pe7"),
      router.find_node_path("sip0.cube0.m_cpu", "sip0.cube3.hbm_ctrl.pe7")};
  const std::array<const char*, 4> intents = {"pe_dma", "mcpu_dma", "memory", "node"};
  ASSERT_EQ(answer["routes"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const json& route = answer["routes"][i];
    EXPECT_EQ(route["intent"], intents.at(i));
    ASSERT_TRUE(route["found"]) << route.dump();
    ASSERT_EQ(route["nodes"].size(), expected.at(i).nodes.size());
    for (std::size_t n = 0; n < expected.at(i).nodes.size(); ++n) {
      EXPECT_EQ(route["nodes"][n], viewer_.graph().name(expected.at(i).nodes[n]));
    }
    EXPECT_EQ(route["routing_distance_mm"], expected.at(i).distance_mm());
  }
}

TEST_F(ViewerApi, SaysWhyAnIntentHasNoRoute) {
  const json routes =
      ask(viewer_, "/api/route?from=sip0.cube0.sram&to=sip0.cube0.noc.r0c0")["routes"];
  EXPECT_EQ(routes[0]["reason"], "must start at a pe_dma");
  EXPECT_EQ(routes[1]["reason"], "must start at an m_cpu");
  EXPECT_TRUE(routes[2]["found"]);
  EXPECT_EQ(
      ask(viewer_, "/api/route?from=sip0.cube0.m_cpu&to=sip0.cube0.sram")["routes"][1]["reason"],
      "must end at an hbm_ctrl");
  EXPECT_EQ(
      ask(viewer_, "/api/route?from=sip0.cube0.pe1&to=sip0.io0.io_cpu")["routes"][0]["reason"],
      "no path from sip0.cube0.pe1.pe_dma to sip0.io0.io_cpu");
}

TEST_F(ViewerApi, ARouteMayEndAtAPhysicalAddress) {
  const json routes =
      ask(viewer_, "/api/route?from=sip0.cube0.pe0&to=0x0000030000000000")["routes"];
  EXPECT_EQ(routes[0]["to"], "sip0.cube3.hbm_ctrl.pe0");
}

TEST_F(ViewerApi, AHopThroughTheMazeHasBothItsLinks) {
  const RunningViewer maze(small_system(topology::InterCube::Maze), folder_.path());
  const json routes =
      ask(maze, "/api/route?from=sip0.cube0.pe0&to=sip0.cube3.hbm_ctrl.pe0")["routes"];
  for (const json& hop : routes[0]["hops"]) {
    if (hop["kind"] != "maze_link") continue;
    EXPECT_EQ(hop["from"], "sip0.cube0.maze");
    EXPECT_EQ(hop["through"], "sip0.cube1.maze");  // x first
    EXPECT_EQ(hop["to"], "sip0.cube3.maze");
    ASSERT_EQ(hop["edges"].size(), 2U);
    const auto& graph = maze.graph();
    const topology::Edge& first = graph.edge(EdgeId(hop["edges"][0]));
    const topology::Edge& second = graph.edge(EdgeId(hop["edges"][1]));
    EXPECT_EQ(first.to, second.from);
    EXPECT_EQ(graph.name(second.to), "sip0.cube3.maze");
    EXPECT_EQ(hop["id"], hop["edges"][0]);
    EXPECT_EQ(hop["irs_stages"], first.maze_depth + second.maze_depth);
    EXPECT_EQ(hop["length_mm"], topology::to_mm(first.length_nm + second.length_nm));
    return;
  }
  FAIL() << routes[0].dump();
}

TEST_F(ViewerApi, AHopThroughANetworkHasAllItsLinksAndRouters) {
  const RunningViewer networks(cli_test::networked_system(), folder_.path());
  const auto through = [&](const std::string& from, const std::string& to) {
    const json routes = ask(networks, "/api/route?from=" + from + "&to=" + to)["routes"];
    std::vector<std::string> names;
    for (const json& hop : routes[0]["hops"]) {
      if (hop["kind"] != "noc_link") continue;
      EXPECT_FALSE(hop.contains("irs_stages"));
      names.push_back(hop["from"].get<std::string>() + ": " + hop["through"].get<std::string>());
    }
    return names;
  };
  EXPECT_THAT(through("sip1.cube1.pe0", "sip1.cube2.hbm_ctrl.pe0"),
              testing::ElementsAre("sip1.cube1.noc_port: sip1.noc.n1, sip1.noc.n4, sip1.noc.n10"));
  EXPECT_THAT(through("sip1.cube0.pe0", "sip2.cube0.hbm_ctrl.pe0"),
              testing::ElementsAre("sip1.io0.noc_port: fabric.noc.n1, fabric.noc.n2"));
}

TEST_F(ViewerApi, MakesAPageOfAReportWithoutAnyRights) {
  (void)folder_.write("note.json", cli_test::note_report(R"({"text": "<script>x</script>"})"));
  const HttpAnswer answer = get(viewer_.port(), "/page/note.json");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Content-Type: text/html; charset=utf-8\r\n"));
  EXPECT_THAT(
      answer.head,
      HasSubstr("Content-Security-Policy: sandbox allow-scripts allow-downloads; default-src "
                "'none'; style-src 'unsafe-inline'; script-src "
                "'unsafe-inline'; img-src data:; frame-ancestors 'self'\r\n"));
  EXPECT_THAT(answer.body, HasSubstr("<dt>text</dt><dd>&lt;script&gt;x&lt;/script&gt;</dd>"));
  const json list = ask(viewer_, "/api/reports")["reports"];
  EXPECT_EQ(list[0]["page"], true);
}

TEST_F(ViewerApi, MakesAPageThatComparesTwoReports) {
  (void)folder_.write("a b.json", cli_test::note_report(R"({"text": "one"})"));
  (void)folder_.write("b.json", cli_test::note_report(R"({"text": "two"})"));
  const HttpAnswer answer = get(viewer_.port(), "/page/a%20b.json?with=b.json");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("<td>text</td><td>one</td><td>two</td>"));
  EXPECT_EQ(ask(viewer_, "/api/page/b.json?with=a%20b.json")["problem"], "");
  EXPECT_EQ(ask(viewer_, "/api/page/b.json?with=none.json")["problem"], "report not found");
  EXPECT_EQ(error("/page/b.json?with=none.json", 404), "report not found");
  EXPECT_EQ(error("/page/b.json?with=../b.json", 404), "report not found");
}

TEST_F(ViewerApi, MakesNoPageOfWhatIsNotThatReport) {
  (void)folder_.write("other.json", cli_test::note_report(R"({"text": 3, "more": 1})"));
  std::string other = cli_test::note_report("{}");
  other.replace(other.find("note"), 4, "memo");
  (void)folder_.write("memo.json", other);
  (void)folder_.write("half.json", R"({"schema": 1, )");
  (void)folder_.write("page.html", "<p>");
  EXPECT_EQ(error("/page/other.json", 422), "'data.text' must be text, not '3'");
  EXPECT_EQ(error("/page/memo.json", 422), "this is a report of kind 'memo', not 'note'");
  EXPECT_THAT(error("/page/half.json", 422), HasSubstr("unexpected end of input"));
  EXPECT_EQ(error("/page/page.html", 404), "report not found");
  EXPECT_EQ(error("/page/none.json", 404), "report not found");
  EXPECT_EQ(error("/page/../secret.json", 404), "report not found");
}

TEST_F(ViewerApi, FindsNamesByAnyPartOfThem) {
  EXPECT_THAT(ask(viewer_, "/api/names?contains=CUBE2.M_CPU")["names"],
              ElementsAre("sip0.cube2.m_cpu"));
  EXPECT_EQ(ask(viewer_, "/api/names?contains=cube")["names"].size(), 40U);
}

TEST_F(ViewerApi, RefusesWhatIsNotThereAndSaysWhat) {
  EXPECT_EQ(error("/api/topology?view=rack", 400),
            "view: 'rack' is not one of system, sip, cube, pe");
  EXPECT_EQ(error("/api/topology", 400), "'view' is missing");
  EXPECT_EQ(error("/api/topology?view=sip&view=pe", 400), "'view' is given more than once");
  EXPECT_EQ(error("/api/topology?view=cube&of=sip0.cube4", 404), "cube 'sip0.cube4' not found");
  for (const char* of : {"sip0", "sip0.cube1.pe0", "sip0.cube01", "sip0.cube1.", "cube1.sip0",
                         "sip0.cube-1", "sip0.cube4294967296"}) {
    EXPECT_EQ(error(std::string("/api/topology?view=cube&of=") + of, 404),
              std::string("cube '") + of + "' not found");
  }
  EXPECT_EQ(error("/api/node/sip0.cube0.nothing", 404), "node 'sip0.cube0.nothing' not found");
  EXPECT_EQ(error("/api/node/", 404), "node '' not found");
  const std::string last = std::to_string(viewer_.graph().edges().size() - 1);
  for (const char* id : {"-1", "1x", "", "99999999999999999999"}) {
    EXPECT_EQ(error(std::string("/api/edge/") + id, 404),
              "edge '" + std::string(id) + "' not found: edges are numbered 0 to " + last);
  }
  EXPECT_EQ(error("/api/route?from=sip0", 400), "'to' is missing");
  EXPECT_EQ(error("/api/route?from=a&to=b", 404), "node 'a' not found");
  EXPECT_EQ(error("/api/route?from=sip0.cube0.pe0&to=0x1zz", 400),
            "'0x1zz' is not an address: expected 0x and up to 16 hexadecimal digits");
  EXPECT_EQ(get(viewer_.port(), "/api/route?from=sip0.cube0.pe0&to=0x0100000000000000").status,
            404);
  EXPECT_EQ(error("/api/rout", 404), "unknown API path");
  EXPECT_EQ(error("/viewer.html", 404), "page not found");
}

TEST_F(ViewerApi, ServesEveryFileOfTheViewer) {
  EXPECT_THAT(get(viewer_.port(), "/").body, HasSubstr("<title>KernBench</title>"));
  for (const cli::web::Asset& asset : cli::web::assets()) {
    const HttpAnswer answer = get(viewer_.port(), asset.path);
    EXPECT_EQ(answer.status, 200) << asset.path;
    EXPECT_EQ(answer.body, asset.text) << asset.path;
    EXPECT_THAT(answer.head, HasSubstr("Content-Type: " + std::string(asset.media_type) + "\r\n"));
  }
}

TEST_F(ViewerApi, AnswersHeadWithoutABody) {
  const HttpAnswer answer =
      cli_test::exchange(viewer_.port(), "HEAD /main.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "");
}

}  // namespace
}  // namespace kernbench
