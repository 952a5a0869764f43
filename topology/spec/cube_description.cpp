// SPDX-License-Identifier: Apache-2.0
// Descriptions of a cube and of a PE.
#include <array>

#include "topology/spec/spec_description_parts.hpp"

namespace kernbench::common {

using topology::CubeLinksSpec;
using topology::CubeSpec;
using topology::MemoryMapSpec;
using topology::PeSpec;
using topology::PositionMm;

namespace {

/// Describes the place of a component on a cube.
Description<CubeSpec> placement(PositionMm CubeSpec::*position) {
  using XAndY = std::array<double, 2>;
  return Description<CubeSpec>()
      .add_converted(
          "pos_mm",
          [position](const CubeSpec& cube) {
            return XAndY{(cube.*position).x, (cube.*position).y};
          },
          [position](CubeSpec& cube, const XAndY& at) {
            cube.*position = {at[0], at[1]};
          },
          "x from the west edge and y from the north edge, in mm.")
      .refine([](ValueForm& list) {
        list.items().least = 0;
        list.items().most = topology::kMostMm;
      });
}

}  // namespace

template <>
const Description<MemoryMapSpec>& description_of() {
  static const auto kAll =
      Description<MemoryMapSpec>()
          .add_named("hbm_mapping_mode", &MemoryMapSpec::hbm_mapping_mode,
                     topology::kHbmMappingModeNames,
                     "per_pe: each PE owns a slice; per_cube: addresses go round the slices of a "
                     "cube in stripes.")
          .add("hbm_stripe_bytes", &MemoryMapSpec::hbm_stripe_bytes,
               "With per_cube, the bytes in sequence in a slice before the next one follows.")
          .within(1, 1U << 20U)
          .add_named("hbm_interleave", &MemoryMapSpec::hbm_interleave,
                     topology::kHbmInterleaveNames,
                     "How the flits of a slice are spread over its channels: hash treats all row "
                     "strides alike; modulo puts rows whose stride is a multiple of "
                     "channels_per_slice flits on one channel.")
          .add("hbm_total_gb", &MemoryMapSpec::hbm_total_gb,
               "HBM of a cube in units of 2^30 bytes; a physical address has 39 bits for it.")
          .within(1, 512)
          .add("slices_per_cube", &MemoryMapSpec::slices_per_cube,
               "HBM slices of a cube: as many as it has PEs, or fewer with per_cube.")
          .within(1, 32)
          .add("hbm_total_bw_gbs", &MemoryMapSpec::hbm_total_bw_gbs,
               "Bandwidth of all slices of a cube together, in GB/s.")
          .within(topology::kLeastGbs, topology::kMostGbs)
          .add("channels_per_slice", &MemoryMapSpec::channels_per_slice, "HBM channels of a slice.")
          .within(1, 256)
          .add("sram_mb", &MemoryMapSpec::sram_mb,
               "SRAM of a cube in units of 2^20 bytes; an address has 24 bits for it.")
          .within(1, topology::kMostPeResourceMb)
          .add("tcm_mb", &MemoryMapSpec::tcm_mb,
               "TCM of a PE in units of 2^20 bytes; an address has 24 bits for it.")
          .within(1, topology::kMostPeResourceMb)
          .add("page_bytes", &MemoryMapSpec::page_bytes,
               "Page of the PEs' MMUs in bytes, a power of two.")
          .within(256, 1U << 30U)
          .all_optional();
  return kAll;
}

template <>
const Description<CubeLinksSpec>& description_of() {
  static const auto kAll =
      Description<CubeLinksSpec>()
          .add_section("router_mesh", bandwidth(&CubeLinksSpec::router_mesh_bw_gbs),
                       "Between adjacent routers; the length is their distance.")
          .add("router_to_hbm", &CubeLinksSpec::router_to_hbm,
               "Router to the HBM controller of a PE.")
          .add_section("router_to_mcpu", bandwidth(&CubeLinksSpec::router_to_mcpu_bw_gbs),
                       "Router to M_CPU; the length is their distance.")
          .add_section("router_to_sram", bandwidth(&CubeLinksSpec::router_to_sram_bw_gbs),
                       "Router to SRAM; the length is their distance.")
          .add("pe_to_router", &CubeLinksSpec::pe_to_router, "DMA engine of a PE to its router.")
          .add("command", &CubeLinksSpec::command,
               "Control plane: M_CPU, PE CPUs and MMUs to routers.")
          .add("ucie_conn", &CubeLinksSpec::ucie_conn, "Router to a UCIe connection.")
          .add("ucie_internal", &CubeLinksSpec::ucie_internal, "UCIe connection to its PHY.")
          .all_optional();
  return kAll;
}

namespace {

Description<CubeSpec> outline() {
  return Description<CubeSpec>()
      .add("w", &CubeSpec::w_mm, "From west to east: at least 6 mm per PE of a corner.")
      .above(0)
      .at_most(topology::kMostMm)
      .add("h", &CubeSpec::h_mm,
           "From north to south: 9 mm, and 0.2 mm for every row of routers per half beyond the "
           "first.")
      .above(0)
      .at_most(topology::kMostMm);
}

Description<CubeSpec> pe_layout() {
  return Description<CubeSpec>()
      .add("corners", &CubeSpec::corners,
           "Corners with PEs; PEs are numbered in this order, then left to right.")
      .not_empty()
      .different()
      .add("pe_per_corner", &CubeSpec::pe_per_corner, "PEs in each of these corners.")
      .within(1, 8)
      .add("max_column_gap_mm", &CubeSpec::max_column_gap_mm,
           "Columns of routers that are farther apart get further ones between them.")
      .within(0.5, topology::kMostMm);
}

Description<CubeSpec> ucie() {
  return Description<CubeSpec>()
      .add("n_connections", &CubeSpec::ucie_n_connections,
           "Connections of a PHY, spread over the routers of its side.")
      .within(1, 16)
      .add_section("phy", component(&CubeSpec::ucie_phy_overhead_ns), "A PHY.")
      .add_section("conn", component(&CubeSpec::ucie_conn_overhead_ns), "A connection.");
}

Description<CubeSpec> sram() {
  return component(attributes(&CubeSpec::sram_overhead_ns)
                       .add("bw_gbs", &CubeSpec::sram_bw_gbs, topology::kBandwidth)
                       .within(topology::kLeastGbs, topology::kMostGbs));
}

}  // namespace

template <>
const Description<CubeSpec>& description_of() {
  static const auto kAll =
      Description<CubeSpec>()
          .add_section("geometry",
                       Description<CubeSpec>()
                           .add_section("cube_mm", outline(), "Outline in mm; the PEs must fit.")
                           .add("router_rows_per_half", &CubeSpec::router_rows_per_half,
                                "Rows of routers above the HBM zone, and as many below it. auto: "
                                "a row for every two of ucie.n_connections, which has them on "
                                "each side.")
                           .within(1, 8)
                           .or_null("auto"),
                       "Its size and its rows of routers.")
          .add_section("pe_layout", pe_layout(), "Placement of the PEs.")
          .add_section(
              "placement",
              Description<CubeSpec>()
                  .add_section("m_cpu", placement(&CubeSpec::m_cpu_pos), "The management CPU.")
                  .add_section("sram", placement(&CubeSpec::sram_pos), "The SRAM."),
              "Placement of single components.")
          .add_section("ucie", ucie(), "The UCIe PHYs, one on each side.")
          .add("memory_map", &CubeSpec::memory_map, "The memories of a cube.")
          .add_section("router", component(&CubeSpec::router_overhead_ns), "A router.")
          .add_section("m_cpu", component(&CubeSpec::m_cpu_overhead_ns), "The management CPU.")
          .add_section("sram", sram(), "The SRAM.")
          .add_section("hbm_ctrl", component(&CubeSpec::hbm_ctrl_overhead_ns), "An HBM controller.")
          .add("links", &CubeSpec::links, "Links of a cube.")
          .all_optional();
  return kAll;
}

namespace {

Description<PeSpec> gemm_engine() {
  return component(
      attributes(&PeSpec::pe_gemm_overhead_ns)
          .add("macs_per_cycle", &PeSpec::pe_gemm_macs_per_cycle,
               "Multiply-accumulates per clock cycle.")
          .within(1, topology::kMostPerCycle)
          .add("accumulator_kb", &PeSpec::pe_gemm_accumulator_kb,
               "Accumulators in KiB, 4 bytes for each element of a tile of the result.")
          .within(1, 1U << 20U));
}

Description<PeSpec> math_engine() {
  return component(attributes(&PeSpec::pe_math_overhead_ns)
                       .add("elements_per_cycle", &PeSpec::pe_math_elements_per_cycle,
                            "Elements per clock cycle.")
                       .within(1, topology::kMostPerCycle));
}

Description<PeSpec> tcm() {
  return component(
      attributes(&PeSpec::pe_tcm_overhead_ns)
          .add("read_bw_gbs", &PeSpec::pe_tcm_read_bw_gbs, "Read bandwidth in GB/s.")
          .within(topology::kLeastGbs, topology::kMostGbs)
          .add("write_bw_gbs", &PeSpec::pe_tcm_write_bw_gbs, "Write bandwidth in GB/s.")
          .within(topology::kLeastGbs, topology::kMostGbs));
}

Description<PeSpec> mmu() {
  return component(
      attributes(&PeSpec::pe_mmu_overhead_ns)
          .add("tlb_overhead_ns", &PeSpec::pe_mmu_tlb_overhead_ns, "TLB look-up time in ns.")
          .within(0, topology::kMostNs));
}

Description<PeSpec> ipcq() {
  return component(attributes(&PeSpec::pe_ipcq_overhead_ns)
                       .add("slots", &PeSpec::pe_ipcq_slots, "Slots of the queue.")
                       .within(1, 4096)
                       .add("slot_bytes", &PeSpec::pe_ipcq_slot_bytes, "Size of a slot in bytes.")
                       .within(1, 1U << 24U)
                       .add_named("backing", &PeSpec::pe_ipcq_backing, topology::kSlotBackingNames,
                                  "The memory that holds the slots, which must fit."));
}

}  // namespace

template <>
const Description<PeSpec>& description_of() {
  static const auto kAll =
      Description<PeSpec>()
          .add("clock_ghz", &PeSpec::clock_ghz, "Clock in GHz.")
          .within(0.001, 1000)
          .add_section("pe_cpu", component(&PeSpec::pe_cpu_overhead_ns), "Runs kernels.")
          .add_section("pe_scheduler", component(&PeSpec::pe_scheduler_overhead_ns),
                       "Turns commands into work of the engines.")
          .add_section("pe_dma", component(&PeSpec::pe_dma_overhead_ns), "The DMA engine.")
          .add_section("pe_fetch_store", component(&PeSpec::pe_fetch_store_overhead_ns),
                       "Moves operands between TCM and register file.")
          .add_section("pe_gemm", gemm_engine(), "The matrix engine.")
          .add_section("pe_math", math_engine(), "The vector engine.")
          .add_section("pe_tcm", tcm(), "The tightly coupled memory.")
          .add_section("pe_mmu", mmu(), "Translates addresses.")
          .add_section("pe_ipcq", ipcq(), "The queue of collective communication.")
          .add_section("links",
                       Description<PeSpec>().add("pe_internal", &PeSpec::pe_internal,
                                                 "Between the parts of a PE."),
                       "Links of a PE.")
          .all_optional();
  return kAll;
}

}  // namespace kernbench::common
