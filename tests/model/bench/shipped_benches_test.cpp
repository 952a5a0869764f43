// SPDX-License-Identifier: Apache-2.0
// The shipped benches match their references, for shapes that tiles do not divide, a single row,
// and more PEs than rows. Verification and tracing do not change the timing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using ::testing::ElementsAre;
using Parameters = std::map<std::string, std::string>;

/// Returns a system of two SIPs with 2 x 2 cubes of 4 PEs.
const topology::TopologyGraph& bench_graph() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.sip.cube_mesh_w = 2;
    spec.sip.cube_mesh_h = 2;
    spec.cube.pe_per_corner = 1;
    spec.cube.memory_map.slices_per_cube = 4;
    return topology::compile_topology(spec);
  }();
  return graph;
}

/// Returns a system of two SIPs with 2 x 2 cubes of one PE and 512 GiB of HBM.
const topology::TopologyGraph& graph_of_small_cubes() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.sip.cube_mesh_w = 2;
    spec.sip.cube_mesh_h = 2;
    spec.cube.corners = {topology::Corner::SE};
    spec.cube.pe_per_corner = 1;
    spec.cube.memory_map.slices_per_cube = 1;
    spec.cube.memory_map.hbm_total_gb = 512;
    return topology::compile_topology(spec);
  }();
  return graph;
}

RunResult run(const char* name, const Parameters& parameters, bool verify = true,
              trace::HopTrace* trace = nullptr,
              const topology::TopologyGraph& graph = bench_graph()) {
  RunOptions options;
  options.parameters = parameters;
  options.verify = verify;
  options.races = verify;
  options.trace = trace;
  return run_bench(find_bench(name), graph, options);
}

struct BenchCase {
  const char* bench;
  Parameters parameters;
  std::uint64_t elements;  ///< numbers verified
};

