// SPDX-License-Identifier: Apache-2.0
// Collectives, kernels and a transformer on systems whose cubes or SIPs are joined by a torus, a
// tree, a butterfly and a graph of a file: right numbers, the same in each run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/bench/grade.hpp"
#include "model/bench/runner.hpp"
#include "model/trace/critical_path.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::model::bench {
namespace {

struct System {
  const char* name;
  const char* sip;     ///< keys of `sip`
  const char* system;  ///< keys of `system`
};

constexpr const char* kCubes = "cube_mesh: {w: 2, h: 2}, noc: {flit_bits: 128}";
const System kSystems[] = {
    {"torus", "inter_cube: {noc: 'BidirectionalTorus2D(2,2)'}", "sips: {count: 2}"},
    {"tree", "inter_cube: {noc: 'BidirectionalTree(1,3)'}", "sips: {count: 2}"},
    {"butterfly", "inter_cube: {noc: 'Butterfly(2,3)'}", "sips: {count: 2}"},
    {"graph", "inter_cube: {noc: star.yaml}", "sips: {count: 2}"},
    {"ring of SIPs", "inter_cube: ucie_mesh",
     "sips: {count: 2}, inter_sip: {noc: 'BidirectionalTorus1D(2)'}, noc: {flit_bits: 128}"},
    {"both", "inter_cube: {noc: 'Mesh2D(2,2)'}",
     "sips: {count: 2}, inter_sip: {noc: 'Butterfly(2,2)'}"},
};

class NetworkSystems : public ::testing::TestWithParam<System> {
 protected:
  NetworkSystems() {
    // A ring of two routers without endpoints, with two cubes at each of the other two.
    (void)folder_.write(
        "star.yaml",
        "topology:\n"
        "  kind: CustomTopology\n"
        "  n: 4\n"
        "  edges: [[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2], [3, 0], [0, 3]]\n"
        "  endpoints: [2, 0, 2, 0]\n");
  }

  topology::TopologyGraph graph() {
    const auto path = folder_.write(
        "t.yaml",
        std::string("system: {") + GetParam().system + "}\nsip: {" + GetParam().sip + ", " +
            kCubes +
            "}\ncube: {pe_layout: {pe_per_corner: 1}, memory_map: {slices_per_cube: 4}}\n");
    return topology::compile_topology(topology::load_topology_spec(path));
  }

  /// Runs a bench twice; expects right numbers, and the same time.
  RunResult run(const char* bench, std::map<std::string, std::string> parameters) {
    RunOptions options;
    options.parameters = std::move(parameters);
    options.verify = true;
    options.races = true;
    options.ccl.text = "backend: ahbm\n";
    const topology::TopologyGraph system = graph();
    RunResult result = run_bench(find_bench(bench), system, options);
    EXPECT_GT(result.checks.size() + result.contracts.size(), 0U);
    for (const auto& checks : {result.checks, result.contracts}) {
      for (const runtime::CheckReport& check : checks) {
        EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
      }
    }
    EXPECT_TRUE(result.races.races.empty());
    EXPECT_EQ(run_bench(find_bench(bench), system, options).end, result.end);
    return result;
  }

  common::TempFolder folder_;
};

TEST_P(NetworkSystems, ReduceOverAllCubesAndSips) {
  (void)run("all-reduce", {{"bytes", "4096"}});
}

TEST_P(NetworkSystems, MultiplyMatrices) {
  (void)run("gemm", {{"m", "64"}, {"k", "64"}, {"n", "64"}});
}

TEST_P(NetworkSystems, DecodeWithATransformer) {
  const auto model = folder_.write(
      "model.yaml",
      "name: tiny\nhidden: 32\nlayers: 1\nheads: 8\nkv_heads: 2\nhead_size: 4\nfeed_forward: 40\n"
      "vocabulary: 60\ntype: f32\n");
  (void)run("transformer", {{"model", model.string()}, {"decode", "1"}, {"tensor", "2"}});
}

INSTANTIATE_TEST_SUITE_P(All, NetworkSystems, ::testing::ValuesIn(kSystems), [](const auto& one) {
  std::string name = one.param.name;
  std::erase(name, ' ');
  return name;
});

TEST(NetworkExplanation, HasTheLatencyOfTheNetworkAndTheLoadsOfItsLinks) {
  const topology::TopologyGraph graph = topology::compile_topology(topology::parse_topology_spec(
      "system: {sips: {count: 1}}\n"
      "sip: {inter_cube: {noc: 'BidirectionalTorus2D(2,2)'}, cube_mesh: {w: 2, h: 2}, noc: "
      "{flit_bits: 512}}\n"
      "cube: {pe_layout: {pe_per_corner: 1}, memory_map: {slices_per_cube: 4}}\n",
      "t.yaml"));
  RunOptions options;
  options.parameters = {{"bytes", "1024"}};
  options.ccl.text = "backend: ahbm\n";
  options.explain = true;
  const RunResult result = run_bench(find_bench("all-reduce"), graph, options);
  std::vector<std::string> limits;
  for (const auto& [region, path] : explain(result)) {
    for (const trace::PathPart& part : path.by_limit(graph)) limits.push_back(part.name);
  }
  EXPECT_THAT(limits, ::testing::Contains("latency of the network"));
  std::size_t loaded = 0;
  for (std::uint32_t i = 0; i < result.use.wires.size(); ++i) {
    if (graph.edges()[i].kind != topology::EdgeKind::NocLink) continue;
    EXPECT_LE(result.use.wires[i].busy, result.end);
    loaded += result.use.wires[i].flits > 0 ? 1 : 0;
  }
  EXPECT_GT(loaded, 0U);
}

TEST(NetworkGrade, IsAnEstimateWithAnAnalyticNetwork) {
  topology::TopologySpec spec =
      topology::parse_topology_spec("sip: {inter_cube: {noc: 'Mesh2D(4,4)'}}\n", "t.yaml");
  EXPECT_EQ(grade_of_system(spec).name(), "exact");
  spec.sip.noc.fabric = topology::FabricModel::Analytic;
  EXPECT_EQ(grade_of_system(spec).text(),
            "estimate: packets wait in queues without bounds, which no test compares with routers "
            "under load");
}

}  // namespace
}  // namespace kernbench::model::bench
