// SPDX-License-Identifier: Apache-2.0
// Numbers of a spec that are changed by their full names.
#include "topology/spec/spec_change.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "common/diagnostics.hpp"
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
  } catch (const common::BadInput& error) {
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

TEST(SpecChange, KnowsWhichKeysAreSpeeds) {
  const auto is_speed = [](const char* key) { return changes_speed({key, key, 2.0}); };
  for (const char* key :
       {"pe.clock_ghz", "cube.memory_map.hbm_total_bw_gbs", "system.wire.ns_per_mm",
        "pe.pe_gemm.attrs.macs_per_cycle", "sip.maze.clock_ns", "cube.links.command.distance_mm"}) {
    EXPECT_TRUE(is_speed(key)) << key;
  }
  for (const char* key : {"system.flit_bytes", "sip.maze.flit_bits", "pe.pe_ipcq.attrs.slots",
                          "cube.geometry.cube_mm.w", "cube.memory_map.channels_per_slice"}) {
    EXPECT_FALSE(is_speed(key)) << key;
  }
}

TEST(SpecChange, KeepsTheRulesBetweenKeys) {
  EXPECT_EQ(error_of("cube.memory_map.slices_per_cube*2"),
            "--what-if: error: cube.memory_map.slices_per_cube is 16, but the cube has 8 PEs\n"
            "  hint: each PE owns one HBM slice: make it 8");
}

}  // namespace
}  // namespace kernbench::topology
