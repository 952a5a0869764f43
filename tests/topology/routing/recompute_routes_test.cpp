// SPDX-License-Identifier: Apache-2.0
// scripts/recompute-routes.py finds the routes from the export alone, with a Dijkstra of its own.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"
#include "topology/export/graph_export.hpp"
#include "topology/graph/compile.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using cli_test::Finished;
using testing::StartsWith;

class RecomputeRoutes : public testing::Test {
 protected:
  [[nodiscard]] Finished run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {"/usr/bin/env", "python3",
                                      places::source("/scripts/recompute-routes.py")};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return cli_test::Process(words, folder_.path(), folder_.path()).wait();
  }
  [[nodiscard]] static std::string exported(const TopologyGraph& graph) {
    std::ostringstream out;
    to_json(graph, {}, out);
    return out.str();
  }

  /// Routes of 20 sources of every intent to 25 destinations each, as the script reads them.
  static std::string drawn_routes(const TopologyGraph& graph, std::uint64_t index) {
    common::Rng rng = common::Rng::stream(22, "recompute routes", index);
    const PathRouter router(graph);
    const auto draw = [&](std::vector<NodeKind> kinds) {
      for (;;) {
        const NodeId id(static_cast<std::uint32_t>(rng.below(graph.nodes().size())));
        const NodeKind kind = graph.node(id).kind;
        if (kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return id;
      }
    };
    std::string text;
    for (int s = 0; s < 20; ++s) {
      using enum NodeKind;
      const int intent = s % 4;
      const NodeId source = intent == 0   ? draw({PeDma})
                            : intent == 1 ? draw({MCpu})
                            : intent == 2 ? draw({PcieEp, HostCpu})
                            : s == 3      ? draw({UciePhy})
                                          : draw({});
      for (int g = 0; g < 25; ++g) {
        const NodeId goal = intent == 0   ? draw({HbmCtrl, PeTcm, Sram})
                            : intent == 3 ? g == 0 ? draw({UciePhy}) : draw({})
                                          : draw({HbmCtrl});
        const Path route = intent == 0   ? router.find_path(source, goal)
                           : intent == 1 ? router.find_mcpu_dma_path(source, goal)
                           : intent == 2 ? router.find_memory_path(source, goal)
                                         : router.find_node_path(source, goal);
        constexpr std::array<const char*, 4> kIntents = {"pe_dma", "mcpu_dma", "memory", "node"};
        text +=
            fmt::format("{} {}", kIntents.at(static_cast<std::size_t>(intent)), route.distance_nm);
        for (const NodeId node : route.nodes) text += fmt::format(" {}", graph.name(node));
        text += '\n';
      }
    }
    return text;
  }

  common::TempFolder folder_;
};

TopologySpec one_sip(std::uint32_t w, std::uint32_t h, std::uint32_t connections) {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = w;
  spec.sip.cube_mesh_h = h;
  spec.cube.ucie_n_connections = connections;
  return spec;
}

TEST_F(RecomputeRoutes, FindsTheSame500RoutesOnFiveSystems) {
  TopologySpec maze = one_sip(4, 4, 4);
  maze.sip.inter_cube = InterCube::Maze;
  TopologySpec moved = one_sip(3, 2, 8);
  moved.system.sips = 3;
  moved.cube.m_cpu_pos = {8.0, 1.0};
  moved.cube.links.command.distance_mm = 0.0;
  moved.cube.corners = {Corner::SE, Corner::NW, Corner::NE};
  const std::vector<TopologySpec> specs = {{}, one_sip(8, 5, 4), one_sip(3, 4, 3), maze, moved};
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const TopologyGraph graph = compile_topology(specs[i]);
    (void)folder_.write("export.json", exported(graph));
    (void)folder_.write("routes.txt", drawn_routes(graph, i));
    const Finished finished = run({"export.json", "routes.txt"});
    EXPECT_EQ(finished.out, "PASS  500 routes recomputed, all equal\n") << "system " << i;
    EXPECT_EQ(finished.err, "");
    EXPECT_EQ(finished.exit_code, 0);
  }
}

// Without the lanes of connections in the export, routes would change connections in a PHY.
TEST_F(RecomputeRoutes, NamesARouteThatDiffers) {
  const TopologyGraph graph = compile_topology(one_sip(2, 1, 4));
  (void)folder_.write("export.json", exported(graph));
  const Finished printed =
      run({"export.json", "--from", "sip0.cube0.pe3.pe_dma", "--to", "sip0.cube1.hbm_ctrl.pe0"});
  EXPECT_EQ(printed.out,
            "pe_dma 67500000 sip0.cube0.pe3.pe_dma sip0.cube0.noc.r1c5 sip0.cube0.ucie_e.c1 "
            "sip0.cube0.ucie_e sip0.cube1.ucie_w sip0.cube1.ucie_w.c1 sip0.cube1.noc.r1c0 "
            "sip0.cube1.noc.r0c0 sip0.cube1.hbm_ctrl.pe0\n");
  std::string other = printed.out;
  other.replace(other.find("ucie_w.c1 sip0.cube1.noc.r1c0 "), 30, "ucie_w.c0 ");
  (void)folder_.write("routes.txt", printed.out + other);
  const Finished finished = run({"export.json", "routes.txt"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.out, "routes.txt:2: from the export: " + printed.out.substr(7) +
                              "FAIL  1 of 2 routes differ\n");
}

TEST_F(RecomputeRoutes, RefusesOtherFiles) {
  (void)folder_.write("export.json", R"({"schema": 1, "kind": "probe", "data": {}})");
  (void)folder_.write("routes.txt", "");
  const Finished finished = run({"export.json", "routes.txt"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err, "error: export.json: not a 'topology' file of schema 1\n");
  (void)folder_.write("export.json", exported(compile_topology(one_sip(1, 1, 1))));
  EXPECT_EQ(run({"export.json", "routes.txt"}).out, "FAIL  nothing was compared\n");
  (void)folder_.write("routes.txt", "pe_dma far sip0.cube0.sram\n");
  EXPECT_EQ(run({"export.json", "routes.txt"}).err,
            "error: routes.txt:1: expected an intent, a length in nm and nodes\n");
  EXPECT_THAT(run({"export.json"}).err, StartsWith("usage: recompute-routes.py"));
}

}  // namespace
}  // namespace kernbench::topology
