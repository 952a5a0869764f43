// SPDX-License-Identifier: Apache-2.0
// Every checker detects faults: each fault is injected between a correct fabric and its observers,
// with one checker attached at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/atomic_file.hpp"
#include "hand_made_cycle.hpp"
#include "reference_dut.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/harness.hpp"
#include "sim/stimulus/driver.hpp"
#include "tests/common/temp_folder.hpp"
#include "wrapped_dut.hpp"

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

/// Runs with the reference as the fabric. `make` builds the checker under test.
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
  return [=](const topology::MazeLinks& links) { return std::make_unique<Watchdog>(links, limit); };
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
    ::testing::Values(Classes{FaultKind::PayloadBitFlip, {"corruption"}},
                      Classes{FaultKind::Drop, {"late_valid", "loss", "overflow"}},
                      Classes{FaultKind::QosCleared, {"corruption"}},
                      Classes{FaultKind::TypeChanged, {"corruption"}},
                      Classes{FaultKind::AddressesSwapped, {"corruption"}},
                      Classes{FaultKind::LateValid, {"late_valid"}},
                      Classes{FaultKind::ValidDropsWhileStalled, {"late_valid"}},
                      // Both are invisible at the ends of a link; only lockstep notices them.
                      Classes{FaultKind::PayloadChangesWhileStalled, {}},
                      Classes{FaultKind::ReadyGlitch, {}}));

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

/// One output of a link is wrong in a single cycle.
class WrongOnceDut : public WrappedDut {
 public:
  enum class Output { Valid, Ready, Payload };

  WrongOnceDut(Output output, std::uint64_t cycle)
      : WrappedDut(kShape), output_(output), cycle_(cycle) {}

  void sample(maze::TopoOutputs& outputs) const override {
    WrappedDut::sample(outputs);
    if (now_ != cycle_) return;
    switch (output_) {
      case Output::Valid:
        outputs.in_valid.set(kPort, kNode, !outputs.in_valid.test(kPort, kNode));
        break;
      case Output::Ready:
        outputs.out_ready.set(kPort, kNode, !outputs.out_ready.test(kPort, kNode));
        break;
      case Output::Payload:
        outputs.in_payload.at(kPort, kNode) ^= 1;
        break;
    }
  }
  void clock_edge() override {
    WrappedDut::clock_edge();
    ++now_;
  }

  static constexpr unsigned kNode = 28;
  static constexpr unsigned kPort = 3;  // a link of three stages

 private:
  Output output_;
  std::uint64_t cycle_;
  std::uint64_t now_ = 0;
};

/// Returns the failures that `checker` reports while `dut` runs at full load for 20 cycles after a
/// reset of 4 and a second reset of 4 before cycle 14.
std::vector<Failure> failures_of(Extension& checker, MazeDut& dut) {
  const topology::MazeLinks links(kShape.nx, kShape.ny);
  Driver driver(kShape, links, {}, {}, 7);
  Harness harness(dut, driver);
  harness.add(checker);
  RunPlan plan;
  plan.cycles = 20;
  plan.resets = {{.at = 6}};
  plan.after_failure = 0;
  (void)harness.run(plan);
  return checker.failures();
}

TEST(Lockstep, ComparesValidAndReadyInEveryCycleInResetToo) {
  const topology::MazeLinks links(kShape.nx, kShape.ny);
  using Output = WrongOnceDut::Output;
  for (const Output output : {Output::Valid, Output::Ready}) {
    for (std::uint64_t cycle = 0; cycle < 28; ++cycle) {
      WrongOnceDut dut(output, cycle);
      Lockstep checker(kShape, links);
      const std::vector<Failure> failures = failures_of(checker, dut);
      ASSERT_EQ(failures.size(), 1U) << cycle;
      EXPECT_EQ(failures.front().cycle, cycle);
      EXPECT_EQ(failures.front().kind, output == Output::Valid ? "valid" : "ready");
    }
  }
}

TEST(Lockstep, ComparesThePayloadInEveryCycleWithAPacket) {
  const topology::MazeLinks links(kShape.nx, kShape.ny);
  for (std::uint64_t cycle = 0; cycle < 28; ++cycle) {
    WrongOnceDut dut(WrongOnceDut::Output::Payload, cycle);
    Lockstep checker(kShape, links);
    const std::vector<Failure> failures = failures_of(checker, dut);
    // The first packet arrives 3 cycles after each reset, which ends before cycles 4 and 14.
    const bool has_packet = (cycle >= 7 && cycle < 10) || cycle >= 17;
    ASSERT_EQ(failures.size(), has_packet ? 1U : 0U) << cycle;
    if (has_packet) {
      EXPECT_EQ(failures.front().cycle, cycle);
      EXPECT_EQ(failures.front().kind, "payload");
    }
  }
}

