// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/all_reduce_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "common/parallel.hpp"
#include "common/progress.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"

namespace kernbench::model::bench {

using common::SimTime;

namespace {

RunResult run_all_reduce(const topology::TopologyGraph& graph, const AllReduceCase& which) {
  RunOptions options;
  options.verify = true;
  options.parameters = {{"bytes", fmt::format("{}", which.bytes)}, {"type", "i32"}};
  options.ccl = {"the sweep's ccl.yaml",
                 fmt::format("backend: ahbm\n"
                             "defaults: {{sip_topology: {}, slot_memory: {}}}\n"
                             "algorithms: {{all_reduce: {}}}\n",
                             which.sip_topology, which.slot_memory, which.algorithm)};
  return run_case(fmt::format("all-reduce, {} bytes, {} SIPs, {}, {}, slots in {}", which.bytes,
                              which.sips, which.algorithm, which.sip_topology, which.slot_memory),
                  find_bench("all-reduce"), graph, options);
}

AllReducePoint point_of(const topology::TopologySpec& spec, const AllReduceCase& which,
                        const RunResult& result) {
  AllReducePoint point;
  point.which = which;
  point.flit_hops = result.flit_hops;
  point.bound = all_reduce_bound(spec, which.sips, which.bytes);
  point.latency = result.regions.at(0).time();
  for (const runtime::CheckReport& check : result.checks) {
    point.elements += check.elements;
    point.wrong += check.wrong;
  }
  return point;
}

}  // namespace

SimTime all_reduce_bound(const topology::TopologySpec& spec, std::uint32_t ranks,
                         std::uint64_t bytes) {
  if (ranks == 0) throw std::invalid_argument("a world has at least one rank");
  double egress_gbs = 0.0;
  for (std::size_t io = 0; io < spec.sip.io_chiplets.size(); ++io) {
    egress_gbs += spec.system.switch_to_pcie_ep.bw_gbs;
  }
  const double n = ranks;
  return SimTime::from_ns(2.0 * (n - 1.0) / n * static_cast<double>(bytes) / egress_gbs);
}

std::vector<AllReduceCase> all_reduce_cases(bool quick) {
  std::vector<std::uint64_t> sizes = {16384, 131072, 1048576};
  if (!quick) sizes.push_back(std::uint64_t{16} << 20U);
  std::vector<AllReduceCase> cases;
  const auto add = [&](std::uint32_t sips, const char* algorithm, const char* topology,
                       const char* memory) {
    for (const std::uint64_t bytes : sizes) {
      cases.push_back({bytes, sips, algorithm, topology, memory});
    }
  };
  for (const char* const root : {"intercube-center", "intercube-corner"}) {
    for (const std::uint32_t sips : {1U, 2U, 4U}) add(sips, root, "ring", "tcm");
  }
  for (const char* const memory : {"sram", "hbm"}) add(4, "intercube-center", "ring", memory);
  for (const char* const topology : {"torus", "mesh"}) add(4, "intercube-center", topology, "tcm");
  add(4, "halving-doubling", "hypercube", "tcm");
  add(4, "tree", "tree", "tcm");
  add(4, "ring", "ring", "tcm");
  return cases;
}

std::vector<AllReducePoint> sweep_all_reduce(const topology::TopologySpec& spec,
                                             const std::vector<AllReduceCase>& cases, unsigned jobs,
                                             bool fail_fast) {
  std::map<std::uint32_t, topology::TopologyGraph> systems;
  for (const AllReduceCase& which : cases) {
    if (systems.count(which.sips) != 0) continue;
    topology::TopologySpec sized = spec;
    sized.system.sips = which.sips;
    systems.emplace(which.sips, topology::compile_topology(sized));
  }
  std::vector<std::optional<AllReducePoint>> ran(cases.size());
  common::StepProgress progress("points", cases.size());
  common::in_parallel_while(cases.size(), jobs, [&](std::size_t i) {
    ran[i] = point_of(spec, cases[i], run_all_reduce(systems.at(cases[i].sips), cases[i]));
    progress.step();
    return ran[i]->right() || !fail_fast;
  });
  std::vector<AllReducePoint> points;
  for (const std::optional<AllReducePoint>& point : ran) {
    if (point) points.push_back(*point);
  }
  return points;
}

}  // namespace kernbench::model::bench
