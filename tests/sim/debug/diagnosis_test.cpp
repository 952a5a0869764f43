// SPDX-License-Identifier: Apache-2.0
// A failed case on fabrics that are broken by hand: the first wrong port, what led to it and the
// smallest run, each with its exact numbers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "common/description.hpp"
#include "sim/debug/diagnosis.hpp"
#include "sim/debug/failure_page.hpp"
#include "sim/debug/unit_bench.hpp"
#include "sim/debug/wave_drawing.hpp"
#include "sim/regression/case_runner.hpp"
#include "tests/sim/wrapped_dut.hpp"

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Link x[3] of the 8x2 torus has three stages: output 3 of node 0 leads to input 3 of node 4.
constexpr maze::Shape k8x2{8, 2, 8};
constexpr unsigned kPort = 3;
constexpr unsigned kSinkNode = 4;

/// Flips a bit of the packet that link x[3] of node 0 delivers as its 20th since the last reset.
class TwentiethPacketDut final : public WrappedDut {
 public:
  explicit TwentiethPacketDut(const maze::Shape& shape = k8x2) : WrappedDut(shape) {}
  void set_reset(bool asserted) override {
    WrappedDut::set_reset(asserted);
    if (asserted) delivered_ = 0;
  }
  void drive(const maze::TopoInputs& inputs) override {
    WrappedDut::drive(inputs);
    ready_ = inputs.in_ready.test(kPort, kSinkNode);
  }
  void sample(maze::TopoOutputs& outputs) const override {
    WrappedDut::sample(outputs);
    valid_ = outputs.in_valid.test(kPort, kSinkNode);
    if (delivered_ == 19) outputs.in_payload.at(kPort, kSinkNode) ^= 1;
  }
  void clock_edge() override {
    if (valid_ && ready_) ++delivered_;
    WrappedDut::clock_edge();
  }

 private:
  bool ready_ = false;
  mutable bool valid_ = false;
  unsigned delivered_ = 0;
};

SuiteSpec traffic() {
  SuiteSpec suite;
  suite.name = "stalls";
  suite.traffic.load = 0.5;
  suite.back_pressure = {.kind = BackPressure::Random, .ready_probability = 0.7};
  suite.cycles = 400;
  suite.checks.assertions = false;
  return suite;
}

CaseRerun rerun_of(const CaseSpec& spec, const std::function<std::unique_ptr<MazeDut>()>& dut) {
  CaseRerun rerun;
  rerun.config.shape = k8x2;
  rerun.run = [spec, dut](CaseObserver& observer) {
    CaseOptions options;
    options.observer = &observer;
    return run_case(spec, *dut(), options).result;
  };
  return rerun;
}

/// Returns the page of a failure, from the JSON of its report.
std::string page_of(const FailureReport& report) {
  common::ReportEnvelope envelope;
  envelope.data = common::to_json(failure_data(report));
  return failure_page(envelope);
}

TEST(Diagnosis, NamesTheFirstWrongPortAndTheExactCountThatLedToIt) {
  const SuiteSpec suite = traffic();
  const CaseSpec spec{&suite, 1, nullptr};
  const auto broken = [] { return std::make_unique<TwentiethPacketDut>(); };
  const CaseResult failed = run_case(spec, *broken(), {}).result;
  ASSERT_EQ(failed.outcome, common::Outcome::Mismatch);
  const auto diagnosis = diagnose(failed, rerun_of(spec, broken));
  ASSERT_TRUE(diagnosis);
  const Recording& recording = diagnosis->recording;
  EXPECT_EQ(recording.name, "[0,0].x[3] -> [0,4].x[3]");
  ASSERT_TRUE(recording.wrong);
  EXPECT_EQ(recording.signals[recording.wrong->signal].label, "payload_o");
  EXPECT_EQ(recording.wrong->cycle, failed.failures.front().cycle);
  EXPECT_EQ(recording.wrong->seen ^ recording.wrong->expected, 1U);
  // The reference model has no registers to read, and no design.
  EXPECT_TRUE(recording.instance.empty());
  EXPECT_THAT(diagnosis->suspects.why_not, HasSubstr("no dump of its design"));
  ASSERT_TRUE(diagnosis->shrunk);
  // The 20th packet is the one that fails, however the case is shrunk.
  EXPECT_EQ(diagnosis->shrunk->script.script.packets.size(), 20U);
  EXPECT_TRUE(diagnosis->shrunk->script.script.stalls.empty());
  ASSERT_TRUE(diagnosis->shrunk->recording.history);
  EXPECT_EQ(diagnosis->shrunk->recording.history->text(),
            "Before it, stage 2 had taken 20 packets in 22 cycles since the reset at the start, "
            "been idle for 2 cycles until 20 cycles before, and held 1 packet.");
}

