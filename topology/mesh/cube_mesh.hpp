// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/spec/spec_forward.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

/// Row and column of a router slot in a cube's grid; row 0 is north, column 0 is west.
struct GridSlot {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a <=> b < 0 for a pointer
  friend constexpr auto operator<=>(const GridSlot&, const GridSlot&) = default;
};

/// The router grid of a cube and its attachment points (ADR-0053 D3), derived from the spec alone.
struct CubeMesh {
  std::vector<double> column_xs_mm;
  std::vector<double> row_ys_mm;
  std::uint32_t rows_per_half = 0;
  GridSlot hbm_first;  ///< first slot (inclusive) of the HBM zone, which has no routers
  GridSlot hbm_last;
  std::vector<PositionMm> pe_centers;  ///< by PE
  std::vector<GridSlot> pe_routers;    ///< by PE; attachment of its pe_dma, pe_cpu and HBM slice
  GridSlot m_cpu_router;
  GridSlot sram_router;
  std::array<std::vector<GridSlot>, 4> ucie_routers;  ///< by Side, then by connection
  std::vector<std::uint32_t> ucie_pe_rows;            ///< rows of the E and W connections

  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(row_ys_mm.size()); }
  [[nodiscard]] std::uint32_t columns() const {
    return static_cast<std::uint32_t>(column_xs_mm.size());
  }
  [[nodiscard]] bool has_router(GridSlot slot) const {
    return slot.row < hbm_first.row || slot.row > hbm_last.row || slot.column < hbm_first.column ||
           slot.column > hbm_last.column;
  }
  [[nodiscard]] PositionMm position(GridSlot slot) const {
    return {column_xs_mm[slot.column], row_ys_mm[slot.row]};
  }
  friend bool operator==(const CubeMesh&, const CubeMesh&) = default;
};

/// Lays out the mesh of a cube that has passed the spec reader (ADR-0053 D3). DESIGN section 4
/// settles what the ADR leaves open.
[[nodiscard]] CubeMesh lay_out_cube_mesh(const CubeSpec& cube);

}  // namespace kernbench::topology
