// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/text_file.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using common::bad_input_of;
using common::TempFolder;
using testing::ElementsAre;
namespace fs = std::filesystem;

const fs::path kConfigs = places::source("/configs");

TopologySpec parse(const std::string& text) {
  return parse_topology_spec(text, "t.yaml");
}

TEST(ShippedTopology, IsTheDefault) {
  EXPECT_EQ(load_topology_spec(kConfigs / "topology.yaml"), TopologySpec());
}

TEST(ShippedTopology, ChangesForTheMazeOnlyWhatItNames) {
  TopologySpec expected;
  expected.system.sips = 1;
  expected.sip.inter_cube = InterCube::Maze;
  expected.sip.cube_mesh_w = 8;
  expected.sip.cube_mesh_h = 8;
  EXPECT_EQ(load_topology_spec(kConfigs / "topology-maze-8x8.yaml"), expected);
}

TEST(ShippedTopology, ChangesForTheTorusOnlyWhatItNames) {
  TopologySpec expected;
  expected.system.sips = 1;
  expected.sip.inter_cube = InterCube::Noc;
  expected.sip.noc_topology = {"BidirectionalTorus2D(4,4)", nullptr};
  expected.sip.noc.flit_bits = 256;
  expected.sip.noc.packet_flits = 8;
  EXPECT_EQ(load_topology_spec(kConfigs / "topology-noc-torus.yaml"), expected);
}

TEST(ShippedTopology, NamesItsSchemaForEditors) {
  for (const char* name : {"topology.yaml", "topology-maze-8x8.yaml", "topology-noc-torus.yaml"}) {
    const std::string text = common::read_text_file(kConfigs / name);
    EXPECT_TRUE(text.starts_with("# yaml-language-server: $schema=topology.schema.json\n")) << name;
  }
}

TEST(TopologySpec, TakesDefaultsForEverythingThatIsAbsent) {
  EXPECT_EQ(parse("{}"), TopologySpec());
  EXPECT_EQ(parse("system: {}\ncube: {placement: {sram: {}}}\n"), TopologySpec());
}

