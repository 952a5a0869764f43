// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench serve` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ServeCommand : public ::testing::Test {
 protected:
  /// Serves by one layer of the tiny model on a SIP of two cubes.
  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    std::filesystem::create_directories(folder_.path() / "scratch");
    (void)folder_.write("small.yaml",
                        "system: {sips: {count: 1}}\nsip: {cube_mesh: {w: 2, h: 1}}\n");
    more.insert(more.begin(), {"serve", "--topology", "small.yaml", "--set", "layers=1"});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "scratch");
  }
  [[nodiscard]] std::string refusal(const std::vector<std::string>& words) const {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2) << finished.out;
    EXPECT_EQ(finished.out, "");
    return finished.err;
  }
  [[nodiscard]] nlohmann::json data_of(const std::string& file) const {
    return nlohmann::json::parse(common::read_text_file(folder_.path() / file))["data"];
  }
  common::TempFolder folder_;
};

TEST_F(ServeCommand, WritesARowForEachRequestForWhichLittlesLawHolds) {
  const Finished finished =
      run({"--prompt", "8", "--output", "16", "--max-batch", "3", "--seconds", "0.02", "--loads",
           "0.8", "--check", "0", "--json", "a.json", "--served", "rows.csv"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  std::istringstream lines(common::read_text_file(folder_.path() / "rows.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "load,arrival_s,prompt,output,admitted_s,first_token_s,end_s");
  std::map<double, int> changes;  // of the requests in the system, by time
  double whole = 0.0;
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows) {
    std::istringstream cells(line);
    std::vector<double> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
    ASSERT_EQ(values.size(), 7U);
    EXPECT_EQ(values[0], 0.8);
    EXPECT_LE(values[1], values[4]);
    EXPECT_LT(values[4], values[5]);
    EXPECT_LE(values[5], values[6]);
    ++changes[values[1]];
    --changes[values[6]];
    whole += values[6] - values[1];
  }
  const nlohmann::json one = data_of("a.json")["runs"][0];
  ASSERT_EQ(rows, one["requests"].get<std::size_t>());
  const double mean = one["request_ps"]["mean"].get<double>() * 1e-12;
  EXPECT_NEAR(whole / static_cast<double>(rows), mean, 1e-12);
  // The mean number of requests in the system is their rate times their mean time.
  double area = 0.0;
  double before = 0.0;
  int inside = 0;
  for (const auto& [at, change] : changes) {
    area += inside * (at - before);
    inside += change;
    before = at;
  }
  const double end = one["end_ps"].get<double>() * 1e-12;
  EXPECT_NEAR(area / end, static_cast<double>(rows) / end * mean, 1e-6);
  EXPECT_THAT(finished.out, HasSubstr("\n0.80  "));
}

TEST_F(ServeCommand, PrintsPercentilesOverLoadAlikeEveryTime) {
  const std::vector<std::string> words = {"--prompt",    "8",       "--output",  "16",
                                          "--max-batch", "3",       "--seconds", "0.02",
                                          "--loads",     "0.2,0.8", "--check",   "0"};
  const auto with = [&](const std::string& jobs, const std::string& json) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--jobs", jobs, "--json", json});
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
    return finished.out;
  };
  const std::string out = with("1", "a.json");
  EXPECT_THAT(out,
              HasSubstr("no step was drawn to check: composed times are compared with nothing\n"));
  EXPECT_EQ(with("2", "b.json"), out);
  const nlohmann::json data = data_of("a.json");
  EXPECT_EQ(data, data_of("b.json"));
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_THAT(out, HasSubstr("\nmodel: 1.069 million parameters, batches of up to 3, "));
  EXPECT_EQ(data["weights"], 1069056);
  EXPECT_LT(data["runs"][0]["request_ps"]["p99"], data["runs"][1]["request_ps"]["p99"]);
  EXPECT_LT(data["runs"][0]["mean_batch"], data["runs"][1]["mean_batch"]);
  EXPECT_LT(data["runs"][0]["utilization"], data["runs"][1]["utilization"]);
}

TEST_F(ServeCommand, ComposesTimesThatAgreeWithSimulatedOnes) {
  const Finished finished = run({"--prompt", "8", "--output", "16", "--max-batch", "3", "--seconds",
                                 "0.02", "--loads", "0.2,0.8", "--check", "50"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out;
  EXPECT_THAT(
      finished.out,
      HasSubstr("\nPASS  50 steps drawn and simulated whole: times are at most 1.324 % off, "
                "their sum 0.125 %\n  decode after 41, 22, 10 tokens: 13.455 us, not "
                "13.277 us\n"));
}

TEST_F(ServeCommand, SaysWhenNoStepWasDrawn) {
  const Finished finished = run({"--prompt", "8", "--output", "16", "--max-batch", "3", "--seconds",
                                 "0.02", "--loads", "0.2", "--check", "0"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out;
  EXPECT_THAT(
      finished.out,
      HasSubstr("\nno step was drawn to check: composed times are compared with nothing\n"));
  EXPECT_THAT(finished.out, ::testing::Not(HasSubstr("PASS")));
}

TEST_F(ServeCommand, SaysWhenComposedTimesAreOff) {
  // The experts that tokens choose are not part of a step.
  const Finished finished =
      run({"--set", "model=configs/models/tiny-experts.yaml", "--set", "routing=drawn", "--prompt",
           "8", "--output", "16", "--max-batch", "3", "--seconds", "0.02", "--loads", "0.2,0.8",
           "--check", "3", "--json", "a.json"});
  EXPECT_EQ(finished.exit_code, 1) << finished.out;
  EXPECT_THAT(finished.out,
              HasSubstr("\nMISMATCH  3 steps drawn and simulated whole: times are at most 3.866 % "
                        "off, their sum 1.262 %\n  decode after 23, 26, 16 tokens: 20.368 us, not "
                        "19.581 us\n"));
  EXPECT_EQ(
      finished.err,
      "warning: composed times are further from simulated ones than 2 % of a step or 0.5 % of "
      "the sum\n");
  EXPECT_EQ(data_of("a.json")["checks"]["steps"].size(), 3U);
}

TEST_F(ServeCommand, ServesTheRequestsOfAFile) {
  (void)folder_.write("requests.csv", "arrival_s,prompt,output\n0,4,3\n0,5,1\n1,6,1\n");
  const Finished finished = run({"--requests", "requests.csv", "--check", "9", "--json", "a.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const nlohmann::json data = data_of("a.json");
  EXPECT_EQ(data["runs"][0]["prefills"], 3);
  EXPECT_EQ(data["runs"][0]["decodes"], 2);
  EXPECT_EQ(data["runs"][0]["output_tokens"], 5);
  EXPECT_EQ(data["runs"][0]["load"], nullptr);
  EXPECT_EQ(data["checks"]["steps"].size(), 5U) << "all there are";
}

TEST_F(ServeCommand, RefusesRequestsThatNeverFit) {
  (void)folder_.write("requests.csv", "arrival_s,prompt,output\n0,4,3\n1,10,1000000\n2,6,900000\n");
  const std::vector<std::string> large = {"--set", "model=configs/models/llama-7b.yaml", "--set",
                                          "topology.cube.memory_map.hbm_total_gb=4"};
  std::vector<std::string> words = large;
  words.insert(words.end(), {"--requests", "requests.csv"});
  EXPECT_EQ(
      refusal(words),
      "requests.csv:3:1: error: 10 tokens of prompt and 1000000 of output never fit: their "
      "keys and values take 9749644288 bytes more than the 6634617856 bytes that SIP 0 has "
      "for the cache\n"
      "requests.csv:4:1: error: 6 tokens of prompt and 900000 of output never fit: their keys "
      "and values take 8111244288 bytes more than the 6634617856 bytes that SIP 0 has for the "
      "cache\n");
  words = large;
  words.insert(words.end(), {"--output", "500000"});
  EXPECT_EQ(refusal(words),
            "error: the longest request that can be drawn does not fit: 255 tokens of prompt and "
            "999999 of output never fit: their keys and values take 9773946880 bytes more than the "
            "6614247424 bytes that SIP 0 has for the cache\n");
}

TEST_F(ServeCommand, RefusesParametersThatTheQueueDecides) {
  EXPECT_EQ(refusal({"--set", "batch=3", "--set", "data=2"}),
            "error: --set batch: the queue decides 'batch' of each step; --prompt, --output and "
            "--max-batch describe its requests\n"
            "error: --set data: a step is a single pass of one copy of the model, so 'data' cannot "
            "be set\n");
  EXPECT_EQ(refusal({"--loads", "0.5,0"}),
            "error: each of --loads must be above 0: no request arrives at load 0\n");
}

TEST_F(ServeCommand, NeedsARequest) {
  const Finished finished = run({"--rate", "0.001", "--seconds", "0.001"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err,
            "error: no request arrives in 0.001 s at 0.001 requests/s: --seconds or the rate must "
            "be larger\n");
}

}  // namespace
}  // namespace kernbench
