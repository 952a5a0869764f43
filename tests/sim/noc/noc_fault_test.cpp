// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_fault.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "reference_noc.hpp"
#include "sim/noc/noc_run.hpp"
#include "sim/noc/noc_spec.hpp"
#include "tests/places.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

NocRun run_sound(const NocCase& one, const ZooDevice& network) {
  ReferenceNoc dut(network.device->network);
  dut.drop_overflows();
  return run_noc_case(one, *network.bins, dut, {});
}

/// A case on a line of three nodes.
NocCase with_fault(NocFaultKind kind, const std::string& at,
                   NocCase one = {.name = "one", .cycles = 2000}) {
  one.fault = NocFault{.kind = kind, .at = at};
  return one;
}

TEST(NocFaults, OfTheShippedRegressionAreAllCaughtAsItSays) {
  const std::string path = places::source("/configs/regressions/noc-faults.yaml");
  const NocSpec spec = parse_noc_regression(common::read_text_file(path), path);
  const ZooDevice network(spec.network.topology, {.slots = spec.network.slots, .flit_bits = 40});
  std::vector<LeftOut> left_out;
  std::set<std::string_view> kinds;
  for (const NocCase& one : noc_cases(spec, *network.device, left_out)) {
    ASSERT_TRUE(one.fault) << one.name;
    kinds.insert(fault_name(one.fault->kind));
    const NocRun done = run_sound(one, network);
    EXPECT_EQ(done.result.outcome, Outcome::Pass)
        << one.name << " seed " << one.seed << ": " << done.result.reason;
    EXPECT_FALSE(one.fault->caught_by.empty()) << one.name;
    EXPECT_FALSE(done.coverage) << one.name;
  }
  EXPECT_THAT(left_out, IsEmpty());
  EXPECT_EQ(kinds.size(), kNocFaultNames.size());
}

TEST(NocFaults, FailTheCaseUnlessTheRightCheckersNoticeThem) {
  const ZooDevice line("BidirectionalLine(3)");
  NocCase one = with_fault(NocFaultKind::CreditLost, "0->1");
  EXPECT_EQ(run_sound(one, line).result.outcome, Outcome::Pass);
  EXPECT_THAT(run_sound(one, line).result.fault->caught_by, ElementsAre("lockstep", "rules"));
  EXPECT_EQ(run_sound(one, line).result.fault->kind, "credit_lost");
  EXPECT_EQ(run_sound(one, line).result.fault->place, "0->1");

  one.fault->caught_by = {"scoreboard"};
  EXPECT_EQ(run_sound(one, line).result.outcome, Outcome::Mismatch);
  EXPECT_EQ(run_sound(one, line).result.reason, "scoreboard did not notice the fault");

  one.fault->caught_by.clear();
  one.fault->missed_by = {"lockstep"};
  EXPECT_EQ(run_sound(one, line).result.reason, "lockstep was not expected to notice the fault");

  one.fault->missed_by.clear();
  one.checks = {.lockstep = false, .rules = false};
  EXPECT_EQ(run_sound(one, line).result.outcome, Outcome::Mismatch);
  EXPECT_EQ(run_sound(one, line).result.reason, "no checker noticed the fault");

  one.fault->cycle = 1'000'000;
  EXPECT_EQ(run_sound(one, line).result.outcome, Outcome::Vacuous);
  EXPECT_EQ(run_sound(one, line).result.reason, "the fault never took effect");
}

