// SPDX-License-Identifier: Apache-2.0
// Tests the search for the fastest mapping, and benches on a part of a SIP.
#include "model/bench/mapping_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/bench/mapping_pairs.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using common::SimTime;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const topology::TopologyGraph& sip() {
  return mapping_machines()[0];  // 4 x 4 cubes of 8 PEs
}
const topology::TopologyGraph& large_sip() {
  return mapping_machines()[1];  // 8 x 4 cubes
}

MappedRun mapped(const std::string& bench, const ParameterValues& values,
                 const topology::TopologyGraph& graph = sip(), unsigned jobs = 2) {
  RunOptions options;
  options.parameters = values;
  return run_mapped(find_bench(bench), graph, options, jobs);
}

SimTime fixed_time(const std::string& bench, const ParameterValues& values,
                   const topology::TopologyGraph& graph = sip()) {
  RunOptions options;
  options.parameters = values;
  return span_of(run_bench(find_bench(bench), graph, options));
}

TEST(MappingSearch, TakesWhatIsFastestAndNotWhatReadsLeast) {
  const ParameterValues shape = {{"m", "160"}, {"k", "768"}, {"n", "1280"}};
  EXPECT_EQ(fixed_time("gemm", shape), SimTime::from_ps(7'365'990));  // what reads least: blocks
  const MappedRun run = mapped("gemm", shape);
  ASSERT_TRUE(run.mapping);
  EXPECT_EQ(run.mapping->chosen.name, "c=column, cubes=4x4, pes=8");
  EXPECT_EQ(run.mapping->chosen.time, span_of(run.result));
  EXPECT_EQ(span_of(run.result), SimTime::from_ps(4'156'857));
  ASSERT_TRUE(run.mapping->next);
  EXPECT_EQ(run.mapping->next->name, "c=column, cubes=4x4, pes=4");
  EXPECT_EQ(run.options.parameters.at("c"), "column");
}

TEST(MappingSearch, IsTheSameForAnyNumberOfThreads) {
  const ParameterValues shape = {{"queries", "768"}};
  const MappedRun one = mapped("attention", shape, sip(), 1);
  const MappedRun three = mapped("attention", shape, sip(), 3);
  EXPECT_EQ(one.options.parameters, three.options.parameters);
  EXPECT_EQ(one.mapping->next->name, three.mapping->next->name);
  EXPECT_EQ(one.mapping->simulated, three.mapping->simulated);
  EXPECT_EQ(span_of(one.result), span_of(three.result));
  EXPECT_EQ(one.options.parameters.at("split"), "no");
}

TEST(MappingSearch, ChangesNothingThatIsGiven) {
  const ParameterValues given = {{"m", "64"},  {"k", "64"},      {"n", "64"},
                                 {"c", "row"}, {"cubes", "4x4"}, {"pes", "8"}};
  const MappedRun run = mapped("gemm", given);
  EXPECT_FALSE(run.mapping);
  EXPECT_EQ(run.options.parameters, given);
  EXPECT_EQ(span_of(run.result), fixed_time("gemm", given));
}

TEST(MappingSearch, SimulatesNoOtherWhereTheEnginesAreBusy) {
  const MappedRun run = mapped("gemm", {{"m", "2048"}, {"k", "2048"}, {"n", "2048"}});
  EXPECT_EQ(run.mapping->chosen.name, "c=blocks, cubes=4x4, pes=8");
  EXPECT_EQ(run.mapping->simulated, 0U);
  EXPECT_FALSE(run.mapping->next);
}

TEST(MappingSearch, UsesAllOfASipForLongWork) {
  const MappedRun run = mapped("vector-add", {{"rows", "800000"}}, mapping_machines()[5]);
  EXPECT_GT(span_of(run.result), SimTime::from_ps(500'000'000));
  EXPECT_EQ(run.mapping->chosen.name, "cubes=1x1, pes=8");
  EXPECT_EQ(run.mapping->simulated, 0U);
}

TEST(MappingSearch, NeverLetsMoreCubesTakeLonger) {
  const ParameterValues shape = {{"m", "256"}, {"k", "384"}, {"n", "512"}};
  const SimTime small = span_of(mapped("gemm", shape).result);
  const SimTime large = span_of(mapped("gemm", shape, large_sip()).result);
  EXPECT_LE(large.ns(), small.ns() * (1.0 + kWorthwhile));
  EXPECT_GT(fixed_time("gemm", shape, large_sip()), fixed_time("gemm", shape));  // all 32 cubes do
}

