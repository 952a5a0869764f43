// SPDX-License-Identifier: Apache-2.0
// Runs the shipped fault regression with the reference as the fabric, to test which checkers
// notice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reference_dut.hpp"
#include "sim/regression/case_runner.hpp"
#include "sim/regression/regression_runner.hpp"
#include "tests/places.hpp"

namespace kernbench::sim {
namespace {

class ShippedFaults : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    spec_ = load_regression(places::source("/configs/regressions/faults.yaml"));
    for (const CaseSpec& spec : list_cases(spec_)) {
      ReferenceDut dut(spec_.shape);
      results_.push_back(run_case(spec, dut, {}).result);
    }
  }
  static RegressionSpec spec_;
  static std::vector<CaseResult> results_;
};
RegressionSpec ShippedFaults::spec_;
std::vector<CaseResult> ShippedFaults::results_;

TEST_F(ShippedFaults, AreNoticedByExactlyTheCheckersThatTheConfigurationNames) {
  ASSERT_GE(results_.size(), 100U);
  for (const CaseResult& result : results_) {
    EXPECT_EQ(result.outcome, common::Outcome::Pass)
        << result.suite << " seed " << result.seed << " " << result.fault->kind << ": "
        << result.reason;
  }
}

TEST_F(ShippedFaults, CoverEveryKindOfFault) {
  std::set<std::string> kinds;
  for (const CaseResult& result : results_) kinds.insert(result.fault->kind);
  for (const FaultKind kind : all_fault_kinds()) {
    EXPECT_EQ(kinds.count(std::string(fault_name(kind))), 1U) << fault_name(kind);
  }
}

TEST_F(ShippedFaults, ShowEveryCheckerAsTheOnlyOneThatNoticesSomething) {
  std::map<std::string, unsigned> alone;
  for (const CaseResult& result : results_) {
    const bool all_attached = result.suite == "all_checkers" || result.suite == "silent_source";
    if (all_attached && result.fault->caught_by.size() == 1) ++alone[result.fault->caught_by[0]];
  }
  for (const char* checker : {"lockstep", "scoreboard", "watchdog", "delivery"}) {
    EXPECT_GT(alone[checker], 0U) << checker;
  }
}

TEST(FaultCase, ThatNoCheckerNoticesFails) {
  SuiteSpec suite;
  suite.name = "blind";
  suite.cycles = 500;
  suite.checks = {false, true, false, false, false};  // scoreboard only
  suite.back_pressure.kind = BackPressure::Random;
  FaultCase fault;
  fault.fault.kind = FaultKind::PayloadChangesWhileStalled;
  suite.faults = {fault};
  ReferenceDut dut({8, 8, 8});
  const CaseResult result = run_case({&suite, 1, suite.faults.data()}, dut, {}).result;
  EXPECT_EQ(result.outcome, common::Outcome::Mismatch);
  EXPECT_EQ(result.reason, "no checker noticed the fault");
}

TEST(FaultCase, ThatNeverHadAChanceIsVacuous) {
  SuiteSpec suite;
  suite.name = "too_late";
  suite.cycles = 100;
  FaultCase fault;
  fault.fault.kind = FaultKind::Drop;
  fault.fault.cycle = 100'000;
  suite.faults = {fault};
  ReferenceDut dut({8, 8, 8});
  const CaseResult result = run_case({&suite, 1, suite.faults.data()}, dut, {}).result;
  EXPECT_EQ(result.outcome, common::Outcome::Vacuous);
  EXPECT_EQ(result.reason, "the fault never took effect");
}

}  // namespace
}  // namespace kernbench::sim
