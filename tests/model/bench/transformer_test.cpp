// SPDX-License-Identifier: Apache-2.0
// The transformer: how ranks share it, and its logits against a plain computation for every kind of
// parallelism.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/bench/launch_figures.hpp"
#include "model/bench/runner.hpp"
#include "model/bench/transformer/decoder.hpp"
#include "model/bench/transformer/reference.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/model/ccl/group_fixture.hpp"

namespace kernbench::model::bench::transformer {
namespace {

using Parameters = std::map<std::string, std::string>;

constexpr const char* kTiny =
    "name: tiny\nhidden: 32\nlayers: 2\nheads: 8\nkv_heads: 2\nhead_size: 4\nfeed_forward: 40\n"
    "vocabulary: 60\ntype: f32\n";

constexpr const char* kTinyExperts =
    "name: tiny\nhidden: 32\nlayers: 2\nheads: 8\nkv_heads: 2\nhead_size: 4\nfeed_forward: 40\n"
    "experts: 8\nvocabulary: 60\ntype: f32\n";

class Transformer : public ::testing::Test {
 protected:
  RunResult run(std::uint32_t sips, Parameters parameters, const std::string& model = kTiny,
                bool live = false, const char* rank = "sip") {
    parameters["model"] = folder_.write("model.yaml", model).string();
    RunOptions options;
    options.parameters = std::move(parameters);
    options.verify = true;
    options.live = live;
    options.races = true;
    options.ccl.text = fmt::format("backend: ahbm\nrank: {}\n", rank);
    return run_bench(find_bench("transformer"), ccl::small_system_of(sips, 2, 2), options);
  }
  common::TempFolder folder_;
};

/// Expects no wrong number and no race. Returns the number of logits.
std::uint64_t right_logits(const RunResult& result) {
  std::uint64_t logits = 0;
  for (const runtime::CheckReport& check : result.checks) {
    EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
    if (check.name.starts_with("logits")) logits += check.elements;
  }
  for (const runtime::CheckReport& call : result.contracts) {
    EXPECT_EQ(call.wrong, 0U) << call.name << " " << call.first_wrong;
  }
  EXPECT_TRUE(result.races.races.empty());
  return logits;
}

struct Case {
  std::uint32_t sips;
  Parameters parameters;
  std::uint64_t logits;  ///< numbers that are compared
};

TEST_F(Transformer, HasTheLogitsOfAPlainComputationForEveryKindOfParallelism) {
  const Parameters odd = {{"batch", "3"}, {"prompt", "21"}, {"decode", "3"}, {"page", "4"}};
  const auto with = [&](Parameters more) {
    more.insert(odd.begin(), odd.end());
    return more;
  };
  const Case cases[] = {{1, with({}), 4 * 3 * 60},
                        {2, with({{"tensor", "2"}}), 4 * 3 * 60},
                        {4, with({{"tensor", "4"}}), 4 * 3 * 60},
                        {2, with({{"pipeline", "2"}}), 4 * 3 * 60},
                        {3, with({{"data", "3"}}), 4 * 3 * 60},
                        {3, with({{"data", "2"}}), 4 * 3 * 60},
                        {8, with({{"tensor", "2"}, {"pipeline", "2"}, {"data", "2"}}), 4 * 3 * 60},
                        {1, {{"batch", "1"}, {"prompt", "1"}, {"decode", "1"}}, 2 * 60},
                        {1, {{"batch", "1"}, {"prompt", "70"}, {"decode", "0"}}, 60},
                        {1, {{"batch", "40"}, {"prompt", "3"}, {"layers", "1"}}, 3 * 40 * 60}};
  for (const Case& one : cases) {
    SCOPED_TRACE(::testing::PrintToString(one.parameters));
    const RunResult result = run(one.sips, one.parameters);
    EXPECT_EQ(right_logits(result), one.logits);
    EXPECT_GT(result.races.accesses, 0U);
  }
}

/// Returns "3 x 4, 2 wrong" for a check with this name.
std::string outcome_of(const RunResult& result, const std::string& name) {
  for (const runtime::CheckReport& check : result.checks) {
    if (check.name == name) return fmt::format("{}, {} wrong", check.elements, check.wrong);
  }
  return "no such check";
}

TEST_F(Transformer, HasTheLogitsOfAPlainComputationWithExpertsForEveryKindOfParallelism) {
  const Parameters odd = {{"batch", "3"}, {"prompt", "21"}, {"decode", "3"}, {"page", "4"}};
  const std::pair<std::uint32_t, Parameters> cases[] = {
      {1, {}},
      {2, {{"tensor", "2"}}},
      {2, {{"tensor", "2"}, {"expert", "2"}}},
      {4, {{"tensor", "4"}, {"expert", "2"}}},
      {4, {{"tensor", "4"}, {"expert", "4"}}},
      {8, {{"tensor", "2"}, {"expert", "2"}, {"pipeline", "2"}, {"data", "2"}}}};
  bool live = false;
  for (const auto& [sips, more] : cases) {
    live = !live;
    Parameters parameters = more;
    parameters.insert(odd.begin(), odd.end());
    if (!live) parameters["routing"] = "drawn";
    SCOPED_TRACE(::testing::PrintToString(parameters));
    const RunResult result = run(sips, parameters, kTinyExperts, live);
    EXPECT_EQ(right_logits(result), 4U * 3U * 60U);
    EXPECT_EQ(outcome_of(result, "chosen experts"),
              live ? "144, 0 wrong" : "no such check");  // 2 layers of 3 x 24 tokens
  }
}

TEST_F(Transformer, IsSpreadOverCubesAndPes) {
  const Parameters parameters = {{"batch", "2"},  {"prompt", "8"},      {"decode", "2"},
                                 {"page", "4"},   {"routing", "drawn"}, {"tensor", "2"},
                                 {"expert", "2"}, {"pipeline", "2"},    {"sequence", "yes"}};
  for (const char* const rank : {"cube", "pe"}) {
    EXPECT_EQ(right_logits(run(1, parameters, kTinyExperts, false, rank)), 3U * 2U * 60U) << rank;
  }
}

TEST_F(Transformer, SharesTheRowsBetweenBlocks) {
  // 2 ranks of 4 PEs: rows of a prefill are a multiple of 8; a step of decode has 4 rows.
  const Parameters all = {
      {"batch", "4"}, {"prompt", "6"}, {"decode", "2"}, {"page", "4"}, {"sequence", "yes"}};
  const std::pair<std::uint32_t, Parameters> cases[] = {
      {2, {{"tensor", "2"}}},
      {4, {{"tensor", "2"}, {"pipeline", "2"}}},
      {4, {{"tensor", "2"}, {"expert", "2"}, {"data", "1"}}},
      {1, {{"tensor", "1"}, {"prompt", "5"}}}};
  for (const auto& [sips, more] : cases) {
    Parameters parameters = more;
    parameters.insert(all.begin(), all.end());
    const bool experts = parameters.contains("expert");
    if (experts) parameters["routing"] = "drawn";
    SCOPED_TRACE(::testing::PrintToString(parameters));
    const RunResult result = run(sips, parameters, experts ? kTinyExperts : kTiny);
    EXPECT_EQ(right_logits(result), 3U * 4U * 60U);
    std::set<std::string> kernels;
    for (const runtime::LaunchRecord& launch : result.launches) kernels.insert(launch.kernel);
    EXPECT_EQ(kernels.contains("norm"), sips > 1);
    EXPECT_EQ(kernels.contains("residual"), sips > 1);
  }
}

TEST_F(Transformer, PassesItsStagesInMicrobatches) {
  const Parameters all = {
      {"batch", "4"}, {"prompt", "9"}, {"decode", "2"}, {"page", "4"}, {"pipeline", "2"}};
  for (const char* const parts : {"1", "2", "4"}) {
    for (const bool experts : {false, true}) {
      Parameters parameters = all;
      parameters["microbatches"] = parts;
      if (experts) parameters["routing"] = "drawn";
      SCOPED_TRACE(::testing::PrintToString(parameters));
      EXPECT_EQ(right_logits(run(2, parameters, experts ? kTinyExperts : kTiny)), 3U * 4U * 60U);
    }
  }
}

TEST_F(Transformer, OverlapsMicrobatchesInTheStages) {
  // The second stage computes the first part while the first one computes the second.
  const auto overlaps = [&](const char* microbatches) {
    const RunResult result = run(2, {{"batch", "2"},
                                     {"prompt", "9"},
                                     {"decode", "0"},
                                     {"pipeline", "2"},
                                     {"microbatches", microbatches}});
    common::SimTime end_of_first;
    for (const runtime::LaunchRecord& launch : result.launches) {
      if (launch.device.sip == 0) end_of_first = std::max(end_of_first, launch.end);
    }
    return std::count_if(result.launches.begin(), result.launches.end(),
                         [&](const runtime::LaunchRecord& launch) {
                           return launch.device.sip == 1 && launch.kernel != "receive" &&
                                  launch.start < end_of_first;
                         });
  };
  EXPECT_EQ(overlaps("1"), 0);
  EXPECT_GT(overlaps("2"), 4);
}

/// Returns the bytes of all tensors of a run.
std::uint64_t bytes_of_tensors(const RunResult& result) {
  std::uint64_t bytes = 0;
  for (const data::TensorRecord& tensor : result.recorder->log().tensors()) {
    for (const auto& part : tensor.parts) {
      for (const data::Stretch& stretch : part.block.stretches) bytes += stretch.bytes;
    }
  }
  return bytes;
}

TEST_F(Transformer, KnowsTheBytesOfItsTensors) {
  for (const char* const model : {kTiny, kTinyExperts}) {
    const ModelShape shape = read_model_shape(folder_.write("model.yaml", model));
    Parallelism parallelism;
    parallelism.tensor = parallelism.pipeline = 2;
    parallelism.sequence = true;
    std::uint64_t bytes = 0;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
      const RankModel part(shape, parallelism, rank, {2, 8, 4}, {}, 4, 4);
      const Footprint footprint = footprint_of(part, 8, 0);
      bytes += footprint.model + footprint.activations;
    }
    const RunResult result = run(4,
                                 {{"tensor", "2"},
                                  {"pipeline", "2"},
                                  {"sequence", "yes"},
                                  {"prompt", "8"},
                                  {"decode", "0"},
                                  {"page", "4"},
                                  {"routing", "drawn"}},
                                 model);
    EXPECT_EQ(bytes_of_tensors(result), bytes);
  }
}

TEST_F(Transformer, SaysHowMuchMemoryIsMissing) {
  const std::string large =
      "name: large\nhidden: 16384\nlayers: 100\nheads: 128\nfeed_forward: 16384\n"
      "vocabulary: 16384\n";
  try {
    (void)run(1, {{"batch", "1"}, {"prompt", "1"}, {"decode", "0"}, {"page", "1"}}, large);
    FAIL();
  } catch (const runtime::BadParameter& error) {
    // Weights of 351 GiB, a cache of 4 rows of 32 KiB twice in each layer; 4 cubes have 192 GiB.
    EXPECT_STREQ(error.what(),
                 "the model 'large' does not fit:\n  SIP 0: 376909596672 bytes of weights and "
                 "cache and 722944 of activations are 170751889408 more than the 206158430208 "
                 "bytes of its ranks' memory");
  }
}

TEST_F(Transformer, ReadsTheWeightsOfChosenExpertsAlone) {
  // One token uses 2 of 8 experts: the others have no tokens.
  const RunResult result = run(
      1, {{"batch", "1"}, {"prompt", "1"}, {"decode", "0"}, {"layers", "1"}, {"routing", "drawn"}},
      kTinyExperts);
  EXPECT_EQ(outcome_of(result, "logits of prefill at rank 0"), "60, 0 wrong");
  const std::vector<LaunchFigures> figures =
      launch_figures(result.launches, result.recorder->log(), ccl::small_system_of(1, 2, 2));
  std::map<std::string, std::uint64_t> macs;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    macs[result.launches[i].kernel] = figures[i].macs;
  }
  EXPECT_EQ(macs["gate-up"], 2U * 2U * 32U * 40U);
  EXPECT_EQ(macs["down"], 2U * 40U * 32U);
}