TEST(NocFaults, HaveTheMessagesOfTheCheckersThatNoticeThem) {
  const ZooDevice line("BidirectionalLine(3)");
  const auto message = [&](NocFaultKind kind, const std::string& at, bool NocChecks::*checker) {
    NocCase one = with_fault(kind, at);
    one.checks = {false, false, false, false};
    one.checks.*checker = true;
    one.watchdog_cycles = 500;
    const NocRun done = run_sound(one, line);
    EXPECT_EQ(done.result.outcome, Outcome::Pass) << done.result.reason;
    return done.result.failures.empty() ? std::string() : done.result.failures.front().message;
  };
  EXPECT_THAT(message(NocFaultKind::FlitWithoutCredit, "1", &NocChecks::rules),
              testing::MatchesRegex("node 1, A: vc 0, 0x[0-9a-f]+: all 4 slots of the receiver are "
                                    "taken"));
  EXPECT_THAT(message(NocFaultKind::EntryLost, "0", &NocChecks::scoreboard),
              testing::MatchesRegex("node [12], B: vc 0, .*"));
  EXPECT_THAT(message(NocFaultKind::VcChanged, "0->1", &NocChecks::rules),
              testing::MatchesRegex("0->1: vc 1, 0x[0-9a-f]+: there is no such virtual channel"));
  EXPECT_THAT(message(NocFaultKind::ReceiverDead, "2", &NocChecks::watchdog),
              testing::MatchesRegex("no flit has moved for 500 cycles, and [0-9]+ are inside; no "
                                    "circle of virtual channels waits for itself"));
  EXPECT_THAT(message(NocFaultKind::CreditsStop, "1->2", &NocChecks::rules),
              testing::MatchesRegex("1->2: vc 0, 0x[0-9a-f]+: all 4 slots of the receiver are "
                                    "taken"));
}

TEST(NocFaults, NameTheirPlace) {
  const ZooDevice line("BidirectionalLine(3)");
  const NocDevice& device = *line.device;
  EXPECT_EQ(link_of({.at = "1->2"}, device), noc::Link{2});
  EXPECT_EQ(link_of({.at = "2"}, device), noc::Link{6});
  EXPECT_FALSE(link_of({.at = "0->2"}, device));
  EXPECT_FALSE(link_of({.kind = NocFaultKind::EntryLost, .at = "1->2"}, device));
  const auto place = [&](NocFaultKind kind) {
    return NocFaultInjector(device, {.kind = kind, .at = "2"}, 1).place();
  };
  EXPECT_EQ(place(NocFaultKind::Drop), "node 2, B");
  EXPECT_EQ(place(NocFaultKind::CreditLost), "node 2, A");
  EXPECT_EQ(place(NocFaultKind::FlitWithoutCredit), "node 2, A");
}

NocSpec parsed(const std::string& faults, const std::string& more = {}) {
  return parse_noc_regression(
      "name: a\ndut: noc\nsuites:\n  - name: s\n    seeds: 2\n" + more + "    faults:\n" + faults,
      "a.yaml");
}

TEST(NocFaults, AreCasesOfTheirOwnForEverySeed) {
  const ZooDevice line("BidirectionalLine(3)");
  std::vector<LeftOut> left_out;
  std::vector<std::string> names;
  const NocSpec spec = parsed("      - {kind: drop, at: \"0->1\"}\n      - {kind: head_lost}\n");
  for (const NocCase& one : noc_cases(spec, *line.device, left_out)) {
    names.push_back(one.name + " " + std::to_string(one.seed));
  }
  EXPECT_THAT(names, ElementsAre("s-drop-0-1 1", "s-head_lost 1", "s-drop-0-1 2", "s-head_lost 2"));
}

TEST(NocFaults, LeaveOutASuiteWhosePlaceTheNetworkLacks) {
  const ZooDevice line("BidirectionalLine(3)");
  std::vector<LeftOut> left_out;
  EXPECT_THAT(noc_cases(parsed("      - {kind: drop, at: \"0->2\"}\n"), *line.device, left_out),
              IsEmpty());
  ASSERT_EQ(left_out.size(), 1U);
  EXPECT_EQ(left_out.front().reason, "BidirectionalLine(3) has no place '0->2' for the fault drop");
}

TEST(NocFaults, AreReadWithAllErrors) {
  try {
    (void)parsed("      - {kind: dorp, cycle: -1}\n      - {kind: drop, caught_by: [rules]}\n",
                 "    checks: [lockstep]\n");
    FAIL();
  } catch (const common::BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'drop'?"));
    EXPECT_THAT(error.what(), HasSubstr("the suite does not attach rules"));
    EXPECT_EQ(error.diagnostics().errors().size(), 3U);
  }
}

}  // namespace
}  // namespace kernbench::sim
