// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/yaml_reader.hpp"
#include "topology/spec/hbm_interleave.hpp"

namespace kernbench::topology {

// The contents of a `topology.yaml`, key by key; the initial values are the defaults. Suffixes give
// units: _mm, _ns, _gbs = 10^9 bytes/s, _gb = 2^30 bytes, _mb = 2^20 bytes.

struct LinkSpec {
  double bw_gbs = 0;
  double distance_mm = 0;

  friend bool operator==(const LinkSpec&, const LinkSpec&) = default;
};

struct PositionMm {
  double x = 0;  ///< distance from the west edge
  double y = 0;  ///< distance from the north edge
  friend constexpr bool operator==(const PositionMm&, const PositionMm&) = default;
};

enum class InterCube : std::uint8_t { UcieMesh, Maze };
inline constexpr std::array<common::EnumName<InterCube>, 2> kInterCubeNames = {
    {{"ucie_mesh", InterCube::UcieMesh}, {"maze", InterCube::Maze}}};

/// Dimension in which MAZE packets travel first.
enum class DimensionOrder : std::uint8_t { XY, YX };
inline constexpr std::array<common::EnumName<DimensionOrder>, 2> kDimensionOrderNames = {
    {{"xy", DimensionOrder::XY}, {"yx", DimensionOrder::YX}}};

/// A side of a cube or of a SIP. N is towards smaller y, W towards smaller x.
enum class Side : std::uint8_t { North, East, South, West };
inline constexpr std::array<common::EnumName<Side>, 4> kSideNames = {
    {{"north", Side::North}, {"east", Side::East}, {"south", Side::South}, {"west", Side::West}}};

enum class Corner : std::uint8_t { NW, NE, SW, SE };
inline constexpr std::array<common::EnumName<Corner>, 4> kCornerNames = {
    {{"NW", Corner::NW}, {"NE", Corner::NE}, {"SW", Corner::SW}, {"SE", Corner::SE}}};

/// Division of a cube's HBM: each PE owns one slice (Architecture, "CUBE").
enum class HbmMappingMode : std::uint8_t { PerPe };
inline constexpr std::array<common::EnumName<HbmMappingMode>, 1> kHbmMappingModeNames = {
    {{"per_pe", HbmMappingMode::PerPe}}};

enum class ViewLevel : std::uint8_t { System, Sip, Cube, Pe };
inline constexpr std::array<common::EnumName<ViewLevel>, 4> kViewLevelNames = {
    {{"system", ViewLevel::System},
     {"sip", ViewLevel::Sip},
     {"cube", ViewLevel::Cube},
     {"pe", ViewLevel::Pe}}};

/// Memory that holds a PE's collective-communication slots.
enum class SlotBacking : std::uint8_t { Tcm, Sram, Hbm };
inline constexpr std::array<common::EnumName<SlotBacking>, 3> kSlotBackingNames = {
    {{"tcm", SlotBacking::Tcm}, {"sram", SlotBacking::Sram}, {"hbm", SlotBacking::Hbm}}};

struct SystemSpec {
  std::uint32_t sips = 2;  ///< sips.count, 1..256 (8 bits of a physical address)
  std::uint32_t flit_bytes = 256;
  std::uint32_t request_bytes = 16;
  double wire_ns_per_mm = 0.01;       ///< wire.ns_per_mm
  double host_cpu_overhead_ns = 0.0;  ///< host_cpu.attrs.overhead_ns
  double switch_overhead_ns = 100.0;
  LinkSpec host_to_switch{128.0, 100.0};
  LinkSpec switch_to_pcie_ep{64.0, 100.0};

  friend bool operator==(const SystemSpec&, const SystemSpec&) = default;
};

struct MazeSpec {
  std::uint32_t flit_bits = 8;
  double clock_ns = 1.0;
  DimensionOrder order = DimensionOrder::XY;
  double attach_bw_gbs = 256.0;
  double attach_distance_mm = 0.5;
  std::optional<std::uint32_t> failed_node = {};  ///< below cube_mesh w * h

  friend bool operator==(const MazeSpec&, const MazeSpec&) = default;
};

struct IoChipletSpec {
  std::string id = "io0";  ///< part of node names: [a-z][a-z0-9_]*, unique, not like "cube3"
  Side side = Side::North;
  double pcie_ep_overhead_ns = 50.0;
  double io_cpu_overhead_ns = 20.0;
  double io_noc_overhead_ns = 2.0;
  double io_ucie_overhead_ns = 4.0;
  double conn_overhead_ns = 1.0;
  LinkSpec pcie_ep_to_io_noc{128.0, 2.0};
  LinkSpec io_cpu_to_io_noc{64.0, 1.0};
  LinkSpec io_noc_to_conn{128.0, 2.0};
  LinkSpec conn_to_io_ucie{128.0, 0.0};
  LinkSpec io_ucie_to_cube{128.0, 1.0};