TEST_F(Transformer, ChoosesTheWordsOfTheLargestLogits) {
  const Parameters parameters = {{"batch", "3"},          {"prompt", "5"}, {"decode", "8"},
                                 {"decode_by", "argmax"}, {"page", "4"},   {"tensor", "2"}};
  const RunResult result = run(4, parameters, kTiny, true);
  EXPECT_EQ(outcome_of(result, "chosen words"), "27, 0 wrong");
  EXPECT_EQ(outcome_of(result, "logits of decode 8 at rank 1"), "90, 0 wrong");
  Parameters more = parameters;
  more["pipeline"] = "2";
  EXPECT_EQ(outcome_of(run(4, more, kTiny, true), "chosen words"), "27, 0 wrong");
}

TEST(ChosenWords, AreWrongBelowTheLargestLogit) {
  MatrixD logits = MatrixD::Zero(20, 3);
  logits.col(1).setConstant(1.0);
  logits.col(2).setConstant(0.95);
  std::vector<std::uint64_t> words(20, 1);
  words[7] = 2;
  runtime::CheckReport report = check_words({{logits, words}}, 0.1, 0.05);
  EXPECT_EQ(report.elements, 20U);
  EXPECT_EQ(report.wrong, 0U) << "within the tolerance";
  EXPECT_DOUBLE_EQ(report.worst, 0.5);
  words[3] = 2;
  report = check_words({{logits, words}}, 0.1, 0.05);
  EXPECT_EQ(report.wrong, 2U) << "less than 95 % are equal";
  EXPECT_EQ(report.first_wrong, "word 2, expected 1");
  EXPECT_EQ(check_words({{logits, words}}, 0.1, 0.1).wrong, 0U) << "10 % may differ";
  words = std::vector<std::uint64_t>(20, 1);
  words[7] = 0;
  report = check_words({{logits, words}}, 0.1, 0.05);
  EXPECT_EQ(report.wrong, 1U);
  EXPECT_EQ(report.first_wrong, "word 0, expected 1");
}

