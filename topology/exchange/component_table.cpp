// SPDX-License-Identifier: Apache-2.0
#include "topology/exchange/component_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/enum_names.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

namespace {

constexpr std::uint64_t mebibytes(std::uint32_t count) {
  return std::uint64_t{count} << 20U;
}

/// Returns the attributes of a kind of component except its overhead; empty if there are none.
std::string attributes(const TopologySpec& spec, NodeKind kind) {
  const MemoryMapSpec& memory = spec.cube.memory_map;
  const PeSpec& pe = spec.pe;
  switch (kind) {
    case NodeKind::HbmCtrl:
      return fmt::format(
          R"("channels": {}, "interleave": "{}", "slice_bw_gbs": {}, "slice_bytes": {})",
          memory.channels_per_slice, common::name_of(kHbmInterleaveNames, memory.hbm_interleave),
          memory.hbm_total_bw_gbs / memory.slices_per_cube, memory.hbm_slice_bytes());
    case NodeKind::Sram:
      return fmt::format(R"("bw_gbs": {}, "bytes": {})", spec.cube.sram_bw_gbs,
                         mebibytes(memory.sram_mb));
    case NodeKind::PeGemm:
      return fmt::format(R"("macs_per_cycle": {}, "accumulator_bytes": {}, "clock_ghz": {})",
                         pe.pe_gemm_macs_per_cycle, pe.pe_gemm_accumulator_bytes(), pe.clock_ghz);
    case NodeKind::PeMath:
      return fmt::format(R"("elements_per_cycle": {}, "clock_ghz": {})",
                         pe.pe_math_elements_per_cycle, pe.clock_ghz);
    case NodeKind::PeTcm:
      return fmt::format(R"("read_bw_gbs": {}, "write_bw_gbs": {}, "bytes": {})",
                         pe.pe_tcm_read_bw_gbs, pe.pe_tcm_write_bw_gbs, mebibytes(memory.tcm_mb));
    case NodeKind::PeMmu:
      return fmt::format(R"("tlb_overhead_ps": {}, "page_bytes": {})",
                         common::SimTime::from_ns(pe.pe_mmu_tlb_overhead_ns).ps(),
                         memory.page_bytes);
    case NodeKind::PeIpcq:
      return fmt::format(R"("slots": {}, "slot_bytes": {}, "backing": "{}")", pe.pe_ipcq_slots,
                         pe.pe_ipcq_slot_bytes,
                         common::name_of(kSlotBackingNames, pe.pe_ipcq_backing));
    case NodeKind::Maze:
      return fmt::format(R"("flit_bits": {}, "clock_ns": {}, "order": "{}"{})",
                         spec.sip.maze.flit_bits, spec.sip.maze.clock_ns,
                         common::name_of(kDimensionOrderNames, spec.sip.maze.order),
                         spec.sip.maze.failed_node
                             ? fmt::format(R"(, "failed_node": {})", *spec.sip.maze.failed_node)
                             : "");
    default:
      return {};
  }
}

}  // namespace

std::string system_json(const TopologyGraph& graph) {
  const SystemSpec& system = graph.spec().system;
  return fmt::format(R"({{"flit_bytes": {}, "request_bytes": {}, "wire": {{"ns_per_mm": {}}}}})",
                     system.flit_bytes, system.request_bytes, system.wire_ns_per_mm);
}

std::string components_json(const TopologyGraph& graph) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < kNodeKinds; ++i) {
    const auto kind = static_cast<NodeKind>(i);
    const std::string text = attributes(graph.spec(), kind);
    const bool is_there = std::any_of(graph.nodes().begin(), graph.nodes().end(),
                                      [kind](const Node& node) { return node.kind == kind; });
    if (text.empty() || !is_there) continue;
    lines.push_back(fmt::format("\n   \"{}\": {{{}}}", name(kind), text));
  }
  return fmt::format("{{{}\n  }}", fmt::join(lines, ","));
}

}  // namespace kernbench::topology
