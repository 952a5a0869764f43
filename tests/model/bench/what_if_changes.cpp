// SPDX-License-Identifier: Apache-2.0
#include "tests/model/bench/what_if_changes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/bench/what_if.hpp"
#include "tests/places.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

const std::vector<AskedChange>& asked_changes() {
  static const std::vector<AskedChange> kAll = {
      {"gemm", "cube.memory_map.hbm_total_bw_gbs*4"},
      {"gemm", "pe.pe_tcm.attrs.write_bw_gbs*2"},
      {"gemm", "cube.links.router_mesh.bw_gbs/2,cube.router.attrs.overhead_ns*2"},
      {"gemm", "system.links.switch_to_pcie_ep.bw_gbs*2,cube.memory_map.hbm_total_bw_gbs*4"},
      {"attention", "cube.links.ucie_conn.bw_gbs*2"},
      {"attention", "pe.clock_ghz*4"},
      {"attention", "pe.pe_cpu.attrs.overhead_ns*2,system.wire.ns_per_mm*4"},
      {"attention", "cube.memory_map.hbm_total_bw_gbs*2,cube.links.router_mesh.bw_gbs*4"},
      {"softmax", "cube.memory_map.hbm_total_bw_gbs*2"},
      {"softmax", "pe.pe_dma.attrs.overhead_ns*4"},
      {"softmax", "cube.links.router_mesh.bw_gbs*4,cube.memory_map.hbm_total_bw_gbs*2"},
      {"softmax", "pe.pe_dma.attrs.overhead_ns*2,pe.pe_tcm.attrs.write_bw_gbs*2"},
      {"layernorm", "cube.links.router_mesh.bw_gbs/2"},
      {"layernorm", "pe.pe_dma.attrs.overhead_ns*4"},
      {"layernorm", "pe.clock_ghz*2,cube.links.router_mesh.bw_gbs*2"},
      {"layernorm", "cube.ucie.phy.attrs.overhead_ns*2,pe.links.pe_internal.bw_gbs*4"},
      {"vector-add", "pe.pe_tcm.attrs.read_bw_gbs/2"},
      {"vector-add", "pe.pe_tcm.attrs.read_bw_gbs*2"},
      {"vector-add", "cube.links.router_mesh.bw_gbs/2,pe.pe_tcm.attrs.read_bw_gbs*2"},
      {"vector-add", "system.links.switch_to_pcie_ep.bw_gbs*4,cube.memory_map.hbm_total_bw_gbs/2"},
      {"all-to-all", "pe.pe_dma.attrs.overhead_ns*2"},
      {"all-to-all", "cube.ucie.phy.attrs.overhead_ns*2"},
      {"all-to-all", "system.switch.attrs.overhead_ns*2,pe.clock_ghz/2"},
      {"all-to-all", "cube.links.pe_to_router.bw_gbs/2,cube.ucie.phy.attrs.overhead_ns*2"},
      {"mlp", "cube.memory_map.hbm_total_bw_gbs*2"},
      {"mlp", "cube.hbm_ctrl.attrs.overhead_ns*2"},
      {"mlp", "pe.clock_ghz*2,pe.pe_cpu.attrs.overhead_ns*4"},
      {"mlp", "pe.links.pe_internal.bw_gbs*2,system.wire.ns_per_mm/2"},
      {"collective", "cube.memory_map.hbm_total_bw_gbs/2"},
      {"collective", "pe.pe_dma.attrs.overhead_ns*4"},
      {"collective", "pe.pe_cpu.attrs.overhead_ns*2,pe.links.pe_internal.bw_gbs*2"},
      {"collective", "pe.links.pe_internal.bw_gbs/2,cube.ucie.phy.attrs.overhead_ns*2"},
      {"gemm-quantized", "cube.links.ucie_conn.bw_gbs/2"},
      {"gemm-quantized", "cube.router.attrs.overhead_ns*2"},
      {"gemm-quantized", "cube.ucie.phy.attrs.overhead_ns*4,pe.pe_dma.attrs.overhead_ns*2"},
      {"gemm-quantized", "cube.links.ucie_conn.bw_gbs/2,cube.links.router_mesh.bw_gbs*4"},
      {"gemm-batched", "pe.pe_tcm.attrs.write_bw_gbs*4"},
      {"gemm-batched", "pe.links.pe_internal.bw_gbs/2"},
      {"gemm-batched", "pe.pe_tcm.attrs.write_bw_gbs/2,system.wire.ns_per_mm/2"},
      {"gemm-batched", "system.switch.attrs.overhead_ns/2,pe.pe_tcm.attrs.write_bw_gbs*4"},
  };
  return kAll;
}

AnswerError error_of_answer(const AskedChange& asked, unsigned jobs) {
  const topology::TopologyGraph graph = topology::compile_topology(topology::TopologySpec());
  const Bench& bench = find_bench(asked.bench);
  RunOptions options;
  options.ccl.name = places::source("/configs/ccl.yaml");
  const MappedRun before = run_mapped(bench, graph, options, jobs);
  const SpreadChoice usual{SpreadChoice::kUsual, 1};
  const Spread spread =
      measure_spread(bench, graph, before.options, before.result, usual, jobs).value();
  const TimeBand answer =
      WhatIf(bench, graph, options, spread, usual).simulate(asked.changes, jobs).whole.after;

  const topology::TopologyGraph changed = changed_graph(graph, asked.changes);
  const MappedRun after = run_mapped(bench, changed, options, jobs);
  const TimeBand full =
      measure_spread(bench, changed, after.options, after.result, {25, 1001}, jobs).value().span;
  const double percent = 100.0 * std::abs(answer.median.ns() / full.median.ns() - 1.0);
  return {fmt::format("{} {}: {:.3f} us, not {:.3f} us, {:.2f} % off, the band is {:.2f} %",
                      asked.bench, asked.changes, answer.median.ns() / 1000.0,
                      full.median.ns() / 1000.0, percent, full.percent()),
          percent, full.percent()};
}

}  // namespace kernbench::model::bench
