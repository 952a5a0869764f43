// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/reset_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "shapes.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/harness/harness.hpp"
#include "sim/stimulus/driver.hpp"
#include "wrapped_dut.hpp"

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ResetPlan, SweepHasEachWidthAndEachFractionOnce) {
  const std::vector<ResetEvent> resets =
      draw_resets({.pattern = ResetPattern::Sweep, .longest = 100}, 10'000, 1);
  ASSERT_EQ(resets.size(), 103U);
  std::set<std::uint64_t> widths;
  std::vector<ResetCycle> fractions;
  for (const ResetEvent& reset : resets) {
    if (reset.clocks == 0) {
      EXPECT_EQ(reset.cycles(), 1U);
      fractions.push_back(reset.cycle(0));
    } else {
      EXPECT_TRUE(widths.insert(reset.clocks).second);
    }
  }
  EXPECT_EQ(widths.size(), 100U);
  EXPECT_EQ(*widths.rbegin(), 100U);
  EXPECT_THAT(fractions, ::testing::UnorderedElementsAreArray(kResetFractions));
}

TEST(ResetPlan, RandomOnesBeginInOrderWithinTheRun) {
  const std::vector<ResetEvent> resets = draw_resets({.count = 30, .longest = 100}, 60, 3);
  ASSERT_EQ(resets.size(), 30U);
  for (std::size_t i = 0; i < resets.size(); ++i) {
    EXPECT_GE(resets[i].at, 2 * i + 1);
    EXPECT_LE(resets[i].at, 2 * i + 1);  // the only cycle of its part that is not the first
    EXPECT_LE(resets[i].clocks, 100U);
  }
}

TEST(ResetPlan, DependsOnTheSeedAlone) {
  const ResetSpec spec{.count = 30};
  EXPECT_EQ(draw_resets(spec, 900, 1), draw_resets(spec, 900, 1));
  EXPECT_NE(draw_resets(spec, 900, 1), draw_resets(spec, 900, 2));
  EXPECT_THAT(draw_resets({}, 900, 1), IsEmpty());
}

TEST(ResetPlan, MustFitIntoTheSuite) {
  EXPECT_EQ(problem({.count = 30}, 60), std::nullopt);
  EXPECT_EQ(problem({.count = 30}, 59), "30 resets need 60 cycles or more, the suite has 59");
  EXPECT_EQ(problem({.pattern = ResetPattern::Sweep, .longest = 100}, 205),
            "103 resets need 206 cycles or more, the suite has 205");
}

TEST(ResetPlan, ARepeatedCycleIsInResetFromItsBeginning) {
  const ResetEvent reset{0, 2, ClockMoment::Low, ClockMoment::High};
  ASSERT_EQ(reset.cycles(), 3U);
  EXPECT_EQ(reset.cycle(0), (ResetCycle{ClockMoment::Low, ClockMoment::End}));
  EXPECT_EQ(reset.cycle(1), (ResetCycle{ClockMoment::Rise, ClockMoment::End}));
  EXPECT_EQ(reset.cycle(2), (ResetCycle{ClockMoment::Rise, ClockMoment::High}));
}

/// Records the calls that concern reset and clock. `v` and `-` tell whether something was offered.
class LoggedDut : public WrappedDut {
 public:
  using WrappedDut::WrappedDut;
  void set_reset(bool asserted) override {
    add(asserted ? "fall" : "rise");
    WrappedDut::set_reset(asserted);
  }
  void drive(const maze::TopoInputs& inputs) override {
    const auto* begin = inputs.out_valid.data();
    add(std::any_of(begin, begin + inputs.out_valid.size(), [](auto w) { return w != 0; }) ? "v"
                                                                                           : "-");
    WrappedDut::drive(inputs);
  }
  void settle() override {
    add("settle");
    WrappedDut::settle();
  }
  void sample(maze::TopoOutputs& outputs) const override {
    add("sample");
    WrappedDut::sample(outputs);
  }
  void falling_edge() override {
    add("low");
    WrappedDut::falling_edge();
  }
  void clock_edge() override {
    add("edge");
    WrappedDut::clock_edge();
  }
  /// Returns the calls of one cycle, 0 for the first.
  [[nodiscard]] std::string cycle(std::size_t number) const { return cycles_.at(number); }

 private:
  void add(const std::string& call) const {
    if (cycles_.empty() || cycles_.back().ends_with("edge")) {
      cycles_.push_back(call);
    } else {
      cycles_.back() += " " + call;
    }
  }
  mutable std::vector<std::string> cycles_;
};

/// Runs 20 cycles of full load with one reset in run cycle 5, which is cycle 9.
RunEnd run_with(MazeDut& dut, const ResetEvent& reset, Extension* checker = nullptr) {
  const topology::MazeLinks links(k4x3.nx, k4x3.ny);
  Driver driver(k4x3, links, {}, {}, 1);
  Harness harness(dut, driver);
  if (checker != nullptr) harness.add(*checker);
  RunPlan plan;
  plan.cycles = 20;
  plan.resets = {reset};
  return harness.run(plan);
}

TEST(PartialReset, ChangesWithinACycleAtItsMoments) {
  using enum ClockMoment;
  const std::vector<std::pair<ResetEvent, std::string>> expected = {
      {{5, 1, Rise, End}, "fall - settle sample edge"},
      {{5, 0, Rise, High}, "fall - settle - rise settle sample edge"},
      {{5, 0, High, Low}, "- settle - fall settle low - rise settle sample edge"},
      {{5, 0, Rise, Low}, "fall - settle low - rise settle sample edge"},
      // Checkers sample at the falling edge, so that an offer must not vanish before it.
      {{5, 0, Low, Low}, "v settle low - fall settle - rise settle sample edge"},
      {{5, 1, High, End}, "- settle - fall settle sample edge"},
      {{5, 1, Low, End}, "v settle low - fall settle sample edge"},
  };
  for (const auto& [reset, calls] : expected) {
    LoggedDut dut(k4x3);
    const RunEnd end = run_with(dut, reset);
    EXPECT_EQ(end.reason, StopReason::Drained);
    EXPECT_EQ(dut.cycle(8), "v settle sample edge");
    EXPECT_EQ(dut.cycle(9), calls);
    EXPECT_EQ(dut.cycle(10),
              reset.to == End ? "rise v settle sample edge" : "v settle sample edge");
  }
}

/// A fabric that sees its reset only at a rising edge.
class ClockedResetDut : public WrappedDut {
 public:
  using WrappedDut::WrappedDut;
  void set_reset(bool asserted) override { asserted_ = asserted; }
  void clock_edge() override {
    WrappedDut::set_reset(asserted_);
    if (asserted_) WrappedDut::settle();
    WrappedDut::clock_edge();
    WrappedDut::set_reset(false);
  }

 private:
  bool asserted_ = false;
};

TEST(PartialReset, IsNoticedWhenAFabricMissesIt) {
  using enum ClockMoment;
  const topology::MazeLinks links(k4x3.nx, k4x3.ny);
  for (const ResetCycle& part : kResetFractions) {
    Lockstep sound(k4x3, links);
    ReferenceDut reference(k4x3);
    EXPECT_EQ(run_with(reference, {5, 0, part.from, part.to}, &sound).reason, StopReason::Drained);
    EXPECT_EQ(sound.failure_count(), 0U);

    Lockstep lockstep(k4x3, links);
    ClockedResetDut dut(k4x3);
    EXPECT_EQ(run_with(dut, {5, 0, part.from, part.to}, &lockstep).reason, StopReason::Failed);
    EXPECT_EQ(lockstep.failures().front().cycle, 9U);
  }
}

}  // namespace
}  // namespace kernbench::sim