TEST(MappingSearch, LeavesTheCubesOfATaskThatTheyAreAPartOf) {
  RunOptions options;
  options.ccl = {"test", "backend: ahbm\n"};
  const MappedRun run = run_mapped(find_bench("all-reduce"), mapping_machines()[3], options, 2);
  EXPECT_FALSE(run.mapping);
}

TEST(MappingSearch, IsNotFarFromTheBestOnFiveDrawnPairs) {
  const std::vector<MappingPair> pairs = drawn_pairs();  // the slow tests take all 300
  for (std::size_t i = 7; i < pairs.size(); i += 60) {
    const PairResult result = measure_pair(pairs[i]);
    EXPECT_LE(result.ratio, 1.10) << text_of(result);
  }
}

TEST(DevicePart, IsARectangleOfCubesAndTheFirstPes) {
  RunOptions options;
  options.parameters = {{"rows", "512"}, {"cubes", "6"}, {"pes", "3"}};
  options.verify = true;
  const RunResult result = run_bench(find_bench("vector-add"), sip(), options);
  EXPECT_EQ(result.launches.at(0).device.cubes, (std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6}));
  EXPECT_EQ(result.launches.at(0).device.pes, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(result.launches.at(0).programs, 18U);
  EXPECT_EQ(result.checks.at(0).wrong, 0U);
  EXPECT_NE(result.checks.at(0).elements, 0U);
}

TEST(DevicePart, GivesTheNumbersOfTheWholeSip) {
  for (const Bench& bench : benches()) {
    if (!bench.any_part || bench.name == "transformer") continue;
    RunOptions options;
    options.ccl = {"test", "backend: ahbm\n"};
    options.parameters = {{"cubes", "2x1"}, {"pes", "2"}};
    options.verify = true;
    const RunResult result = run_bench(bench, mapping_machines()[3], options);
    EXPECT_FALSE(result.checks.empty()) << bench.name;
    for (const runtime::CheckReport& check : result.checks) {
      EXPECT_EQ(check.wrong, 0U) << bench.name << ": " << check.first_wrong;
      EXPECT_NE(check.elements, 0U) << bench.name;
    }
  }
}

TEST(DevicePart, OfEachSipSumsOverItsCubes) {
  RunOptions options;
  options.ccl = {"test", "backend: ahbm\n"};
  options.parameters = {{"cubes", "1x2"}};
  options.verify = true;
  const RunResult result = run_bench(find_bench("collective"), mapping_machines()[3], options);
  EXPECT_EQ(result.launches.at(0).device.cubes, (std::vector<std::uint32_t>{0, 2}));
  ASSERT_FALSE(result.contracts.empty());
  for (const runtime::CheckReport& contract : result.contracts) EXPECT_EQ(contract.wrong, 0U);
}

TEST(DevicePart, RefusesWhatASipDoesNotHave) {
  const auto refusal = [](const ParameterValues& values, const std::string& ccl = "backend: ahbm\n",
                          const std::string& bench = "vector-add") {
    RunOptions options;
    options.parameters = values;
    options.ccl = {"test", ccl};
    try {
      (void)run_bench(find_bench(bench), sip(), options);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string cubes =
      "parameter 'cubes' must be auto, a rectangle of the 4x4 cubes of a SIP such as 4x4, or a "
      "number of cubes that makes one, not '";
  for (const char* const wrong : {"0", "7", "5x1", "4x5", "0x1", "x", "4x", "-1", "2x2x2", "all"}) {
    EXPECT_EQ(refusal({{"cubes", wrong}}), cubes + wrong + "'") << wrong;
  }
  for (const char* const wrong : {"0", "9", "2x", "-1", ""}) {
    EXPECT_EQ(
        refusal({{"pes", wrong}}),
        std::string("parameter 'pes' must be auto or a number from 1 to 8, the PEs of a cube, "
                    "not '") +
            wrong + "'");
  }
  EXPECT_THAT(refusal({{"cubes", "2"}}, "backend: ahbm\nrank: cube\n", "collective"),
              HasSubstr("'cubes' and 'pes' need ranks that are SIPs"));
  EXPECT_THAT(refusal({{"cube", "2"}}), StartsWith("bench 'vector-add' has no parameter 'cube'"));
}

}  // namespace
}  // namespace kernbench::model::bench
