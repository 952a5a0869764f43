// SPDX-License-Identifier: Apache-2.0
// Parts that are equally fast and lie in series.
#include "topology/routing/series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using Keys = std::vector<std::string>;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;

std::vector<Keys> groups(const TopologySpec& spec) {
  return equally_fast_in_series(compile_topology(spec));
}

TEST(Series, OfTheDefaultSystem) {
  const std::string hbm = "cube.memory_map.hbm_total_bw_gbs";
  const std::string mesh = "cube.links.router_mesh.bw_gbs";
  const std::string to_hbm = "cube.links.router_to_hbm.bw_gbs";
  const std::string to_sram = "cube.links.router_to_sram.bw_gbs";
  const std::string to_pe = "cube.links.pe_to_router.bw_gbs";
  const std::string conn = "cube.links.ucie_conn.bw_gbs";
  const std::string internal = "cube.links.ucie_internal.bw_gbs";
  const std::string read = "pe.pe_tcm.attrs.read_bw_gbs";
  const std::string write = "pe.pe_tcm.attrs.write_bw_gbs";
  const std::string in_pe = "pe.links.pe_internal.bw_gbs";
  EXPECT_THAT(
      groups({}),
      ElementsAre(Keys{hbm, conn, internal}, Keys{"cube.sram.attrs.bw_gbs", mesh, to_sram, to_pe},
                  Keys{mesh, to_hbm, to_pe}, Keys{mesh, to_sram, to_pe}, Keys{to_hbm, to_pe},
                  Keys{conn, internal}, Keys{read, in_pe}, Keys{write, in_pe}));
}

TEST(Series, HasNoPartThatIsFaster) {
  TopologySpec spec;
  spec.cube.links.ucie_conn.bw_gbs = 96.0;
  for (const Keys& keys : groups(spec)) {
    EXPECT_THAT(keys, Not(Contains("cube.links.ucie_conn.bw_gbs")));
    EXPECT_THAT(keys, Not(Contains("cube.links.ucie_internal.bw_gbs")));
  }
}

TEST(Series, FollowsTheLinksOfAMaze) {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.inter_cube = InterCube::Maze;
  for (const Keys& keys : groups(spec)) {
    EXPECT_GE(keys.size(), 2U);
    EXPECT_THAT(keys, Each(::testing::EndsWith("_gbs")));
  }
}

}  // namespace
}  // namespace kernbench::topology
