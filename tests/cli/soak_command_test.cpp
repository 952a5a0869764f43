// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench sim --packets` as a process, with the reference in place of the RTL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

/// More packets than any test sends.
const std::string kMany = "100000000";

class SoakCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.path() / "out");
    (void)folder_.write("chunk.yaml",
                        "name: chunk\nfabric: {nx: 4, ny: 3}\nsuites:\n"
                        "  - name: stalls\n    cycles: 400\n"
                        "    back_pressure: {kind: heavy_tailed, longest: 50}\n");
  }
  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"sim", "chunk.yaml", "--resume", "--report", "s", "--model",
                               places::kReferenceModel});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "out");
  }
  [[nodiscard]] nlohmann::json state() const {
    return nlohmann::json::parse(common::read_text_file(folder_.path() / "s/soak.json"));
  }
  common::TempFolder folder_;
};

TEST_F(SoakCommand, RunsSeedAfterSeedUntilThePacketsAreReached) {
  const Finished finished = run({"--packets", "30000"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("seed 1: pass, "));
  const nlohmann::json report = state();
  EXPECT_EQ(report.at("outcome"), "pass");
  const auto& data = report.at("data");
  EXPECT_GT(data.at("chunks"), 1U);
  EXPECT_GE(data.at("packets"), 30'000U);
  std::uint64_t sum = 0;
  for (const std::uint64_t link : data.at("link_packets")) sum += link;
  EXPECT_EQ(data.at("packets"), sum);
  for (const std::uint64_t longest : data.at("link_longest_stalls")) EXPECT_GT(longest, 5U);
  const std::string links = common::read_text_file(folder_.path() / "s/links.txt");
  EXPECT_EQ(std::count(links.begin(), links.end(), '\n'), 61);
}

TEST_F(SoakCommand, ContinuesWhereItEndedAndEndsAsOneRunWould) {
  EXPECT_EQ(run({"--packets", kMany, "--seeds", "2"}).exit_code, 0);
  EXPECT_EQ(state().at("data").at("chunks"), 2U);
  const Finished second = run({"--packets", kMany, "--seeds", "1"});
  EXPECT_THAT(second.out, StartsWith("seed 3: pass, "));
  const nlohmann::json in_parts = state().at("data");
  std::filesystem::remove(folder_.path() / "s/soak.json");
  EXPECT_EQ(run({"--packets", kMany, "--seeds", "3"}).exit_code, 0);
  EXPECT_EQ(state().at("data"), in_parts);
}

TEST_F(SoakCommand, AFailureHasTheCommandThatRepeatsItAlone) {
  const Finished finished = run({"--packets", kMany, "--seeds", "1", "--plusarg", "silent"});
  EXPECT_EQ(finished.exit_code, 1);
  const nlohmann::json failure = state().at("data").at("failures").at(0);
  EXPECT_EQ(failure.at("seed"), 1);
  const std::string command = failure.at("command");
  EXPECT_THAT(finished.out, HasSubstr("  run again: " + command + "\n"));
  cli_test::Process again({"/bin/sh", "-c", command + " --no-structure --waves off"},
                          folder_.path(), folder_.path() / "out");
  const Finished repeated = again.wait();
  EXPECT_EQ(repeated.exit_code, 1) << repeated.out << repeated.err;
  EXPECT_THAT(repeated.out, HasSubstr(failure.at("reason").get<std::string>().substr(0, 40)));
}

TEST_F(SoakCommand, EndsAfterTwentyFailures) {
  EXPECT_EQ(run({"--packets", kMany, "--plusarg", "silent"}).exit_code, 1);
  EXPECT_EQ(state().at("data").at("failing_cases"), 20U);
  EXPECT_EQ(state().at("data").at("chunks"), 20U);
}

TEST_F(SoakCommand, RefusesToContinueAnotherSoak) {
  EXPECT_EQ(run({"--packets", kMany, "--seeds", "1"}).exit_code, 0);
  const Finished seed = run({"--packets", kMany, "--seeds", "1", "--seed", "5"});
  EXPECT_EQ(seed.exit_code, 2);
  EXPECT_EQ(seed.err,
            "error: s/soak.json: a soak with another first seed; continue it with what it began "
            "with, or name another --report\n");
  (void)folder_.write(
      "chunk.yaml", "name: chunk\nfabric: {nx: 4, ny: 3}\nsuites:\n  - {name: more, cycles: 9}\n");
  EXPECT_THAT(run({"--packets", kMany, "--seeds", "1"}).err,
              HasSubstr("a soak with another regression; "));
  EXPECT_EQ(state().at("data").at("chunks"), 1U);
}

TEST_F(SoakCommand, ContinuesOnlyIfItIsAskedTo) {
  EXPECT_EQ(run({"--packets", kMany, "--seeds", "1"}).exit_code, 0);
  const Finished again = cli_test::kernbench({"sim", "chunk.yaml", "--packets", kMany, "--report",
                                              "s", "--model", places::kReferenceModel},
                                             folder_.path(), folder_.path() / "out");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_EQ(again.err,
            "error: s/soak.json: a soak is there; --resume continues it, and another --report "
            "begins one\n");
  EXPECT_EQ(state().at("data").at("chunks"), 1U);
}

TEST_F(SoakCommand, RefusesSuitesThatAreNotOfOneSeed) {
  (void)folder_.write("chunk.yaml",
                      "name: chunk\nfabric: {nx: 4, ny: 3}\nsuites:\n  - {name: more, seeds: 2}\n");
  const Finished finished = run({"--packets", kMany});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(
      finished.err,
      "error: chunk.yaml: suite 'more' has several seeds; each suite of a soak runs once with "
      "the seed of the chunk\n");
}

}  // namespace
}  // namespace kernbench
