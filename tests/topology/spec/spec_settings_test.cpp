// SPDX-License-Identifier: Apache-2.0
// Keys that the command line sets on top of a file: the values, and the messages of every error.
#include <gtest/gtest.h>

#include "tests/common/expect_bad_input.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

const std::string kFile = "pe: {clock_ghz: 1.5}\nsip: {cube_mesh: {w: 2, h: 1}}\n";

std::string error_of_settings(const std::vector<std::string>& settings) {
  return common::bad_input_of([&] { (void)parse_topology_spec(kFile, "t.yaml", settings); });
}

TEST(SpecSettings, ReplaceTheKeysThatTheyNameAndNoOthers) {
  const TopologySpec spec = parse_topology_spec(
      kFile, "t.yaml", {"pe.clock_ghz=2", "sip.cube_mesh.h=3", "sip.inter_cube=maze"});
  EXPECT_EQ(spec.pe.clock_ghz, 2.0);
  EXPECT_EQ(spec.sip.cube_mesh_w, 2U);
  EXPECT_EQ(spec.sip.cube_mesh_h, 3U);
  EXPECT_EQ(spec.sip.inter_cube, InterCube::Maze);
  EXPECT_EQ(parse_topology_spec(kFile, "t.yaml").pe.clock_ghz, 1.5);
}

TEST(SpecSettings, ReportAllErrorsByTheOptionThatHasThem) {
  EXPECT_EQ(
      error_of_settings({"pe.clock=2", "sip.cube_mesh.w=x", "pe=3", "pe.clock_ghz"}),
      "--set topology.pe.clock=2: error: unknown key 'clock'\n"
      "  hint: did you mean 'clock_ghz'?\n"
      "--set topology.sip.cube_mesh.w=x: error: 'w' must be an integer from 1 to 16, not 'x'\n"
      "--set topology.pe=3: error: 'pe' must be a map, not '3'\n"
      "--set topology.pe.clock_ghz: error: 'clock_ghz' must be a number from 0.001 to 1000, not "
      "nothing");
}

TEST(SpecSettings, AreCheckedTogetherWithTheFile) {
  EXPECT_EQ(error_of_settings({"cube.geometry.cube_mm.w=1"}),
            "--set topology.cube.geometry.cube_mm.w=1: error: 2 PEs per corner do not fit into "
            "half of the cube's width: cube.geometry.cube_mm.w is 1\n"
            "  hint: a PE takes 3 mm: make it at least 12, or reduce cube.pe_layout.pe_per_corner\n"
            "--set topology.cube.geometry.cube_mm.w=1: error: cube.placement.m_cpu.pos_mm is [1.5, "
            "5.5] (the default), outside the cube\n"
            "  hint: x ranges from 0 to 1 and y from 0 to 14\n"
            "--set topology.cube.geometry.cube_mm.w=1: error: cube.placement.sram.pos_mm is [1.5, "
            "8.5] (the default), outside the cube\n"
            "  hint: x ranges from 0 to 1 and y from 0 to 14");
}

TEST(SpecSettings, HaveOneLineEach) {
  EXPECT_EQ(error_of_settings({"pe.clock_ghz=2\nsip: 3"}),
            "--set topology.pe.clock_ghz=2: error: a value of --set must be one line");
  EXPECT_EQ(error_of_settings({"pe.clock_ghz=a: b"}),
            "--set topology.pe.clock_ghz=a: b: error: illegal map value\n"
            "  hint: one ':' too many here, or a missing ':' in the line before");
}

}  // namespace
}  // namespace kernbench::topology
