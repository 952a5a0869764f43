// SPDX-License-Identifier: Apache-2.0
#include "sim/report/regression_digest.hpp"

#include <gtest/gtest.h>

#include "sim/report/number_text.hpp"
#include "tests/sim/report_sample.hpp"

namespace kernbench::sim {
namespace {

TEST(NumberText, GroupsDigitsByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18446744073709551615U), "18,446,744,073,709,551,615");
}

TEST(NumberText, CutsShortCountsInsteadOfRoundingThemUp) {
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(1000), "1.0 k");
  EXPECT_EQ(short_count(999'999), "999.9 k");
  EXPECT_EQ(short_count(1'000'000), "1.0 M");
  EXPECT_EQ(short_count(112'345'678), "112.3 M");
  EXPECT_EQ(short_count(18446744073709551615U), "18.4 E");
}

TEST(NumberText, CallsOnlyAWholeOneHundredPercent) {
  EXPECT_EQ(percent(16, 16), "100.0 %");
  EXPECT_EQ(percent(99'999, 100'000), "99.9 %");
  EXPECT_EQ(percent(0, 8), "0.0 %");
  EXPECT_EQ(percent(0, 0), "-");
}

TEST(NumberText, WritesDurationsForAPerson) {
  EXPECT_EQ(duration_text(0.416), "0.42 s");
  EXPECT_EQ(duration_text(9.996), "10.0 s");
  EXPECT_EQ(duration_text(59.96), "1 min 00 s");
  EXPECT_EQ(duration_text(187.2), "3 min 07 s");
  EXPECT_EQ(duration_text(7500), "2 h 05 min");
}

TEST(RegressionDigest, MergesTheSeedsOfASuite) {
  const RegressionResult r = sample::failing_result();
  const RegressionDigest digest(r);
  ASSERT_EQ(digest.suites.size(), 2U);
  EXPECT_EQ(digest.suites[0].suite, "saturation");
  EXPECT_EQ(digest.suites[0].cases, 2U);
  EXPECT_EQ(digest.suites[0].cycles, 2000U);
  EXPECT_EQ(digest.suites[0].delivered, 16000U);
  EXPECT_DOUBLE_EQ(digest.suites[0].mean_latency, 2.5);  // (4000*1 + 12000*3) / 16000
  EXPECT_EQ(digest.suites[0].outcome, common::Outcome::Pass);
  EXPECT_EQ(digest.suites[1].outcome, common::Outcome::Mismatch);
  EXPECT_EQ(digest.failing, std::vector<const CaseResult*>{&r.cases[2]});
  EXPECT_EQ(digest.live_links, 7U);
  EXPECT_EQ(digest.checks, 84000U);
}

TEST(RegressionDigest, KeepsTheWorstOutcomeOfASuite) {
  RegressionResult r = sample::passing_result();
  r.cases[0].outcome = common::Outcome::Deadlock;
  r.cases[1].outcome = common::Outcome::Mismatch;
  EXPECT_EQ(RegressionDigest(r).suites[0].outcome, common::Outcome::Deadlock);
}

TEST(RegressionDigest, DoesNotBlameACheckerForNoticingAnInjectedFault) {
  RegressionResult r = sample::empty_result();
  r.cases = {sample::fault_case("drop", {"scoreboard"})};
  r.cases[0].checkers[0].failures = 3;
  const RegressionDigest digest(r);
  EXPECT_EQ(digest.checkers[0].failures, 0U);
  r.cases[0].fault.reset();
  EXPECT_EQ(RegressionDigest(r).checkers[0].failures, 3U);
}

TEST(KillMatrix, CountsWhoWatchedWhoCaughtAndWhoWasAlone) {
  RegressionResult r = sample::empty_result();
  r.cases = {sample::fault_case("drop", {"lockstep", "scoreboard"}),
             sample::fault_case("drop", {"scoreboard"}),
             sample::fault_case("source_silent", {"delivery"}), sample::fault_case("drop", {}),
             sample::passing_case("saturation", 1)};
  r.cases[1].checkers = {{"scoreboard", 10, 1}};  // lockstep off
  r.cases[3].fault->injected_at.reset();
  const KillMatrix kills = make_kill_matrix(r);

  EXPECT_EQ(kills.checkers, (std::vector<std::string>{"scoreboard", "lockstep", "delivery"}));
  ASSERT_EQ(kills.rows.size(), 2U);
  const KillRow& drop = kills.rows[0];
  EXPECT_EQ(drop.fault, "drop");
  EXPECT_EQ(drop.cases, 3U);
  EXPECT_EQ(drop.injected, 2U);
  EXPECT_EQ(drop.caught, 2U);
  EXPECT_EQ(drop.cells[0].attached, 2U);
  EXPECT_EQ(drop.cells[0].caught, 2U);
  EXPECT_EQ(drop.cells[0].alone, 1U);
  EXPECT_EQ(drop.cells[1].attached, 1U);
  EXPECT_EQ(drop.cells[1].caught, 1U);
  EXPECT_EQ(drop.cells[1].alone, 0U);
  EXPECT_EQ(drop.cells[2].attached, 0U);
  EXPECT_EQ(kills.alone(2), 1U);
  EXPECT_EQ(kills.cases(), 4U);
  EXPECT_EQ(kills.injected(), 3U);
  EXPECT_EQ(kills.caught(), 3U);
}

TEST(LinkText, NamesALinkByItsEndsAndSurvivesOneThatDoesNotExist) {
  const topology::MazeLinks links(8, 8);
  EXPECT_EQ(Ports(links).name({28, 6}), "[3,4].x[6] -> [3,3].x[6]");
  EXPECT_EQ(Ports(links).name({64, 6}), "node 64 port 6");
  EXPECT_EQ(Ports(links).name({28, 14}), "node 28 port 14");
}

}  // namespace
}  // namespace kernbench::sim
