// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/collective_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "common/fill_in_parts.hpp"
#include "common/progress.hpp"
#include "model/bench/evaluation/collective_report.hpp"
#include "model/bench/runner.hpp"
#include "model/ccl/algorithm.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

using common::SimTime;

namespace {

std::uint32_t members_of(const CollectiveCase& which) {
  return which.ranks.empty() ? which.sips : static_cast<std::uint32_t>(which.ranks.size());
}

std::string name_of(const CollectiveCase& which, const std::string& bench) {
  return fmt::format("{}, {} bytes, {} SIPs, {}{}, slots in {}",
                     bench == "all-reduce" ? bench : which.collective, which.bytes, which.sips,
                     which.algorithm, which.sip_topology.empty() ? "" : ", " + which.sip_topology,
                     which.slot_memory);
}

RunOptions options_of(const CollectiveCase& which, const std::string& bench,
                      const std::filesystem::path& folder) {
  RunOptions options;
  options.verify = true;
  options.parameters = {{"bytes", fmt::format("{}", which.bytes)}, {"type", "i32"}};
  if (bench == "collective") {
    options.predicts = true;
    options.parameters["collective"] = which.collective;
    if (!which.ranks.empty()) {
      options.parameters["ranks"] = fmt::format("{}", fmt::join(which.ranks, ","));
    }
  }
  const std::string joins =
      which.sip_topology.empty() ? "" : fmt::format("sip_topology: {}, ", which.sip_topology);
  options.ccl = {
      (folder / "the sweep's ccl.yaml").string(),
      fmt::format("backend: ahbm\nrank: {}\n"
                  "defaults: {{{}slot_memory: {}}}\n"
                  "algorithms: {{{}: {}}}\n",
                  which.rank, joins, which.slot_memory, which.collective, which.algorithm)};
  return options;
}

CollectivePoint point_of(const topology::TopologySpec& spec, const CollectiveCase& which,
                         const RunResult& result) {
  CollectivePoint point;
  point.which = which;
  point.flit_hops = result.flit_hops;
  point.bound = collective_bound(spec, which);
  point.latency = result.regions.at(0).time();
  for (const runtime::CheckReport& check :
       result.checks.empty() ? result.contracts : result.checks) {
    point.elements += check.elements;
    point.wrong += check.wrong;
  }
  if (!result.choices.empty()) {
    const runtime::CollectiveChoice& choice = result.choices.front();
    point.algorithm = choice.algorithm;
    point.neighbors = choice.neighbors;
    point.predicted = SimTime::from_ns(choice.predicted_ns);
  }
  return point;
}

/// Adds a case for each algorithm of a collective and each neighbour kind that it supports, and one
/// for `auto`.
void add_algorithms(std::vector<CollectiveCase>& cases, CollectiveCase which,
                    const std::vector<const ccl::Algorithm*>& of_files) {
  ccl::GroupShape shape = ccl::GroupShape::of(members_of(which));
  std::vector<const ccl::Algorithm*> algorithms = ccl::algorithms_of(which.collective);
  std::copy_if(of_files.begin(), of_files.end(), std::back_inserter(algorithms),
               [&](const auto* one) { return one->collective == which.collective; });
  for (const ccl::Algorithm* const algorithm : algorithms) {
    if (algorithm->refuse != nullptr && !algorithm->refuse(shape).empty()) continue;
    which.algorithm = algorithm->name;
    for (const std::string& kind : algorithm->neighbors) {
      which.sip_topology = kind;
      cases.push_back(which);
    }
  }
  which.algorithm = "auto";
  which.sip_topology.clear();
  cases.push_back(which);
}

}  // namespace

bool CollectiveCase::compares_with(const CollectiveCase& other) const {
  CollectiveCase same = other;
  same.algorithm = algorithm;
  same.sip_topology = sip_topology;
  return same == *this;
}

SimTime collective_bound(const topology::TopologySpec& spec, const CollectiveCase& which) {
  if (which.sips == 0) throw std::invalid_argument("a world has at least one rank");
  if (which.rank != "sip") return {};
  double egress_gbs = 0.0;
  for (std::size_t io = 0; io < spec.sip.io_chiplets.size(); ++io) {
    egress_gbs += spec.system.switch_to_pcie_ep.bw_gbs;
  }
  const double n = members_of(which);
  const std::string& name = which.collective;
  double blocks = n - 1.0;
  if (name == "barrier") blocks = 0.0;
  if (name == "broadcast" || name == "reduce") blocks = n > 1.0 ? 1.0 : 0.0;
  if (name == "all_reduce") blocks = 2.0 * (n - 1.0) / n;
  return SimTime::from_ns(blocks * static_cast<double>(which.bytes) / egress_gbs);
}