// The suite of the shrunk case fails with the same message on the broken fabric, and passes on a
// sound one.
TEST(Diagnosis, WritesTheShrunkCaseAsASuite) {
  const SuiteSpec suite = traffic();
  const CaseSpec spec{&suite, 1, nullptr};
  const auto broken = [] { return std::make_unique<TwentiethPacketDut>(); };
  const auto diagnosis = diagnose(run_case(spec, *broken(), {}).result, rerun_of(spec, broken));
  ASSERT_TRUE(diagnosis && diagnosis->shrunk);
  const RegressionSpec again = parse_regression(diagnosis->shrunk->regression, "suite.yaml");
  ASSERT_EQ(again.shape, k8x2);
  ASSERT_EQ(again.suites.size(), 1U);
  EXPECT_EQ(again.suites[0].name, "stalls-seed1");
  EXPECT_EQ(again.suites[0].script->script, diagnosis->shrunk->script.script);
  const CaseSpec shrunk{&again.suites[0], 1, nullptr};
  const CaseRun failed = run_case(shrunk, *broken(), {});
  ASSERT_FALSE(failed.result.failures.empty());
  EXPECT_EQ(failed.result.failures.front().message, diagnosis->shrunk->failure.message);
  EXPECT_EQ(failed.result.failures.front().cycle, diagnosis->shrunk->failure.cycle);
  EXPECT_EQ(failed.result.pattern, "script");
  EXPECT_FALSE(failed.coverage);
  const CaseRun passed = run_case(shrunk, *std::make_unique<WrappedDut>(k8x2), {});
  EXPECT_EQ(passed.result.outcome, common::Outcome::Pass) << passed.result.reason;
  EXPECT_EQ(passed.result.delivered, 20U);
}

TEST(Diagnosis, RefusesACaseThatDoesNotFailAgain) {
  const SuiteSpec suite = traffic();
  const CaseSpec spec{&suite, 1, nullptr};
  const auto broken = [] { return std::make_unique<TwentiethPacketDut>(); };
  const auto sound = [] { return std::make_unique<WrappedDut>(k8x2); };
  const CaseResult failed = run_case(spec, *broken(), {}).result;
  EXPECT_THAT([&] { (void)diagnose(failed, rerun_of(spec, sound)); },
              ::testing::ThrowsMessage<std::logic_error>(
                  HasSubstr("stalls seed 1: the case does not fail again as it did: cycle")));
}

TEST(Diagnosis, IsNotMadeOfAFailureWithoutAPort) {
  CaseResult failed;
  failed.failures.push_back({"delivery", "nothing", 5, std::nullopt, "no packet", {}});
  EXPECT_FALSE(diagnose(failed, {}));
}

TEST(Diagnosis, DrawsTheWindowAndWritesABenchOfTheUnit) {
  const SuiteSpec suite = traffic();
  const CaseSpec spec{&suite, 1, nullptr};
  const auto broken = [] { return std::make_unique<TwentiethPacketDut>(); };
  const CaseResult failed = run_case(spec, *broken(), {}).result;
  const auto diagnosis = diagnose(failed, rerun_of(spec, broken));
  const Recording& shrunk = diagnosis->shrunk->recording;
  const std::string svg = wave_svg(wave_view(shrunk, range_around(shrunk, 48)));
  EXPECT_THAT(svg, HasSubstr("class=\"wrong\""));
  EXPECT_THAT(svg, HasSubstr(">payload_o<"));
  EXPECT_THAT(svg, HasSubstr(">reference<"));
  // The 20th packet is wrong behind three stages; the view begins two cycles before its offer.
  ASSERT_TRUE(shrunk.wrong && offer_of_failure(shrunk));
  EXPECT_EQ(*offer_of_failure(shrunk), shrunk.wrong->cycle - 3);
  const Recording& whole = diagnosis->recording;
  const std::uint64_t offer = offer_of_failure(whole).value_or(0);
  EXPECT_EQ(range_around(whole, 60).first, offer - 2);
  // GTKWave shows 650 ns, and nothing behind the end of the dump.
  EXPECT_EQ(whole.cycles.back().cycle, 87U);
  EXPECT_THAT(wave_setup(whole, "w.vcd"), HasSubstr("[timestart] 230\n"));
  const std::string vcd = wave_vcd(shrunk);
  EXPECT_THAT(vcd, HasSubstr("$var wire 23 & payload_i [22:0] $end"));
  EXPECT_THAT(vcd, HasSubstr("expected_payload_o [22:0] $end"));
  const std::string bench = unit_bench(shrunk, diagnosis->config);
  EXPECT_THAT(bench, HasSubstr("IRS_N #(.PYLD_W(23), .IRS_DEEP(3)) dut"));
  EXPECT_EQ(std::count(bench.begin(), bench.end(), '$'), 5);
  // The pins of the shrunk run repeat it.
  EXPECT_EQ(diagnosis->shrunk->pins.fails->rule, "payload");
  EXPECT_EQ(diagnosis->shrunk->pins.fails->cycle, diagnosis->shrunk->failure.cycle);
}

