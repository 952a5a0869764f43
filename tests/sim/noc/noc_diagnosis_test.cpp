// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_diagnosis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "reference_noc.hpp"
#include "sim/debug/failure_page.hpp"
#include "sim/debug/wave_drawing.hpp"
#include "sim/noc/noc_script.hpp"
#include "sim/noc/noc_spec.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Links of the line of three nodes: 0->1, 1->0, 1->2, 2->1, then the local ones of its nodes.
constexpr noc::Link kToLast = 2;

/// Runs a case on a line of three nodes whose model is broken, and looks for the cause.
class NocDiagnosis : public ::testing::Test {
 protected:
  NocDiagnosis() {
    // Bit 40 of the third head on a channel since the last reset.
    third_head_ = [this] {
      return
          [this, heads = std::make_shared<unsigned>(0)](std::uint64_t cycle, NocOutputs& outputs) {
            if (cycle < 4) *heads = 0;
            if (outputs.valid[kToLast] == 0) return;
            if (!line_.device->network.is_head(outputs.flit[kToLast])) return;
            if (++*heads == 3) outputs.flit[kToLast] ^= noc::Flit{1} << 40U;
          };
    };
  }

  [[nodiscard]] CaseResult failed(const NocCase& one) const {
    CaseResult result = run_noc_case(one, *line_.bins, *create(), {}).result;
    EXPECT_NE(result.outcome, Outcome::Pass);
    return result;
  }
  [[nodiscard]] Diagnosis find(const NocCase& one, std::uint64_t cycles = 400'000) const {
    NocRerun rerun{one, *line_.bins, [this] { return create(); }, {.topology = line_.device->name}};
    rerun.network.slots = 4;
    rerun.network.flit_bits = 64;
    rerun.shrink_cycles = cycles;
    return diagnose_noc(failed(one), rerun);
  }
  [[nodiscard]] std::shared_ptr<NocDut> create() const {
    return std::make_shared<ReferenceNoc>(line_.device->network, tamper_());
  }

  ZooDevice line_{"BidirectionalLine(3)"};
  std::function<ReferenceNoc::Tamper()> tamper_;
  std::function<ReferenceNoc::Tamper()> third_head_;
};

NocCase many() {
  NocCase one = {.suite = "many", .name = "many", .cycles = 2000, .longest = 16};
  one.back_pressure = {.kind = BackPressure::Random, .ready_probability = 0.5};
  return one;
}

TEST_F(NocDiagnosis, FindsTheFewestPacketsAfterWhichACaseFailsSo) {
  tamper_ = third_head_;
  const Diagnosis diagnosis = find(many());
  EXPECT_EQ(diagnosis.failure.kind, "flit");
  const Recording& recording = diagnosis.recording;
  ASSERT_TRUE(recording.wrong);
  EXPECT_EQ(recording.signals[recording.wrong->signal].label, "1->2 flit");
  EXPECT_EQ(recording.wrong->cycle, diagnosis.failure.cycle);
  EXPECT_EQ(recording.wrong->seen ^ recording.wrong->expected, noc::Flit{1} << 40U);
  EXPECT_EQ(diagnosis.why_not_shrunk, "");
  ASSERT_TRUE(diagnosis.shrunk);
  const ShrunkScript& shrunk = diagnosis.shrunk->script;
  EXPECT_TRUE(shrunk.ended);
  EXPECT_THAT(shrunk.script.packets, SizeIs(3));
  EXPECT_THAT(shrunk.script.stalls, IsEmpty());
  EXPECT_THAT(shrunk.script.resets, IsEmpty());
  EXPECT_EQ(shrunk.script.packets.front().at, 0U);
  EXPECT_THAT(diagnosis.shrunk->packets, SizeIs(3));
  EXPECT_THAT(diagnosis.shrunk->packets.front(),
              testing::MatchesRegex("cycle 0: node [01] to node 2, 1 flit on vc 0"));
  EXPECT_EQ(diagnosis.shrunk->failure.kind, "flit");
  const std::vector<std::string> text = diagnosis_text(diagnosis);
  EXPECT_THAT(text[0],
              testing::MatchesRegex("first wrong: BidirectionalLine\\(3\\) 1->2 flit in cycle "
                                    "[0-9]+ is head.*, the reference has head.*"));
  EXPECT_THAT(text[1], testing::StartsWith("Before it, 1->2 had taken "));
  EXPECT_EQ(text[2], "no lines: the model has no dump of its design beside it");
  EXPECT_THAT(text[3], HasSubstr("shrunk to 3 packets, 0 stalls, 0 resets and "));
  // The same search finds the same.
  EXPECT_EQ(find(many()).shrunk->script.script, shrunk.script);
}