TEST(Scoreboard, ReportsAcceptedPacketsThatAreStillInTheFabricAtTheEnd) {
  Scenario setup;
  setup.back_pressure.kind = BackPressure::None;
  const Report report = run(setup, fault_on(FaultKind::ReceiverDead), scoreboard());
  EXPECT_EQ(report.end.reason, StopReason::DrainLimit);
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(report.failures.front().kind, "undelivered");
  EXPECT_EQ(report.failures.front().message,
            "[3,4].x[1] -> [3,6].x[1]: 2 accepted packets never delivered");
}

/// A scoreboard and one link of depth 1, driven by hand.
class ScoreboardOfALink : public ::testing::Test {
 protected:
  /// One cycle: a packet enters if `sent` is set, another leaves if `received` is set.
  void cycle(std::optional<maze::Payload> sent, std::optional<maze::Payload> received) {
    const topology::MazeLink& link = links_.leaving(28, 1);
    HandMadeCycle cycle(kShape);
    if (sent) cycle.send(link, *sent);
    if (received) cycle.receive(link, *received);
    checker_.on_cycle(cycle.view(now_++));
  }
  [[nodiscard]] std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const Failure& failure : checker_.failures()) kinds.push_back(failure.kind);
    return kinds;
  }

  topology::MazeLinks links_{kShape.nx, kShape.ny};
  Scoreboard checker_{kShape, links_};
  std::uint64_t now_ = 0;
};

TEST_F(ScoreboardOfALink, TheYoungestHeldPacketInPlaceOfTheOldestIsALoss) {
  cycle(1, {});
  cycle(2, 2);
  ASSERT_EQ(kinds(), std::vector<std::string>{"loss"});
  EXPECT_THAT(checker_.failures().front().message, ::testing::HasSubstr("arrived instead"));
}

TEST_F(ScoreboardOfALink, AnUnknownPacketInPlaceOfTheOldestIsACorruption) {
  cycle(1, {});
  cycle(2, 3);
  EXPECT_EQ(kinds(), std::vector<std::string>{"corruption"});
}

TEST(Scoreboard, FindsAMisrouteOnTheSmallestFabricWithEverySeed) {
  constexpr Shape kSmallest{2, 2, 8};
  const topology::MazeLinks links(kSmallest.nx, kSmallest.ny);
  FaultSpec fault;
  fault.kind = FaultKind::Misroute;
  fault.cycle = 20;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ReferenceDut dut(kSmallest);
    Driver driver(kSmallest, links, {}, {}, seed);
    Harness harness(dut, driver);
    Scoreboard checker(kSmallest, links);
    harness.add(checker);
    FaultInjector injector(kSmallest, links, fault, seed);
    harness.set_tap(&injector);
    RunPlan plan;
    plan.cycles = 100;
    (void)harness.run(plan);
    EXPECT_TRUE(injector.injected_at().has_value()) << seed;
    EXPECT_THAT(checker.failures(), Not(IsEmpty())) << seed;
  }
}

TEST(Watchdog, FindsAStuckSinkWhoseSourceIsNotStuck) {
  // The link has six entries, more than it is sent.
  Scenario setup;
  setup.back_pressure.kind = BackPressure::None;
  setup.traffic.load = 0.005;
  const Report report = run(setup, fault_on(FaultKind::ReceiverDead, {28, 3}), watchdog(100));
  ASSERT_EQ(kinds(report), std::set<std::string>{"sink_stuck"});
  EXPECT_EQ(report.failures.front().message,
            "[3,4].x[3] -> [3,0].x[3]: a packet waited at the sink for 100 cycles (valid 1, ready "
            "0)");
}

TEST(Harness, ARunThatDrainsAfterAFailureHasFailed) {
  const Report report = run({}, fault_on(FaultKind::PayloadBitFlip), scoreboard(), 100'000);
  EXPECT_EQ(report.end.reason, StopReason::Failed);
  EXPECT_EQ(report.failures.size(), 1U);
}

TEST(Harness, WaitsForAPacketInTheDeepestLinkOfTheLargestFabric) {
  constexpr Shape kDeep{16, 2, 8};
  const topology::MazeLinks links(kDeep.nx, kDeep.ny);
  const common::TempFolder folder;
  TrafficSpec traffic;
  traffic.pattern = Pattern::Trace;
  traffic.trace_file = (folder.path() / "one.csv").string();
  common::write_file_atomically(traffic.trace_file, "cycle,node,port,packet\n0,0,x[7],1\n");
  ReferenceDut dut(kDeep);
  Driver driver(kDeep, links, traffic, {}, 1);
  Harness harness(dut, driver);
  Scoreboard checker(kDeep, links);
  harness.add(checker);
  const RunEnd end = harness.run({});
  EXPECT_EQ(end.reason, StopReason::Drained);
  EXPECT_EQ(checker.checks(), 1U);
  EXPECT_THAT(checker.failures(), IsEmpty());
}

}  // namespace
}  // namespace kernbench::sim
