// SPDX-License-Identifier: Apache-2.0
// Outcomes of cases; results of a regression depend only on its configuration.
#include "sim/regression/regression_runner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "common/diagnostics.hpp"
#include "shapes.hpp"
#include "sim/regression/case_pool.hpp"
#include "sim/report/json_report.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "sim/stimulus/traffic_rules.hpp"
#include "tests/places.hpp"
#include "wrapped_dut.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using maze::Shape;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

SuiteSpec suite_of(const Checks& checks) {
  SuiteSpec suite;
  suite.name = "suite";
  suite.cycles = 400;
  suite.back_pressure.kind = BackPressure::Random;
  suite.watchdog_cycles = 100;
  suite.checks = checks;
  return suite;
}
constexpr Checks kAll{true, true, true, true, true};
constexpr Checks kScoreboardOnly{false, true, false, false, false};
constexpr Checks kScoreboardAndWatchdog{false, true, true, false, false};

CaseRun run_on(MazeDut& dut, const SuiteSpec& suite, const FaultCase* fault = nullptr) {
  return run_case({&suite, 1, fault}, dut, {});
}
CaseRun run_sound(const SuiteSpec& suite, const FaultCase* fault = nullptr) {
  ReferenceDut dut(k4x3);
  return run_on(dut, suite, fault);
}

TEST(Case, ASoundFabricPassesWithEveryCheckerThatTheModelHas) {
  const CaseRun run = run_sound(suite_of(kAll));
  EXPECT_EQ(run.result.outcome, Outcome::Pass);
  EXPECT_EQ(run.result.reason, "");
  std::vector<std::string> names;
  for (const CheckerResult& checker : run.result.checkers) names.push_back(checker.name);
  // The reference has no bound checkers, so the assertions checker is not attached.
  EXPECT_THAT(names, ElementsAre("lockstep", "scoreboard", "watchdog", "delivery"));
  EXPECT_EQ(run.result.pattern, "all_links");
  EXPECT_EQ(run.result.back_pressure, "random");
}

TEST(Case, WhatIsDeliveredAddsUpOverTheLinks) {
  const CaseRun run = run_sound(suite_of(kAll));
  std::uint64_t sum = 0;
  for (const std::uint64_t packets : run.link_packets) sum += packets;
  EXPECT_EQ(sum, run.result.delivered);
  EXPECT_EQ(run.link_packets.size(), k4x3.links());
  EXPECT_GT(*std::min_element(run.link_stalls.begin(), run.link_stalls.end()), 0U);
}

TEST(Case, CountsWhatWasDeliveredAlikeWithAndWithoutItsScoreboard) {
  const CaseRun with = run_sound(suite_of(kAll));
  const CaseRun without = run_sound(suite_of({true, false, false, false, false}));
  EXPECT_EQ(without.result.outcome, Outcome::Pass);
  EXPECT_EQ(without.result.delivered, with.result.delivered);
  EXPECT_EQ(without.link_packets, with.link_packets);
  EXPECT_EQ(with.result.checkers.at(1).name, "scoreboard");
  EXPECT_EQ(with.result.checkers.at(1).checks, with.result.delivered);
}

TEST(Case, ThatDeliversNothingIsVacuousWhateverTheCheckersCompared) {
  SuiteSpec suite = suite_of({true, false, false, false, false});
  suite.traffic.load = 1e-12;
  const CaseRun run = run_sound(suite);
  EXPECT_EQ(run.result.outcome, Outcome::Vacuous);
  EXPECT_EQ(run.result.reason, "no packet was delivered: the suite sent nothing in 400 cycles");
}

TEST(Case, WhoseScoreboardComparedNothingIsVacuous) {
  SuiteSpec suite = suite_of(kScoreboardOnly);
  suite.traffic.load = 1e-12;
  const CaseRun run = run_sound(suite);
  EXPECT_EQ(run.result.outcome, Outcome::Vacuous);
  EXPECT_EQ(run.result.reason, "scoreboard compared nothing: the suite sent nothing in 400 cycles");
}