TEST_F(NocDiagnosis, KeepsTheStallsThatTheFailureNeeds) {
  // A flit changes at port B of the last node if it is the first after 8 silent cycles and four
  // others have come: only slow receivers make flits wait there for credits.
  tamper_ = [] {
    return [silent = std::make_shared<unsigned>(0), busy = std::make_shared<unsigned>(0)](
               std::uint64_t, NocOutputs& outputs) {
      const bool valid = outputs.valid[4 + 2] != 0;
      if (valid && *busy >= 4 && *silent >= 8) outputs.flit[4 + 2] ^= noc::Flit{1} << 40U;
      *busy += valid ? 1 : 0;
      *silent = valid ? 0 : *silent + 1;
    };
  };
  NocCase one = {.suite = "slow", .name = "slow", .cycles = 3000};
  one.back_pressure = {.kind = BackPressure::Random, .ready_probability = 0.02};
  const Diagnosis diagnosis = find(one);
  ASSERT_TRUE(diagnosis.shrunk);
  EXPECT_LE(diagnosis.shrunk->script.script.packets.size(), 5U);
}

TEST_F(NocDiagnosis, SaysWhenItsSearchWasCutShort) {
  tamper_ = [this] {
    return [this, heads = std::make_shared<unsigned>(0)](std::uint64_t, NocOutputs& outputs) {
      if (outputs.valid[kToLast] == 0) return;
      if (!line_.device->network.is_head(outputs.flit[kToLast])) return;
      if (++*heads == 40) outputs.valid[kToLast] = 0;
    };
  };
  const Diagnosis diagnosis = find({.suite = "many", .name = "many", .cycles = 2000}, 1000);
  ASSERT_TRUE(diagnosis.shrunk);
  EXPECT_FALSE(diagnosis.shrunk->script.ended);
}

TEST_F(NocDiagnosis, LeavesOutResetsThatTheFailureDoesNotNeed) {
  tamper_ = third_head_;
  NocCase one = many();
  one.resets = 2;
  const Diagnosis diagnosis = find(one);
  ASSERT_TRUE(diagnosis.shrunk);
  EXPECT_TRUE(diagnosis.shrunk->script.ended);
  EXPECT_THAT(diagnosis.shrunk->script.script.packets, SizeIs(3));
  EXPECT_THAT(diagnosis.shrunk->script.script.resets, IsEmpty());
}

TEST_F(NocDiagnosis, RefusesACaseThatDoesNotFailAgain) {
  tamper_ = third_head_;
  const NocCase one = many();
  const CaseResult result = failed(one);
  NocRerun rerun{one, *line_.bins,
                 [this] { return std::make_shared<ReferenceNoc>(line_.device->network); }};
  EXPECT_THAT([&] { (void)diagnose_noc(result, rerun); },
              ::testing::ThrowsMessage<std::logic_error>(
                  HasSubstr("many seed 1: the case does not fail again as it did: cycle")));
}

