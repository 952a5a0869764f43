// SPDX-License-Identifier: Apache-2.0
// Numbers of a spec that are changed by their full names.
#include "topology/spec/spec_change.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <stdexcept>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

TopologySpec changed(std::string_view text) {
  return changed_spec(TopologySpec(), parse_spec_changes(text));
}

std::string error_of(std::string_view text) {
  try {
    (void)changed(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(SpecChange, MultipliesAndDividesNumbers) {
  TopologySpec expected;
  expected.cube.memory_map.hbm_total_bw_gbs = 2048.0;
  expected.pe.pe_gemm_macs_per_cycle = 1024;
  expected.sip.io_chiplets[0].pcie_ep_to_io_noc.bw_gbs = 64.0;
  EXPECT_EQ(changed("cube.memory_map.hbm_total_bw_gbs*2,pe.pe_gemm.attrs.macs_per_cycle/4,"
                    "sip.io_chiplets[0].links.pcie_ep_to_io_noc.bw_gbs*0.5"),
            expected);
}

TEST(SpecChange, NamesEveryMistake) {
  EXPECT_EQ(error_of("pe.clock_ghz,*2,pe.clock_ghz*x,pe.clock_ghz*0"),
            "'pe.clock_ghz' is not a key of a topology file, * or /, and a number above 0, such as "
            "pe.clock_ghz*2\n"
            "'*2' is not a key of a topology file, * or /, and a number above 0, such as "
            "pe.clock_ghz*2\n"
            "'pe.clock_ghz*x' is not a key of a topology file, * or /, and a number above 0, such "
            "as pe.clock_ghz*2\n"
            "'pe.clock_ghz*0' is not a key of a topology file, * or /, and a number above 0, such "
            "as pe.clock_ghz*2");
  EXPECT_EQ(error_of("pe.clok_ghz*2,pe.pe_ipcq.attrs.backing*2,pe.pe_ipcq.attrs.slots/3,"
                     "system.sips.count*1000,cube.hbm_ctrl.attrs.overhead_ns*1e9"),
            "'system.sips.count*1000' makes 2000 of 2, which must be 1 to 256\n"
            "'cube.hbm_ctrl.attrs.overhead_ns*1e9' makes 30000000000 of 30, which must be 0 to "
            "1000000000\n"
            "'pe.pe_ipcq.attrs.slots/3' makes 1.3333333333333333 of 4, which must be a whole "
            "number\n"
            "'pe.pe_ipcq.attrs.backing*2' changes a key that is not a number\n"
            "'pe.clok_ghz*2': there is no number 'pe.clok_ghz'; did you mean 'pe.clock_ghz'?");
}

TEST(SpecChange, KnowsTheNumbersWithAUnit) {
  std::map<std::string, std::optional<double>> values;
  for (const SpecNumber& number : sized_numbers(TopologySpec())) {
    EXPECT_TRUE(values.emplace(number.key, number.value).second) << number.key;
  }
  EXPECT_EQ(values.at("pe.clock_ghz"), 1.0);
  EXPECT_EQ(values.at("cube.memory_map.hbm_total_bw_gbs"), 1024.0);
  EXPECT_EQ(values.at("system.wire.ns_per_mm"), 0.01);
  EXPECT_EQ(values.at("cube.geometry.cube_mm.w"), 17.0);
  EXPECT_EQ(values.at("pe.pe_gemm.attrs.accumulator_kb"), 256.0);
  EXPECT_EQ(values.at("sip.io_chiplets[0].links.pcie_ep_to_io_noc.bw_gbs"), 128.0);
  EXPECT_EQ(values.at("cube.placement.sram.pos_mm"), std::nullopt);
  for (const char* key : {"system.flit_bytes", "sip.maze.flit_bits", "pe.pe_ipcq.attrs.slots",
                          "cube.memory_map.channels_per_slice", "cube.ucie.n_connections",
                          "cube.geometry.router_rows_per_half"}) {
    EXPECT_FALSE(values.contains(key)) << key;
  }
}

TEST(SpecChange, WritesWhatItReads) {
  EXPECT_EQ(change_text({"pe.clock_ghz", "a.b"}, 2.0), "pe.clock_ghz*2,a.b*2");
  EXPECT_EQ(change_text({"pe.clock_ghz"}, 0.5), "pe.clock_ghz/2");
}

TEST(SpecChange, KeepsTheRulesBetweenKeys) {
  EXPECT_EQ(error_of("cube.memory_map.slices_per_cube*2"),
            "cube.memory_map.slices_per_cube is 16, but the cube has 8 PEs: each PE owns one HBM "
            "slice: make it 8");
}

}  // namespace
}  // namespace kernbench::topology