const BenchCase kCases[] = {
    {"vector-add", {{"rows", "5"}, {"columns", "3"}}, 15},
    {"vector-add", {{"rows", "1"}, {"columns", "1000"}}, 1000},
    {"softmax", {{"rows", "37"}, {"columns", "5"}, {"rows_at_once", "2"}}, 185},
    {"softmax", {{"rows", "1"}, {"columns", "9"}, {"type", "f32"}}, 9},
    {"softmax", {{"rows", "40"}, {"columns", "33"}, {"type", "bf16"}}, 1320},
    {"softmax", {{"rows", "5"}, {"columns", "100"}, {"type", "f32"}, {"split", "yes"}}, 500},
    {"softmax", {{"rows", "1"}, {"columns", "500000"}, {"type", "f32"}}, 500000},
    {"softmax", {{"rows", "2"}, {"columns", "70000"}, {"type", "f32"}, {"split", "no"}}, 140000},
    {"layernorm", {{"rows", "37"}, {"columns", "21"}}, 777},
    {"layernorm", {{"rows", "5"}, {"columns", "100"}, {"type", "f32"}, {"split", "yes"}}, 500},
    {"layernorm", {{"rows", "1"}, {"columns", "500000"}, {"type", "f32"}}, 500000},
    {"layernorm", {{"rows", "2"}, {"columns", "70000"}, {"type", "f32"}, {"split", "no"}}, 140000},
    {"layernorm", {{"rows", "3"}, {"columns", "1"}, {"type", "f32"}}, 3},
    {"gemm",
     {{"m", "37"}, {"k", "19"}, {"n", "23"}, {"tile_m", "2"}, {"tile_k", "8"}, {"tile_n", "8"}},
     851},
    {"gemm", {{"m", "1"}, {"k", "65"}, {"n", "33"}, {"type", "f32"}, {"c", "column"}}, 33},
    {"gemm", {{"m", "33"}, {"k", "7"}, {"n", "1"}, {"type", "bf16"}}, 33},
    {"gemm", {{"m", "37"}, {"k", "19"}, {"n", "23"}, {"type", "f8e4m3"}}, 851},
    {"gemm", {{"m", "37"}, {"k", "19"}, {"n", "23"}, {"type", "f8e5m2"}}, 851},
    {"gemm", {{"m", "37"}, {"k", "18"}, {"n", "30"}, {"type", "i4"}, {"c", "row"}}, 1110},
    {"gemm-batched", {{"batch", "3"}, {"heads", "5"}, {"m", "7"}, {"k", "9"}, {"n", "11"}}, 1155},
    {"gemm-batched",
     {{"batch", "1"}, {"heads", "1"}, {"m", "70"}, {"k", "9"}, {"n", "11"}, {"type", "f32"}},
     770},
    {"gemm-batched",
     {{"batch", "40"},
      {"heads", "1"},
      {"m", "2"},
      {"k", "8"},
      {"n", "6"},
      {"b", "shared"},
      {"type", "i4"},
      {"matrices_in_flight", "3"}},
     480},
    {"gemm-quantized", {{"m", "5"}, {"k", "37"}, {"n", "64"}}, 320},
    {"gemm-quantized", {{"m", "5"}, {"k", "37"}, {"n", "96"}, {"group", "8"}}, 480},
    {"gemm-quantized", {{"m", "5"}, {"k", "37"}, {"n", "23"}, {"weights", "f8e4m3"}}, 115},
    {"gemm-quantized",
     {{"m", "33"}, {"k", "37"}, {"n", "23"}, {"weights", "f8e5m2"}, {"group", "16"}},
     759},
    {"rmsnorm", {{"rows", "37"}, {"columns", "21"}}, 777},
    {"rmsnorm", {{"rows", "2"}, {"columns", "70000"}, {"type", "f32"}}, 140000},
    {"rmsnorm", {{"rows", "3"}, {"columns", "1"}, {"type", "bf16"}, {"rows_at_once", "1"}}, 3},
    {"attention-grouped",
     {{"sequences", "3"}, {"context", "37"}, {"size", "8"}, {"page", "4"}},
     384},
    {"attention-grouped",
     {{"sequences", "2"},
      {"context", "37"},
      {"queries", "21"},
      {"heads", "6"},
      {"kv_heads", "2"},
      {"size", "8"},
      {"page", "5"},
      {"block", "4"},
      {"type", "f32"}},
     2016},
    {"attention-grouped",
     {{"sequences", "1"},
      {"context", "1"},
      {"heads", "1"},
      {"kv_heads", "1"},
      {"size", "4"},
      {"type", "bf16"}},
     4},
    {"gemm-epilogue", {{"m", "9"}, {"k", "11"}, {"n", "13"}}, 117},
    {"gemm-epilogue", {{"m", "9"}, {"k", "11"}, {"n", "13"}, {"activation", "sigmoid"}}, 117},
    {"gemm-epilogue", {{"m", "9"}, {"k", "11"}, {"n", "13"}, {"activation", "tanh"}}, 117},
    {"gemm-epilogue", {{"m", "9"}, {"k", "11"}, {"n", "13"}, {"activation", "gelu"}}, 117},
    {"gemm-epilogue", {{"m", "9"}, {"k", "11"}, {"n", "13"}, {"activation", "silu"}}, 117},
    {"gemm-epilogue", {{"m", "33"}, {"k", "70"}, {"n", "13"}, {"fused", "no"}}, 429},
    {"attention",
     {{"queries", "37"}, {"keys", "41"}, {"size", "8"}, {"block_q", "2"}, {"block_k", "8"}},
     296},
    {"attention",
     {{"queries", "37"}, {"keys", "37"}, {"size", "8"}, {"block_k", "8"}, {"causal", "yes"}},
     296},
    {"attention",
     {{"queries", "1"}, {"keys", "5"}, {"size", "4"}, {"type", "f32"}, {"causal", "yes"}},
     4},
    {"attention",
     {{"queries", "1"}, {"keys", "500"}, {"size", "8"}, {"block_k", "4"}, {"type", "f32"}},
     8},
    {"attention",
     {{"queries", "5"}, {"keys", "300"}, {"size", "8"}, {"block_q", "3"}, {"split", "yes"}},
     40},
    {"attention",
     {{"queries", "70"},
      {"keys", "90"},
      {"size", "8"},
      {"block_q", "64"},
      {"block_k", "3"},
      {"causal", "yes"}},
     560},
    {"attention",
     {{"queries", "70"}, {"keys", "90"}, {"size", "8"}, {"causal", "yes"}, {"split", "no"}},
     560},
    {"attention",
     {{"queries", "300"},
      {"keys", "200"},
      {"size", "8"},
      {"block_q", "2"},
      {"block_k", "50"},
      {"causal", "yes"}},
     2400},
    {"copy-bandwidth", {{"to", "1024"}}, 8 * 16 * (256 + 1024) / 2},
    {"copy-bandwidth", {{"from", "100"}, {"to", "400"}, {"programs", "all"}}, 8 * 16 * 500 / 2},
};

