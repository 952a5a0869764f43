// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/known_failures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/diagnostics.hpp"
#include "report_sample.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/text_report.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kToday = "2026-11-30";

/// A passing case, and two that fail with a corruption.
RegressionResult two_failures() {
  RegressionResult result = sample::empty_result();
  result.cases = {sample::passing_case("light", 1), sample::failing_case("heavy", 1),
                  sample::failing_case("bursts", 2)};
  result.outcome = Outcome::Mismatch;
  return result;
}

TEST(KnownFailures, DoNotFailARegression) {
  RegressionResult result = two_failures();
  const KnownFailures known{{{"", "scoreboard", "corruption", "ticket 12", "2026-11-30"}}};
  EXPECT_THAT(apply_known_failures(known, kToday, result), IsEmpty());
  EXPECT_EQ(result.outcome, Outcome::Pass);
  EXPECT_EQ(result.cases[0].known, "");
  EXPECT_EQ(result.cases[1].known, "ticket 12, until 2026-11-30");
  EXPECT_EQ(result.cases[1].outcome, Outcome::Mismatch);
}

TEST(KnownFailures, LeaveTheOthers) {
  RegressionResult result = two_failures();
  const KnownFailures known{{{"heavy", "", "", "ticket 12", "2026-12-31"}}};
  (void)apply_known_failures(known, kToday, result);
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_NE(result.cases[1].known, "");
  EXPECT_EQ(result.cases[2].known, "");
}

TEST(KnownFailures, AreToldApartWhileCasesRun) {
  const RegressionResult result = two_failures();
  const KnownFailures known{{{"heavy", "", "", "ticket 12", "2026-11-30"}}};
  EXPECT_FALSE(is_known(known, kToday, result.cases[0])) << "it passed";
  EXPECT_TRUE(is_known(known, kToday, result.cases[1]));
  EXPECT_FALSE(is_known(known, kToday, result.cases[2]));
  EXPECT_FALSE(is_known(known, "2026-12-01", result.cases[1])) << "it has expired";
}

TEST(KnownFailures, OfAnotherCheckerKindOrDayFail) {
  for (const KnownFailure& entry : {KnownFailure{"heavy", "lockstep", "", "r", "2026-12-31"},
                                    KnownFailure{"heavy", "", "loss", "r", "2026-12-31"},
                                    KnownFailure{"heavy", "", "", "r", "2026-11-29"}}) {
    RegressionResult result = two_failures();
    (void)apply_known_failures({{entry}}, kToday, result);
    EXPECT_EQ(result.outcome, Outcome::Mismatch);
    EXPECT_EQ(result.cases[1].known, "");
  }
}

TEST(KnownFailures, ThatExpiredOrDidNotOccurAreNamed) {
  RegressionResult result = two_failures();
  const KnownFailures known{{{"heavy", "", "", "ticket 12", "2026-11-29"},
                             {"light", "watchdog", "", "ticket 13", "2026-12-31"}}};
  EXPECT_THAT(apply_known_failures(known, kToday, result),
              ElementsAre("a failure is no longer known, since 2026-11-29: heavy (ticket 12)",
                          "a known failure did not occur: light watchdog (ticket 13)"));
}

TEST(KnownFailures, AreNeverOfTheStructureTheCoverageOrAnInjectedFault) {
  RegressionResult result = sample::empty_result();
  result.cases = {sample::failing_case("structure", 0), sample::failing_case("coverage", 0),
                  sample::fault_case("drop", {})};
  result.cases[0].pattern = kStructurePattern;
  result.cases[1].pattern = kCoveragePattern;
  result.cases[2].outcome = Outcome::Mismatch;
  result.outcome = Outcome::Mismatch;
  const KnownFailures known{{{"structure", "", "", "r", "2026-12-31"},
                             {"coverage", "", "", "r", "2026-12-31"},
                             {"faults", "", "", "r", "2026-12-31"}}};
  (void)apply_known_failures(known, kToday, result);
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  for (const CaseResult& one : result.cases) EXPECT_EQ(one.known, "");
}

TEST(KnownFailures, AnInterruptedRunStaysInterrupted) {
  RegressionResult result = two_failures();
  result.outcome = Outcome::Interrupted;
  (void)apply_known_failures({{{"", "scoreboard", "", "r", "2026-12-31"}}}, kToday, result);
  EXPECT_EQ(result.outcome, Outcome::Interrupted);
}

TEST(KnownFailures, AreShownApart) {
  RegressionResult result = two_failures();
  (void)apply_known_failures({{{"", "scoreboard", "", "ticket 12", "2026-12-31"}}}, kToday, result);
  const std::string text = text_report(result, {}, common::Colour::Off);
  EXPECT_THAT(text, HasSubstr("\n2 known failures\n"
                              "  heavy seed 1: ticket 12, until 2026-12-31\n"
                              "  bursts seed 2: ticket 12, until 2026-12-31\n"));
  EXPECT_THAT(text, HasSubstr("\nPASS  3 cases, 2 known failures"));
  EXPECT_THAT(text, Not(HasSubstr("did not pass")));
  const std::string junit = junit_report(result);
  EXPECT_THAT(junit, HasSubstr("tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"2\""));
  EXPECT_THAT(junit,
              HasSubstr("<skipped message=\"a known failure: ticket 12, until 2026-12-31\"/>"));
}

TEST(KnownFailures, AreReadWithAllErrorsOfTheFile) {
  const common::TempFolder folder;
  const auto file = folder.write("known.yaml",
                                 "known_failures:\n"
                                 "  - {suite: a, kind: loss, reason: ticket 1, until: 2027-01-31}\n"
                                 "  - {checker: scoreboard, reason: r, until: 2028-02-29}\n");
  const KnownFailures known = read_known_failures(file);
  ASSERT_EQ(known.entries.size(), 2U);
  EXPECT_EQ(known.entries[0].kind, "loss");
  EXPECT_EQ(known.entries[1].until, "2028-02-29");
  const auto wrong = folder.write("wrong.yaml",
                                  "known_failures:\n"
                                  "  - {suite: a, reason: r, until: 2027-02-29}\n"
                                  "  - {reason: r, until: 2027-01-31}\n"
                                  "  - {suite: a, until: soon}\n");
  try {
    (void)read_known_failures(wrong);
    FAIL() << "read";
  } catch (const common::BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr(":2:34: error: '2027-02-29' is not a day"));
    EXPECT_THAT(error.what(), HasSubstr(":3:5: error: names no suite, checker or kind"));
    EXPECT_THAT(error.what(), HasSubstr("reason"));
    EXPECT_THAT(error.what(), HasSubstr("'soon' is not a day"));
  }
}

TEST(KnownFailures, EndOnADayInUtc) {
  EXPECT_EQ(day_of(1'767'225'599), "2025-12-31");
}

}  // namespace
}  // namespace kernbench::sim
