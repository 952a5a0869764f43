// SPDX-License-Identifier: Apache-2.0
// The shipped tiny models as a whole, for every kind of parallelism: prefill and 8 steps of decode.
// A minute; tests/model/bench/transformer_test.cpp has smaller models and some of these.
#include <gtest/gtest.h>

#include "model/bench/runner.hpp"
#include "tests/model/ccl/group_fixture.hpp"
#include "tests/places.hpp"

namespace kernbench::model::bench {
namespace {

using Parameters = std::map<std::string, std::string>;

/// Runs a model and expects no wrong number. With `live`, the run chooses words and experts.
void expect_right(const char* model, std::uint32_t sips, Parameters parameters, bool live) {
  parameters["model"] = places::source("/configs/models/") + std::string(model);
  parameters["batch"] = "4";
  parameters["prompt"] = "16";
  parameters["decode"] = "8";
  parameters["page"] = "8";
  if (live) parameters["decode_by"] = "argmax";
  if (!live) parameters["routing"] = "drawn";
  SCOPED_TRACE(::testing::PrintToString(parameters));
  RunOptions options;
  options.parameters = std::move(parameters);
  options.verify = true;
  options.live = live;
  options.ccl.text = "backend: ahbm\n";
  const RunResult result =
      run_bench(find_bench("transformer"), ccl::small_system_of(sips, 2, 2), options);
  std::uint64_t logits = 0;
  std::uint64_t words = 0;
  for (const runtime::CheckReport& check : result.checks) {
    EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
    if (check.name.starts_with("logits")) logits += check.elements;
    if (check.name == "chosen words") words += check.elements;
  }
  EXPECT_EQ(logits, 9U * 4U * 1000U);
  EXPECT_EQ(words, live ? 9U * 4U : 0U);
}

TEST(TransformerModels, DenseOneIsRightForEveryKindOfParallelism) {
  const std::pair<std::uint32_t, Parameters> cases[] = {
      {1, {}},
      {2, {{"tensor", "2"}}},
      {2, {{"tensor", "2"}, {"sequence", "yes"}}},
      {4, {{"tensor", "4"}}},
      {3, {{"pipeline", "3"}, {"microbatches", "2"}}},
      {4, {{"data", "4"}}},
      {8, {{"tensor", "2"}, {"pipeline", "2"}, {"data", "2"}, {"sequence", "yes"}}}};
  for (const auto& [sips, parameters] : cases) {
    expect_right("tiny.yaml", sips, parameters, true);
  }
}

TEST(TransformerModels, OneOfExpertsIsRightForEveryKindOfParallelism) {
  const std::pair<std::uint32_t, Parameters> cases[] = {
      {1, {}},
      {2, {{"tensor", "2"}}},
      {2, {{"tensor", "2"}, {"expert", "2"}}},
      {4, {{"tensor", "4"}, {"expert", "2"}, {"sequence", "yes"}}},
      {3, {{"pipeline", "3"}, {"microbatches", "4"}}},
      {2, {{"data", "2"}}},
      {8,
       {{"tensor", "2"},
        {"expert", "2"},
        {"pipeline", "2"},
        {"data", "2"},
        {"sequence", "yes"},
        {"microbatches", "2"}}}};
  for (const auto& [sips, parameters] : cases) {
    expect_right("tiny-experts.yaml", sips, parameters, true);
  }
}

TEST(TransformerModels, AreRightForDrawnWordsAndExperts) {
  const Parameters parameters = {{"tensor", "2"}, {"pipeline", "2"}, {"sequence", "yes"}};
  expect_right("tiny.yaml", 4, parameters, false);
  expect_right("tiny-experts.yaml", 4, parameters, false);
}

}  // namespace
}  // namespace kernbench::model::bench
