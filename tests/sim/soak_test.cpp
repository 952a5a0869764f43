// SPDX-License-Identifier: Apache-2.0
#include "sim/report/soak.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "report_sample.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Soak small_soak() {
  Soak soak;
  soak.config = "configs/small.yaml";
  soak.config_hash = "00000000000000aa";
  soak.model_hash = "00000000000000bb";
  soak.shape = {2, 2, 8};
  soak.first_seed = 7;
  return soak;
}

RegressionResult chunk(std::uint64_t packets, std::uint64_t longest) {
  RegressionResult result = sample::passing_result();
  result.link_packets.assign(8, packets);
  result.link_longest_stalls.assign(8, longest);
  return result;
}

TEST(Soak, AddsPacketsAndKeepsTheLongestStallOfEachLink) {
  Soak soak = small_soak();
  EXPECT_EQ(soak.next_seed(), 7U);
  RegressionResult second = chunk(5, 3);
  second.link_longest_stalls[2] = 40;
  soak.add(chunk(10, 20));
  soak.add(second);
  EXPECT_EQ(soak.next_seed(), 9U);
  EXPECT_EQ(soak.chunks, 2U);
  EXPECT_EQ(soak.cases, 4U);
  EXPECT_EQ(soak.cycles, 4000U);
  EXPECT_EQ(soak.packets, 32'000U);
  EXPECT_THAT(soak.link_packets, ElementsAre(15, 15, 15, 15, 15, 15, 15, 15));
  EXPECT_THAT(soak.link_longest_stalls, ElementsAre(20, 20, 40, 20, 20, 20, 20, 20));
  EXPECT_EQ(soak_summary(soak, 100'000),
            "2 chunks in 4 cases and 4,000 cycles; 32,000 of 100,000 packets\n"
            "each link: 15 to 15 packets; longest stall 20 to 40 cycles\n");
  EXPECT_THAT(soak_links(soak),
              HasSubstr("\n[0,0].x[0] -> [0,1].x[0]                     15             20\n"));
}

TEST(Soak, KeepsTheFirstTwentyFailuresWithTheirCommandsAndCountsAll) {
  Soak soak = small_soak();
  RegressionResult failing = chunk(1, 1);
  failing.cases = {sample::failing_case("bursts", 7)};
  for (int i = 0; i < 25; ++i) soak.add(failing);
  EXPECT_EQ(soak.failing_cases, 25U);
  ASSERT_EQ(soak.failures.size(), 20U);
  EXPECT_EQ(soak.failures.front().suite, "bursts");
  const std::string text = soak_summary(soak, 10);
  EXPECT_THAT(text, HasSubstr("  run again: kernbench sim --suite bursts --seed 7\n"));
  EXPECT_THAT(text, HasSubstr("\n25 failing cases in all\n"));
}

class SoakFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return (folder_.path() / "soak.json").string(); }
  /// Returns the message with which a valid file is refused after a change.
  std::string refusal(const std::function<void(nlohmann::json& report)>& change) {
    Soak soak = small_soak();
    soak.add(chunk(1, 1));
    common::write_report(path(), soak_report(soak, {}));
    nlohmann::json report = nlohmann::json::parse(common::read_text_file(path()));
    change(report);
    common::write_file_atomically(path(), report.dump());
    try {
      (void)read_soak(path());
    } catch (const common::BadInput& error) {
      return error.what();
    }
    return "accepted";
  }
  common::TempFolder folder_;
};

TEST_F(SoakFile, ReadsBackWhatWasWritten) {
  Soak soak = small_soak();
  soak.add(chunk(10, 20));
  RegressionResult failing = chunk(1, 1);
  failing.cases = {sample::failing_case("bursts", 8)};
  soak.add(failing);
  common::write_report(path(), soak_report(soak, {}));
  EXPECT_EQ(read_soak(path()), soak);
  EXPECT_EQ(common::read_report(path(), "soak").outcome, common::Outcome::Mismatch);
}

TEST_F(SoakFile, RefusesWhatItWouldNotHaveWritten) {
  const std::string start = path() + ": error: ";
  EXPECT_EQ(refusal([](nlohmann::json& report) { report["data"].erase("chunks"); }),
            start +
                "missing key 'data.chunks'\n"
                "  hint: it must be an integer from 0 to 18446744073709551615");
  EXPECT_EQ(refusal([](nlohmann::json& report) { report["data"]["packets"] = "many"; }),
            start + "'data.packets' must be an integer from 0 to 18446744073709551615, not 'many'");
  EXPECT_EQ(refusal([](nlohmann::json& report) { report["data"]["shape"]["nx"] = 17; }),
            start + "'data.shape.nx' must be an integer from 2 to 16, not '17'");
  EXPECT_EQ(refusal([](nlohmann::json& report) { report["data"]["link_packets"].erase(0); }),
            "error: " + path() + ": damaged: it must have 8 links");
  EXPECT_THAT(refusal([](nlohmann::json& report) { report["kind"] = "regression"; }),
              HasSubstr("regression"));
}

TEST(SoakOutcome, OfNoPacketsIsVacuousAlsoInItsFile) {
  Soak soak;
  EXPECT_EQ(outcome_of(soak), common::Outcome::Vacuous);
  soak.packets = 1;
  EXPECT_EQ(outcome_of(soak), common::Outcome::Pass);
  soak.failing_cases = 1;
  EXPECT_EQ(outcome_of(soak), common::Outcome::Mismatch);
}

}  // namespace
}  // namespace kernbench::sim