std::vector<CollectiveCase> all_reduce_cases(const ccl::Grid& cubes, bool quick) {
  std::vector<std::uint64_t> sizes = {16384, 131072, 1048576};
  if (!quick) sizes.push_back(std::uint64_t{16} << 20U);
  std::vector<CollectiveCase> cases;
  const auto add = [&](std::uint32_t sips, const char* algorithm, const char* topology,
                       const char* memory) {
    for (const std::uint64_t bytes : sizes) {
      cases.push_back({bytes, sips, algorithm, topology, memory, "all_reduce", cubes});
    }
  };
  for (const char* const root : {"intercube-center", "intercube-corner"}) {
    for (const std::uint32_t sips : {1U, 2U, 4U}) add(sips, root, "ring", "tcm");
  }
  for (const char* const memory : {"sram", "hbm"}) add(4, "intercube-center", "ring", memory);
  for (const char* const topology : {"torus", "mesh"}) add(4, "intercube-center", topology, "tcm");
  add(4, "halving-doubling", "hypercube", "tcm");
  add(4, "recursive-doubling", "hypercube", "tcm");
  add(4, "tree", "tree", "tcm");
  add(4, "double-tree", "two-trees", "tcm");
  add(4, "ring", "ring", "tcm");
  return cases;
}

std::vector<CollectiveCase> collective_cases(bool quick,
                                             const std::vector<const ccl::Algorithm*>& of_files) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;  // of a tensor in each cube
  std::vector<CollectiveCase> cases;
  const auto add = [&](const std::vector<std::uint64_t>& sizes, std::uint32_t sips,
                       const ccl::Grid& cubes, const char* memory, const char* rank = "sip",
                       const std::vector<std::uint32_t>& ranks = {}) {
    for (const ccl::Collective* const collective : ccl::collectives()) {
      for (const std::uint64_t bytes : sizes) {
        if (collective->name == "barrier" && bytes != sizes.front()) continue;
        const ccl::CallShape call{ranks.empty() ? sips : static_cast<std::uint32_t>(ranks.size())};
        const std::uint32_t blocks =
            std::max(collective->input_blocks(0, call), collective->output_blocks(0, call));
        if (bytes * blocks > kMostBytes) continue;
        add_algorithms(cases, {bytes, sips, "", "", memory, collective->name, cubes, rank, ranks},
                       of_files);
      }
    }
  };
  const std::vector<std::uint64_t> all = {512, 4096, 32768, 262144, 1048576};
  const std::vector<std::uint64_t> some = {512, 4096, 32768, 131072};
  if (quick) {
    add({4096, 65536}, 4, {1, 1}, "tcm");
    add({4096}, 2, {2, 2}, "tcm");
    return cases;
  }
  for (const std::uint32_t sips : {2U, 4U, 8U, 16U}) add(all, sips, {1, 1}, "tcm");
  for (const std::uint32_t sips : {2U, 4U, 8U}) add(some, sips, {2, 2}, "tcm");
  for (const std::uint32_t sips : {2U, 4U}) add(some, sips, {4, 4}, "tcm");
  for (const char* const memory : {"sram", "hbm"}) add(some, 8, {1, 1}, memory);
  add(some, 8, {1, 1}, "tcm", "sip", {5, 0, 7, 2, 3});
  return cases;
}

std::vector<CollectivePoint> sweep_collectives(const topology::TopologySpec& spec,
                                               const std::vector<CollectiveCase>& cases,
                                               const std::string& bench, unsigned jobs,
                                               bool fail_fast, common::Parts* parts,
                                               const SpreadChoice& spread,
                                               const std::filesystem::path& folder) {
  const auto key = [](const CollectiveCase& which) {
    return std::tuple(which.sips, which.cubes.nx, which.cubes.ny);
  };
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, topology::TopologyGraph>
      systems;
  for (const CollectiveCase& which : cases) {
    if (systems.count(key(which)) != 0) continue;
    topology::TopologySpec sized = spec;
    sized.system.sips = which.sips;
    sized.sip.cube_mesh_w = which.cubes.nx;
    sized.sip.cube_mesh_h = which.cubes.ny;
    systems.emplace(key(which), topology::compile_topology(sized));
  }
  std::vector<std::optional<CollectivePoint>> ran(cases.size());
  common::StepProgress progress("points", cases.size());
  common::fill_in_parts(parts, jobs, ran, [&](std::size_t i) {
    const topology::TopologyGraph& system = systems.at(key(cases[i]));
    const RunOptions options = options_of(cases[i], bench, folder);
    const RunResult result = run_case(name_of(cases[i], bench), find_bench(bench), system, options);
    ran[i] = point_of(spec, cases[i], result);
    ran[i]->spread = measure_spread(find_bench(bench), system, options, result, spread, 1);
    progress.step();
    return ran[i]->right() || !fail_fast;
  });
  std::vector<CollectivePoint> points;
  for (const std::optional<CollectivePoint>& point : ran) {
    if (point) points.push_back(*point);
  }
  return points;
}

}  // namespace kernbench::model::bench