TEST(Case, WithoutAnyCheckerIsVacuousHoweverMuchWasDelivered) {
  const CaseRun run = run_sound(suite_of({false, false, false, true, false}));
  EXPECT_GT(run.result.delivered, 0U);
  EXPECT_EQ(run.result.outcome, Outcome::Vacuous);
  EXPECT_EQ(run.result.reason, "no checker was attached");
}

TEST(Case, WhoseSenderWaitsForEverIsADeadlock) {
  DeadLinkDut dut(k4x3, 5, 1);
  const CaseRun run = run_on(dut, suite_of(kScoreboardAndWatchdog));
  EXPECT_EQ(run.result.outcome, Outcome::Deadlock);
  EXPECT_EQ(run.result.reason,
            "[1,1].x[1] -> [1,3].x[1]: a packet waited at the source for 100 cycles (valid 1, "
            "ready 0)");
  // Four cycles of reset, one window of the watchdog, and eight cycles after the failure.
  EXPECT_EQ(run.result.cycles, 4U + 100 + 8);
}

TEST(Case, WhoseReferenceSeesTheStuckLinkFirstIsAMismatch) {
  DeadLinkDut dut(k4x3, 5, 1);
  const CaseRun run = run_on(dut, suite_of(kAll));
  EXPECT_EQ(run.result.outcome, Outcome::Mismatch);
  EXPECT_EQ(run.result.failures.front().checker, "lockstep");
}

