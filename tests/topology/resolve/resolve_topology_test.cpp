// SPDX-License-Identifier: Apache-2.0
// resolve_topology(): compilation of a spec file (ADR-0053 "First action"), and regeneration of the
// mesh after a change of the file (its D8, row by row).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/diagnostics.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/resolve/resolve_topology.hpp"

namespace kernbench::topology {
namespace {

using ::testing::IsEmpty;

struct SpecChange {
  const char* name;
  const char* text;  ///< the whole spec after the change; before, all keys have their defaults
  bool regenerates;
};

class SpecBlastRadius : public ::testing::TestWithParam<SpecChange> {};

TEST_P(SpecBlastRadius, IsThatOfTheTable) {
  const common::TempFolder folder;
  const std::filesystem::path spec = folder.write("topology.yaml", "{}\n");
  EXPECT_FALSE(resolve_topology(spec).mesh_reused);
  EXPECT_TRUE(resolve_topology(spec).mesh_reused);
  (void)folder.write("topology.yaml", GetParam().text);
  const ResolvedTopology after = resolve_topology(spec);
  EXPECT_EQ(after.mesh_reused, !GetParam().regenerates);
  EXPECT_THAT(after.warnings, IsEmpty());
  EXPECT_EQ(after.graph.mesh(), lay_out_cube_mesh(after.graph.spec().cube));
}

const SpecChange kChanges[] = {
    {"system_sips_count", "system: {sips: {count: 3}}", false},
    {"sip_cube_mesh_w", "sip: {cube_mesh: {w: 5}}", false},
    {"sip_cube_mesh_h", "sip: {cube_mesh: {h: 5}}", false},
    {"cube_geometry_w", "cube: {geometry: {cube_mm: {w: 18.0}}}", true},
    {"cube_geometry_h", "cube: {geometry: {cube_mm: {h: 15.0}}}", true},
    {"cube_pe_layout_corners",
     "cube: {pe_layout: {corners: [NW, SE]}, memory_map: {slices_per_cube: 4}}", true},
    {"cube_pe_layout_pe_per_corner",
     "cube: {pe_layout: {pe_per_corner: 1}, memory_map: {slices_per_cube: 4}}", true},
    {"cube_ucie_n_connections", "cube: {ucie: {n_connections: 2}}", true},
    {"cube_placement_m_cpu", "cube: {placement: {m_cpu: {pos_mm: [2.0, 5.5]}}}", true},
    {"cube_placement_sram", "cube: {placement: {sram: {pos_mm: [2.0, 8.5]}}}", true},
    {"cube_memory_map_capacity", "cube: {memory_map: {hbm_total_gb: 24}}", false},
    {"cube_memory_map_bandwidth", "cube: {memory_map: {hbm_total_bw_gbs: 2048.0}}", false},
    {"system_link_bandwidth", "system: {links: {host_to_switch: {bw_gbs: 32.0}}}", false},
    {"cube_link_bandwidth", "cube: {links: {router_mesh: {bw_gbs: 32.0}}}", false},
    {"pe_link_bandwidth", "pe: {links: {pe_internal: {bw_gbs: 32.0}}}", false},
    {"cube_overhead", "cube: {router: {attrs: {overhead_ns: 3.0}}}", false},
    {"pe_overhead", "pe: {pe_dma: {attrs: {overhead_ns: 3.0}}}", false},
};

INSTANTIATE_TEST_SUITE_P(D8, SpecBlastRadius, ::testing::ValuesIn(kChanges),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(ResolveTopology, ShippedSpecsCompile) {
  const common::TempFolder folder;
  for (const char* name : {"topology.yaml", "topology-maze-8x8.yaml"}) {
    std::filesystem::copy(std::filesystem::path(KB_SOURCE_DIR "/configs") / name, folder.path());
    const ResolvedTopology resolved = resolve_topology(folder.path() / name);
    EXPECT_GT(resolved.graph.nodes().size(), 4000U) << name;
    EXPECT_THAT(resolved.warnings, IsEmpty());
  }
}

TEST(ResolveTopology, TheShippedDefaultSpecCompilesToTheGraphOfTheDefaults) {
  const common::TempFolder folder;
  std::filesystem::copy(KB_SOURCE_DIR "/configs/topology.yaml", folder.path());
  const TopologyGraph shipped = resolve_topology(folder.path() / "topology.yaml").graph;
  EXPECT_EQ(shipped.spec(), TopologySpec{});
  EXPECT_EQ(shipped.nodes().size(), 4312U);
  EXPECT_EQ(shipped.edges().size(), 15198U);
}

TEST(ResolveTopology, ASpecThatIsWrongLeavesNoMeshFile) {
  const common::TempFolder folder;
  const std::filesystem::path spec = folder.write("topology.yaml", "sytem: {}\n");
  EXPECT_THROW((void)resolve_topology(spec), common::BadInput);
  EXPECT_EQ(folder.files(), 1U);
}

}  // namespace
}  // namespace kernbench::topology
