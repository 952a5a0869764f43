// SPDX-License-Identifier: Apache-2.0
// Keys that the command line sets on top of a file: the values, and the messages of every error.
#include <gtest/gtest.h>

#include "tests/common/expect_bad_input.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::topology {
namespace {

const std::string kFile = "pe: {clock_ghz: 1.5}\nsip: {cube_mesh: {w: 2, h: 1}}\n";

std::string error_of_settings(const std::vector<std::string>& settings) {
  return common::bad_input_of([&] { (void)parse_topology_spec(kFile, "t.yaml", settings); });
}

TEST(SpecSettings, ReplaceTheKeysThatTheyNameAndNoOthers) {
  const TopologySpec spec = parse_topology_spec(
      kFile, "t.yaml", {"pe.clock_ghz=2", "sip.cube_mesh.h=3", "sip.inter_cube=ucie"});
  EXPECT_EQ(spec.pe.clock_ghz, 2.0);
  EXPECT_EQ(spec.sip.cube_mesh_w, 2U);
  EXPECT_EQ(spec.sip.cube_mesh_h, 3U);
  EXPECT_EQ(parse_topology_spec(kFile, "t.yaml").pe.clock_ghz, 1.5);
}

TEST(SpecSettings, ReportAllErrorsByTheOptionThatHasThem) {
  EXPECT_EQ(error_of_settings({"pe.clock=2", "sip.cube_mesh.w=x", "pe=3", "pe.clock_ghz"}), "@");
}

TEST(SpecSettings, AreCheckedTogetherWithTheFile) {
  EXPECT_EQ(error_of_settings({"cube.geometry.w_mm=1"}), "@");
}

TEST(SpecSettings, HaveOneLineEach) {
  EXPECT_EQ(error_of_settings({"pe.clock_ghz=2\nsip: 3"}), "@");
  EXPECT_EQ(error_of_settings({"pe.clock_ghz=a: b"}), "@");
}

}  // namespace
}  // namespace kernbench::topology
