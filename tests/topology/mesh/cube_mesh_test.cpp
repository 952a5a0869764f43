// SPDX-License-Identifier: Apache-2.0
// The layout of ADR-0053 D3 and the decisions of DESIGN section 4, in exact millimetres.
#include "topology/mesh/cube_mesh.hpp"
#include "topology/spec/cube_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::topology {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t index(Side side) {
  return static_cast<std::size_t>(side);
}

TEST(CubeMesh, DefaultCubeHasSixColumnsWithTwoRelays) {
  EXPECT_THAT(lay_out_cube_mesh({}).column_xs_mm,
              ElementsAre(1.5, 4.5, 7.166667, 9.833333, 12.5, 15.5));
}

TEST(CubeMesh, DefaultCubeHasTwoRowsAHalfAroundTwoHbmRows) {
  const CubeMesh mesh = lay_out_cube_mesh({});
  EXPECT_THAT(mesh.row_ys_mm, ElementsAre(1.5, 4.0, 5.5, 8.5, 10.0, 12.5));
  EXPECT_EQ(mesh.rows_per_half, 2U);
}

TEST(CubeMesh, TheHbmZoneOfTheDefaultCubeLeaves32Routers) {
  const CubeMesh mesh = lay_out_cube_mesh({});
  EXPECT_EQ(mesh.hbm_first, (GridSlot{2, 2}));
  EXPECT_EQ(mesh.hbm_last, (GridSlot{3, 3}));
  int routers = 0;
  for (std::uint32_t row = 0; row < mesh.rows(); ++row) {
    for (std::uint32_t column = 0; column < mesh.columns(); ++column) {
      if (mesh.has_router({row, column})) ++routers;
    }
  }
  EXPECT_EQ(routers, 32);
}

TEST(CubeMesh, PesOfACornerShareARowAndAreNumberedLeftToRight) {
  const CubeMesh mesh = lay_out_cube_mesh({});
  EXPECT_THAT(mesh.pe_routers,
              ElementsAre(GridSlot{0, 0}, GridSlot{0, 1}, GridSlot{1, 4}, GridSlot{1, 5},
                          GridSlot{4, 0}, GridSlot{4, 1}, GridSlot{5, 4}, GridSlot{5, 5}));
  EXPECT_THAT(mesh.pe_centers,
              ElementsAre(PositionMm{1.5, 1.5}, PositionMm{4.5, 1.5}, PositionMm{12.5, 4.0},
                          PositionMm{15.5, 4.0}, PositionMm{1.5, 10.0}, PositionMm{4.5, 10.0},
                          PositionMm{12.5, 12.5}, PositionMm{15.5, 12.5}));
}

TEST(CubeMesh, PesAreNumberedInTheOrderOfTheCornersInTheSpec) {
  CubeSpec cube;
  cube.corners = {Corner::SE, Corner::NW};
  cube.pe_per_corner = 1;
  EXPECT_THAT(lay_out_cube_mesh(cube).pe_centers,
              ElementsAre(PositionMm{15.5, 12.5}, PositionMm{1.5, 1.5}));
}

TEST(CubeMesh, ThreePesOfAnEastCornerEndAtTheEastEdge) {
  CubeSpec cube;
  cube.w_mm = 24;
  cube.corners = {Corner::NE, Corner::SW};
  cube.pe_per_corner = 3;
  EXPECT_THAT(lay_out_cube_mesh(cube).pe_centers,
              ElementsAre(PositionMm{16.5, 4.0}, PositionMm{19.5, 4.0}, PositionMm{22.5, 4.0},
                          PositionMm{1.5, 10.0}, PositionMm{4.5, 10.0}, PositionMm{7.5, 10.0}));
}

TEST(CubeMesh, AGapOfExactlyTheMaximumGetsNoRelayAndOneNanometreMoreDoes) {
  CubeSpec cube;
  cube.pe_per_corner = 1;
  cube.w_mm = 12.0;  // PEs at 1.5 and 10.5: a gap of 9 mm
  EXPECT_THAT(lay_out_cube_mesh(cube).column_xs_mm, ElementsAre(1.5, 4.5, 7.5, 10.5));
  cube.w_mm = 12.000001;
  EXPECT_THAT(lay_out_cube_mesh(cube).column_xs_mm,
              ElementsAre(1.5, 3.75, 6.000001, 8.250001, 10.500001));
}

// The mirror image of the outermost PE column is a relay, so that the mesh spans the cube.
TEST(CubeMesh, PesOnOneSideOnlyGetAColumnAtTheOtherEdge) {
  CubeSpec cube;
  cube.corners = {Corner::NW, Corner::SW};
  EXPECT_THAT(lay_out_cube_mesh(cube).column_xs_mm, ElementsAre(1.5, 4.5, 7.25, 10.0, 12.75, 15.5));
  cube.corners = {Corner::SE};
  cube.pe_per_corner = 1;
  const CubeMesh mesh = lay_out_cube_mesh(cube);
  EXPECT_THAT(mesh.column_xs_mm, ElementsAre(1.5, 4.3, 7.1, 9.9, 12.7, 15.5));
  EXPECT_THAT(mesh.pe_routers, ElementsAre(GridSlot{5, 5}));
  EXPECT_THAT(mesh.ucie_routers[index(Side::North)],
              ElementsAre(GridSlot{0, 5}, GridSlot{0, 5}, GridSlot{0, 5}, GridSlot{0, 5}));
  EXPECT_THAT(mesh.ucie_routers[index(Side::West)],
              ElementsAre(GridSlot{0, 0}, GridSlot{1, 0}, GridSlot{4, 0}, GridSlot{5, 0}));
}

