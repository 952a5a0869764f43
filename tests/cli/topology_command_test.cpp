// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench topology` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::files_under;
using cli_test::Finished;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class TopologyCommand : public ::testing::Test {
 protected:
  TopologyCommand() { write_spec("system: {sips: {count: 1}}\n"); }

  void write_spec(const std::string& text) const { (void)folder_.write("topology.yaml", text); }
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    const fs::path scratch = folder_.path() / "scratch";
    fs::create_directories(scratch);
    arguments.insert(arguments.begin(), "topology");
    return cli_test::kernbench(arguments, folder_.path(), scratch);
  }
  /// Runs a topology command on the spec of the test.
  [[nodiscard]] Finished run_on_spec(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--topology", "topology.yaml"});
    return run(std::move(arguments));
  }

  common::TempFolder folder_;
};

TEST_F(TopologyCommand, BuildDrawsTheViewsThatTheSpecNamesAndLeavesTheMeshBesideIt) {
  const Finished finished = run_on_spec({"build", "-o", "pictures"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.err, IsEmpty());
  EXPECT_THAT(finished.out, StartsWith("1 SIP of 4 x 4 cubes of 8 PEs, joined by a UCIe mesh\n"
                                       "2,157 nodes\n"));
  EXPECT_THAT(files_under(folder_.path() / "pictures"),
              ElementsAre("cube_view.svg", "sip_view.svg", "system_view.svg"));
  EXPECT_TRUE(fs::exists(folder_.path() / "topology.cube_mesh.yaml"));
}

TEST_F(TopologyCommand, BuildDrawsOnlyTheViewsAskedForAndThePeOnRequest) {
  write_spec("visualization: {emit_views: [cube]}\n");
  EXPECT_EQ(run_on_spec({"build", "-o", "pictures", "--pe-view"}).exit_code, 0);
  EXPECT_THAT(files_under(folder_.path() / "pictures"),
              ElementsAre("cube_view.svg", "pe_view.svg"));
}

TEST_F(TopologyCommand, AnEditedMeshFileIsReplacedWithAWarning) {
  EXPECT_EQ(run_on_spec({"show"}).exit_code, 0);
  std::ofstream(folder_.path() / "topology.cube_mesh.yaml", std::ios::app) << "# mine\n";
  const Finished finished = run_on_spec({"show"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err,
            "warning: topology.cube_mesh.yaml: is damaged or was edited; it is regenerated\n");
  EXPECT_THAT(run_on_spec({"show"}).err, IsEmpty());
}

TEST_F(TopologyCommand, ShowsANodeWithItsEdges) {
  const Finished finished = run_on_spec({"show", "--node", "sip0.cube0.sram"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out,
            "sip0.cube0.sram\n"
            "  kind      sram\n"
            "  overhead  4 ns\n"
            "  position  1.5 mm, 21.5 mm in its SIP\n"
            "  edges\n"
            "    to sip0.cube0.noc.r3c0  sram_to_router            256 GB/s           0 mm\n");
}

TEST_F(TopologyCommand, PrintsARouteToAnAddressHopByHop) {
  // Slice 1 of cube 0 begins at 6 GiB.
  const Finished finished =
      run_on_spec({"route", "--from", "sip0.cube0.pe0", "--to", "0x0000000180000000"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out,
            " hop  node                     edge                     bandwidth         length\n"
            "   0  sip0.cube0.pe0.pe_dma\n"
            "   1  sip0.cube0.noc.r0c0      pe_to_router              256 GB/s         0.5 mm\n"
            "   2  sip0.cube0.noc.r0c1      router_mesh               256 GB/s           3 mm\n"
            "   3  sip0.cube0.hbm_ctrl.pe1  router_to_hbm             256 GB/s         0.5 mm\n"
            "3 hops, 4 mm of wire, routing distance 4 mm, narrowest 256 GB/s\n");
}

TEST_F(TopologyCommand, PrintsBothLinksOfAHopThroughTheMaze) {
  const Finished finished =
      run({"route", "--topology", places::source("/configs/topology-maze-8x8.yaml"), "--from",
           "sip0.cube48.m_cpu", "--to", "sip0.cube27.hbm_ctrl.pe5", "--intent", "mcpu_dma"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out,
            " hop  node                      edge                     bandwidth         length\n"
            "   0  sip0.cube48.m_cpu\n"
            "   1  sip0.cube48.noc.r2c0      mcpu_to_router             64 GB/s           0 mm\n"
            "   2  sip0.cube48.noc.r1c0      router_mesh               256 GB/s         1.5 mm\n"
            "   3  sip0.cube48.maze          maze_attach               256 GB/s         0.5 mm\n"
            "   4  sip0.cube51.maze          maze_link                   1 GB/s          54 mm  2 "
            "IRS stages\n"
            "   4  sip0.cube27.maze          maze_link                   1 GB/s          45 mm  2 "
            "IRS stages\n"
            "   5  sip0.cube27.noc.r4c0      maze_attach               256 GB/s         0.5 mm\n"
            "   6  sip0.cube27.noc.r4c1      router_mesh               256 GB/s           3 mm\n"
            "   7  sip0.cube27.hbm_ctrl.pe5  router_to_hbm             256 GB/s         0.5 mm\n"
            "7 hops, 105 mm of wire, routing distance 166 mm, narrowest 1 GB/s\n");
}

TEST_F(TopologyCommand, EveryIntentHasARouteOfItsOwn) {
  const auto last_line = [this](const std::vector<std::string>& arguments) {
    const std::string out = run_on_spec(arguments).out;
    return out.substr(out.rfind('\n', out.size() - 2) + 1);
  };
  EXPECT_THAT(last_line({"route", "--from", "sip0.cube0.m_cpu", "--to", "sip0.cube0.hbm_ctrl.pe4",
                         "--intent", "mcpu_dma"}),
              StartsWith("4 hops, 5 mm of wire"));
  EXPECT_THAT(last_line({"route", "--from", "sip0.io0.pcie_ep", "--to", "sip0.cube1.hbm_ctrl.pe0",
                         "--intent", "memory"}),
              StartsWith("7 hops, 6 mm of wire"));
  EXPECT_THAT(last_line({"route", "--from", "sip0.io0.io_cpu", "--to", "sip0.cube0.pe0.pe_cpu",
                         "--intent", "node"}),
              StartsWith("7 hops, 5 mm of wire"));
}

TEST_F(TopologyCommand, ExportsTheSameJsonTwice) {
  const Finished first = run_on_spec({"export"});
  EXPECT_EQ(first.exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(first.out);
  EXPECT_EQ(json["kind"], "topology");
  EXPECT_EQ(json["data"]["nodes"].size(), 2157U);
  EXPECT_EQ(run_on_spec({"export"}).out, first.out);
}

TEST_F(TopologyCommand, TheCommandInAReportIsQuotedForTheShell) {
  (void)folder_.write("my topology.yaml", "system: {sips: {count: 1}}\n");
  const Finished finished = run({"export", "--topology", "my topology.yaml"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(nlohmann::json::parse(finished.out).at("command"),
            "kernbench topology export --topology 'my topology.yaml'");
}

TEST_F(TopologyCommand, ATildeStandsForTheHomeFolderWhereTheShellLeavesIt) {
  setenv("HOME", folder_.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe): no threads here
  EXPECT_EQ(run({"export", "--topology=~/topology.yaml", "-o", "graph.json"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "topology.cube_mesh.yaml"));
}

TEST_F(TopologyCommand, ExportsToAFile) {
  EXPECT_EQ(run_on_spec({"export", "--format", "dot", "-o", "graph.dot"}).out, "wrote graph.dot\n");
  EXPECT_THAT(common::read_text_file(folder_.path() / "graph.dot"),
              HasSubstr("\ndigraph topology {\n  layout=nop2;\n"));
  EXPECT_EQ(run_on_spec({"export", "--format", "graphml", "-o", "graph.xml"}).exit_code, 0);
}

TEST_F(TopologyCommand, CheckPassesWithAWarningAboutDeadlockThatStrictMakesAnError) {
  write_spec("system: {sips: {count: 1}}\ncube: {ucie: {n_connections: 2}}\n");
  const Finished finished = run_on_spec({"check"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, HasSubstr("warning: deadlock: 29 channels may wait for each other"));
  EXPECT_THAT(finished.out, EndsWith("PASS\n"));
  EXPECT_EQ(run_on_spec({"check", "--strict"}).exit_code, 1);
}

TEST_F(TopologyCommand, CheckProvesTheDefaultSystemFreeOfDeadlock) {
  const Finished finished = run_on_spec({"check", "--strict"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out,
            "checked 2,157 nodes and 7,600 edges\n"
            "followed 16,512 routes of every PE: 2,317 channels and 4,032 dependencies\n"
            "no deadlock: the channel dependency graph has no cycle\nPASS\n");
}

TEST_F(TopologyCommand, CheckProvesAMazeFreeOfDeadlock) {
  write_spec("system: {sips: {count: 1}}\nsip: {inter_cube: maze}\n");
  const Finished finished = run_on_spec({"check", "--strict"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out,
              HasSubstr("no deadlock: the channel dependency graph has no cycle\nPASS\n"));
}

TEST_F(TopologyCommand, SchemaPrintsTheShippedFile) {
  EXPECT_EQ(run({"schema"}).out,
            common::read_text_file(places::source("/configs/topology.schema.json")));
}

TEST_F(TopologyCommand, ZooListsItsKinds) {
  const Finished finished = run({"zoo"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, HasSubstr("BidirectionalTorus2D(nx, ny)"));
  EXPECT_THAT(finished.out, HasSubstr("\nup_down          up*/down* over a spanning tree;"));
}

TEST_F(TopologyCommand, ZooFailsARingWithoutVirtualChannelsAndShowsItsCycle) {
  const Finished bare = run({"zoo", "UnidirectionalTorus1D(4)", "--no-vcs"});
  EXPECT_EQ(bare.exit_code, 1);
  EXPECT_THAT(bare.out, HasSubstr("  0->1 vc0, 1->2 vc0, 2->3 vc0, 3->0 vc0, back to 0->1 vc0\n"));
  EXPECT_EQ(run({"zoo", "UnidirectionalTorus1D(4)"}).exit_code, 0);
}

TEST_F(TopologyCommand, ZooFailsANetworkWhoseNodesCannotReachEachOther) {
  (void)folder_.write("islands.csv", "# nodes: 4\nsrc,dst\n0,1\n1,0\n2,3\n3,2\n");
  (void)folder_.write("islands.yaml",
                      "topology: {kind: CustomTopology, edges_from: islands.csv}\n");
  const Finished islands = run({"zoo", "--spec", "islands.yaml", "-o", "islands.json"});
  EXPECT_EQ(islands.exit_code, 1);
  EXPECT_THAT(islands.out, HasSubstr("pairs: 12, 4 of them joined by channels\n"));
  EXPECT_THAT(islands.out, HasSubstr("\nFAIL  no path for 8 of 12 pairs\n"));
  EXPECT_THAT(common::read_text_file(folder_.path() / "islands.json"),
              HasSubstr("\"outcome\": \"mismatch\""));
  (void)folder_.write(
      "mixed.graphml",
      "<graphml><graph edgedefault=\"undirected\"><node id=\"R0\"/><node id=\"R1\"/>"
      "<node id=\"R2\"/><edge source=\"R0\" target=\"R1\" directed=\"true\"/>"
      "<edge source=\"R1\" target=\"R2\"/></graph></graphml>\n");
  (void)folder_.write("mixed.yaml",
                      "topology: {kind: CustomTopology, edges_from: mixed.graphml}\n");
  const Finished mixed = run({"zoo", "--spec", "mixed.yaml"});
  EXPECT_EQ(mixed.exit_code, 1);
  EXPECT_THAT(mixed.out, HasSubstr("not joined by channels: 2\n  from node R1 to node R0\n"
                                   "  from node R2 to node R0\n"));
  EXPECT_THAT(mixed.out, HasSubstr("\nFAIL  no path for 2 of 6 pairs\n"));
}

TEST_F(TopologyCommand, ZooPassesPartialNetworks) {
  (void)folder_.write("islands.csv", "# nodes: 4\nsrc,dst\n0,1\n1,0\n2,3\n3,2\n");
  (void)folder_.write("islands.yaml",
                      "topology: {kind: CustomTopology, edges_from: islands.csv, partial: true}\n");
  const Finished islands = run({"zoo", "--spec", "islands.yaml"});
  EXPECT_EQ(islands.exit_code, 0);
  EXPECT_THAT(islands.out, HasSubstr("not joined by channels, as the topology allows: 8\n"));
}

TEST_F(TopologyCommand, ZooRoutesByAFileThatItWrote) {
  ASSERT_EQ(run({"zoo", "Mesh2D(3,2)", "-o", "mesh.json", "--routes", "mesh.csv"}).exit_code, 0);
  for (const std::string name : {"mesh.json", "mesh.csv"}) {
    (void)folder_.write("own.yaml",
                        "topology: {kind: Mesh2D, nx: 3, ny: 2}\nroutes: " + name + "\n");
    const Finished own = run({"zoo", "--spec", "own.yaml", "--routes", "again.csv"});
    EXPECT_EQ(own.exit_code, 0) << own.err;
    EXPECT_THAT(own.out, HasSubstr("routing: table " + name + " ("));
    EXPECT_EQ(common::read_text_file(folder_.path() / "again.csv"),
              common::read_text_file(folder_.path() / "mesh.csv"));
  }
  EXPECT_EQ(run({"zoo", "--spec", "own.yaml", "--no-vcs"}).err,
            "error: --no-vcs excludes 'routes' and 'routing' in the --spec file\n");
}

TEST_F(TopologyCommand, ZooSaysWhatAFormatCannotExpress) {
  (void)folder_.write("net.anynet", "router 0 node 0 node 1 router 1\nrouter 1 node 2\n");
  (void)folder_.write("net.yaml", "topology: {kind: CustomTopology, edges_from: net.anynet}\n");
  const Finished csv = run({"zoo", "--spec", "net.yaml", "--format", "csv", "-o", "net.csv"});
  EXPECT_EQ(csv.exit_code, 0);
  EXPECT_EQ(common::read_text_file(folder_.path() / "net.csv"),
            "# nodes: 2\n# endpoints: 2,1\nsrc,dst\n0,1\n1,0\n");
  (void)folder_.write(
      "two.graphml",
      "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
      "<edge source=\"a\" target=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>\n");
  (void)folder_.write("two.yaml", "topology: {kind: CustomTopology, edges_from: two.graphml}\n");
  const Finished two = run({"zoo", "--spec", "two.yaml", "--format", "csv", "-o", "two.csv"});
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_THAT(two.err,
              HasSubstr("--format csv has no parallel channels; json and graphml have them"));
  EXPECT_FALSE(fs::exists(folder_.path() / "two.csv"));
}

TEST_F(TopologyCommand, ZooOfOneNodeHasNothingToCheck) {
  const Finished one = run({"zoo", "Mesh2D(1,1)"});
  EXPECT_EQ(one.exit_code, 1);
  EXPECT_THAT(one.out, HasSubstr("\nVACUOUS  no pair of nodes has a route to check\n"));
}

TEST_F(TopologyCommand, ZooDrawsATopologyOfAFile) {
  const Finished finished =
      run({"zoo", "--spec", places::source("/configs/zoo/hierarchical.yaml"), "--svg", "h.svg"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(common::read_text_file(folder_.path() / "h.svg"), StartsWith("<svg"));
}

TEST_F(TopologyCommand, ZooExportsInThreeFormatsWithRoutes) {
  const auto text = [&](const std::string& name) {
    return common::read_text_file(folder_.path() / name);
  };
  const std::string kind = "BidirectionalLine(2)";
  const Finished csv =
      run({"zoo", kind, "--format", "csv", "-o", "line.csv", "--routes", "routes.csv"});
  EXPECT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_THAT(csv.out, StartsWith("wrote line.csv\nwrote routes.csv\ntopology: "));
  EXPECT_EQ(text("line.csv"), "# nodes: 2\nsrc,dst\n0,1\n1,0\n");
  EXPECT_EQ(text("routes.csv"), "src,dst,step,from,to,vc\n0,1,0,0,1,0\n1,0,0,1,0,0\n");
  EXPECT_EQ(run({"zoo", kind, "--format", "graphml", "-o", "line.graphml"}).exit_code, 0);
  EXPECT_THAT(text("line.graphml"), HasSubstr("<edge source=\"n1\" target=\"n0\"/>"));
  EXPECT_EQ(run({"zoo", kind, "-o", "line.json"}).exit_code, 0);
  EXPECT_THAT(text("line.json"), HasSubstr(R"({"dst":0,"hops":[[1,0]],"src":1})"));
}

}  // namespace
}  // namespace kernbench