TEST(ShippedBenches, ComputeWhatTheirReferencesSay) {
  for (const BenchCase& bench_case : kCases) {
    SCOPED_TRACE(
        fmt::format("{} {}", bench_case.bench, ::testing::PrintToString(bench_case.parameters)));
    const RunResult result = run(bench_case.bench, bench_case.parameters);
    std::uint64_t elements = 0;
    for (const runtime::CheckReport& check : result.checks) {
      EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
      elements += check.elements;
    }
    EXPECT_EQ(elements, bench_case.elements);
    EXPECT_GT(result.races.accesses, 0U);
    EXPECT_TRUE(result.races.races.empty()) << result.races.races.size() << " races";
  }
}

/// The benches of several SIPs, whose numbers tests of collectives check.
TEST(ShippedBenches, OfSeveralSipsHaveNoRaces) {
  std::vector<std::pair<const char*, Parameters>> all = {
      {"all-to-all", {{"bytes", "128"}, {"pes", "2"}}},
      {"mlp", {{"batch", "8"}, {"inputs", "16"}, {"hidden", "32"}, {"outputs", "16"}}},
      {"all-reduce", {{"bytes", "4096"}}}};
  for (const auto& [bench, parameters] : all) {
    RunOptions options;
    options.parameters = parameters;
    options.races = true;
    options.ccl.text = "backend: ahbm\n";
    const RunResult result = run_bench(find_bench(bench), bench_graph(), options);
    EXPECT_GT(result.races.accesses, 0U) << bench;
    EXPECT_TRUE(result.races.races.empty()) << bench;
    EXPECT_TRUE(result.checks.empty()) << "the verification was not asked for";
  }
}

TEST(ShippedBenches, GemmIsRightForAllPoliciesStagingsAndTypes) {
  const char* const policies[] = {"row", "column", "replicated"};
  std::size_t runs = 0;
  for (const char* const a : policies) {
    for (const char* const b : policies) {
      for (const char* const c : policies) {
        const bool odd = runs % 2 != 0;
        const Parameters parameters = {{"m", "21"},
                                       {"k", "18"},
                                       {"n", "11"},
                                       {"a", a},
                                       {"b", b},
                                       {"c", c},
                                       {"tile_n", "4"},
                                       {"type", odd ? "i8" : "f16"},
                                       {"stage_a", runs % 3 == 0 ? "resident" : "streamed"},
                                       {"stage_b", odd ? "resident" : "streamed"}};
        const RunResult result = run("gemm", parameters);
        EXPECT_EQ(result.checks.at(0).elements, 231U);
        EXPECT_TRUE(result.races.races.empty()) << ::testing::PrintToString(parameters);
        EXPECT_EQ(result.checks.at(0).wrong, 0U)
            << ::testing::PrintToString(parameters) << result.checks.at(0).first_wrong;
        ++runs;
      }
    }
  }
}

