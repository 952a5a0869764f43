// SPDX-License-Identifier: Apache-2.0
#include "sim/check/checker_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::sim {
namespace {

using testing::ElementsAre;

/// A checker that fails in given cycles.
class ScriptedChecker : public Extension {
 public:
  ScriptedChecker(std::string name, std::uint64_t checks, std::vector<std::uint64_t> cycles)
      : checks_(checks) {
    for (const std::uint64_t cycle : cycles) fail({name, "scripted", cycle, std::nullopt, ""});
  }
  void on_cycle(const CycleView& /*view*/) override {}
  [[nodiscard]] std::uint64_t checks() const override { return checks_; }

 private:
  std::uint64_t checks_;
};

/// Records the extensions that are attached to it.
struct FakeRunner {
  void add(Extension& extension) { attached.push_back(&extension); }
  std::vector<Extension*> attached;
};

TEST(CheckerSet, AttachesItsCheckersInOrder) {
  ScriptedChecker first("first", 0, {});
  ScriptedChecker second("second", 0, {});
  CheckerSet checkers;
  EXPECT_TRUE(checkers.empty());
  checkers.add("first", first);
  checkers.add("second", second);
  FakeRunner runner;
  checkers.attach_to(runner);
  EXPECT_THAT(runner.attached, ElementsAre(&first, &second));
  EXPECT_FALSE(checkers.empty());
  EXPECT_TRUE(checkers.contains("second"));
  EXPECT_FALSE(checkers.contains("third"));
}

TEST(CheckerSet, CollectsResultsInOrderAndFailuresByCycle) {
  ScriptedChecker first("first", 7, {5, 9});
  ScriptedChecker second("second", 8, {3, 5});
  CheckerSet checkers;
  checkers.add("first", first);
  checkers.add("second", second);
  std::vector<std::string> results;
  for (const auto& [name, checks, failures] : checkers.results()) {
    results.push_back(name + " " + std::to_string(checks) + " " + std::to_string(failures));
  }
  EXPECT_THAT(results, ElementsAre("first 7 2", "second 8 2"));
  std::vector<std::string> failures;
  for (const Failure& failure : checkers.failures()) {
    failures.push_back(failure.checker + " " + std::to_string(failure.cycle));
  }
  EXPECT_THAT(failures, ElementsAre("second 3", "first 5", "second 5", "first 9"));
}

TEST(CheckerSet, CountsFailuresThatAreNotKept) {
  ScriptedChecker checker("checker", 1, std::vector<std::uint64_t>(30, 4));
  CheckerSet checkers;
  checkers.add("checker", checker);
  EXPECT_EQ(checkers.results().front().failures, 30U);
  EXPECT_EQ(checkers.failures().size(), 20U);
}

TEST(CheckerSet, FindsTheFirstIdleCheckerButNotTheWatchdog) {
  const std::vector<CheckerResult> results = {
      {"lockstep", 4, 0}, {"watchdog", 0, 0}, {"scoreboard", 0, 0}, {"delivery", 0, 0}};
  EXPECT_EQ(first_idle(results), &results[2]);
  EXPECT_EQ(first_idle(std::span(results).first(2)), nullptr);
}

}  // namespace
}  // namespace kernbench::sim
