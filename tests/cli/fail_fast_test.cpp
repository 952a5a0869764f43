// SPDX-License-Identifier: Apache-2.0
// --fail-fast and --durations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

/// A regression whose longest case, which starts first, does not pass.
class FailFast : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.path() / "out");
    (void)folder_.write("first_fails.yaml",
                        "name: first fails\nfabric: {nx: 4, ny: 3}\nsuites:\n"
                        "  - name: short\n    cycles: 100\n    seeds: 2\n"
                        "  - name: stalls\n    cycles: 400\n");
  }
  [[nodiscard]] Finished sim(std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"sim", "first_fails.yaml", "--model", places::kReferenceModel, "--plusarg",
                 "silent", "--no-structure", "--waves", "off", "--report", "r", "--jobs", "1"});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "out");
  }
  [[nodiscard]] nlohmann::json totals() const {
    return nlohmann::json::parse(common::read_text_file(folder_.path() / "r/report.json"))
        .at("data")
        .at("totals");
  }

  common::TempFolder folder_;
};

TEST_F(FailFast, StartsNoCaseAfterAFailureAndSaysHowManyWereNotRun) {
  const Finished finished = sim({"--fail-fast"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr(", 2 cases not run after the first failure"));
  EXPECT_EQ(totals().at("planned"), 3U);
  EXPECT_EQ(totals().at("not_run"), 2U);
  EXPECT_EQ(totals().at("cases"), 1U);
}

TEST_F(FailFast, AKnownFailureDoesNotStopIt) {
  (void)folder_.write(
      "known.yaml", "known_failures:\n  - {suite: stalls, reason: ticket 12, until: 9999-12-31}\n");
  const Finished finished = sim({"--fail-fast", "--known", "known.yaml"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_EQ(totals().at("cases"), 2U) << "the known one, and the first that is not";
  EXPECT_EQ(totals().at("not_run"), 1U);
}

TEST_F(FailFast, WithoutItAllCasesRun) {
  const Finished finished = sim({});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, Not(HasSubstr("not run")));
  EXPECT_EQ(totals().at("not_run"), 0U);
  EXPECT_EQ(totals().at("cases"), 3U);
}

TEST_F(FailFast, ASoakEndsWithTheFirstFailingCase) {
  (void)folder_.write("chunk.yaml",
                      "name: chunk\nfabric: {nx: 4, ny: 3}\nsuites:\n"
                      "  - name: stalls\n    cycles: 400\n");
  const Finished finished =
      cli_test::kernbench({"sim", "chunk.yaml", "--packets", "1000000", "--report", "s", "--model",
                           places::kReferenceModel, "--plusarg", "silent", "--fail-fast", "-q"},
                          folder_.path(), folder_.path() / "out");
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, MatchesRegex("FAIL  .* packets, 1 of 1 case not passed\n"));
}

TEST_F(FailFast, DurationsListsTheSlowestCasesOnTheTerminalOnly) {
  const std::string text = sim({"--durations", "2"}).out;
  EXPECT_THAT(text, HasSubstr("\n\nslowest 2 cases\n"));
  const std::regex line("  +[0-9.]+ s  (stalls|short) seed [0-9]+\n");
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), line), {}), 2);
  EXPECT_THAT(common::read_text_file(folder_.path() / "r/summary.txt"), Not(HasSubstr("slowest")));
  EXPECT_THAT(sim({"--durations", "9"}).out, HasSubstr("slowest 3 cases\n"));
}

}  // namespace
}  // namespace kernbench