TEST(Case, ThatDoesNotDrainIsATimeoutWhenNobodyElseNotices) {
  DeadLinkDut dut(k4x3, 5, 1);
  const CaseRun run = run_on(dut, suite_of(kScoreboardOnly));
  EXPECT_EQ(run.result.outcome, Outcome::Timeout);
  EXPECT_EQ(run.result.reason, "the fabric did not drain");
  EXPECT_EQ(run.result.cycles, 4U + 400 + 10'001);
  EXPECT_THAT(run.result.failures, IsEmpty());
}

TEST(Case, IsVacuousWhenItsCyclesDidNotReachALinkOfThePattern) {
  SuiteSpec suite = suite_of({false, false, false, false, true});
  suite.cycles = 1;
  suite.traffic.load = 0.2;
  CaseRun run = run_sound(suite);
  EXPECT_EQ(run.result.outcome, Outcome::Vacuous);
  EXPECT_THAT(run.result.reason, MatchesRegex("delivery did not check [0-9]+ of 60 links, on which "
                                              "nothing was sent; the first is .*; the suite needs "
                                              "more cycles"));
  EXPECT_THAT(run.result.failures, IsEmpty());
  suite.shortened = true;
  run = run_sound(suite);
  EXPECT_EQ(run.result.outcome, Outcome::Pass);
  EXPECT_THAT(run.result.not_checked,
              ElementsAre(MatchesRegex("delivery: [0-9]+ of 60 links, on which nothing was .*")));
}

TEST(Case, NamesAWatchdogWhoseWindowWasNeverFull) {
  SuiteSpec suite = suite_of(kAll);
  suite.watchdog_cycles = 5000;
  const CaseRun run = run_sound(suite);
  EXPECT_EQ(run.result.outcome, Outcome::Pass);
  EXPECT_THAT(run.result.not_checked,
              ElementsAre("watchdog: no stretch without a reset was as long as its window of 5000 "
                          "cycles"));
}

/// Every pattern and every class of back-pressure, with runs from one cycle on.
TEST(Case, ASoundFabricIsNotAccusedHoweverShortTheRun) {
  for (const Shape shape : {Shape{2, 2, 8}, Shape{3, 2, 8}, Shape{4, 4, 8}}) {
    for (const std::string_view name : pattern_names()) {
      if (name == "trace") continue;
      for (const auto& [stall_name, stalls] : kBackPressureNames) {
        for (const std::uint64_t cycles : {1U, 2U, 5U, 17U, 60U}) {
          SuiteSpec suite = suite_of(kAll);
          suite.watchdog_cycles = 200;
          set_pattern(suite.traffic, name);
          suite.traffic.load = 0.3;
          if (problem(suite.traffic, shape)) continue;
          suite.back_pressure.kind = stalls;
          suite.back_pressure.longest = 150;
          suite.cycles = cycles;
          suite.shortened = true;
          if (cycles > 20) suite.reset_at = {cycles - 4};
          ReferenceDut dut(shape);
          const CaseRun run = run_on(dut, suite);
          EXPECT_THAT(run.result.failures, IsEmpty()) << name << ' ' << stall_name << ' ' << cycles;
          EXPECT_TRUE(run.result.outcome == Outcome::Pass || run.result.outcome == Outcome::Vacuous)
              << name << ' ' << stall_name << ' ' << cycles << ": " << run.result.reason;
          if (run.result.outcome == Outcome::Vacuous) {
            EXPECT_EQ(run.result.delivered, 0U) << run.result.reason;
          }
        }
      }
    }
  }
}

TEST(Case, EndsAsInterruptedWhenItsHeartbeatSaysSo) {
  SuiteSpec suite = suite_of(kAll);
  suite.cycles = 100'000;
  ReferenceDut dut(k4x3);
  CaseOptions options;
  options.heartbeat = [](std::uint64_t cycle) { return cycle < 4096; };
  const CaseRun run = run_case({&suite, 1, nullptr}, dut, options);
  EXPECT_EQ(run.result.outcome, Outcome::Interrupted);
  EXPECT_EQ(run.result.reason, "interrupted");
  EXPECT_EQ(run.result.cycles, 4096U);
}

TEST(Case, PacketsThatAResetDiscardsAreNoLosses) {
  SuiteSpec suite = suite_of(kAll);
  suite.reset_at = {50, 51, 200};
  const CaseRun run = run_sound(suite);
  EXPECT_EQ(run.result.outcome, Outcome::Pass);
  // Three resets of four cycles each.
  EXPECT_EQ(run.result.cycles, run_sound(suite_of(kAll)).result.cycles + 12);
}

/// A fabric whose stages keep their packets in every reset except the first.
class ForgetfulResetDut : public WrappedDut {
 public:
  using WrappedDut::WrappedDut;
  void set_reset(bool asserted) override {
    if (asserted) ++resets_;
    if (resets_ <= 1) WrappedDut::set_reset(asserted);
  }

 private:
  unsigned resets_ = 0;
};

TEST(Case, PacketsThatSurviveAResetAreFound) {
  for (const Checks& checks : {kScoreboardOnly, Checks{true, false, false, false, false}}) {
    SuiteSpec suite = suite_of(checks);
    suite.back_pressure.ready_probability = 0.1;
    suite.reset_at = {50};
    // Three stages deep, so that packets remain after the four cycles of the reset.
    ForgetfulResetDut dut({8, 3, 8});
    const CaseRun run = run_on(dut, suite);
    ASSERT_EQ(run.result.outcome, Outcome::Mismatch);
    // The reset takes cycles 54 to 57.
    EXPECT_GE(run.result.failures.front().cycle, 54U);
    EXPECT_LE(run.result.failures.front().cycle, 58U);
  }
}

FaultCase drop_at(std::uint64_t cycle) {
  FaultCase fault;
  fault.fault.kind = FaultKind::Drop;
  fault.fault.cycle = cycle;
  return fault;
}

TEST(FaultCase, PassesWhenTheExpectedCheckersNotice) {
  FaultCase fault = drop_at(20);
  fault.caught_by = {"lockstep", "scoreboard"};
  fault.missed_by = {"delivery"};
  const CaseRun run = run_sound(suite_of(kAll), &fault);
  EXPECT_EQ(run.result.outcome, Outcome::Pass);
  EXPECT_GE(run.result.fault.value().injected_at.value(), 20U);
  EXPECT_FALSE(run.coverage.has_value());
}

TEST(FaultCase, ThatACheckerShouldNotHaveNoticedIsAMismatch) {
  FaultCase fault = drop_at(20);
  fault.missed_by = {"scoreboard"};
  const CaseRun run = run_sound(suite_of(kAll), &fault);
  EXPECT_EQ(run.result.outcome, Outcome::Mismatch);
  EXPECT_EQ(run.result.reason, "scoreboard was not expected to notice the fault");
}

TEST(FaultCase, ThatItsCheckerMissesIsAMismatch) {
  FaultCase fault = drop_at(20);
  fault.caught_by = {"watchdog"};
  const CaseRun run = run_sound(suite_of(kAll), &fault);
  EXPECT_EQ(run.result.outcome, Outcome::Mismatch);
  EXPECT_EQ(run.result.reason, "watchdog did not notice the fault");
}

TEST(FaultCase, ThatNobodyNoticesIsAMismatch) {
  const FaultCase fault = drop_at(20);
  const CaseRun run = run_sound(suite_of({false, false, true, false, false}), &fault);
  EXPECT_EQ(run.result.outcome, Outcome::Mismatch);
  EXPECT_EQ(run.result.reason, "no checker noticed the fault");
}

TEST(FaultCase, ThatNeverHappenedIsVacuous) {
  const FaultCase fault = drop_at(1'000'000);
  const CaseRun run = run_sound(suite_of(kAll), &fault);
  EXPECT_EQ(run.result.outcome, Outcome::Vacuous);
  EXPECT_EQ(run.result.reason, "the fault never took effect");
}

RegressionSpec two_suites() {
  RegressionSpec spec;
  spec.path = "two.yaml";
  spec.shape = k4x3;
  spec.seed = 5;
  spec.suites = {suite_of(kAll), suite_of(kScoreboardOnly)};
  spec.suites[0].name = "first";
  spec.suites[0].seeds = 3;
  spec.suites[1].name = "second";
  spec.suites[1].faults = {drop_at(20), drop_at(60)};
  return spec;
}

DutLibrary reference_library() {
  return DutLibrary(places::kReferenceModel);
}

/// Returns the contents of a report without host times.
std::string told(const RegressionSpec& spec, const RunOptions& options) {
  const RegressionRun run = run_regression(spec, reference_library(), options);
  nlohmann::json data = regression_data(run.result, run.coverage->summary());
  data.erase("host");
  for (auto& one : data["cases"]) one.erase("host");
  return data.dump(1);
}

TEST(Regression, WalksAllLinksOfTheLargestFabric) {
  RegressionSpec shipped = load_regression(places::source("/configs/regressions/default.yaml"));
  const auto walk = std::find_if(shipped.suites.begin(), shipped.suites.end(),
                                 [](const SuiteSpec& suite) { return suite.name == "link_walk"; });
  ASSERT_NE(walk, shipped.suites.end());
  walk->checks = {false, false, false, false, true};
  ReferenceDut dut({16, 16, 1});
  const CaseRun run = run_on(dut, *walk);
  EXPECT_EQ(run.result.outcome, Outcome::Pass);
  EXPECT_EQ(run.result.cycles, 106'005U);
}

TEST(Regression, ListsItsCasesBySuiteSeedAndFault) {
  const RegressionSpec spec = two_suites();
  std::vector<std::string> names;
  for (const CaseSpec& one : list_cases(spec)) {
    names.push_back(fmt::format("{} {}{}", one.suite->name, one.seed,
                                one.fault == nullptr ? "" : " with a fault"));
  }
  EXPECT_THAT(names, ElementsAre("first 5", "first 6", "first 7", "second 5 with a fault",
                                 "second 5 with a fault"));
}

TEST(Regression, TellsTheSameForAnyNumberOfJobs) {
  RunOptions options;
  const std::string alone = told(two_suites(), options);
  for (const unsigned jobs : {2U, 3U, 16U}) {
    options.jobs = jobs;
    EXPECT_EQ(told(two_suites(), options), alone) << jobs << " jobs";
  }
}

TEST(Regression, TellsSomethingElseForAnotherSeed) {
  RegressionSpec other = two_suites();
  other.seed = 6;
  EXPECT_NE(told(other, {}), told(two_suites(), {}));
}

TEST(Regression, StartsNoCaseOnceInterrupted) {
  RunOptions options;
  options.interrupted = [] { return true; };
  const RegressionRun run = run_regression(two_suites(), reference_library(), options);
  EXPECT_EQ(run.result.outcome, Outcome::Interrupted);
  EXPECT_EQ(run.result.planned, 5U);
  EXPECT_THAT(run.result.cases, SizeIs(0));
}

TEST(Regression, KeepsTheCasesThatWereFinishedWhenItIsInterrupted) {
  RunOptions options;
  bool finished = false;
  options.case_done = [&](const CaseResult&) { finished = true; };
  options.interrupted = [&] { return finished; };
  const RegressionRun run = run_regression(two_suites(), reference_library(), options);
  EXPECT_EQ(run.result.outcome, Outcome::Interrupted);
  ASSERT_THAT(run.result.cases, SizeIs(1));
  EXPECT_EQ(run.result.cases[0].outcome, Outcome::Pass);
  ASSERT_THAT(run.specs, SizeIs(1));
  EXPECT_TRUE(run.coverage.has_value());
}

TEST(Regression, AMissedBinFailsOneThatAsksForFullCoverage) {
  RegressionSpec spec = two_suites();
  spec.full_coverage = true;  // no suite resets during traffic
  const RegressionRun run = run_regression(spec, reference_library(), {});
  EXPECT_EQ(run.result.outcome, Outcome::Mismatch);
  const CaseResult& goals = run.result.cases.back();
  EXPECT_EQ(goals.suite, "coverage goals");
  EXPECT_EQ(goals.outcome, Outcome::Mismatch);
  EXPECT_EQ(goals.failures.front().kind, "missed_bin");
  EXPECT_THAT(goals.reason, ::testing::EndsWith(" functional bins were missed"));
}

TEST(Regression, FullCoverageThatNoCaseCollectsIsVacuous) {
  RegressionSpec spec = two_suites();
  spec.suites.resize(1);
  spec.suites.front().kind = SuiteKind::Connectivity;
  spec.suites.front().seeds = 1;
  spec.full_coverage = true;
  const RegressionRun run = run_regression(spec, reference_library(), {});
  EXPECT_EQ(run.result.outcome, Outcome::Vacuous);
  EXPECT_EQ(run.result.cases.back().reason,
            "full_coverage is required, but no case collected coverage");
}

TEST(Regression, WithoutCasesIsVacuous) {
  RegressionSpec spec = two_suites();
  spec.suites.clear();
  EXPECT_EQ(run_regression(spec, reference_library(), {}).result.outcome, Outcome::Vacuous);
}

TEST(Regression, ReportsProgressOfEveryCycleAndEveryCase) {
  std::atomic<std::uint64_t> cycles{0};
  std::atomic<unsigned> cases{0};
  RunOptions options;
  options.jobs = 2;
  options.progress = [&](std::uint64_t n) { cycles += n; };
  options.case_done = [&](const CaseResult&) { ++cases; };
  const RegressionRun run = run_regression(two_suites(), reference_library(), options);
  std::uint64_t sum = 0;
  for (const CaseResult& one : run.result.cases) sum += one.cycles;
  EXPECT_EQ(cycles, sum);
  EXPECT_EQ(cases, 5U);
}

TEST(Regression, RefusesAModelOfAnotherShape) {
  RegressionSpec spec = two_suites();
  spec.shape = {8, 8, 8};
  try {
    (void)run_regression(spec, reference_library(), {});
    FAIL() << "accepted";
  } catch (const common::BadInput& error) {
    EXPECT_EQ(std::string(error.what()),
              std::string("error: ") + places::kReferenceModel +
                  ": built for a 4x3 fabric with 8 data bits, the configuration asks for 8x8 with "
                  "8");
  }
}

/// Returns what is said of a case whose run with waves ended like this.
std::string said_of_waves(Outcome outcome, std::uint64_t output_hash) {
  CaseResult first;
  first.output_hash = 1;
  CaseResult again;
  again.outcome = outcome;
  again.output_hash = output_hash;
  again.reason = "valid is 0, the reference has 1";
  try {
    require_same_outputs("random seed 2", first, again);
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(Regression, ToleratesRtlThatDependsOnTheBitsItsFlopsStartWith) {
  const std::string model =
      "error: random seed 2: with the model of the waves, whose flops start with other bits, ";
  EXPECT_EQ(said_of_waves(Outcome::Mismatch, 1), "");
  EXPECT_EQ(said_of_waves(Outcome::Pass, 2), model + "it passes");
  EXPECT_EQ(said_of_waves(Outcome::Mismatch, 2),
            model + "it fails otherwise: valid is 0, the reference has 1");
  EXPECT_EQ(said_of_waves(Outcome::Interrupted, 1), "error: interrupted");
}

}  // namespace
}  // namespace kernbench::sim
