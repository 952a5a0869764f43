// SPDX-License-Identifier: Apache-2.0
// The choice of algorithms by their formulas.
#include <gtest/gtest.h>

#include "model/ccl/measure_costs.hpp"
#include "model/ccl/process_group.hpp"
#include "tests/model/ccl/group_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::ccl {
namespace {

bench::RunResult run_collective(const topology::TopologyGraph& graph, const std::string& name,
                                const std::string& bytes, const std::string& ccl) {
  bench::RunOptions options;
  options.verify = true;
  options.parameters = {{"collective", name}, {"bytes", bytes}};
  options.ccl = {"ccl.yaml", ccl};
  return bench::run_bench(bench::find_bench("collective"), graph, options);
}

TEST(Choice, TakesFewMessagesForSmallTensorsAndFewBytesForLargeOnes) {
  const topology::TopologyGraph system = system_of(8, 1, 1);
  const auto choice = [&](const char* name, const char* bytes) {
    const bench::RunResult result = run_collective(system, name, bytes, "backend: ahbm\n");
    EXPECT_EQ(result.choices.size(), 1U);
    EXPECT_GT(result.choices.at(0).next_ns, result.choices.at(0).predicted_ns);
    return result.choices.at(0).algorithm;
  };
  EXPECT_EQ(choice("all_reduce", "4096"), "recursive-doubling");
  EXPECT_EQ(choice("all_reduce", "262144"), "halving-doubling");
  EXPECT_EQ(choice("broadcast", "4096"), "binomial-broadcast");
  EXPECT_EQ(choice("broadcast", "1048576"), "chain-broadcast");
}

TEST(Choice, IsNotAskedForWhenThereIsNone) {
  const std::string named = "backend: ahbm\nalgorithms: {all_reduce: tree}\n";
  EXPECT_EQ(run_collective(system_of(2, 1, 1), "all_reduce", "4096", named).choices.size(), 0U);
  // The root cube is a choice too, unless the name says it.
  const bench::RunResult tree =
      run_collective(small_system_of(2, 2, 2), "all_reduce", "4096", named);
  ASSERT_EQ(tree.choices.size(), 1U);
  EXPECT_EQ(tree.choices[0].algorithm, "tree");
  EXPECT_EQ(tree.choices[0].root_cube, 1U) << "beside the IO chiplet";
  EXPECT_EQ(tree.choices[0].next, "");
  const std::string corner = "backend: ahbm\nalgorithms: {all_reduce: intercube-corner}\n";
  EXPECT_EQ(run_collective(small_system_of(2, 2, 2), "all_reduce", "4096", corner).choices.size(),
            0U);
}

TEST(MeasuredCosts, AreTheSameEachTimeAndNearTheWires) {
  topology::TopologySpec spec;
  spec.system.sips = 4;
  spec.sip.cube_mesh_w = 1;
  spec.sip.cube_mesh_h = 1;
  const CostParameters& costs = measured_costs(spec, 0);
  EXPECT_EQ(&costs, &measured_costs(spec, 0));
  // Eight lanes share 64 GB/s.
  const StepCost& further = costs.steps[static_cast<std::size_t>(Step::Further)];
  EXPECT_NEAR(further.beta, 8.0 / 64.0, 0.1 * 8.0 / 64.0);
  spec.system.switch_to_pcie_ep.bw_gbs = 32.0;
  EXPECT_NEAR(measured_costs(spec, 0).steps[static_cast<std::size_t>(Step::Further)].beta,
              8.0 / 32.0, 0.1 * 8.0 / 32.0);
}

}  // namespace
}  // namespace kernbench::model::ccl