// All values differ, so that mixed-up keys are detected.
TEST(TopologySpec, ReadsEveryKeyOfSystemAndSip) {
  const TopologySpec spec = parse(R"(
system:
  sips: {count: 3}
  flit_bytes: 64
  request_bytes: 32
  message: {target_bytes: 33, region_bytes: 34, placement_bytes: 35}
  wire: {ns_per_mm: 0.5}
  host_cpu: {attrs: {overhead_ns: 1.25}}
  switch: {attrs: {overhead_ns: 2.25}}
  links:
    host_to_switch: {bw_gbs: 3.25, distance_mm: 4.25}
    switch_to_pcie_ep: {bw_gbs: 5.25, distance_mm: 6.25}
sip:
  inter_cube: maze
  cube_mesh: {w: 5, h: 7}
  maze:
    {flit_bits: 16, clock_ns: 7.25, order: yx, failed_node: 34, fabric: analytic, attach_bw_gbs: 8.25, attach_distance_mm: 9.25}
  io_chiplets:
    - id: west_io
      side: west
      pcie_ep: {attrs: {overhead_ns: 10.25}}
      io_cpu: {attrs: {overhead_ns: 11.25}}
      io_noc: {attrs: {overhead_ns: 12.25}}
      io_ucie: {attrs: {overhead_ns: 13.25}}
      conn: {attrs: {overhead_ns: 14.25}}
      links:
        pcie_ep_to_io_noc: {bw_gbs: 15.25, distance_mm: 16.25}
        io_cpu_to_io_noc: {bw_gbs: 17.25, distance_mm: 18.25}
        io_noc_to_conn: {bw_gbs: 19.25, distance_mm: 20.25}
        conn_to_io_ucie: {bw_gbs: 21.25, distance_mm: 22.25}
        io_ucie_to_cube: {bw_gbs: 23.25, distance_mm: 24.25}
    - {id: io1, side: south}
  links:
    ucie_mesh: {distance_mm: 25.25}
)");
  EXPECT_EQ(spec.system.sips, 3U);
  EXPECT_EQ(spec.system.flit_bytes, 64U);
  EXPECT_EQ(spec.system.request_bytes, 32U);
  EXPECT_EQ(spec.system.target_bytes, 33U);
  EXPECT_EQ(spec.system.region_bytes, 34U);
  EXPECT_EQ(spec.system.placement_bytes, 35U);
  EXPECT_EQ(spec.system.wire_ns_per_mm, 0.5);
  EXPECT_EQ(spec.system.host_cpu_overhead_ns, 1.25);
  EXPECT_EQ(spec.system.switch_overhead_ns, 2.25);
  EXPECT_EQ(spec.system.host_to_switch, (LinkSpec{3.25, 4.25}));
  EXPECT_EQ(spec.system.switch_to_pcie_ep, (LinkSpec{5.25, 6.25}));
  EXPECT_EQ(spec.sip.inter_cube, InterCube::Maze);
  EXPECT_EQ(spec.sip.cube_mesh_w, 5U);
  EXPECT_EQ(spec.sip.cube_mesh_h, 7U);
  EXPECT_EQ(spec.sip.maze,
            (MazeSpec{{7.25, FabricModel::Analytic, 8.25, 9.25}, 16, DimensionOrder::YX, 34}));
  EXPECT_EQ(spec.sip.ucie_mesh_distance_mm, 25.25);
  ASSERT_EQ(spec.sip.io_chiplets.size(), 2U);
  const IoChipletSpec& io = spec.sip.io_chiplets[0];
  EXPECT_EQ(io.id, "west_io");
  EXPECT_EQ(io.side, Side::West);
  EXPECT_EQ(io.pcie_ep_overhead_ns, 10.25);
  EXPECT_EQ(io.io_cpu_overhead_ns, 11.25);
  EXPECT_EQ(io.io_noc_overhead_ns, 12.25);
  EXPECT_EQ(io.io_ucie_overhead_ns, 13.25);
  EXPECT_EQ(io.conn_overhead_ns, 14.25);
  EXPECT_EQ(io.pcie_ep_to_io_noc, (LinkSpec{15.25, 16.25}));
  EXPECT_EQ(io.io_cpu_to_io_noc, (LinkSpec{17.25, 18.25}));
  EXPECT_EQ(io.io_noc_to_conn, (LinkSpec{19.25, 20.25}));
  EXPECT_EQ(io.conn_to_io_ucie, (LinkSpec{21.25, 22.25}));
  EXPECT_EQ(io.io_ucie_to_cube, (LinkSpec{23.25, 24.25}));
  IoChipletSpec second;
  second.id = "io1";
  second.side = Side::South;
  EXPECT_EQ(spec.sip.io_chiplets[1], second);
}