// The suite of the shrunk case fails with the same message on the broken network, and passes on a
// sound one.
TEST_F(NocDiagnosis, WritesTheShrunkCaseAsASuite) {
  tamper_ = third_head_;
  const Diagnosis diagnosis = find(many());
  ASSERT_TRUE(diagnosis.shrunk);
  const NocSpec again = parse_noc_regression(diagnosis.shrunk->regression, "suite.yaml");
  EXPECT_EQ(again.network.topology, "BidirectionalLine(3)");
  EXPECT_EQ(again.network.slots, 4U);
  std::vector<LeftOut> left_out;
  const std::vector<NocCase> cases = noc_cases(again, *line_.device, left_out);
  EXPECT_THAT(left_out, IsEmpty());
  ASSERT_THAT(cases, SizeIs(1));
  EXPECT_EQ(cases[0].name, "many-seed1");
  EXPECT_EQ(cases[0].script->events, diagnosis.shrunk->script.script);
  const NocRun run = run_noc_case(cases[0], *line_.bins, *create(), {});
  ASSERT_FALSE(run.result.failures.empty());
  EXPECT_EQ(run.result.failures.front().message, diagnosis.shrunk->failure.message);
  EXPECT_EQ(run.result.failures.front().cycle, diagnosis.shrunk->failure.cycle);
  EXPECT_EQ(run.result.pattern, "script");
  EXPECT_FALSE(run.coverage);
  ReferenceNoc sound(line_.device->network);
  const NocRun passed = run_noc_case(cases[0], *line_.bins, sound, {});
  EXPECT_EQ(passed.result.outcome, Outcome::Pass) << passed.result.reason;
  EXPECT_EQ(passed.result.delivered, 3U);
}

TEST_F(NocDiagnosis, DrawsTheLinksWithDecodedFlitsAndTheWays) {
  tamper_ = third_head_;
  const Diagnosis diagnosis = find(many());
  ASSERT_TRUE(diagnosis.shrunk);
  const Recording& shrunk = diagnosis.shrunk->recording;
  const std::string svg = wave_svg(wave_view(shrunk, range_around(shrunk, 48)));
  EXPECT_THAT(svg, HasSubstr(">1-&gt;2 flit<"));
  EXPECT_THAT(svg, HasSubstr(">reference<"));
  EXPECT_THAT(svg, HasSubstr("to node 2, sent on vc 0, payload 0x3"));
  EXPECT_THAT(svg, HasSubstr("node 2, B valid"));
  const CaseResult result = failed(many());
  common::ReportEnvelope envelope;
  envelope.seed = 1;
  envelope.data = common::to_json(failure_data(
      {diagnosis, result, "BidirectionalLine(3)", "NOC", "hash", {"sim"}, "out", "run it"}));
  const std::string page = failure_page(envelope);
  EXPECT_THAT(page, HasSubstr("<h1>BidirectionalLine(3), many seed 1</h1>"));
  EXPECT_THAT(page, HasSubstr("Ways of the packets"));
  EXPECT_THAT(page, HasSubstr("class=\"wrong-link\""));
  EXPECT_THAT(page, HasSubstr("Red: the first link that is wrong, 1-&gt;2."));
  EXPECT_THAT(page, HasSubstr("Where they were"));
  EXPECT_THAT(page, HasSubstr("<td>scoreboard</td>"));
  EXPECT_THAT(page, HasSubstr("kernbench shrink out/failure.json"));
  EXPECT_THAT(page, HasSubstr("<code class=\"command\">run it</code>"));
  EXPECT_LT(page.size(), 2'000'000U);
}

TEST_F(NocDiagnosis, IsNotShrunkIfThatIsNotAskedFor) {
  tamper_ = third_head_;
  const Diagnosis diagnosis = find(many(), 0);
  EXPECT_FALSE(diagnosis.shrunk);
  EXPECT_EQ(diagnosis.why_not_shrunk, "it was not asked for");
  EXPECT_THAT(diagnosis_text(diagnosis).back(), "not shrunk: it was not asked for");
}

/// A ring of four nodes on one virtual channel, whose routes close a circle.
TEST(NocDiagnosisOfACircle, ShowsTheLinksThatWaitForEachOther) {
  const ZooDevice ring("UnidirectionalTorus1D(4)", {.slots = 4}, 1, /*may_deadlock=*/true);
  const NocCase one = {.suite = "overload",
                       .name = "overload",
                       .cycles = 3000,
                       .longest = 16,
                       .watchdog_cycles = 1000};
  const auto create = [&] { return std::make_shared<ReferenceNoc>(ring.device->network); };
  const CaseResult failed = run_noc_case(one, *ring.bins, *create(), {}).result;
  ASSERT_EQ(failed.outcome, Outcome::Deadlock);
  const Diagnosis diagnosis = diagnose_noc(failed, {one, *ring.bins, create});
  EXPECT_FALSE(diagnosis.recording.wrong);
  EXPECT_THAT(diagnosis.recording.cycles, testing::Not(IsEmpty()));
  ASSERT_TRUE(diagnosis.shrunk) << diagnosis.why_not_shrunk;
  // Packets that are longer than the slots behind them: each waits for a link that another holds.
  EXPECT_THAT(diagnosis.shrunk->script.script.packets,
              SizeIs(testing::AllOf(testing::Ge(2U), testing::Le(4U))));
  EXPECT_THAT(diagnosis.map.words,
              HasSubstr("Red: links whose virtual channels wait for each other."));
}