TEST(ChosenExperts, AreWrongBelowALargerLogit) {
  runtime::CheckReport report;
  check_experts(report, {-1.0, 0.05, 0.25}, 0.1);
  EXPECT_EQ(report.elements, 3U);
  EXPECT_EQ(report.wrong, 1U);
  EXPECT_EQ(report.first_wrong, "an expert whose logit is 0.25 below a larger one");
}

TEST(ExpertChoiceTest, DrawsDifferentExpertsForEachToken) {
  ModelShape shape;
  shape.layers = 2;
  shape.experts = 5;
  shape.experts_used = 3;
  ExpertChoice choice(shape, 4, 50);
  choice.draw(7);
  std::vector<std::uint64_t> uses(5);
  for (std::uint64_t sequence = 0; sequence < 4; ++sequence) {
    for (std::uint64_t position = 0; position < 50; ++position) {
      const auto experts = choice.of(1, sequence, position);
      EXPECT_LT(experts[0], experts[1]);
      EXPECT_LT(experts[1], experts[2]);
      for (const std::uint32_t expert : experts) ++uses.at(expert);
    }
  }
  EXPECT_THAT(uses, ::testing::Each(::testing::AllOf(::testing::Ge(90U), ::testing::Le(150U))));
}

TEST_F(Transformer, MeasuresThePrefillAndEachStep) {
  const RunResult result = run(1, {{"batch", "1"}, {"prompt", "8"}, {"decode", "2"}});
  std::vector<std::string> names;
  for (const runtime::MeasuredRegion& region : result.regions) names.push_back(region.name);
  EXPECT_THAT(names, ::testing::ElementsAre("prefill", "decode 1", "decode 2"));
  std::vector<double> times;
  for (const runtime::MeasuredRegion& region : result.regions) {
    times.push_back(region.time().ns() / 1000.0);
  }
  ASSERT_EQ(result.figures.size(), 4U);
  EXPECT_EQ(result.figures[0].name, "time to first token");
  EXPECT_EQ(result.figures[0].value, times[0]);
  EXPECT_EQ(result.figures[1].name, "time per token");
  EXPECT_EQ(result.figures[1].value, (times[1] + times[2]) / 2.0);
  EXPECT_EQ(result.figures[2].unit, "tokens/s");
  EXPECT_EQ(result.figures[2].value, 2.0 / (times[1] + times[2]) * 1e6);
  EXPECT_EQ(result.figures[3].name, "parameters");
  EXPECT_EQ(
      result.figures[3].value,
      static_cast<double>(read_model_shape(folder_.write("model.yaml", kTiny)).weights()) / 1e6);
}