TEST(TopologySpec, ReadsEveryKeyOfACube) {
  const TopologySpec spec = parse(R"(
cube:
  geometry: {cube_mm: {w: 30.5, h: 20.5}}
  pe_layout: {corners: [SE, NW, NE], pe_per_corner: 4, max_column_gap_mm: 2.5}
  placement:
    m_cpu: {pos_mm: [2.5, 3.5]}
    sram: {pos_mm: [4.5, 6.5]}
  ucie: {n_connections: 6, phy: {attrs: {overhead_ns: 1.25}}, conn: {attrs: {overhead_ns: 2.25}}}
  memory_map:
    hbm_mapping_mode: per_cube
    hbm_stripe_bytes: 512
    hbm_interleave: modulo
    hbm_total_gb: 24
    slices_per_cube: 12
    hbm_total_bw_gbs: 3.25
    channels_per_slice: 16
    sram_mb: 8
    tcm_mb: 2
    page_bytes: 4096
  router: {attrs: {overhead_ns: 4.25}}
  m_cpu: {attrs: {overhead_ns: 5.25}}
  sram: {attrs: {overhead_ns: 6.25, bw_gbs: 7.25}}
  hbm_ctrl: {attrs: {overhead_ns: 8.25}}
  links:
    router_mesh: {bw_gbs: 9.25}
    router_to_hbm: {bw_gbs: 10.25, distance_mm: 11.25}
    router_to_mcpu: {bw_gbs: 12.25}
    router_to_sram: {bw_gbs: 13.25}
    pe_to_router: {bw_gbs: 14.25, distance_mm: 15.25}
    command: {bw_gbs: 16.25, distance_mm: 17.25}
    ucie_conn: {bw_gbs: 18.25, distance_mm: 19.25}
    ucie_internal: {bw_gbs: 20.25, distance_mm: 21.25}
)");
  const CubeSpec& cube = spec.cube;
  EXPECT_EQ(cube.w_mm, 30.5);
  EXPECT_EQ(cube.h_mm, 20.5);
  EXPECT_THAT(cube.corners, ElementsAre(Corner::SE, Corner::NW, Corner::NE));
  EXPECT_EQ(cube.pe_per_corner, 4U);
  EXPECT_EQ(cube.pes(), 12U);
  EXPECT_EQ(cube.max_column_gap_mm, 2.5);
  EXPECT_EQ(cube.m_cpu_pos, (PositionMm{2.5, 3.5}));
  EXPECT_EQ(cube.sram_pos, (PositionMm{4.5, 6.5}));
  EXPECT_EQ(cube.ucie_n_connections, 6U);
  EXPECT_EQ(cube.ucie_phy_overhead_ns, 1.25);
  EXPECT_EQ(cube.ucie_conn_overhead_ns, 2.25);
  EXPECT_EQ(cube.memory_map, (MemoryMapSpec{HbmMappingMode::PerCube, 512, HbmInterleave::Modulo, 24,
                                            12, 3.25, 16, 8, 2, 4096}));
  EXPECT_EQ(cube.memory_map.hbm_slice_bytes(), std::uint64_t{2} << 30U);
  EXPECT_EQ(cube.router_overhead_ns, 4.25);
  EXPECT_EQ(cube.m_cpu_overhead_ns, 5.25);
  EXPECT_EQ(cube.sram_overhead_ns, 6.25);
  EXPECT_EQ(cube.sram_bw_gbs, 7.25);
  EXPECT_EQ(cube.hbm_ctrl_overhead_ns, 8.25);
  EXPECT_EQ(cube.links, (CubeLinksSpec{9.25,
                                       {10.25, 11.25},
                                       12.25,
                                       13.25,
                                       {14.25, 15.25},
                                       {16.25, 17.25},
                                       {18.25, 19.25},
                                       {20.25, 21.25}}));
}

TEST(TopologySpec, ReadsEveryKeyOfAPeAndTheViews) {
  const TopologySpec spec = parse(R"(
pe:
  clock_ghz: 1.5
  pe_cpu: {attrs: {overhead_ns: 1.25}}
  pe_scheduler: {attrs: {overhead_ns: 2.25}}
  pe_dma: {attrs: {overhead_ns: 3.25}}
  pe_fetch_store: {attrs: {overhead_ns: 4.25}}
  pe_gemm: {attrs: {overhead_ns: 5.25, macs_per_cycle: 1024, accumulator_kb: 64}}
  pe_math: {attrs: {overhead_ns: 6.25, elements_per_cycle: 64}}
  pe_tcm: {attrs: {overhead_ns: 7.25, read_bw_gbs: 8.25, write_bw_gbs: 9.25}}
  pe_mmu: {attrs: {overhead_ns: 10.25, tlb_overhead_ns: 11.25}}
  pe_ipcq: {attrs: {overhead_ns: 12.25, slots: 8, slot_bytes: 512, backing: sram}}
  links:
    pe_internal: {bw_gbs: 13.25, distance_mm: 14.25}
visualization: {emit_views: [pe, system]}
)");
  EXPECT_EQ(spec.pe, (PeSpec{1.5,
                             1.25,
                             2.25,
                             3.25,
                             4.25,
                             5.25,
                             1024,
                             64,
                             6.25,
                             64,
                             7.25,
                             8.25,
                             9.25,
                             10.25,
                             11.25,
                             12.25,
                             8,
                             512,
                             SlotBacking::Sram,
                             {13.25, 14.25}}));
  EXPECT_THAT(spec.emit_views, ElementsAre(ViewLevel::Pe, ViewLevel::System));
}

