// SPDX-License-Identifier: Apache-2.0
// resolve_topology(): compilation of a spec file (ADR-0053 "First action"), and regeneration of the
// mesh after a change of the file (its D8, row by row).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "common/diagnostics.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"
#include "topology/mesh/mesh_file.hpp"
#include "topology/resolve/resolve_topology.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using ::testing::IsEmpty;

struct ChangedKey {
  const char* name;
  const char* text;  ///< the whole spec after the change; before, all keys have their defaults
  bool regenerates;
};

class SpecBlastRadius : public ::testing::TestWithParam<ChangedKey> {};

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

const ChangedKey kChanges[] = {
    {"system_sips_count", "system: {sips: {count: 3}}", false},
    {"sip_cube_mesh_w", "sip: {cube_mesh: {w: 5}}", false},
    {"sip_cube_mesh_h", "sip: {cube_mesh: {h: 5}}", false},
    {"cube_geometry_w", "cube: {geometry: {cube_mm: {w: 18.0}}}", true},
    {"cube_geometry_h", "cube: {geometry: {cube_mm: {h: 15.0}}}", true},
    {"cube_geometry_router_rows", "cube: {geometry: {router_rows_per_half: 3}}", true},
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
    std::filesystem::copy(std::filesystem::path(places::source("/configs")) / name, folder.path());
    const ResolvedTopology resolved = resolve_topology(folder.path() / name);
    EXPECT_GT(resolved.graph.nodes().size(), 4000U) << name;
    EXPECT_THAT(resolved.warnings, IsEmpty());
  }
}

TEST(ResolveTopology, TheShippedDefaultSpecCompilesToTheGraphOfTheDefaults) {
  const common::TempFolder folder;
  std::filesystem::copy(places::source("/configs/topology.yaml"), folder.path());
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

TEST(ResolveTopology, SpecsOfOneFolderHaveAMeshFileEach) {
  const common::TempFolder folder;
  const std::filesystem::path narrow = folder.write("narrow.yaml", "{}\n");
  const std::filesystem::path wide =
      folder.write("wide.yaml", "cube: {geometry: {cube_mm: {w: 18.0}}}\n");
  (void)resolve_topology(narrow);
  (void)resolve_topology(wide);
  EXPECT_TRUE(resolve_topology(narrow).mesh_reused);
  EXPECT_TRUE(resolve_topology(wide).mesh_reused);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "narrow.cube_mesh.yaml"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "wide.cube_mesh.yaml"));
}

/// Makes a folder unwritable for this process, which gives up the rights of root, while it exists.
class Unwritable {
 public:
  explicit Unwritable(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::permissions(folder_, std::filesystem::perms(0555));
    if (root_ && seteuid(65534) != 0) ADD_FAILURE() << "cannot give up root";
  }
  ~Unwritable() {
    if (root_ && seteuid(0) != 0) ADD_FAILURE() << "cannot become root again";
    std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  }
  Unwritable(const Unwritable&) = delete;
  Unwritable& operator=(const Unwritable&) = delete;

 private:
  bool root_ = geteuid() == 0;
  std::filesystem::path folder_;
};

class UnwritableSpec : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("XDG_CACHE_HOME")) before_ = before;
    std::filesystem::create_directories(cache());
    std::filesystem::permissions(cache(), std::filesystem::perms(0777));
    setenv("XDG_CACHE_HOME", cache().c_str(), 1);
  }
  void TearDown() override {
    before_ ? setenv("XDG_CACHE_HOME", before_->c_str(), 1) : unsetenv("XDG_CACHE_HOME");
  }
  [[nodiscard]] std::filesystem::path cache() const { return home_.path() / "cache"; }
  [[nodiscard]] std::filesystem::path cached() const {
    return cache() / "kernbench" / "meshes" / (mesh_source_hash({}) + ".cube_mesh.yaml");
  }

  common::TempFolder home_;
  common::TempFolder folder_;
  std::filesystem::path spec_ = folder_.write("a.yaml", "{}\n");
  std::optional<std::string> before_;
};

TEST_F(UnwritableSpec, HasItsMeshFileInTheCache) {
  {
    const Unwritable folder(folder_.path());
    const ResolvedTopology first = resolve_topology(spec_);
    EXPECT_THAT(first.warnings, IsEmpty());
    EXPECT_FALSE(first.mesh_reused);
    EXPECT_TRUE(resolve_topology(spec_).mesh_reused);
  }
  EXPECT_TRUE(std::filesystem::exists(cached()));
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(UnwritableSpec, ReusesAMeshFileThatIsBesideIt) {
  (void)resolve_topology(spec_);
  const Unwritable folder(folder_.path());
  EXPECT_TRUE(resolve_topology(spec_).mesh_reused);
  EXPECT_FALSE(std::filesystem::exists(cached()));
}

TEST_F(UnwritableSpec, DoesNotUseAnOutdatedMeshFileThatIsBesideIt) {
  (void)resolve_topology(spec_);
  (void)folder_.write("a.yaml", "cube: {geometry: {cube_mm: {w: 18.0}}}\n");
  const Unwritable folder(folder_.path());
  const ResolvedTopology resolved = resolve_topology(spec_);
  EXPECT_FALSE(resolved.mesh_reused);
  EXPECT_THAT(resolved.warnings, IsEmpty());
  EXPECT_EQ(resolved.graph.mesh(), lay_out_cube_mesh(resolved.graph.spec().cube));
}

}  // namespace
}  // namespace kernbench::topology