  friend bool operator==(const IoChipletSpec&, const IoChipletSpec&) = default;
};

struct SipSpec {
  InterCube inter_cube = InterCube::UcieMesh;
  std::uint32_t cube_mesh_w = 4;  ///< 1..16; at least 2 with inter_cube maze
  std::uint32_t cube_mesh_h = 4;
  MazeSpec maze;
  std::vector<IoChipletSpec> io_chiplets{IoChipletSpec{}};
  double ucie_mesh_distance_mm = 1.0;  ///< links.ucie_mesh.distance_mm: the gap between two cubes

  [[nodiscard]] std::uint32_t cubes() const { return cube_mesh_w * cube_mesh_h; }

  friend bool operator==(const SipSpec&, const SipSpec&) = default;
};

struct MemoryMapSpec {
  HbmMappingMode hbm_mapping_mode = HbmMappingMode::PerPe;
  HbmInterleave hbm_interleave = HbmInterleave::Hash;
  std::uint32_t hbm_total_gb = 48;
  std::uint32_t slices_per_cube = 8;  ///< the number of PEs in a cube
  double hbm_total_bw_gbs = 1024.0;
  std::uint32_t channels_per_slice = 8;
  std::uint32_t sram_mb = 16;
  std::uint32_t tcm_mb = 4;
  std::uint32_t page_bytes = 65536;  ///< a power of two

  /// Returns hbm_total_gb * 2^30 / slices_per_cube, rounded down (ADR-0051).
  [[nodiscard]] std::uint64_t hbm_slice_bytes() const {
    return (std::uint64_t{hbm_total_gb} << 30U) / slices_per_cube;
  }

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
  std::vector<Corner> corners{Corner::NW, Corner::NE, Corner::SW, Corner::SE};  ///< no duplicates
  std::uint32_t pe_per_corner = 2;
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

  friend bool operator==(const CubeSpec&, const CubeSpec&) = default;
};

struct PeSpec {
  double clock_ghz = 1.0;
  double pe_cpu_overhead_ns = 5.0;
  double pe_scheduler_overhead_ns = 2.0;
  double pe_dma_overhead_ns = 2.0;
  double pe_fetch_store_overhead_ns = 1.0;
  double pe_gemm_overhead_ns = 2.0;
  std::uint32_t pe_gemm_macs_per_cycle = 4096;
  std::uint32_t pe_gemm_accumulator_kb = 256;
  double pe_math_overhead_ns = 2.0;
  std::uint32_t pe_math_elements_per_cycle = 128;
  double pe_tcm_overhead_ns = 1.0;
  double pe_tcm_read_bw_gbs = 512.0;
  double pe_tcm_write_bw_gbs = 512.0;
  double pe_mmu_overhead_ns = 1.0;
  double pe_mmu_tlb_overhead_ns = 0.0;
  double pe_ipcq_overhead_ns = 2.0;
  std::uint32_t pe_ipcq_slots = 4;
  std::uint32_t pe_ipcq_slot_bytes = 65536;
  SlotBacking pe_ipcq_backing = SlotBacking::Tcm;
  LinkSpec pe_internal{512.0, 0.0};

  [[nodiscard]] std::uint64_t pe_gemm_accumulator_bytes() const {
    return std::uint64_t{pe_gemm_accumulator_kb} << 10U;
  }
  /// Returns the bytes of all slots of one direction.
  [[nodiscard]] std::uint64_t pe_ipcq_ring_bytes() const {
    return std::uint64_t{pe_ipcq_slots} * pe_ipcq_slot_bytes;
  }

  friend bool operator==(const PeSpec&, const PeSpec&) = default;
};

/// A whole system: tray, SIPs, cubes and PEs. All SIPs and all cubes are identical.
struct TopologySpec {
  SystemSpec system;
  SipSpec sip;
  CubeSpec cube;
  PeSpec pe;
  std::vector<ViewLevel> emit_views{ViewLevel::System, ViewLevel::Sip, ViewLevel::Cube};

  friend bool operator==(const TopologySpec&, const TopologySpec&) = default;
};

}  // namespace kernbench::topology