TEST(CubeMesh, OneOrTwoConnectionsGiveOneRowAHalfAndBothCornersShareIt) {
  for (const std::uint32_t connections : {1U, 2U}) {
    CubeSpec cube;
    cube.ucie_n_connections = connections;
    const CubeMesh mesh = lay_out_cube_mesh(cube);
    EXPECT_THAT(mesh.row_ys_mm, ElementsAre(1.5, 5.5, 8.5, 12.5));
    EXPECT_THAT(mesh.pe_routers,
                ElementsAre(GridSlot{0, 0}, GridSlot{0, 1}, GridSlot{0, 4}, GridSlot{0, 5},
                            GridSlot{3, 0}, GridSlot{3, 1}, GridSlot{3, 4}, GridSlot{3, 5}));
  }
}

TEST(CubeMesh, FiveConnectionsGiveThreeRowsAHalfEvenlySpaced) {
  CubeSpec cube;
  cube.ucie_n_connections = 5;
  EXPECT_THAT(lay_out_cube_mesh(cube).row_ys_mm,
              ElementsAre(1.5, 2.75, 4.0, 5.5, 8.5, 10.0, 11.25, 12.5));
}

TEST(CubeMesh, RowsOfRoutersDoNotFollowTheConnectionsIfTheyAreGiven) {
  CubeSpec cube;
  cube.router_rows_per_half = 2;
  EXPECT_EQ(lay_out_cube_mesh(cube), lay_out_cube_mesh({}));
  cube.ucie_n_connections = 8;
  const CubeMesh mesh = lay_out_cube_mesh(cube);
  EXPECT_EQ(mesh.row_ys_mm, lay_out_cube_mesh({}).row_ys_mm);
  EXPECT_THAT(mesh.ucie_routers[index(Side::East)],
              ElementsAre(GridSlot{0, 5}, GridSlot{1, 5}, GridSlot{4, 5}, GridSlot{5, 5},
                          GridSlot{0, 5}, GridSlot{1, 5}, GridSlot{4, 5}, GridSlot{5, 5}));
  cube.router_rows_per_half = 3;
  EXPECT_THAT(lay_out_cube_mesh(cube).row_ys_mm,
              ElementsAre(1.5, 2.75, 4.0, 5.5, 8.5, 10.0, 11.25, 12.5));
}

TEST(CubeMesh, MCpuAndSramOfTheDefaultCubeSitOnTheirRouters) {
  const CubeMesh mesh = lay_out_cube_mesh({});
  EXPECT_EQ(mesh.m_cpu_router, (GridSlot{2, 0}));
  EXPECT_EQ(mesh.sram_router, (GridSlot{3, 0}));
}

TEST(CubeMesh, OfEquallyNearRoutersTheLowestRowThenColumnIsTaken) {
  CubeSpec cube;
  cube.m_cpu_pos = {3.0, 2.75};  // in the middle between four routers
  cube.sram_pos = {8.5, 7.0};    // in the middle of the HBM zone, which has no routers
  const CubeMesh mesh = lay_out_cube_mesh(cube);
  EXPECT_EQ(mesh.m_cpu_router, (GridSlot{0, 0}));
  EXPECT_EQ(mesh.sram_router, (GridSlot{1, 2}));
}

TEST(CubeMesh, EastAndWestConnectionsCycleThroughThePeRows) {
  const CubeMesh mesh = lay_out_cube_mesh({});
  EXPECT_THAT(mesh.ucie_pe_rows, ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(mesh.ucie_routers[index(Side::East)],
              ElementsAre(GridSlot{0, 5}, GridSlot{1, 5}, GridSlot{4, 5}, GridSlot{5, 5}));
  EXPECT_THAT(mesh.ucie_routers[index(Side::West)],
              ElementsAre(GridSlot{0, 0}, GridSlot{1, 0}, GridSlot{4, 0}, GridSlot{5, 0}));
}

TEST(CubeMesh, NorthAndSouthConnectionsGoHalfToTheWesternPeColumnsHalfToTheEastern) {
  CubeSpec cube;
  cube.ucie_n_connections = 7;  // four to the west half, three to the east half, two columns each
  const CubeMesh mesh = lay_out_cube_mesh(cube);
  EXPECT_THAT(mesh.ucie_routers[index(Side::North)],
              ElementsAre(GridSlot{0, 0}, GridSlot{0, 1}, GridSlot{0, 0}, GridSlot{0, 1},
                          GridSlot{0, 4}, GridSlot{0, 5}, GridSlot{0, 4}));
  const std::uint32_t bottom = mesh.rows() - 1;
  EXPECT_THAT(mesh.ucie_routers[index(Side::South)],
              ElementsAre(GridSlot{bottom, 0}, GridSlot{bottom, 1}, GridSlot{bottom, 0},
                          GridSlot{bottom, 1}, GridSlot{bottom, 4}, GridSlot{bottom, 5},
                          GridSlot{bottom, 4}));
}

}  // namespace
}  // namespace kernbench::topology