NocSpec with_script(const std::string& script) {
  return parse_noc_regression("name: a\ndut: noc\nsuites:\n  - name: s\n    cycles: 20\n" + script,
                              "a.yaml");
}

std::string script_error(const std::string& script) {
  try {
    (void)with_script(script);
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(NocSuiteScript, NamesItsMistakesAtTheirPlaces) {
  const std::string errors = script_error(
      "    load: 0.5\n    watchdog_cycles: 10\n    script:\n      packets:\n"
      "        - {cycle: 5, node: 0, vc: 0, to: 1, payload: [1, 2], after: [0]}\n"
      "        - {cycle: 3, node: 0, vc: 0, to: 1, payload: [1], after: [1]}\n"
      "        - {cycle: 20, node: 0, vc: 0, to: 1, payload: [1]}\n"
      "      stalls: [{cycle: 0, cycles: 9, node: 1, vc: 0}]\n"
      "      resets: [{cycle: 4}, {cycle: 4}]\n");
  EXPECT_THAT(errors, HasSubstr("a.yaml:6:11: error: a suite with a script has no load"));
  EXPECT_THAT(errors, HasSubstr("a.yaml:10:69: error: needs a cycle for each flit of payload"));
  EXPECT_THAT(errors,
              HasSubstr("a.yaml:11:19: error: cycle 3 is before that of the entry above, 5"));
  EXPECT_THAT(errors, HasSubstr("a.yaml:11:66: error: needs a cycle for each flit"));
  EXPECT_THAT(errors,
              HasSubstr("a.yaml:12:19: error: cycle 20 is behind the suite's last one, 19"));
  EXPECT_THAT(errors, HasSubstr("the watchdog allows 10 cycles without movement, the receiver "
                                "stalls for 9"));
  EXPECT_THAT(errors, HasSubstr("a reset must begin after the one above"));
  EXPECT_THAT(script_error("    script: {packets: []}\n"),
              HasSubstr("a script needs at least one packet"));
}

TEST(NocSuiteScript, IsLeftOutOfAnotherNetwork) {
  const ZooDevice line("BidirectionalLine(3)");
  const auto why = [&](const std::string& packet) {
    std::vector<LeftOut> left_out;
    const NocSpec spec = with_script("    script:\n      packets: [{cycle: 0, " + packet + "}]\n");
    EXPECT_THAT(noc_cases(spec, *line.device, left_out), IsEmpty());
    return left_out.at(0).reason;
  };
  EXPECT_EQ(why("node: 0, vc: 0, to: 3, payload: [1]"),
            "packets[0] of its script: node 3 does not exist, the last one is 2");
  EXPECT_EQ(why("node: 0, vc: 1, to: 2, payload: [1]"),
            "packets[0] of its script: virtual channel 1 does not exist, the last one is 0");
  EXPECT_EQ(why("node: 0, vc: 0, to: 2, payload: [0x1fffffffffffffff]"),
            "packets[0] of its script: payload[0], 0x1fffffffffffffff, has more bits than "
            "0x1ffffffffffffff");
  std::vector<LeftOut> left_out;
  const NocSpec stalls = with_script(
      "    script:\n      packets: [{cycle: 0, node: 0, vc: 0, to: 2, payload: [1]}]\n"
      "      stalls: [{cycle: 1, cycles: 2, node: 2, vc: 1}]\n");
  EXPECT_THAT(noc_cases(stalls, *line.device, left_out), IsEmpty());
  EXPECT_EQ(left_out.at(0).reason, "stalls[0] of its script: node 2 has no receiver of vc 1");
}

}  // namespace
}  // namespace kernbench::sim
