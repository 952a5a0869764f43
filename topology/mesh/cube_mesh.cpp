// SPDX-License-Identifier: Apache-2.0
#include "topology/mesh/cube_mesh.hpp"

#include <algorithm>
#include <set>

#include "topology/spec/cube_spec.hpp"
#include "topology/spec/length.hpp"
#include "topology/spec/router_columns.hpp"

namespace kernbench::topology {

namespace {

// The hard-coded lengths of ADR-0053 D3.1, in nm.
constexpr std::int64_t kHbmOffset = 1'500'000;  ///< from the two HBM rows to the cube's middle
constexpr std::int64_t kHbmGap = 1'500'000;     ///< between the PE rows and the HBM rows

/// Returns the rows of the top half, the two HBM rows, and the mirrored rows of the bottom half.
std::vector<double> row_positions(std::int64_t height, std::uint32_t rows_per_half) {
  const std::int64_t hbm_upper = height / 2 - kHbmOffset;
  const std::int64_t span = hbm_upper - kHbmGap - kPeEdgeDistanceNm;
  std::vector<std::int64_t> top;
  for (std::int64_t i = 0; i < rows_per_half; ++i) {
    const std::int64_t steps = std::max<std::int64_t>(rows_per_half - 1, 1);
    top.push_back(kPeEdgeDistanceNm + (2 * span * i + steps) / (2 * steps));
  }
  std::vector<double> rows;
  rows.reserve(2 * top.size() + 2);
  for (const std::int64_t y : top) rows.push_back(to_mm(y));
  rows.push_back(to_mm(hbm_upper));
  rows.push_back(to_mm(height - hbm_upper));
  for (std::size_t i = top.size(); i-- > 0;) rows.push_back(to_mm(height - top[i]));
  return rows;
}

std::uint32_t nearest_column(const CubeMesh& mesh, std::int64_t x) {
  std::uint32_t best = 0;
  for (std::uint32_t c = 1; c < mesh.columns(); ++c) {
    const auto distance = [&](std::uint32_t column) {
      return std::abs(to_nm(mesh.column_xs_mm[column]) - x);
    };
    if (distance(c) < distance(best)) best = c;
  }
  return best;
}

/// Returns the row of a corner's PEs: NW has row 0 of the top half and NE row 1; SW and SE have
/// the same rows of the bottom half. Rows are clamped to those that the half has.
std::uint32_t pe_row(Corner corner, const CubeMesh& mesh) {
  const std::uint32_t in_half = std::min(is_west(corner) ? 0U : 1U, mesh.rows_per_half - 1);
  return is_north(corner) ? in_half : mesh.hbm_last.row + 1 + in_half;
}

GridSlot nearest_router(const CubeMesh& mesh, const PositionMm& position) {
  std::optional<GridSlot> best;
  for (std::uint32_t row = 0; row < mesh.rows(); ++row) {
    for (std::uint32_t column = 0; column < mesh.columns(); ++column) {
      const GridSlot slot{row, column};
      if (!mesh.has_router(slot)) continue;
      if (!best || squared_distance_nm2(mesh.position(slot), position) <
                       squared_distance_nm2(mesh.position(*best), position)) {
        best = slot;
      }
    }
  }
  return best.value();
}

/// Returns the PE columns of the west half and of the east half.
std::array<std::vector<std::uint32_t>, 2> pe_columns_by_half(const CubeMesh& mesh,
                                                             const std::set<std::int64_t>& pe_xs,
                                                             std::int64_t width) {
  std::array<std::vector<std::uint32_t>, 2> halves;
  for (const std::int64_t x : pe_xs) {
    halves[2 * x < width ? 0 : 1].push_back(nearest_column(mesh, x));
  }
  // If all PEs are on one side, its columns serve both halves.
  if (halves[0].empty()) halves[0] = halves[1];
  if (halves[1].empty()) halves[1] = halves[0];
  return halves;
}

void distribute_ucie(CubeMesh& mesh, std::uint32_t connections,
                     const std::array<std::vector<std::uint32_t>, 2>& pe_columns) {
  for (std::uint32_t row = 0; row < mesh.rows(); ++row) {
    if (row < mesh.hbm_first.row || row > mesh.hbm_last.row) mesh.ucie_pe_rows.push_back(row);
  }
  const auto slots = [&mesh](Side side) -> std::vector<GridSlot>& {
    return mesh.ucie_routers.at(static_cast<std::size_t>(side));
  };
  const std::uint32_t in_west_half = (connections + 1) / 2;
  for (std::uint32_t i = 0; i < connections; ++i) {
    const std::uint32_t row = mesh.ucie_pe_rows[i % mesh.ucie_pe_rows.size()];
    slots(Side::East).push_back({row, mesh.columns() - 1});
    slots(Side::West).push_back({row, 0});
    const bool west = i < in_west_half;
    const std::vector<std::uint32_t>& columns = pe_columns[west ? 0 : 1];
    const std::uint32_t column = columns[(west ? i : i - in_west_half) % columns.size()];
    slots(Side::North).push_back({0, column});
    slots(Side::South).push_back({mesh.rows() - 1, column});
  }
}

}  // namespace

CubeMesh lay_out_cube_mesh(const CubeSpec& cube) {
  const std::int64_t width = to_nm(cube.w_mm);
  const std::int64_t height = to_nm(cube.h_mm);
  const std::set<std::int64_t> pe_xs = pe_xs_nm(cube);

  CubeMesh mesh;
  for (const std::int64_t x : router_columns_nm(cube)) mesh.column_xs_mm.push_back(to_mm(x));
  mesh.rows_per_half = cube.rows_per_half();
  mesh.row_ys_mm = row_positions(height, mesh.rows_per_half);
  const std::uint32_t middle = mesh.columns() / 2;
  mesh.hbm_first = {mesh.rows_per_half, middle - 1};
  mesh.hbm_last = {mesh.rows_per_half + 1, middle};
  for (const Corner corner : cube.corners) {
    const std::uint32_t row = pe_row(corner, mesh);
    for (std::uint32_t k = 0; k < cube.pe_per_corner; ++k) {
      const std::int64_t x = pe_x_nm(cube, corner, k);
      mesh.pe_centers.push_back({to_mm(x), mesh.row_ys_mm[row]});
      mesh.pe_routers.push_back({row, nearest_column(mesh, x)});
    }
  }
  mesh.m_cpu_router = nearest_router(mesh, cube.m_cpu_pos);
  mesh.sram_router = nearest_router(mesh, cube.sram_pos);
  distribute_ucie(mesh, cube.ucie_n_connections, pe_columns_by_half(mesh, pe_xs, width));
  return mesh;
}

}  // namespace kernbench::topology
