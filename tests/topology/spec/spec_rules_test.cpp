// SPDX-License-Identifier: Apache-2.0
// Every accepted spec can be laid out. spec_reader_test.cpp and the corpus of broken specs show
// that the rules are not stricter than documented.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

#include "common/diagnostics.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/spec/cube_spec.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::topology {
namespace {

/// Returns the cube of this text if the reader accepts it.
std::optional<CubeSpec> cube_of(const std::string& text) {
  try {
    return parse_topology_spec(text, "t.yaml").cube;
  } catch (const common::BadInput&) {
    return std::nullopt;
  }
}

bool strictly_increasing(const std::vector<double>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] <= values[i - 1]) return false;
  }
  return true;
}

/// Checks the properties that the rules guarantee.
void expect_sound(const CubeMesh& mesh, const CubeSpec& cube, const std::string& text) {
  EXPECT_TRUE(strictly_increasing(mesh.column_xs_mm)) << text;
  EXPECT_TRUE(strictly_increasing(mesh.row_ys_mm)) << text;
  EXPECT_GE(mesh.hbm_first.column, 1U) << text;
  EXPECT_LT(mesh.hbm_last.column + 1, mesh.columns()) << text;
  EXPECT_GE(mesh.hbm_first.row, 1U) << text;
  EXPECT_LT(mesh.hbm_last.row + 1, mesh.rows()) << text;
  EXPECT_GE(mesh.row_ys_mm.front(), 1.5) << text;
  EXPECT_LE(mesh.row_ys_mm.back(), cube.h_mm - 1.499) << text;
  ASSERT_EQ(mesh.pe_centers.size(), cube.pes()) << text;
  for (std::size_t a = 0; a < mesh.pe_centers.size(); ++a) {
    EXPECT_TRUE(mesh.has_router(mesh.pe_routers[a])) << text;
    EXPECT_EQ(mesh.position(mesh.pe_routers[a]), mesh.pe_centers[a]) << text;
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(mesh.pe_routers[a], mesh.pe_routers[b]) << text;
  }
}

TEST(SpecRules, LetThroughOnlyCubesThatCanBeLaidOut) {
  int accepted = 0;
  int refused = 0;
  for (const char* corners : {"NW, NE, SW, SE", "SE, NW", "NW, NE", "SW, NE, SE", "NE, SE", "SW"}) {
    const int count = static_cast<int>(std::string(corners).size() + 2) / 4;
    for (const int pes : {1, 2, 3, 4, 8}) {
      // A gap for each number of PEs: every other one is not the default.
      const double gap = std::array{3.0, 0.7, 3.0, 100.0, 3.0, 7.5, 3.0, 5.0}.at(
          static_cast<std::size_t>(count + pes) % 8);
      for (const int connections : {1, 3, 4, 16}) {
        for (const double w : {9.0, 9.1, 11.9, 12.0, 17.0, 24.0, 48.0, 1000.0}) {
          for (const double h : {8.9, 9.0, 9.2, 10.4, 1000.0}) {
            const std::string text = fmt::format(
                "cube:\n"
                "  geometry: {{cube_mm: {{w: {}, h: {}}}}}\n"
                "  pe_layout: {{corners: [{}], pe_per_corner: {}, max_column_gap_mm: {}}}\n"
                "  placement: {{m_cpu: {{pos_mm: [0, 0]}}, sram: {{pos_mm: [0, 0]}}}}\n"
                "  ucie: {{n_connections: {}}}\n"
                "  memory_map: {{slices_per_cube: {}}}\n",
                w, h, corners, pes, gap, connections, count * pes);
            const auto cube = cube_of(text);
            if (cube) expect_sound(lay_out_cube_mesh(*cube), *cube, text);
            ++(cube ? accepted : refused);
            ASSERT_FALSE(HasFatalFailure());
          }
        }
      }
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace kernbench::topology
