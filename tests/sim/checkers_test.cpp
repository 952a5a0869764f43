// Every checker is seen to fail: each fault is injected between a sound fabric and its observers,
// with one checker attached at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reference_dut.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/harness.hpp"

namespace kernbench::sim {
namespace {

using maze::Shape;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Shape kShape{8, 8, 8};

struct Scenario {
  topology::MazeLinks links{kShape.nx, kShape.ny};
  TrafficSpec traffic;
  BackPressureSpec back_pressure;
  std::uint64_t cycles = 600;

  Scenario() {
    traffic.load = 0.6;
    traffic.types = {1, 1, 1, 1};
    back_pressure.kind = BackPressure::Random;
  }
};

struct Report {
  RunEnd end;
  bool injected = false;
  std::vector<Failure> failures;
  std::uint64_t delivered = 0;
};

std::set<std::string> kinds(const Report& report) {
  std::set<std::string> result;
  for (const Failure& failure : report.failures) result.insert(failure.kind);
  return result;
}

/// One run on the reference as fabric; `make` builds the checker under test.
template <typename MakeChecker>
Report run(const Scenario& setup, std::optional<FaultSpec> fault, MakeChecker make,
           std::uint64_t after_failure = 100) {
  ReferenceDut dut(kShape);
  Driver driver(kShape, setup.links, setup.traffic, setup.back_pressure, 7);
  Harness harness(dut, driver);
  auto checker = make(setup.links);
  harness.add(*checker);
  std::optional<FaultInjector> injector;
  if (fault) {
    injector.emplace(kShape, setup.links, *fault, 7);
    harness.set_tap(&*injector);
  }
  RunPlan plan;
  plan.cycles = setup.cycles;
  plan.drain_limit = 500;
  plan.after_failure = after_failure;
  Report report;
  report.end = harness.run(plan);
  report.injected = injector && injector->injected_at();
  report.failures = checker->failures();
  report.delivered = checker->checks();
  return report;
}

auto scoreboard() {
  return
      [](const topology::MazeLinks& links) { return std::make_unique<Scoreboard>(kShape, links); };
}
auto lockstep() {
  return [](const topology::MazeLinks& links) { return std::make_unique<Lockstep>(kShape, links); };
}
auto watchdog(std::uint64_t limit) {
  return [=](const topology::MazeLinks& links) {
    return std::make_unique<Watchdog>(kShape, links, limit);
  };
}

FaultSpec fault_on(FaultKind kind, LinkEnd link = {28, 1}, std::uint64_t cycle = 50) {
  FaultSpec spec;
  spec.kind = kind;
  spec.link = link;
  spec.cycle = cycle;
  spec.duration = 300;
  return spec;
}

TEST(Checkers, ASoundFabricPassesAllOfThemAndDrains) {
  for (const Report& report :
       {run({}, {}, scoreboard()), run({}, {}, lockstep()), run({}, {}, watchdog(100))}) {
    EXPECT_EQ(report.end.reason, StopReason::Drained);
    EXPECT_THAT(report.failures, IsEmpty());
    EXPECT_GT(report.delivered, 0U);
  }
}

class ScoreboardClasses
    : public ::testing::TestWithParam<std::pair<FaultKind, std::set<std::string>>> {};

TEST_P(ScoreboardClasses, NamesTheClassOfTheFault) {
  const auto& [kind, expected] = GetParam();
  const Report report = run({}, fault_on(kind), scoreboard());
  EXPECT_TRUE(report.injected);
  EXPECT_EQ(kinds(report), expected);
  EXPECT_EQ(report.failures.empty(), expected.empty());
  EXPECT_EQ(report.end.reason, expected.empty() ? StopReason::Drained : StopReason::Failed);
}

using Classes = std::pair<FaultKind, std::set<std::string>>;
INSTANTIATE_TEST_SUITE_P(
    Faults, ScoreboardClasses,
    ::testing::Values(
        Classes{FaultKind::PayloadBitFlip, {"corruption"}},
        Classes{FaultKind::Drop, {"late_valid", "loss", "overflow"}},
        Classes{FaultKind::QosCleared, {"corruption"}},
        Classes{FaultKind::TypeChanged, {"corruption"}},
        Classes{FaultKind::AddressesSwapped, {"corruption"}},
        Classes{FaultKind::LateValid, {"late_valid"}},
        Classes{FaultKind::ValidDropsWhileStalled, {"late_valid"}},
        // Both are invisible at the ends of a packet's way; lockstep is there for them.
        Classes{FaultKind::PayloadChangesWhileStalled, {}}, Classes{FaultKind::ReadyGlitch, {}}));

class FaultKinds : public ::testing::TestWithParam<FaultKind> {};

TEST_P(FaultKinds, OfTheFabricAreCaughtByLockstepAlone) {
  const Report report = run({}, fault_on(GetParam()), lockstep());
  EXPECT_TRUE(report.injected);
  EXPECT_THAT(report.failures, Not(IsEmpty()));
  EXPECT_EQ(report.end.reason, StopReason::Failed);
  EXPECT_EQ(report.failures.front().link, (LinkEnd{28, 1}));
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultKinds,
                         ::testing::Values(FaultKind::PayloadBitFlip, FaultKind::Drop,
                                           FaultKind::Duplicate, FaultKind::Reorder,
                                           FaultKind::QosCleared, FaultKind::TypeChanged,
                                           FaultKind::AddressesSwapped, FaultKind::StalePayload,
                                           FaultKind::StuckValidHigh, FaultKind::StuckValidLow,
                                           FaultKind::StuckReadyHigh, FaultKind::StuckReadyLow,
                                           FaultKind::LateValid, FaultKind::ValidDropsWhileStalled,
                                           FaultKind::PayloadChangesWhileStalled,
                                           FaultKind::ReadyGlitch),
                         [](const auto& kind) { return std::string(fault_name(kind.param)); });

class CommonMode : public ::testing::TestWithParam<FaultKind> {};

TEST_P(CommonMode, ErrorsOfFabricAndReferenceAreCaughtByTheScoreboardOnly) {
  EXPECT_THAT(run({}, fault_on(GetParam()), lockstep()).failures, IsEmpty());
  const Report report = run({}, fault_on(GetParam()), scoreboard());
  EXPECT_TRUE(report.injected);
  EXPECT_THAT(report.failures, Not(IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(Faults, CommonMode,
                         ::testing::Values(FaultKind::StimulusBitFlip, FaultKind::StimulusMisroute,
                                           FaultKind::StimulusDrop),
                         [](const auto& kind) { return std::string(fault_name(kind.param)); });

TEST(Scoreboard, TellsAReorderFromALoss) {
  EXPECT_THAT(kinds(run({}, fault_on(FaultKind::Reorder), scoreboard())),
              ::testing::Contains("reorder"));
}

TEST(Scoreboard, NamesADuplicate) {
  EXPECT_THAT(
      kinds(run({}, fault_on(FaultKind::Duplicate), scoreboard())),
      ::testing::AnyOf(::testing::Contains("duplicate"), ::testing::Contains("early_valid")));
}

TEST(Scoreboard, NamesTheLinkThatAMisroutedPacketTravelsOn) {
  const Report report = run({}, fault_on(FaultKind::Misroute), scoreboard());
  EXPECT_THAT(kinds(report), ::testing::Contains("misroute"));
}

TEST(Scoreboard, ExpectsExactlyTheDepthAndNotOneCycleMore) {
  // One late cycle on a depth-3 link with a receiver that is always ready.
  Scenario setup;
  setup.back_pressure.kind = BackPressure::None;
  setup.traffic.load = 0.05;
  const Report report = run(setup, fault_on(FaultKind::LateValid, {28, 3}), scoreboard());
  ASSERT_THAT(report.failures, Not(IsEmpty()));
  EXPECT_EQ(report.failures.front().kind, "late_valid");
  EXPECT_EQ(report.failures.front().message,
            "[3,4].x[3] -> [3,0].x[3]: offers nothing, a packet is due (depth 3)");
}

TEST(Watchdog, CatchesAReceiverThatSleepsLongerThanItsLimitAndNothingElseDoes) {
  const FaultSpec sleep = fault_on(FaultKind::ReceiverSleeps);
  EXPECT_THAT(run({}, sleep, scoreboard()).failures, IsEmpty());
  EXPECT_THAT(run({}, sleep, lockstep()).failures, IsEmpty());
  const Report report = run({}, sleep, watchdog(100));
  ASSERT_THAT(report.failures, Not(IsEmpty()));
  EXPECT_EQ(report.failures.front().link, (LinkEnd{28, 1}));
  EXPECT_EQ(report.failures.front().message,
            "[3,4].x[1] -> [3,6].x[1]: a packet waited at the source for 100 cycles "
            "(valid 1, ready 0)");
}

TEST(Watchdog, IsContentWithStallsShorterThanItsLimit) {
  EXPECT_THAT(run({}, fault_on(FaultKind::ReceiverSleeps), watchdog(301)).failures, IsEmpty());
}

TEST(Harness, AFabricThatNeverDrainsStopsAtTheLimit) {
  const Report report = run({}, fault_on(FaultKind::ReceiverDead), lockstep());
  EXPECT_EQ(report.end.reason, StopReason::DrainLimit);
}

}  // namespace
}  // namespace kernbench::sim
