// SPDX-License-Identifier: Apache-2.0
// Times of benches on changed systems, predicted by their critical paths and simulated.
#include "model/trace/what_if.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/bench/runner.hpp"
#include "tests/places.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/spec_change.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using common::SimTime;

struct ChangeCase {
  const char* bench;
  const char* changes;
  std::map<std::string, std::string> parameters{};
};

/// The mapping that the bench gemm had when the cases were chosen.
const std::map<std::string, std::string> kByRows = {{"a", "row"},
                                                    {"b", "replicated"},
                                                    {"c", "row"},
                                                    {"tile_m", "128"},
                                                    {"tile_k", "64"},
                                                    {"tile_n", "128"},
                                                    {"tiles_in_flight", "2"},
                                                    {"rotate", "no"}};

/// Chosen before any was run. 16 change the time by more than 10 %.
const std::vector<ChangeCase> kChangeCases = {
    {"gemm", "cube.memory_map.hbm_total_bw_gbs*2", kByRows},
    {"gemm", "cube.hbm_ctrl.attrs.overhead_ns/2", kByRows},
    {"gemm", "pe.pe_gemm.attrs.macs_per_cycle*2", kByRows},
    {"gemm", "cube.memory_map.hbm_total_bw_gbs/2", kByRows},
    {"attention", "cube.memory_map.hbm_total_bw_gbs*2"},
    {"attention", "pe.pe_tcm.attrs.read_bw_gbs*2,pe.pe_tcm.attrs.write_bw_gbs*2"},
    {"attention", "pe.pe_math.attrs.elements_per_cycle*4"},
    {"attention", "pe.clock_ghz/2"},
    {"softmax", "pe.pe_tcm.attrs.read_bw_gbs*2,pe.pe_tcm.attrs.write_bw_gbs*2"},
    {"softmax", "pe.pe_math.attrs.elements_per_cycle/2"},
    {"layernorm", "pe.pe_tcm.attrs.read_bw_gbs/2,pe.pe_tcm.attrs.write_bw_gbs/2"},
    {"layernorm", "pe.pe_math.attrs.elements_per_cycle*2"},
    {"vector-add", "system.switch.attrs.overhead_ns/4"},
    {"vector-add", "cube.memory_map.hbm_total_bw_gbs/4"},
    {"vector-add", "pe.pe_cpu.attrs.overhead_ns*4"},
    {"all-reduce", "system.links.switch_to_pcie_ep.bw_gbs*2", {{"bytes", "1048576"}}},
    {"all-reduce", "system.switch.attrs.overhead_ns*4"},
    {"all-reduce", "cube.links.pe_to_router.bw_gbs/2"},
    {"all-to-all", "cube.ucie.phy.attrs.overhead_ns*3"},
    {"all-to-all", "cube.links.ucie_conn.bw_gbs/4"},
    {"all-to-all", "cube.hbm_ctrl.attrs.overhead_ns*2"},
    {"mlp", "system.switch.attrs.overhead_ns*3"},
    {"collective", "system.links.switch_to_pcie_ep.bw_gbs/2"},
    {"mlp", "cube.memory_map.hbm_total_bw_gbs/8"},
};

double percent(SimTime from, SimTime to) {
  return 100.0 * (to.ns() / from.ns() - 1.0);
}

TEST(WhatIf, IsWithinFivePercentOfTheSimulationInTwentyOfTwentyFourCases) {
  const topology::TopologySpec spec;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  std::vector<std::string> off;
  std::size_t large = 0;
  for (const ChangeCase& change_case : kChangeCases) {
    const topology::TopologyGraph changed = topology::compile_topology(
        topology::changed_spec(spec, topology::parse_spec_changes(change_case.changes)));
    ASSERT_TRUE(trace::have_same_parts(graph, changed));
    RunOptions options;
    options.parameters = change_case.parameters;
    options.ccl.name = places::source("/configs/ccl.yaml");
    const RunResult after = run_bench(find_bench(change_case.bench), changed, options);
    options.explain = true;
    const RunResult before = run_bench(find_bench(change_case.bench), graph, options);
    const trace::CriticalPath path = explain(before).at(0).second;
    const SimTime simulated = after.regions.at(0).time();
    const double error = percent(simulated, trace::predicted_time(path, graph, changed));
    if (std::abs(error) > 5.0) {
      off.push_back(fmt::format("{} {} {:.1f} %", change_case.bench, change_case.changes, error));
    }
    if (std::abs(percent(path.time(), simulated)) > 10.0) ++large;
  }
  EXPECT_GE(large, 16U);
  // Both move the bottleneck to a wire that the path hardly waited for. Slices with twice the
  // bandwidth are as fast as the wires from them, where data then waits behind its own flits. At
  // half the bandwidth, a message waits for its own flits at the pcie_ep instead of before it.
  EXPECT_THAT(off,
              ::testing::ElementsAre("gemm cube.memory_map.hbm_total_bw_gbs*2 -5.1 %",
                                     "collective system.links.switch_to_pcie_ep.bw_gbs/2 -6.4 %"));
}

TEST(WhatIf, RefusesOtherParts) {
  topology::TopologySpec spec;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  EXPECT_TRUE(trace::have_same_parts(graph, graph));
  spec.system.sips = 1;
  EXPECT_FALSE(trace::have_same_parts(graph, topology::compile_topology(spec)));
}

}  // namespace
}  // namespace kernbench::model::bench