std::vector<const char*> shipped() {
  return {"vector-add", "softmax",      "layernorm",      "gemm",    "gemm-epilogue",
          "attention",  "gemm-batched", "gemm-quantized", "rmsnorm", "attention-grouped"};
}
Parameters small(const std::string& bench) {
  if (bench == "attention") return {{"queries", "40"}, {"keys", "48"}, {"block_k", "16"}};
  if (bench == "attention-grouped") return {{"context", "40"}, {"size", "8"}};
  if (bench == "gemm-quantized") return {{"m", "40"}, {"k", "72"}, {"n", "64"}};
  if (bench.starts_with("gemm")) return {{"m", "40"}, {"k", "72"}, {"n", "48"}};
  return {{"rows", "40"}, {"columns", "48"}};
}

TEST(ShippedBenches, TakeTheSameTimeWithAndWithoutVerificationAndTrace) {
  for (const char* const bench : shipped()) {
    const RunResult plain = run(bench, small(bench), false);
    const RunResult verified = run(bench, small(bench), true);
    trace::HopTrace trace;
    const RunResult traced = run(bench, small(bench), false, &trace);
    EXPECT_TRUE(plain.checks.empty());
    EXPECT_FALSE(verified.checks.empty());
    EXPECT_EQ(plain.end, verified.end) << bench;
    EXPECT_EQ(plain.end, traced.end) << bench;
    EXPECT_EQ(plain.flit_hops, verified.flit_hops);
    EXPECT_EQ(plain.recorder->operations(), verified.recorder->log().records().size());
    EXPECT_TRUE(plain.recorder->log().records().empty()) << "the log was not asked for";
    EXPECT_EQ(plain.recorder->log().stages().size(), verified.recorder->log().stages().size());
  }
}

TEST(ShippedBenches, ComputeTheSameBitsLiveAndAfterwards) {
  for (const BenchCase& bench_case : kCases) {
    SCOPED_TRACE(
        fmt::format("{} {}", bench_case.bench, ::testing::PrintToString(bench_case.parameters)));
    RunOptions options;
    options.parameters = bench_case.parameters;
    options.verify = true;
    const RunResult after = run_bench(find_bench(bench_case.bench), bench_graph(), options);
    options.live = true;
    const RunResult live = run_bench(find_bench(bench_case.bench), bench_graph(), options);
    EXPECT_EQ(live.end, after.end);
    EXPECT_EQ(live.flit_hops, after.flit_hops);
    EXPECT_FALSE(live.results.empty());
    EXPECT_TRUE(live.results == after.results);
  }
}

TEST(ShippedBenches, NameTheCauseOfEveryPicosecond) {
  for (const BenchCase& bench_case : kCases) {
    SCOPED_TRACE(bench_case.bench);
    RunOptions options;
    options.parameters = bench_case.parameters;
    const common::SimTime end = run_bench(find_bench(bench_case.bench), bench_graph(), options).end;
    options.explain = true;
    const RunResult result = run_bench(find_bench(bench_case.bench), bench_graph(), options);
    EXPECT_EQ(result.end, end);
    std::uint64_t steps = 0;
    for (const auto& [what, path] : explain(result)) {
      SCOPED_TRACE(what);
      steps += path.steps;
      EXPECT_EQ(path.unnamed(), common::SimTime());
      for (const trace::TimeShare& share : path.shares) {
        const bool waits = share.use == trace::TimeUse::WireWait ||
                           share.use == trace::TimeUse::ChannelWait ||
                           share.use == trace::TimeUse::EngineWait;
        EXPECT_TRUE(!waits || share.own || !share.behind.empty())
            << text_of(share, bench_graph()) << " names nothing that it waits for";
      }
      for (const auto& parts :
           {path.by_component(bench_graph()), path.by_operation(), path.by_pe(bench_graph())}) {
        common::SimTime sum;
        for (const trace::PathPart& part : parts) sum += part.time;
        EXPECT_EQ(sum, path.time());
      }
    }
    EXPECT_NE(steps, 0U);
  }
}

