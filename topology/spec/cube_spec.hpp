// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "topology/spec/hbm_interleave.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

// The keys of `topology.yaml` of a cube; topology_spec.hpp has the units.

struct MemoryMapSpec {
  HbmMappingMode hbm_mapping_mode = HbmMappingMode::PerPe;
  std::uint32_t hbm_stripe_bytes = 256;  ///< PerCube only: bytes in sequence in a slice
  HbmInterleave hbm_interleave = HbmInterleave::Hash;
  std::uint32_t hbm_total_gb = 48;
  std::uint32_t slices_per_cube = 8;  ///< the number of PEs in a cube; PerCube: or less
  double hbm_total_bw_gbs = 1024.0;
  std::uint32_t channels_per_slice = 8;
  std::uint32_t sram_mb = 16;
  std::uint32_t tcm_mb = 4;
  std::uint32_t page_bytes = 65536;  ///< a power of two

  [[nodiscard]] bool is_striped() const { return hbm_mapping_mode == HbmMappingMode::PerCube; }
  /// Returns hbm_total_gb * 2^30 / slices_per_cube, rounded down (ADR-0051), to whole stripes if
  /// there are any.
  [[nodiscard]] std::uint64_t hbm_slice_bytes() const {
    const std::uint64_t bytes = (std::uint64_t{hbm_total_gb} << 30U) / slices_per_cube;
    return is_striped() ? bytes - bytes % hbm_stripe_bytes : bytes;
  }
  /// Returns the bandwidth of a slice in GB/s.
  [[nodiscard]] double slice_bw_gbs() const { return hbm_total_bw_gbs / slices_per_cube; }

  friend bool operator==(const MemoryMapSpec&, const MemoryMapSpec&) = default;
};

struct CubeLinksSpec {
  double router_mesh_bw_gbs = 256.0;  ///< length: distance between the two routers
  LinkSpec router_to_hbm{256.0, 0.5};
  double router_to_mcpu_bw_gbs = 64.0;   ///< length: from placement to router
  double router_to_sram_bw_gbs = 256.0;  ///< length: from placement to router
  LinkSpec pe_to_router{256.0, 0.5};
  LinkSpec command{32.0, 0.5};
  LinkSpec ucie_conn{128.0, 0.5};
  LinkSpec ucie_internal{128.0, 0.0};

  friend bool operator==(const CubeLinksSpec&, const CubeLinksSpec&) = default;
};

struct CubeSpec {
  double w_mm = 17.0;  ///< geometry.cube_mm.w, up to 1000
  double h_mm = 14.0;
  std::optional<std::uint32_t> router_rows_per_half = {};  ///< without: see rows_per_half()
  std::vector<Corner> corners{Corner::NW, Corner::NE, Corner::SW, Corner::SE};  ///< no duplicates
  std::uint32_t pe_per_corner = 2;
  double max_column_gap_mm = 3.0;  ///< wider gaps between columns of routers get relays
  PositionMm m_cpu_pos{1.5, 5.5};  ///< placement.m_cpu.pos_mm, inside the cube
  PositionMm sram_pos{1.5, 8.5};
  std::uint32_t ucie_n_connections = 4;
  double ucie_phy_overhead_ns = 4.0;
  double ucie_conn_overhead_ns = 1.0;
  MemoryMapSpec memory_map;
  double router_overhead_ns = 1.0;
  double m_cpu_overhead_ns = 10.0;
  double sram_overhead_ns = 4.0;
  double sram_bw_gbs = 256.0;
  double hbm_ctrl_overhead_ns = 30.0;
  CubeLinksSpec links;

  [[nodiscard]] std::uint32_t pes() const {
    return static_cast<std::uint32_t>(corners.size()) * pe_per_corner;
  }
  /// Returns the HBM that a PE's allocator owns: its slice, or its share of the striped slices.
  [[nodiscard]] std::uint64_t hbm_bytes_of_pe() const {
    return memory_map.hbm_slice_bytes() * memory_map.slices_per_cube / pes();
  }
  [[nodiscard]] std::uint32_t slices() const {
    return memory_map.is_striped() ? memory_map.slices_per_cube : pes();
  }
  /// Returns the PE at whose router a slice's controller stands.
  [[nodiscard]] std::uint32_t pe_of_slice(std::uint32_t slice) const {
    return memory_map.is_striped() ? slice * pes() / slices() : slice;
  }
  /// Returns the rows of routers above the HBM zone, which has as many below it: by default one for
  /// every two UCIe connections of a side (ADR-0053 D3.2).
  [[nodiscard]] std::uint32_t rows_per_half() const {
    return router_rows_per_half.value_or((std::max(ucie_n_connections, 2U) + 1) / 2);
  }

  friend bool operator==(const CubeSpec&, const CubeSpec&) = default;
};

}  // namespace kernbench::topology
