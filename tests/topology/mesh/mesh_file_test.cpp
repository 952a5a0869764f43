// SPDX-License-Identifier: Apache-2.0
// The mesh file: reuse, regeneration, and failures that must not happen (ADR-0053 D2, D8).
#include "topology/mesh/mesh_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <thread>

#include "common/atomic_file.hpp"
#include "common/hash.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/spec/cube_spec.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::topology {
namespace {

using common::read_text_file;
using common::write_file_atomically;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class MeshFileTest : public ::testing::Test {
 protected:
  [[nodiscard]] MeshFile ensure(const CubeSpec& cube = {}) const {
    return ensure_mesh_file(cube, path_);
  }
  void replace(const std::string& what, const std::string& by) const {
    std::string text = read_text_file(path_);
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    write_file_atomically(path_, text.replace(at, what.size(), by));
  }
  /// Checks that the current file is replaced by a valid one, with a warning that gives the reason.
  void expect_replaced(const std::string& why) const {
    const MeshFile made = ensure();
    EXPECT_FALSE(made.reused);
    EXPECT_EQ(made.mesh, lay_out_cube_mesh({}));
    EXPECT_EQ(made.warning, path_.string() + ": " + why + "; it is regenerated");
    EXPECT_TRUE(ensure().reused);
  }

  common::TempFolder folder_;
  std::filesystem::path path_ = folder_.path() / "a.cube_mesh.yaml";
};

TEST_F(MeshFileTest, IsMadeWhereThereIsNone) {
  const MeshFile made = ensure();
  EXPECT_FALSE(made.reused);
  EXPECT_EQ(made.warning, std::nullopt);
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(MeshFileTest, IsReusedForTheSameCubeAndGivesTheSameMesh) {
  const CubeMesh first = ensure().mesh;
  const std::string text = read_text_file(path_);
  const MeshFile second = ensure();
  EXPECT_TRUE(second.reused);
  EXPECT_EQ(second.mesh, first);
  EXPECT_EQ(read_text_file(path_), text);
}

TEST_F(MeshFileTest, SaysWhereEverythingAttaches) {
  (void)ensure();
  EXPECT_THAT(read_text_file(path_),
              EndsWith(R"(columns_mm: [1.5, 4.5, 7.166667, 9.833333, 12.5, 15.5]
rows_mm: [1.5, 4, 5.5, 8.5, 10, 12.5]
rows_per_half: 2
# Router slots are [row, column]; the HBM zone between these two has none.
hbm_first: [2, 2]
hbm_last: [3, 3]
pes:
  - {center_mm: [1.5, 1.5], router: [0, 0]}
  - {center_mm: [4.5, 1.5], router: [0, 1]}
  - {center_mm: [12.5, 4], router: [1, 4]}
  - {center_mm: [15.5, 4], router: [1, 5]}
  - {center_mm: [1.5, 10], router: [4, 0]}
  - {center_mm: [4.5, 10], router: [4, 1]}
  - {center_mm: [12.5, 12.5], router: [5, 4]}
  - {center_mm: [15.5, 12.5], router: [5, 5]}
m_cpu: [2, 0]
sram: [3, 0]
ucie_n: [[0, 0], [0, 1], [0, 4], [0, 5]]
ucie_e: [[0, 5], [1, 5], [4, 5], [5, 5]]
ucie_s: [[5, 0], [5, 1], [5, 4], [5, 5]]
ucie_w: [[0, 0], [1, 0], [4, 0], [5, 0]]
ucie_pe_rows: [0, 1, 4, 5]
)"));
}

// ADR-0053 D8, row by row. The fabric and PE parts of a spec cannot affect the mesh:
// ensure_mesh_file() takes a CubeSpec, without system.sips.count and sip.cube_mesh.
struct BlastRadius {
  const char* field;
  bool regenerates;
  std::function<void(CubeSpec&)> change;
};

class MeshBlastRadius : public ::testing::TestWithParam<BlastRadius> {};

TEST_P(MeshBlastRadius, IsThatOfTheTable) {
  const common::TempFolder folder;
  const std::filesystem::path path = folder.path() / "a.cube_mesh.yaml";
  (void)ensure_mesh_file({}, path);
  CubeSpec changed;
  GetParam().change(changed);
  const MeshFile after = ensure_mesh_file(changed, path);
  EXPECT_EQ(after.reused, !GetParam().regenerates);
  EXPECT_EQ(after.mesh, lay_out_cube_mesh(changed));
  EXPECT_EQ(after.warning, std::nullopt);
}

const BlastRadius kBlastRadii[] = {
    {"geometry_w", true, [](CubeSpec& c) { c.w_mm = 18; }},
    {"geometry_h", true, [](CubeSpec& c) { c.h_mm = 15; }},
    {"corners", true,
     [](CubeSpec& c) {
       c.corners = {Corner::NW, Corner::SE};
     }},
    {"order_of_corners", true,
     [](CubeSpec& c) {
       c.corners = {Corner::SE, Corner::SW, Corner::NE, Corner::NW};
     }},
    {"pe_per_corner", true, [](CubeSpec& c) { c.pe_per_corner = 1; }},
    {"ucie_n_connections", true, [](CubeSpec& c) { c.ucie_n_connections = 6; }},
    {"geometry_router_rows_per_half", true, [](CubeSpec& c) { c.router_rows_per_half = 3; }},
    {"hbm_mapping_mode", true,
     [](CubeSpec& c) { c.memory_map.hbm_mapping_mode = HbmMappingMode::PerCube; }},
    {"max_column_gap_mm", true, [](CubeSpec& c) { c.max_column_gap_mm = 4; }},
    {"hbm_stripe_bytes", false, [](CubeSpec& c) { c.memory_map.hbm_stripe_bytes = 512; }},
    {"placement_m_cpu", true, [](CubeSpec& c) { c.m_cpu_pos.x = 2; }},
    {"placement_sram", true, [](CubeSpec& c) { c.sram_pos.y = 9; }},
    {"hbm_total_gb", false, [](CubeSpec& c) { c.memory_map.hbm_total_gb = 64; }},
    {"hbm_total_bw_gbs", false, [](CubeSpec& c) { c.memory_map.hbm_total_bw_gbs = 2; }},
    {"channels_per_slice", false, [](CubeSpec& c) { c.memory_map.channels_per_slice = 4; }},
    {"slices_per_cube", false, [](CubeSpec& c) { c.memory_map.slices_per_cube = 4; }},
    {"sram_mb", false, [](CubeSpec& c) { c.memory_map.sram_mb = 8; }},
    {"tcm_mb", false, [](CubeSpec& c) { c.memory_map.tcm_mb = 8; }},
    {"page_bytes", false, [](CubeSpec& c) { c.memory_map.page_bytes = 4096; }},
    {"links_router_mesh_bw_gbs", false, [](CubeSpec& c) { c.links.router_mesh_bw_gbs = 1; }},
    {"links_ucie_conn_bw_gbs", false, [](CubeSpec& c) { c.links.ucie_conn.bw_gbs = 1; }},
    {"router_overhead_ns", false, [](CubeSpec& c) { c.router_overhead_ns = 7; }},
    {"hbm_ctrl_overhead_ns", false, [](CubeSpec& c) { c.hbm_ctrl_overhead_ns = 7; }},
};

INSTANTIATE_TEST_SUITE_P(D8, MeshBlastRadius, ::testing::ValuesIn(kBlastRadii),
                         [](const auto& tested) { return std::string(tested.param.field); });

TEST(MeshSourceHash, IsThatOfTheFiveInputsTheHbmMappingModeAmongThem) {
  EXPECT_EQ(mesh_source_hash({}), common::hex64(common::hash_bytes("geometry 17000000 x 14000000\n"
                                                                   "pe_layout NW NE SW SE x 2\n"
                                                                   "n_connections 4\n"
                                                                   "hbm_mapping_mode per_pe\n"
                                                                   "m_cpu 1500000, 5500000\n"
                                                                   "sram 1500000, 8500000\n")));
}

TEST(MeshSourceHash, RefusesAnHbmMappingModeWithoutAName) {
  CubeSpec other;
  other.memory_map.hbm_mapping_mode = static_cast<HbmMappingMode>(2);
  EXPECT_THAT(
      [&] { (void)mesh_source_hash(other); },
      ::testing::ThrowsMessage<std::logic_error>("enumerator 2 is none of per_pe, per_cube"));
}

TEST(MeshSourceHash, IsTheSameOnEveryMachine) {
  EXPECT_EQ(mesh_source_hash({}), "ab030ee5a3e74147");
}

TEST_F(MeshFileTest, OfAnotherCubeIsReplacedWithoutAWarning) {
  CubeSpec other;
  other.w_mm = 20;
  (void)ensure(other);
  const MeshFile made = ensure();
  EXPECT_FALSE(made.reused);
  EXPECT_EQ(made.warning, std::nullopt);
  EXPECT_EQ(made.mesh, lay_out_cube_mesh({}));
}

TEST_F(MeshFileTest, ThatWasEditedIsReplaced) {
  (void)ensure();
  replace("m_cpu: [2, 0]", "m_cpu: [1, 0]");
  expect_replaced("is damaged or was edited");
}

TEST_F(MeshFileTest, WhoseSourceHashWasForgedIsReplaced) {
  CubeSpec other;
  other.w_mm = 20;
  (void)ensure(other);
  replace(mesh_source_hash(other), mesh_source_hash({}));
  expect_replaced("is damaged or was edited");
}

TEST_F(MeshFileTest, ThatWasCutOffIsReplacedWhereverTheCutIs) {
  (void)ensure();
  const std::string whole = read_text_file(path_);
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    write_file_atomically(path_, whole.substr(0, length));
    expect_replaced("is damaged or was edited");
  }
}

TEST_F(MeshFileTest, ThatIsNoYamlIsReplaced) {
  write_file_atomically(path_, "\x01\xff{[\n\t: : :");
  expect_replaced("is damaged or was edited");
}

TEST_F(MeshFileTest, ThatIsHugeIsReplacedUnread) {
  std::ofstream(path_) << std::string(std::size_t{3} << 20U, 'x');
  expect_replaced("is damaged or was edited");
}

TEST_F(MeshFileTest, OfAnotherLayoutVersionIsReplaced) {
  (void)ensure();
  replace("layout_version: 2", "layout_version: 1");
  expect_replaced("has layout_version 1, not 2");
}

TEST_F(MeshFileTest, ThatCannotBeWrittenCostsAWarningOnly) {
  const MeshFile made = ensure_mesh_file({}, folder_.path() / "missing" / "a.cube_mesh.yaml");
  EXPECT_EQ(made.mesh, lay_out_cube_mesh({}));
  ASSERT_TRUE(made.warning.has_value());
  EXPECT_THAT(*made.warning, HasSubstr("cannot write"));
  EXPECT_THAT(*made.warning, EndsWith("; continuing without a mesh file"));
}

TEST_F(MeshFileTest, ThatIsALoopOfLinksCostsAWarningOnly) {
  std::filesystem::create_symlink(path_.filename(), path_);
  const MeshFile made = ensure();
  EXPECT_EQ(made.mesh, lay_out_cube_mesh({}));
  EXPECT_EQ(made.warning,
            "cannot write '" + path_.string() +
                "': Too many levels of symbolic links; continuing without a mesh file");
}

TEST_F(MeshFileTest, IsNeverSeenHalfWrittenByConcurrentRuns) {
  CubeSpec narrow;
  CubeSpec wide;
  wide.w_mm = 20;
  const CubeMesh narrow_mesh = lay_out_cube_mesh(narrow);
  const CubeMesh wide_mesh = lay_out_cube_mesh(wide);
  std::atomic<int> wrong{0};
  const auto work = [&](const CubeSpec& cube, const CubeMesh& expected) {
    for (int i = 0; i < 100; ++i) {
      const MeshFile file = ensure_mesh_file(cube, path_);
      if (file.mesh != expected || file.warning) ++wrong;
    }
  };
  {
    const std::jthread a(work, narrow, narrow_mesh);
    const std::jthread b(work, wide, wide_mesh);
    const std::jthread c(work, narrow, narrow_mesh);
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace kernbench::topology