TEST(TopologySpec, MayDrawNoViews) {
  EXPECT_TRUE(parse("visualization: {emit_views: []}\n").emit_views.empty());
}

TEST(TopologySpec, AcceptsBothEndsOfItsRanges) {
  EXPECT_NO_THROW(
      (void)parse("system: {sips: {count: 256}}\n"
                  "sip: {cube_mesh: {w: 16, h: 16}, inter_cube: maze}\n"));
  EXPECT_NO_THROW((void)parse("sip: {cube_mesh: {w: 1, h: 1}}\n"));
  EXPECT_NO_THROW((void)parse("sip: {cube_mesh: {w: 2, h: 2}, inter_cube: maze}\n"));
  EXPECT_NO_THROW((void)parse("cube: {memory_map: {hbm_total_gb: 512}}\n"));
}

TEST(TopologySpec, AcceptsTheSmallestCubesThatHoldTheirPes) {
  EXPECT_NO_THROW(
      (void)parse("cube: {geometry: {cube_mm: {w: 9.1}}, pe_layout: {corners: [SE], "
                  "pe_per_corner: 1}, memory_map: {slices_per_cube: 1}}\n"));
  EXPECT_NO_THROW(
      (void)parse("cube: {geometry: {cube_mm: {w: 12}}, pe_layout: {corners: [NW, SW]}, "
                  "memory_map: {slices_per_cube: 4}}\n"));
  EXPECT_NO_THROW((void)parse("cube: {geometry: {cube_mm: {w: 12, h: 9.2}}}\n"));
  EXPECT_NO_THROW((void)parse("cube: {geometry: {cube_mm: {h: 9}}, ucie: {n_connections: 2}}\n"));
  EXPECT_NO_THROW((void)parse("cube: {geometry: {cube_mm: {h: 10.4}}, ucie: {n_connections: 16}}"));
  EXPECT_NO_THROW(
      (void)parse("cube: {geometry: {cube_mm: {h: 9}, router_rows_per_half: 1}, "
                  "ucie: {n_connections: 16}}"));
  EXPECT_NO_THROW(
      (void)parse("cube: {geometry: {cube_mm: {w: 6}}, pe_layout: {max_column_gap_mm: 0.75, "
                  "pe_per_corner: 1}, memory_map: {slices_per_cube: 4}}\n"));
  EXPECT_NO_THROW(
      (void)parse("cube: {memory_map: {hbm_mapping_mode: per_cube, slices_per_cube: 6}}\n"));
  EXPECT_NO_THROW(
      (void)parse("cube:\n"
                  "  geometry: {cube_mm: {w: 9.1}}\n"
                  "  pe_layout: {pe_per_corner: 1}\n"
                  "  memory_map: {slices_per_cube: 4}\n"));
  EXPECT_NO_THROW(
      (void)parse("cube:\n"
                  "  geometry: {cube_mm: {w: 24}}\n"
                  "  pe_layout: {corners: [SW], pe_per_corner: 4}\n"
                  "  memory_map: {slices_per_cube: 4}\n"));
  EXPECT_NO_THROW(
      (void)parse("cube:\n"
                  "  geometry: {cube_mm: {w: 48}}\n"
                  "  pe_layout: {pe_per_corner: 8}\n"
                  "  memory_map: {slices_per_cube: 32}\n"));
}

TEST(TopologySpec, AcceptsAPageOfAWholeSliceAndSlotsThatFillTheirMemory) {
  EXPECT_NO_THROW((void)parse("cube: {memory_map: {hbm_total_gb: 1, page_bytes: 134217728}}\n"));
  EXPECT_NO_THROW((void)parse("pe: {pe_ipcq: {attrs: {slots: 64}}}\n"));
  EXPECT_NO_THROW((void)parse("pe: {pe_ipcq: {attrs: {slots: 32, backing: sram}}}\n"));
  EXPECT_NO_THROW(
      (void)parse("cube: {memory_map: {hbm_total_gb: 1}}\n"
                  "pe: {pe_ipcq: {attrs: {slots: 2048, backing: hbm}}}\n"));
}

