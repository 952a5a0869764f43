// SPDX-License-Identifier: Apache-2.0
// The errors of the analytic MAZE that docs/lab/calibration.md states for the benches, end to end.
// Some minutes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/bench/registry.hpp"
#include "model/bench/runner.hpp"
#include "tests/model/bench_defaults.hpp"
#include "tests/stated_rows.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using Parameters = std::map<std::string, std::string>;

struct Case {
  std::string bench;
  Parameters parameters;
};

/// Returns three sizes of each bench.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&all](const char* bench, const std::vector<Parameters>& sizes) {
    for (const Parameters& size : sizes) all.push_back({bench, size});
  };
  const auto squares = [](const std::vector<const char*>& sizes) {
    std::vector<Parameters> all_sizes;
    all_sizes.reserve(sizes.size());
    for (const char* const size : sizes) {
      all_sizes.push_back({{"m", size}, {"k", size}, {"n", size}});
    }
    return all_sizes;
  };
  const auto of = [](const char* name, const std::vector<const char*>& values) {
    std::vector<Parameters> sizes;
    sizes.reserve(values.size());
    for (const char* const value : values) sizes.push_back({{name, value}});
    return sizes;
  };
  add("all-reduce", of("bytes", {"64", "256", "1024"}));
  add("all-to-all", of("bytes", {"512", "1024", "2048"}));
  add("attention", {{{"queries", "32"}, {"keys", "32"}},
                    {{"queries", "64"}, {"keys", "64"}},
                    {{"queries", "64"}, {"keys", "256"}}});
  add("attention-grouped", of("context", {"16", "64", "256"}));
  add("collective", of("bytes", {"64", "256", "1024"}));
  add("copy-bandwidth", of("to", {"256", "512", "1024"}));
  add("gemm", squares({"32", "64", "128"}));
  add("gemm-batched", of("batch", {"1", "2", "4"}));
  add("gemm-epilogue", squares({"32", "64", "128"}));
  add("gemm-quantized", of("m", {"1", "4", "16"}));
  add("layernorm", of("rows", {"64", "256", "512"}));
  add("mlp", of("batch", {"4", "16", "64"}));
  add("rmsnorm", of("rows", {"64", "256", "512"}));
  add("softmax", of("rows", {"64", "256", "512"}));
  add("transformer", {{{"layers", "1"}, {"prompt", "2"}, {"decode", "0"}},
                      {{"layers", "1"}, {"prompt", "8"}, {"decode", "0"}},
                      {{"layers", "1"}, {"prompt", "0"}, {"cached", "16"}, {"decode", "1"}}});
  add("vector-add", of("rows", {"64", "256", "1024"}));
  return all;
}

/// Returns the time of a bench on SIPs of 8x8 cubes, of its regions where it has some, in ns.
double time_of(const Case& one, topology::FabricModel fabric) {
  topology::TopologySpec spec;
  spec.system.sips = 2;
  spec.sip.inter_cube = topology::InterCube::Maze;
  spec.sip.cube_mesh_w = spec.sip.cube_mesh_h = 8;
  spec.sip.maze.fabric = fabric;
  const Bench& bench = find_bench(one.bench);
  RunOptions options = defaults_of(bench);
  for (const auto& [name, value] : one.parameters) options.parameters[name] = value;
  const RunResult result = run_bench(bench, topology::compile_topology(spec), options);
  double time = 0;
  for (const auto& region : result.regions) time += region.time().ns();
  return time;
}

/// Returns the row of the page for a case.
std::string row_of(const Case& one) {
  std::string size;
  for (const auto& [name, value] : one.parameters) {
    size += fmt::format("{}{}={}", size.empty() ? "" : " ", name, value);
  }
  const double exact = time_of(one, topology::FabricModel::Cycle);
  EXPECT_GT(exact, 0);
  return fmt::format("| `{}` | {} | {} |", one.bench, size,
                     places::percent_off(time_of(one, topology::FabricModel::Analytic), exact));
}

TEST(MazeErrors, OfBenchesAreThoseOfTheSimulations) {
  const std::vector<Case> all = cases();
  const std::vector<std::string> rows =
      places::stated_rows("lab/calibration.md", "errors of benches");
  std::set<std::string> names;
  for (const Case& one : all) names.insert(one.bench);
  EXPECT_EQ(names.size(), benches().size()) << "a bench without rows";
  ASSERT_EQ(rows.size(), all.size());
  const auto check = [&](std::size_t from) {
    for (std::size_t i = from; i < all.size(); i += 2) EXPECT_EQ(rows[i], row_of(all[i]));
  };
  auto other = std::async(std::launch::async, check, 1);
  check(0);
  other.get();
}

}  // namespace
}  // namespace kernbench::model::bench
