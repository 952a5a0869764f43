// SPDX-License-Identifier: Apache-2.0
// Layers of the transformer that are simulated once, with whole messages, or while sums overlap
// with computation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/bench/runner.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/model/ccl/group_fixture.hpp"

namespace kernbench::model::bench {
namespace {

using Settings = std::map<std::string, std::string>;

/// Runs a decoder of six layers on SIPs of 2 x 2 cubes of 4 PEs.
RunResult run_six_layers(std::uint32_t sips, Settings settings,
                         const std::function<void(RunOptions&)>& change) {
  common::TempFolder folder;
  settings["model"] =
      folder
          .write("model.yaml",
                 "name: six\nhidden: 64\nlayers: 6\nheads: 8\nkv_heads: 4\nfeed_forward: 96\n"
                 "vocabulary: 64\ntype: f32\n")
          .string();
  settings.emplace("decode", "2");
  RunOptions options;
  options.parameters = std::move(settings);
  options.ccl.text = "backend: ahbm\n";
  change(options);
  return run_bench(find_bench("transformer"), ccl::small_system_of(sips, 2, 2), options);
}

double ns_of(const RunResult& result) {
  double sum = 0.0;
  for (const runtime::MeasuredRegion& region : result.regions) sum += region.time().ns();
  return sum;
}

const std::function<void(RunOptions&)> kFull = [](RunOptions&) {};
const std::function<void(RunOptions&)> kReuse = [](RunOptions& options) { options.reuse = true; };

TEST(TransformerReuse, IsWithinAPercentOfTheFullSimulation) {
  const Settings overlap = {{"tensor", "2"}, {"microbatches", "2"}, {"overlap", "yes"}};
  const std::pair<std::uint32_t, Settings> cases[] = {
      {1, {}}, {2, {{"tensor", "2"}}}, {2, overlap}, {2, {{"pipeline", "2"}}}};
  for (const auto& [sips, settings] : cases) {
    SCOPED_TRACE(::testing::PrintToString(settings));
    const RunResult full = run_six_layers(sips, settings, kFull);
    const RunResult reused = run_six_layers(sips, settings, kReuse);
    ASSERT_EQ(full.launches.size(), reused.launches.size());
    EXPECT_NEAR(ns_of(reused), ns_of(full), 0.01 * ns_of(full));
    ASSERT_TRUE(reused.repeats);
    EXPECT_GT(reused.repeats->repeated, 0U);
    EXPECT_FALSE(reused.repeats->samples.empty());
    EXPECT_LT(reused.flit_hops, full.flit_hops);
  }
}

TEST(TransformerReuse, SimulatesALayerOfEachKeyAndADrawnOne) {
  const RunResult reused = run_six_layers(1, {}, kReuse);
  EXPECT_EQ(reused.repeats->simulated, 3 * 2U) << "prefill and two steps";
  EXPECT_EQ(reused.repeats->repeated, 3 * 4U);
  EXPECT_EQ(reused.repeats->samples.size(), 3U);
}

TEST(TransformerReuse, SimulatesNoDrawnLayerIfNoneIsWanted) {
  const RunResult reused = run_six_layers(1, {}, [](RunOptions& options) {
    options.reuse = true;
    options.samples = false;
  });
  EXPECT_EQ(reused.repeats->simulated, 3U);
  EXPECT_EQ(reused.repeats->repeated, 3 * 5U);
  EXPECT_TRUE(reused.repeats->samples.empty());
  const double drawn = ns_of(run_six_layers(1, {}, kReuse));
  EXPECT_NEAR(ns_of(reused), drawn, 0.01 * drawn);
}

TEST(TransformerReuse, DrawsBySeed) {
  const auto drawn = [](std::uint64_t seed) {
    const RunResult result = run_six_layers(1, {}, [seed](RunOptions& options) {
      options.reuse = true;
      options.sample_seed = seed;
    });
    std::vector<std::uint64_t> list;
    for (const runtime::RepeatSample& sample : result.repeats->samples)
      list.push_back(sample.index);
    return list;
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(TransformerReuse, OfWholeMessagesIsWithinThreePercent) {
  const Settings settings = {{"tensor", "2"}, {"batch", "4"}, {"prompt", "64"}};
  const RunResult full = run_six_layers(2, settings, kFull);
  for (const bool reuse : {false, true}) {
    const RunResult whole = run_six_layers(2, settings, [reuse](RunOptions& options) {
      options.reuse = reuse;
      options.whole_messages = true;
    });
    EXPECT_NEAR(ns_of(whole), ns_of(full), 0.03 * ns_of(full));
    EXPECT_NE(ns_of(whole), ns_of(full));
    ASSERT_FALSE(whole.repeats->samples.empty());
    double largest = 0.0;
    for (const runtime::RepeatSample& sample : whole.repeats->samples) {
      largest = std::max(largest, sample.error());
    }
    EXPECT_GT(largest, 0.0) << "simulated by flits";
    EXPECT_LT(largest, 0.03);
  }
}

TEST(TransformerOverlap, ComputesTheSameNumbersInLessTime) {
  const auto verified = [](RunOptions& options) { options.verify = true; };
  const Settings parts = {{"tensor", "2"}, {"batch", "4"}, {"prompt", "64"}, {"microbatches", "2"}};
  Settings overlap = parts;
  overlap["overlap"] = "yes";
  const RunResult apart = run_six_layers(2, parts, verified);
  const RunResult together = run_six_layers(2, overlap, verified);
  ASSERT_FALSE(together.checks.empty());
  for (const runtime::CheckReport& check : together.checks) {
    EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
  }
  EXPECT_LT(ns_of(together), ns_of(apart));
}

TEST(TransformerOverlap, NeedsPairsOfMicrobatches) {
  const auto message = [](const Settings& settings) -> std::string {
    try {
      (void)run_six_layers(2, settings, kFull);
    } catch (const runtime::BadParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({{"overlap", "yes"}}),
            "overlap=yes computes one microbatch while the sums of another pass between ranks, so "
            "'microbatches' must be even, not 1");
  EXPECT_EQ(
      message({{"overlap", "yes"}, {"microbatches", "2"}, {"tensor", "2"}, {"sequence", "yes"}}),
      "overlap=yes is for ranks that do not share rows: sequence=no");
}

TEST(TransformerCache, MayHaveTokensAtTheStart) {
  const auto decode_ns = [](const Settings& settings) {
    const RunResult result = run_six_layers(1, settings, kFull);
    return result.regions.back().time().ns();
  };
  EXPECT_EQ(run_six_layers(1, {{"cached", "100"}, {"prompt", "0"}}, kFull).regions.size(), 2U);
  EXPECT_EQ(decode_ns({{"cached", "40"}, {"prompt", "0"}}), decode_ns({{"prompt", "40"}}))
      << "the last step sees 41 tokens either way";
  try {
    (void)run_six_layers(1, {{"cached", "8"}}, [](RunOptions& options) { options.verify = true; });
    FAIL() << "nothing was thrown";
  } catch (const runtime::BadParameter& error) {
    EXPECT_STREQ(error.what(),
                 "tokens that are 'cached' at the start have no numbers: leave out --verify and "
                 "`--data live`, or let them be part of the prompt");
  }
}

TEST(TransformerCache, MayHaveOtherTokensForEachSequence) {
  const auto decode_ns = [](const std::string& cached) {
    const RunResult result =
        run_six_layers(1, {{"cached", cached}, {"prompt", "0"}, {"decode", "1"}},
                       [](RunOptions& options) { options.races = true; });
    EXPECT_TRUE(result.races.races.empty());
    EXPECT_GT(result.races.accesses, 0U);
    return ns_of(result);
  };
  EXPECT_EQ(decode_ns("640,640"), decode_ns("640"));
  EXPECT_LT(decode_ns("64,64"), decode_ns("64,640"));
  EXPECT_LT(decode_ns("64,640"), decode_ns("640,640"));
}

TEST(TransformerCache, LeavesTensorsWhereTheyAreIfItHasRoom) {
  // Linear kernels depend on the addresses of their tensors alone, if the batch is the same.
  const auto linear_ns = [](const std::string& cached, const std::string& room) {
    std::vector<double> times;
    const RunResult result = run_six_layers(
        1, {{"cached", cached}, {"room", room}, {"prompt", "0"}, {"decode", "1"}}, kFull);
    for (const runtime::LaunchRecord& launch : result.launches) {
      if (launch.kernel == "gate-up" || launch.kernel == "down" || launch.kernel == "logits") {
        times.push_back((launch.end - launch.start).ns());
      }
    }
    EXPECT_EQ(times.size(), 13U);
    return times;
  };
  EXPECT_EQ(linear_ns("5", "200"), linear_ns("60,170", "200"));
  EXPECT_NE(linear_ns("5", "auto"), linear_ns("60,170", "auto"));
}

TEST(TransformerCache, RefusesOtherLists) {
  const auto message = [](Settings settings) -> std::string {
    settings.emplace("prompt", "1");
    try {
      (void)run_six_layers(1, std::move(settings), kFull);
    } catch (const runtime::BadParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(
      message({{"cached", "1,,2"}}),
      "parameter 'cached' must be none, a whole number, or one for each sequence such as 100,200, "
      "not '1,,2'");
  EXPECT_EQ(message({{"cached", "1,2,3"}}),
            "parameter 'cached' has 3 numbers, but the batch has 2 sequences");
  EXPECT_EQ(message({{"cached", "1,2"}, {"microbatches", "2"}}),
            "sequences with different numbers of 'cached' tokens pass as one part: 'microbatches' "
            "must be 1, not 2");
  EXPECT_EQ(message({{"cached", "5,0"}, {"prompt", "0"}}),
            "parameter 'prompt' must be at least 1, not 0");
  EXPECT_EQ(message({{"cached", "8,20"}, {"decode", "3"}, {"room", "23"}}),
            "parameter 'room' must be auto or at least the 24 tokens of the longest sequence, not "
            "23");
}

}  // namespace
}  // namespace kernbench::model::bench