TEST(TopologySpec, AcceptsPlacementsOnTheEdgesOfTheCube) {
  EXPECT_NO_THROW(
      (void)parse("cube: {placement: {m_cpu: {pos_mm: [0, 0]},"
                  " sram: {pos_mm: [17, 14]}}}\n"));
}

TEST(TopologySpec, AcceptsSeveralIoChipletsOnASide) {
  const auto spec = parse("sip: {io_chiplets: [{id: io0}, {id: io1}]}\n");
  EXPECT_EQ(spec.sip.io_chiplets.size(), 2U);
}

TEST(LoadTopologySpec, RefusesAMissingFileAndAFolder) {
  const TempFolder folder;
  const fs::path missing = folder.path() / "none.yaml";
  EXPECT_EQ(bad_input_of([&] { (void)load_topology_spec(missing); }),
            "error: cannot read '" + missing.string() + "': No such file or directory");
  EXPECT_EQ(bad_input_of([&] { (void)load_topology_spec(folder.path()); }),
            "error: cannot read '" + folder.path().string() + "': it is a folder");
  EXPECT_THAT(bad_input_of([] { (void)load_topology_spec(""); }),
              testing::StartsWith("error: cannot read ''"));
}

TEST(LoadTopologySpec, ExpandsTheHomeFolder) {
  const TempFolder folder;
  (void)folder.write("mine.yaml", "system: {sips: {count: 7}}\n");
  const char* const home = std::getenv("HOME");
  const std::string former = home == nullptr ? "" : home;
  ASSERT_EQ(setenv("HOME", folder.path().c_str(), 1), 0);
  EXPECT_EQ(load_topology_spec("~/mine.yaml").system.sips, 7U);
  EXPECT_EQ(bad_input_of([&] { (void)load_topology_spec("~"); }),
            "error: cannot read '" + folder.path().string() + "': it is a folder");
  EXPECT_EQ(bad_input_of([] { (void)load_topology_spec("~other/mine.yaml"); }),
            "error: cannot read '~other/mine.yaml': No such file or directory");
  ASSERT_EQ(unsetenv("HOME"), 0);
  EXPECT_EQ(bad_input_of([] { (void)load_topology_spec("~/mine.yaml"); }),
            "error: cannot read '~/mine.yaml': No such file or directory");
  if (home != nullptr) setenv("HOME", former.c_str(), 1);
}

TEST(LoadTopologySpec, RefusesAHugeFileWithoutReadingItAll) {
  const TempFolder folder;
  const fs::path path = folder.write("huge.yaml", "system: {}\n");
  fs::resize_file(path, 100'000'000);
  EXPECT_EQ(bad_input_of([&] { (void)load_topology_spec(path); }),
            "error: cannot read '" + path.string() + "': it has more than 1048576 bytes");
  // /dev/zero never ends.
  EXPECT_EQ(bad_input_of([] { (void)load_topology_spec("/dev/zero"); }),
            "error: cannot read '/dev/zero': it has more than 1048576 bytes");
}

TEST(ParseTopologySpec, AnswersEveryInputThatWasFuzzedWithASpecOrBadInput) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(places::source("/tests/fuzz/corpus/spec"))) {
    ++files;
    try {
      (void)parse(common::read_text_file(entry.path()));
    } catch (const common::BadInput& e) {
      EXPECT_FALSE(e.diagnostics().empty()) << entry.path();
    }
  }
  EXPECT_GT(files, 0U);
}

TEST(ParseTopologySpec, RefusesAHugeText) {
  EXPECT_EQ(bad_input_of([] { (void)parse("# " + std::string(1 << 20, 'x')); }),
            "t.yaml: error: the file has more than 1048576 bytes\n"
            "  hint: check that it is a YAML file");
}

}  // namespace
}  // namespace kernbench::topology
