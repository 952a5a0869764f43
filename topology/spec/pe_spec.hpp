// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

/// The keys of `topology.yaml` of a PE; topology_spec.hpp has the units.
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

}  // namespace kernbench::topology