TEST(Diagnosis, FollowsTheShrunkPackets) {
  const SuiteSpec suite = traffic();
  const CaseSpec spec{&suite, 1, nullptr};
  const auto broken = [] { return std::make_unique<TwentiethPacketDut>(); };
  const CaseResult failed = run_case(spec, *broken(), {}).result;
  const auto diagnosis = diagnose(failed, rerun_of(spec, broken));
  ASSERT_TRUE(diagnosis && diagnosis->shrunk);
  const FirstWrong& wrong = *diagnosis->shrunk->recording.wrong;
  // The packet that went in and the one that came out come first, where each was seen.
  const std::vector<MapPacket>& packets = diagnosis->packets;
  ASSERT_GE(packets.size(), 2U);
  ASSERT_TRUE(packets[0].wrong && packets[1].wrong);
  const std::string link = "[0,0].x[3] -> [0,4].x[3]";
  ASSERT_EQ(packets[0].stays.size(), 1U);
  EXPECT_EQ(packets[0].stays[0].place, link);
  EXPECT_EQ(packets[0].stays[0].first, wrong.cycle - 3);
  EXPECT_EQ(packets[0].stays[0].last, wrong.cycle);
  ASSERT_EQ(packets[1].stays.size(), 1U);
  EXPECT_EQ(packets[1].stays[0].place, link);
  EXPECT_EQ(packets[1].stays[0].first, wrong.cycle);
  EXPECT_EQ(packets[1].stays[0].last, wrong.cycle);
  for (std::size_t i = 2; i < packets.size(); ++i) EXPECT_FALSE(packets[i].wrong);
  // The map has the link alone; its ends are marked.
  ASSERT_EQ(diagnosis->map.links.size(), 1U);
  EXPECT_EQ(diagnosis->map.links[0].place, link);
  EXPECT_EQ(diagnosis->map.links[0].role, "way");
  ASSERT_EQ(diagnosis->map.nodes.size(), 16U);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(diagnosis->map.nodes[i].wrong, i == 0 || i == 4);
  const std::string page = page_of({*diagnosis, failed, "TOPO 8x2", "TOPO", "hash", {}, "out", ""});
  EXPECT_THAT(page, HasSubstr("<tr class=\"wrong\"><td class=\"n\">1</td>"));
  EXPECT_THAT(page, HasSubstr(" data-place=\"[0,0].x[3] -&gt; [0,4].x[3]\" data-first=\""));
}

/// A case that fails on 8x2, with smaller fabrics on which scripts are tried.
class OnSmallerFabrics : public ::testing::Test {
 protected:
  [[nodiscard]] Diagnosis find(const std::vector<maze::Shape>& broken,
                               const std::vector<maze::Shape>& sound) const {
    const CaseSpec spec{&suite_, 1, nullptr};
    const auto dut = [](const maze::Shape& shape) {
      return [shape] { return std::make_unique<TwentiethPacketDut>(shape); };
    };
    CaseRerun rerun = rerun_of(spec, dut(k8x2));
    rerun.smaller.emplace();
    for (const maze::Shape& shape : sound) {
      rerun.smaller->push_back(
          rerun_of(spec, [shape] { return std::make_unique<WrappedDut>(shape); }));
      rerun.smaller->back().config.shape = shape;
    }
    for (const maze::Shape& shape : broken) {
      rerun.smaller->push_back(rerun_of(spec, dut(shape)));
      rerun.smaller->back().config.shape = shape;
    }
    return *diagnose(run_case(spec, *dut(k8x2)(), {}).result, rerun);
  }

