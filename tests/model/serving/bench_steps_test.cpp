// SPDX-License-Identifier: Apache-2.0
// Steps of a small model on one SIP of 2 x 2 cubes of 4 PEs.
#include "model/serving/bench_steps.hpp"

#include <gtest/gtest.h>

#include "tests/common/temp_folder.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::serving {
namespace {

using common::SimTime;

constexpr const char* kSmall =
    "name: small\nhidden: 64\nlayers: 6\nheads: 8\nkv_heads: 4\nfeed_forward: 96\nvocabulary: 64\n"
    "type: f32\n";

class ServingBench : public ::testing::Test {
 protected:
  ServingBench() {
    spec_.system.sips = 1;
    spec_.sip.cube_mesh_w = 2;
    spec_.sip.cube_mesh_h = 2;
    spec_.cube.pe_per_corner = 1;
    spec_.cube.memory_map.slices_per_cube = 4;
    options_.parameters =
        resolve_parameters(bench::find_bench("transformer"),
                           {{"model", folder_.write("model.yaml", kSmall).string()}});
    options_.ccl.text = "backend: ahbm\n";
  }
  common::TempFolder folder_;
  topology::TopologySpec spec_;
  bench::RunOptions options_;
};

TEST_F(ServingBench, HasTheRoomThatTheModelLeaves) {
  const ServerMemory memory = server_memory(spec_, options_.parameters, 4, {SimTime(), 100, 61});
  EXPECT_EQ(memory.bytes, std::uint64_t{4 * 48} << 30U);
  // Keys and values of 6 layers, 4 heads of 8 numbers of 4 bytes, 16 tokens.
  EXPECT_EQ(memory.page_bytes, 2U * 6U * 4U * 8U * 4U * 16U);
  const ServerRoom room = memory.room(4);
  EXPECT_EQ(room.pages, (memory.bytes - memory.other_bytes) / 24576);
  EXPECT_EQ(room.page_tokens, 16U);
  EXPECT_EQ(room.pes, 4U);
  EXPECT_EQ(room.kv_heads, 1U);
  EXPECT_GT(memory.other_bytes, 6U * 4U * (2U * 64U * 64U + 2U * 64U * 32U + 3U * 64U * 96U));
}

TEST_F(ServingBench, SaysHowMuchARequestLacks) {
  const ServerMemory memory{1000, 400, 100, 2, 1, 1, 0};  // 6 pages of 2 tokens
  EXPECT_EQ(missing_bytes(memory, {SimTime(), 10, 3}), 0U) << "12 tokens are kept";
  EXPECT_EQ(missing_bytes(memory, {SimTime(), 10, 4}), 100U);
  const ServerMemory odd{1050, 400, 100, 2, 1, 1, 0};
  EXPECT_EQ(missing_bytes(odd, {SimTime(), 10, 4}), 50U);
}

TEST_F(ServingBench, ComposesStepsThatAreWithinAPercentOfTheirSimulation) {
  const topology::TopologyGraph graph = topology::compile_topology(spec_);
  const ServerRoom room{4, 1000, 16, 4, 1};
  const Request longest{SimTime(), 40, 300};
  const StepTime simulate =
      bench_steps(graph, options_, room, StepTimes::most_tokens(longest, room));
  const StepTimes times(simulate, longest, room, 1);
  for (const Step& step :
       {Step{0, {17, 250, 33, 101}}, Step{0, {338, 5}}, Step{0, {129}}, Step{0, {40, 200, 64}}}) {
    const double simulated = simulate(step).ns();
    EXPECT_NEAR(times(step).ns(), simulated, 0.01 * simulated);
  }
}

TEST_F(ServingBench, GivesEachSequenceTheRoomOfTheLongestIfItFits) {
  const topology::TopologyGraph graph = topology::compile_topology(spec_);
  const auto time_of = [&](std::uint64_t pages, std::uint64_t tokens) {
    return bench_steps(graph, options_, {4, pages, 16, 4, 1}, tokens)({0, {20, 33}}).ps();
  };
  // Tensors have other addresses behind another room. 2 sequences of 512 tokens have 64 pages.
  EXPECT_NE(time_of(64, 512), time_of(63, 512));
  EXPECT_EQ(time_of(64, 512), time_of(1000, 512));
  EXPECT_EQ(time_of(63, 512), time_of(63, 1024)) << "the room of their own";
}

TEST_F(ServingBench, RefusesAModelThatDoesNotFit) {
  const auto message = [&](const std::string& name, const std::string& value) -> std::string {
    std::map<std::string, std::string> parameters = options_.parameters;
    parameters[name] = value;
    try {
      (void)server_memory(spec_, parameters, 4, {SimTime(), 100, 61});
    } catch (const runtime::BadParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("tensor", "2"),
            "'tensor' 2 x 'pipeline' 1 must be at most the 1 SIPs of the system, and 'pipeline' at "
            "most the 6 layers of the model");
  EXPECT_EQ(message("page", "0"),
            "parameter 'page' must be a whole number from 1 to 1000000, not '0'");
  EXPECT_EQ(message("layers", "3"), "accepted");
}

}  // namespace
}  // namespace kernbench::model::serving
