// SPDX-License-Identifier: Apache-2.0
// Compares the bench `mlp` on several SIPs with one SIP.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/bench/registry.hpp"
#include "tests/model/ccl/group_fixture.hpp"

namespace kernbench::model::ccl {
namespace {

using data::Array;

/// Returns y at each rank of a world of this many ranks.
std::vector<Array> mlp(const std::string& type, std::uint32_t ranks,
                       const std::string& all_reduce = "intercube-center") {
  static const topology::TopologyGraph kGraph = small_system_of(4, 2, 1);
  bench::RunOptions options;
  options.verify = true;
  // Neither columns over cubes nor rows over PEs divide evenly.
  options.parameters = {
      {"batch", "5"}, {"inputs", "18"}, {"hidden", "36"}, {"outputs", "11"}, {"type", type}};
  options.ccl = {"ccl.yaml",
                 fmt::format("backend: ahbm\nworld_size: {}\nalgorithms: {{all_reduce: {}}}\n",
                             ranks, all_reduce)};
  const bench::RunResult result = bench::run_bench(bench::find_bench("mlp"), kGraph, options);
  std::vector<Array> all;
  for (const auto& [number, y] : result.results) all.push_back(y);
  for (const runtime::CheckReport& check : result.checks) {
    EXPECT_EQ(check.elements, 55U);
    EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
    EXPECT_EQ(check.worst, 0.0) << check.name << " is not exact";
  }
  return all;
}

TEST(TensorParallelMlpTest, EveryRankHasExactlyTheIntegersOfASingleSip) {
  for (const data::DataType type : {data::DataType::I32, data::DataType::I8}) {
    const std::string name{name_of(type)};
    const std::vector<Array> alone = mlp(name, 1);
    ASSERT_EQ(alone.size(), 1U);
    EXPECT_NE(alone.front(), Array(type, 5, 11));  // not all zero
    for (const std::uint32_t ranks : {2U, 3U, 4U}) {
      const std::vector<Array> all = mlp(name, ranks);
      ASSERT_EQ(all.size(), ranks);
      for (const Array& y : all) EXPECT_EQ(y, alone.front()) << name << ", " << ranks << " ranks";
    }
  }
}

TEST(TensorParallelMlpTest, TheIntegersDoNotDependOnTheAllReduce) {
  const std::vector<Array> alone = mlp("i32", 1);
  ASSERT_EQ(alone.size(), 1U);
  for (const char* const algorithm :
       {"intercube-corner", "halving-doubling", "recursive-doubling", "tree", "ring"}) {
    const std::vector<Array> all = mlp("i32", 4, algorithm);
    ASSERT_EQ(all.size(), 4U);
    for (const Array& y : all) EXPECT_EQ(y, alone.front()) << algorithm;
  }
}

TEST(TensorParallelMlpTest, FloatsOfAnyTypeAreWithinTheToleranceAtTheDefaultSizes) {
  static const topology::TopologyGraph kGraph = small_system_of(2, 2, 1);
  for (const char* const type : {"f32", "f16", "bf16"}) {
    bench::RunOptions options;
    options.verify = true;
    options.parameters = {{"type", type}};
    options.ccl = {"ccl.yaml", "backend: ahbm\n"};
    const bench::RunResult result = bench::run_bench(bench::find_bench("mlp"), kGraph, options);
    ASSERT_EQ(result.checks.size(), 2U);
    for (const runtime::CheckReport& check : result.checks) {
      EXPECT_EQ(check.wrong, 0U) << type << " " << check.first_wrong;
      // The tolerance is close to the effect of rounding.
      EXPECT_GT(check.worst, 0.001) << type;
    }
  }
}

}  // namespace
}  // namespace kernbench::model::ccl