  SuiteSpec suite_ = traffic();
};

TEST_F(OnSmallerFabrics, ACaseIsShrunkToTheFirstOnWhichItFailsInTheSameWay) {
  const Diagnosis diagnosis = find({{5, 2, 8}, {6, 2, 8}}, {{2, 2, 8}});
  ASSERT_TRUE(diagnosis.shrunk);
  EXPECT_EQ(diagnosis.shrunk->config.shape, (maze::Shape{5, 2, 8}));
  EXPECT_EQ(diagnosis.shrunk->script.script.packets.size(), 20U);
  EXPECT_EQ(diagnosis.smaller,
            fmt::format("in {} trials; smaller MAZEs: 2x2 does not, 5x2 fails in the same way",
                        diagnosis.shrunk->script.trials));
  EXPECT_THAT(diagnosis_text(diagnosis), ::testing::Contains(diagnosis.smaller));
  EXPECT_THAT(diagnosis.shrunk->regression, HasSubstr("nx: 5, ny: 2"));
  EXPECT_EQ(diagnosis.map.nodes.size(), 10U);
  EXPECT_THAT(unit_bench(diagnosis.shrunk->recording, diagnosis.shrunk->config),
              HasSubstr("IRS_N #(.PYLD_W(23)"));
}

TEST_F(OnSmallerFabrics, ACaseKeepsItsOwnIfNoneFails) {
  const Diagnosis diagnosis = find({}, {{2, 2, 8}, {5, 2, 8}});
  ASSERT_TRUE(diagnosis.shrunk);
  EXPECT_EQ(diagnosis.shrunk->config.shape, k8x2);
  EXPECT_THAT(diagnosis.smaller, ::testing::EndsWith("smaller MAZEs: 2x2 does not, 5x2 does not"));
  EXPECT_THAT(find({}, {}).smaller,
              ::testing::EndsWith("smaller MAZEs: no model of one was built"));
}

TEST(Diagnosis, DrawsAWindowBehindTheFirstWrongRegister) {
  const SuiteSpec suite = traffic();
  const CaseSpec spec{&suite, 1, nullptr};
  const auto broken = [] { return std::make_unique<TwentiethPacketDut>(); };
  const CaseResult failed = run_case(spec, *broken(), {}).result;
  Recording late = diagnose(failed, rerun_of(spec, broken))->recording;
  late.cycles.erase(late.cycles.begin(), late.cycles.end() - 20);
  late.wrong->cycle = 5;
  const WaveRange range = range_around(late, 60);
  EXPECT_EQ(range.first, 68U);
  EXPECT_EQ(range.last, 87U);
  EXPECT_THAT(wave_svg(wave_view(late, range)), HasSubstr("cycles 68 to 87\""));
}

TEST(Diagnosis, OfAStructureHasTheLinesOfItsFindings) {
  CaseResult failed;
  failed.suite = "structure";
  failed.pattern = kStructurePattern;
  failed.failures.push_back({"structure", "driver", 0, std::nullopt, "a.sv:7: x has no driver"});
  const Diagnosis diagnosis =
      diagnose_structure(failed, {{structure::Rule::Driver, "a.sv:7", "x has no driver"}});
  EXPECT_THAT(diagnosis_text(diagnosis), ElementsAre("line 1: a.sv:7 x has no driver"));
  const std::string page = page_of({diagnosis, failed, "TOPO 8x2", "TOPO", "hash", {}, "out", ""});
  EXPECT_THAT(page, HasSubstr("<li>driver a.sv:7: x has no driver</li>"));
  EXPECT_THAT(page, Not(HasSubstr("window.vcd")));
  EXPECT_THAT(page, Not(HasSubstr("Ways of the packets")));
}

TEST(Diagnosis, OfAStructureWithoutAPlaceSaysSo) {
  CaseResult failed;
  failed.failures.push_back({"structure", "content", 0, std::nullopt, "nothing"});
  EXPECT_THAT(diagnosis_text(diagnose_structure(failed, {})),
              ElementsAre("no lines: the findings name no line of the RTL"));
}

TEST(UnitBench, OfNothingIsEmpty) {
  EXPECT_EQ(unit_bench({}, {}), "");
}

}  // namespace
}  // namespace kernbench::sim
