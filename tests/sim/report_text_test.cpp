// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/sim/report_sample.hpp"

namespace kernbench::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TextReport, ShowsAPassingRegression) {
  EXPECT_EQ(text_report(sample::passing_result(), sample::coverage(), Colour::Off),
            R"(Regression configs/small.yaml, seed 7
TOPO 2x2, 8 data bits, 8 links; SystemVerilog checkers bound
revision r1, model 00000000000000bb, configuration 00000000000000aa

suite       pattern    back-pressure cases     cycles packets latency  outcome
saturation  all_links  none              2      2,000  16.0 k    2.50  pass

comparisons made
  scoreboard              8,000 in 2 cases
  lockstep               48,000 in 2 cases

functional coverage  15 of 16 bins, 93.7 %
  delivered               8/8  100.0 %
  stalled                 7/8   87.5 %
    missed: stalled.[0,0].x[0] -> [0,1].x[0]

PASS  2 cases, 16.0 k packets, 8/8 links, 2.0 k cycles, coverage 93.7 %, 1.50 s
)");
}

TEST(TextReport, DoesNotListBinsThatTheRunWasNotAskedToCover) {
  RegressionResult r = sample::passing_result();
  r.full_coverage = false;
  EXPECT_THAT(text_report(r, sample::coverage(), Colour::Off), HasSubstr(R"(

functional coverage  15 of 16 bins, 93.7 %; not required of this run

PASS  2 cases, 16.0 k packets, 8/8 links, 2.0 k cycles, 1.50 s
)"));
}

TEST(TextReport, NamesTheBinsThatFailedARunOnce) {
  RegressionResult r = sample::passing_result();
  r.cases.push_back(sample::coverage_case());
  r.outcome = common::Outcome::Mismatch;
  EXPECT_THAT(text_report(r, sample::coverage(), Colour::Off), HasSubstr(R"(
1 case did not pass

coverage goals seed 0: mismatch
  1 functional bin was missed

functional coverage  15 of 16 bins, 93.7 %
  delivered               8/8  100.0 %
  stalled                 7/8   87.5 %
    missed: stalled.[0,0].x[0] -> [0,1].x[0]

MISMATCH  3 cases)"));
}

TEST(TextReport, PutsFailuresBeforeCoverageAndLeavesTheBinsToTheJsonReport) {
  EXPECT_THAT(text_report(sample::failing_result(), sample::coverage(), Colour::Off), HasSubstr(R"(
  view:      gtkwave '/r/waves/a b#1.gtkw'

functional coverage  15 of 16 bins, 93.7 %; report.json lists the missed bins

MISMATCH  3 cases)"));
}

TEST(TextReport, ShowsAFailureWithItsPlaceItsCommandAndItsWave) {
  const std::string text = text_report(sample::failing_result(), {}, Colour::Off);
  EXPECT_THAT(text, HasSubstr(R"(
1 case did not pass

bursts seed 7: mismatch
  expected <1> & got "2"
  cycle 1,234  scoreboard corruption
    [0,1].x[0] -> [0,0].x[0]: data <0x5a> & 'more'
  cycle 1,300  scoreboard undelivered
    one packet left
  cause:
    first wrong: link <1>
  page:      failures/bursts-seed7/failure.html
  run again: kernbench sim --suite bursts --seed 7
  wave:      waves/a b#1.fst
  view:      gtkwave '/r/waves/a b#1.gtkw'

MISMATCH  3 cases, 20.0 k packets, 7/8 links, 3.0 k cycles, 1.50 s
)"));
  EXPECT_THAT(text, HasSubstr("bursts      all_links  none              1      1,000   4.0 k    "
                              "1.00  mismatch\n"));
  EXPECT_THAT(text, HasSubstr("scoreboard             12,000 in 3 cases  2 failures\n"));
}

TEST(TextReport, SaysEachFailureAndItsLinkOnce) {
  RegressionResult r = sample::failing_result();
  r.cases[2].reason = "[0,1].x[0] -> [0,0].x[0]: ready is 1, the reference has 0";
  r.cases[2].failures = {{"lockstep", "ready", 8, LinkEnd{1, 0}, r.cases[2].reason}};
  EXPECT_THAT(text_report(r, {}, Colour::Off), HasSubstr(R"(
bursts seed 7: mismatch
  cycle 8  lockstep ready
    [0,1].x[0] -> [0,0].x[0]: ready is 1, the reference has 0
  cause:
)"));
}

TEST(TextReport, EndsARegressionOfFaultsWithWhatItHasShown) {
  RegressionResult r = sample::empty_result();
  r.link_packets.assign(8, 0);
  r.cases = {sample::fault_case("drop", {"scoreboard"}),
             sample::fault_case("reorder", {"scoreboard"})};
  EXPECT_THAT(text_report(r, sample::coverage(), Colour::Off),
              HasSubstr("\nPASS  2 cases: every injected fault was found, 8.0 k packets, "
                        "2.0 k cycles, coverage 93.7 %, 1.50 s\n"));
  r.cases[1].outcome = r.outcome = common::Outcome::Mismatch;
  r.cases[1].reason = "no checker noticed the fault";
  EXPECT_THAT(text_report(r, {}, Colour::Off),
              HasSubstr("\nMISMATCH  2 cases: 1 of 2 injected faults were found as expected, "
                        "8.0 k packets, 2.0 k cycles, 1.50 s\n"));
  r.cases.erase(r.cases.begin());
  EXPECT_THAT(text_report(r, {}, Colour::Off),
              HasSubstr("\nMISMATCH  1 case: the injected fault was not found as expected, "));
  r.cases[0].outcome = r.outcome = common::Outcome::Pass;
  r.cases.push_back(sample::passing_case("saturation", 7));
  EXPECT_THAT(
      text_report(r, {}, Colour::Off),
      HasSubstr("\nPASS  2 cases: the injected fault was found, 8.0 k packets, 0/8 links, "));
}

TEST(TextReport, NamesTheFaultsThatNobodyNoticed) {
  RegressionResult r = sample::empty_result();
  r.cases = {sample::fault_case("drop", {"scoreboard", "lockstep"}),
             sample::fault_case("reorder", {"scoreboard"}), sample::fault_case("reorder", {})};
  EXPECT_THAT(text_report(r, {}, Colour::Off), HasSubstr(R"(injected faults  2 of 3 caught
  scoreboard                  2, 1 by no other checker
  lockstep                    1, 0 by no other checker
  reorder: 1 of 2 caught
)"));
}

TEST(TextReport, SaysThatNoCheckerWasAttached) {
  EXPECT_THAT(text_report(sample::empty_result(), {}, Colour::Off),
              HasSubstr("comparisons made  none: no checker was attached\n"));
}

TEST(TextReport, BreaksLongMessagesAtOneHundredColumns) {
  RegressionResult r = sample::failing_result();
  r.cases[2].failures[1].message =
      std::string(60, 'a') + " " + std::string(35, 'b') + " c " + std::string(30, 'd');
  const std::string text = text_report(r, sample::coverage(), Colour::Off);
  EXPECT_THAT(text, HasSubstr("    " + std::string(60, 'a') + " " + std::string(35, 'b') +
                              "\n    c " + std::string(30, 'd') + "\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(TextReport, CutsNamesThatDoNotFit) {
  RegressionResult r = sample::passing_result();
  for (CaseResult& c : r.cases) {
    c.suite = "a_suite_with_a_name_that_never_ends";
    c.pattern = "a_pattern_with_a_long_name";
    c.back_pressure = "periodic with 17 of 4096";
    c.outcome = common::Outcome::Mismatch;
  }
  const std::string text = text_report(r, {}, Colour::Off);
  EXPECT_THAT(text, HasSubstr("a_suite_with_a_name_..  a_pattern_wit..  periodic wi..     2"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(TextReport, ShowsFiveCasesAndSaysHowManyThereAre) {
  RegressionResult r = sample::empty_result();
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    r.cases.push_back(sample::failing_case("bursts", seed));
  }
  const std::string text = text_report(r, {}, Colour::Off);
  EXPECT_THAT(text, HasSubstr("9 cases did not pass, the first 5:\n"));
  EXPECT_THAT(text, HasSubstr("bursts seed 5: mismatch"));
  EXPECT_THAT(text, Not(HasSubstr("bursts seed 6: mismatch")));
}

TEST(TextReport, ShowsProofsInOneLine) {
  RegressionResult r = sample::passing_result();
  EXPECT_THAT(text_report(r, {}, Colour::Off), Not(HasSubstr("proofs")));
  r.proofs = sample::proofs();
  EXPECT_THAT(text_report(r, {}, Colour::Off),
              HasSubstr("\n\nproofs       184 of 187 properties proven, 2 refuted, 1 undecided "
                        "(build/prove/proofs.html)\n\nPASS  2 cases"));
  r.proofs = Proofs{};
  r.proofs->state = Proofs::State::OfOtherRtl;
  EXPECT_THAT(text_report(r, {}, Colour::Off),
              HasSubstr("\nproofs       of other RTL; run make prove\n\n"));
}

TEST(TextReport, UsesColourOnlyWhenAsked) {
  const RegressionResult r = sample::failing_result();
  EXPECT_THAT(text_report(r, sample::coverage(), Colour::Off), Not(HasSubstr("\x1b")));
  const std::string coloured = text_report(r, sample::coverage(), Colour::On);
  EXPECT_THAT(coloured, HasSubstr("\x1b[32mpass\x1b[0m"));
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;31mMISMATCH\x1b[0m"));
}

}  // namespace
}  // namespace kernbench::sim