TEST_F(Transformer, ToleratesNoOtherModel) {
  const ModelShape shape = read_model_shape(folder_.write("model.yaml", kTiny));
  const MatrixD right = reference_pass(shape, Weights(shape, 1), {3, 1, 4}).logits;
  ModelShape other = shape;
  other.rope_theta = 5000.0;
  const MatrixD rotated = reference_pass(other, Weights(shape, 1), {3, 1, 4}).logits;
  EXPECT_GT((right - rotated).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_TRUE(right.row(0).isApprox(rotated.row(0))) << "position 0 is not rotated";
  EXPECT_NEAR(right.squaredNorm() / 180.0, 1.0, 0.5) << "logits have a variance of 1";
}

TEST_F(Transformer, RefusesWhatCannotBeShared) {
  const auto message = [&](std::uint32_t sips, const Parameters& parameters) -> std::string {
    try {
      (void)run(sips, parameters);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(1, {{"tensor", "2"}}),
            "'tensor' x 'pipeline' x 'data' are 2 ranks, but the system has 1");
  EXPECT_EQ(message(1, {{"tensor", "65536"}, {"pipeline", "65536"}}),
            "'tensor' x 'pipeline' x 'data' are 4294967296 ranks, but the system has 1");
  EXPECT_EQ(message(3, {{"data", "3"}}), "'data' is 3, but the batch has 2 sequences");
  EXPECT_EQ(message(3, {{"pipeline", "3"}}), "'pipeline' is 3, but the model has 2 layers");
  EXPECT_EQ(message(2, {{"tensor", "2"}, {"sequence", "yes"}, {"batch", "3"}, {"prompt", "21"}}),
            "sequence=yes needs rows of a prefill (sequences x 'prompt') that 2 ranks of 4 PEs can "
            "share evenly, but there are 63");
  EXPECT_EQ(message(2, {{"data", "2"}, {"batch", "5"}, {"microbatches", "2"}}),
            "'microbatches' is 2, which does not divide the 3 sequences of a copy of the model");
  EXPECT_EQ(message(1, {{"expert", "2"}}),
            "'expert' is 2, which does not divide the 1 ranks of 'tensor'");
  EXPECT_EQ(message(2, {{"tensor", "2"}, {"expert", "2"}}),
            "'expert' is 2, but the model has no experts");
  EXPECT_EQ(message(1, {{"decode_by", "argmax"}}),
            "decode_by=argmax chooses words by numbers: compute them while kernels run with "
            "`--data live`, or draw the words with decode_by=words");
  EXPECT_THAT(message(3, {{"tensor", "3"}}),
              ::testing::HasSubstr("'tensor' is 3, but 8 heads cannot be spread over 3 ranks "
                                   "evenly"));
}

TEST_F(Transformer, RefusesExpertsThatCannotBeShared) {
  const auto message = [&](std::uint32_t sips, Parameters parameters,
                           const std::string& model) -> std::string {
    try {
      (void)run(sips, std::move(parameters), model);
    } catch (const runtime::BadParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(1, {}, kTinyExperts),
            "the tokens of 'tiny' choose their experts by numbers: compute them while kernels run "
            "with `--data live`, or draw the experts with routing=drawn");
  const std::string three =
      "name: a\nhidden: 32\nlayers: 1\nheads: 8\nfeed_forward: 42\nexperts: 3\nvocabulary: 64\n";
  EXPECT_EQ(message(2, {{"tensor", "2"}, {"expert", "2"}, {"routing", "drawn"}}, three),
            "'expert' is 2, but 3 experts cannot be spread over 2 ranks evenly");
  EXPECT_EQ(message(4, {{"tensor", "4"}, {"routing", "drawn"}}, three),
            "'tensor' is 4, but 42 columns of the feed-forward layer cannot be spread over 4 ranks "
            "evenly");
}

}  // namespace
}  // namespace kernbench::model::bench::transformer