TEST(ShippedBenches, LeaveTheSameTraceInAnyThread) {
  for (const char* const bench : {"gemm", "attention"}) {
    std::uint64_t hashes[4] = {};
    std::vector<std::thread> threads;
    for (std::uint64_t& hash : hashes) {
      threads.emplace_back([&hash, bench] {
        trace::HopTrace trace;
        (void)run(bench, small(bench), false, &trace);
        hash = trace.hash();
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_NE(hashes[0], trace::HopTrace().hash());
    EXPECT_THAT(hashes, ElementsAre(hashes[0], hashes[0], hashes[0], hashes[0])) << bench;
  }
}

TEST(ShippedBenches, MatchTheirReferencesOnCubesOfOnePe) {
  for (const Bench& bench : benches()) {
    const bool needs_groups = bench.name == "all-reduce" || bench.name == "collective" ||
                              bench.name == "mlp" || bench.name == "transformer";
    if (needs_groups) continue;
    Parameters parameters = small(bench.name);
    if (bench.name == "all-to-all") parameters = {{"pes", "1"}};
    if (bench.name == "copy-bandwidth") parameters = {{"to", "1024"}};
    const RunResult result =
        run(bench.name.c_str(), parameters, true, nullptr, graph_of_small_cubes());
    ASSERT_FALSE(result.checks.empty()) << bench.name;
    for (const runtime::CheckReport& check : result.checks) {
      EXPECT_EQ(check.wrong, 0U) << bench.name << ": " << check.first_wrong;
      EXPECT_GT(check.elements, 0U) << bench.name;
    }
  }
}

TEST(ShippedBenches, RefuseShapesThatDoNotFit) {
  const struct {
    const char* bench;
    Parameters parameters;
    const char* message;
  } cases[] = {
      {"gemm-quantized",
       {{"n", "40"}},
       "parameter 'n' is 40: a PE would have 3 columns of i4, and two share a byte; multiples of "
       "32 fit"},
      {"gemm",
       {{"n", "33"}, {"type", "i4"}},
       "a tensor of 512 x 33 of i4 has parts of 33 columns, but two elements share a byte: the "
       "number must be even"},
      {"attention-grouped",
       {{"context", "8"}, {"queries", "9"}},
       "parameter 'queries' must be at most 'context', 8, not 9"},
      {"attention-grouped",
       {{"heads", "6"}, {"kv_heads", "4"}},
       "parameter 'heads' must be a multiple of 'kv_heads', 4, not 6"},
  };
  for (const auto& one : cases) {
    EXPECT_THAT([&] { (void)run(one.bench, one.parameters); },
                ::testing::ThrowsMessage<runtime::BadParameter>(one.message));
  }
}

TEST(ShippedBenches, AllToAllNamesTheLargestNumberOfSenders) {
  try {
    (void)run("all-to-all", {}, false, nullptr, graph_of_small_cubes());
    FAIL();
  } catch (const runtime::BadParameter& error) {
    EXPECT_STREQ(error.what(), "'pes' is 2, but a cube has 1 PE");
  }
}

/// Simulated times are fixed. Optimisations keep them; only a deliberate change of the model does
/// not.
TEST(ShippedBenches, EndAtThesePicoseconds) {
  std::vector<std::string> ends;
  for (const char* const bench : shipped()) {
    const RunResult result = run(bench, small(bench), false);
    ends.push_back(fmt::format("{} {} {}", bench, result.end.ps(), result.flit_hops));
  }
  EXPECT_THAT(ends, ElementsAre("vector-add 2896586 3380", "softmax 2334655 3240",
                                "layernorm 3505276 5832", "gemm 2966514 11116",
                                "gemm-epilogue 3439456 7096", "attention 6647618 16186",
                                "gemm-batched 4937919 14676", "gemm-quantized 3445474 6452",
                                "rmsnorm 2898897 4408", "attention-grouped 6200723 8792"));
}

TEST(ShippedBenches, AFusedEpilogueIsFasterThanAfterwards) {
  Parameters parameters = {{"m", "64"}, {"k", "64"}, {"n", "256"}};
  const RunResult fused = run("gemm-epilogue", parameters, false);
  parameters["fused"] = "no";
  const RunResult afterwards = run("gemm-epilogue", parameters, false);
  EXPECT_LT(fused.end, afterwards.end);
}

}  // namespace
}  // namespace kernbench::model::bench
