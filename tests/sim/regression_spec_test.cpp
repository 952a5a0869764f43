// SPDX-License-Identifier: Apache-2.0
// Regression files: optional keys, and every semantic error with its exact message.
#include "sim/regression/regression_spec.hpp"
#include "common/text_file.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/stimulus/traffic_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/regression/shortened.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::sim {
namespace {

using common::bad_input_of;
using common::TempFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ShippedRegression : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(ShippedRegression, IsValidAndHasSuites) {
  const RegressionSpec spec = load_regression(GetParam().string());
  EXPECT_EQ(spec.name, GetParam().stem().string()) << "a regression is named after its file";
  EXPECT_FALSE(spec.suites.empty());
}

std::vector<std::filesystem::path> shipped_files() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(places::source("/configs/regressions"))) {
    const std::string path = entry.path();
    if (dut_of_regression(common::read_text_file(path), path).empty()) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}
INSTANTIATE_TEST_SUITE_P(Configs, ShippedRegression, ::testing::ValuesIn(shipped_files()),
                         [](const auto& one) {
                           std::string name = one.param.stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

RegressionSpec load(const TempFolder& folder, const std::string& text) {
  return load_regression(folder.write("r.yaml", text).string());
}

TEST(RegressionSpec, WhatASmallestFileLeavesOutHasTheDocumentedDefaults) {
  const TempFolder folder;
  const RegressionSpec spec = load(folder, "name: small\nsuites:\n  - name: only\n");
  EXPECT_EQ(spec.name, "small");
  EXPECT_EQ(spec.shape, (maze::Shape{8, 8, 8}));
  EXPECT_EQ(spec.clock_ns, 1.0);
  EXPECT_EQ(spec.seed, 1U);
  EXPECT_EQ(spec.packets_per_link, 0U);
  EXPECT_FALSE(spec.full_coverage);
  ASSERT_EQ(spec.suites.size(), 1U);
  const SuiteSpec& suite = spec.suites.front();
  EXPECT_EQ(suite.kind, SuiteKind::Traffic);
  EXPECT_EQ(suite.traffic.pattern, Pattern::AllLinks);
  EXPECT_EQ(suite.traffic.load, 1.0);
  EXPECT_EQ(suite.traffic.qos_high, 0.5);
  EXPECT_THAT(suite.traffic.types, ElementsAre(1.0, 0.0, 0.0, 0.0));
  EXPECT_EQ(suite.back_pressure.kind, BackPressure::None);
  EXPECT_EQ(suite.cycles, 10'000U);
  EXPECT_EQ(suite.seeds, 1U);
  EXPECT_THAT(suite.reset_at, IsEmpty());
  EXPECT_EQ(suite.watchdog_cycles, 2'000U);
  EXPECT_EQ(suite.after_failure, 8U);
  EXPECT_TRUE(suite.checks.lockstep && suite.checks.scoreboard && suite.checks.watchdog &&
              suite.checks.assertions);
  EXPECT_FALSE(suite.checks.delivery);
  EXPECT_THAT(suite.faults, IsEmpty());
}

TEST(RegressionSpec, ReadsEveryKey) {
  const TempFolder folder;
  const RegressionSpec spec = load(folder, R"(name: all
fabric: {nx: 4, ny: 3, flit_bits: 16, clock_ns: 0.5}
seed: 0xff
packets_per_link: 7
full_coverage: true
deep_coverage: true
suites:
  - name: probe
    kind: connectivity
  - name: traffic
    kind: traffic
    traffic:
      pattern: hotspot
      load: 0.25
      qos_high: 0.75
      payload: raw
      hotspot_node: 11
      hotspot_share: 0.125
      burst_length: 3
      walk_packets: 2
      longest: 10
      types: {x_multicast: 2, broadcast: 1}
    back_pressure:
      {kind: periodic, ready_probability: 0.1, ready_cycles: 5, stalled_cycles: 6, stall_length: 7,
       stall_interval: 8, longest: 9}
    cycles: 100
    seeds: 3
    reset_at: [10, 99]
    watchdog_cycles: 50
    after_failure: 0
    checks: [delivery, scoreboard]
    faults:
      - {kind: drop, cycle: 5, duration: 6, link: {node: 11, port: "y[1]"},
         caught_by: [scoreboard], missed_by: [delivery]}
)");
  EXPECT_EQ(spec.shape, (maze::Shape{4, 3, 16}));
  EXPECT_EQ(spec.clock_ns, 0.5);
  EXPECT_EQ(spec.seed, 255U);
  EXPECT_EQ(spec.packets_per_link, 7U);
  EXPECT_TRUE(spec.full_coverage);
  EXPECT_TRUE(spec.deep_coverage);
  EXPECT_EQ(spec.suites.at(0).kind, SuiteKind::Connectivity);
  const SuiteSpec& suite = spec.suites.at(1);
  EXPECT_EQ(pattern_name(suite.traffic), "hotspot");
  EXPECT_EQ(suite.traffic.load, 0.25);
  EXPECT_EQ(suite.traffic.qos_high, 0.75);
  EXPECT_EQ(suite.traffic.payload, PayloadMode::Raw);
  EXPECT_EQ(suite.traffic.hotspot_node, 11U);
  EXPECT_EQ(suite.traffic.hotspot_share, 0.125);
  EXPECT_EQ(suite.traffic.burst_length, 3U);
  EXPECT_EQ(suite.traffic.walk_packets, 2U);
  EXPECT_THAT(suite.traffic.types, ElementsAre(0.0, 2.0, 0.0, 1.0));
  EXPECT_EQ(suite.back_pressure.kind, BackPressure::Periodic);
  EXPECT_EQ(suite.back_pressure.ready_probability, 0.1);
  EXPECT_EQ(suite.back_pressure.ready_cycles, 5U);
  EXPECT_EQ(suite.back_pressure.stalled_cycles, 6U);
  EXPECT_EQ(suite.back_pressure.stall_length, 7U);
  EXPECT_EQ(suite.back_pressure.stall_interval, 8U);
  EXPECT_EQ(suite.back_pressure.longest, 9U);
  EXPECT_EQ(suite.traffic.longest, 10U);
  EXPECT_EQ(suite.cycles, 100U);
  EXPECT_EQ(suite.seeds, 3U);
  EXPECT_THAT(suite.reset_at, ElementsAre(10, 99));
  EXPECT_EQ(suite.watchdog_cycles, 50U);
  EXPECT_EQ(suite.after_failure, 0U);
  EXPECT_TRUE(suite.checks.delivery && suite.checks.scoreboard);
  EXPECT_FALSE(suite.checks.lockstep || suite.checks.watchdog || suite.checks.assertions);
  const FaultCase& fault = suite.faults.at(0);
  EXPECT_EQ(fault.fault.kind, FaultKind::Drop);
  EXPECT_EQ(fault.fault.cycle, 5U);
  EXPECT_EQ(fault.fault.duration, 6U);
  EXPECT_EQ(fault.fault.link.value(), (LinkEnd{11, 4}));
  EXPECT_THAT(fault.caught_by, ElementsAre("scoreboard"));
  EXPECT_THAT(fault.missed_by, ElementsAre("delivery"));
}

TEST(RegressionSpec, ATraceIsRelativeToTheRegressionsFolder) {
  const TempFolder folder;
  const auto trace = folder.write("t.csv", "cycle,node,port,packet\n0,0,x[0],0x1\n");
  const RegressionSpec spec = load(
      folder, "name: t\nsuites:\n  - {name: s, traffic: {pattern: trace, trace_file: t.csv}}\n");
  EXPECT_EQ(spec.suites.at(0).traffic.trace_file, trace.string());
}

struct Refusal {
  const char* what;
  const char* yaml;      ///< text after "name: r\n"
  const char* expected;  ///< message from the line number on
};

class RegressionRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(RegressionRefusals, NameThePlaceAndWhatIsWrong) {
  const TempFolder folder;
  const auto path = folder.write("r.yaml", std::string("name: r\n") + GetParam().yaml).string();
  const std::string message = bad_input_of([&] { (void)load_regression(path); });
  EXPECT_EQ(message, path + ":" + GetParam().expected);
}

const Refusal kRefusals[] = {
    {"TransposeOnARectangle",
     "fabric: {nx: 4, ny: 3}\nsuites:\n  - {name: s, traffic: {pattern: transpose}}\n",
     "4:24: error: pattern transpose needs a square grid, which a 4x3 fabric is not\n"
     "    4 |   - {name: s, traffic: {pattern: transpose}}\n"
     "      |                        ^"},
    {"ShuffleWithoutAPowerOfTwo",
     "fabric: {nx: 3, ny: 3}\nsuites:\n  - {name: s, traffic: {pattern: shuffle}}\n",
     "4:24: error: pattern shuffle needs 2^b endpoints; a 3x3 fabric has 9\n"
     "    4 |   - {name: s, traffic: {pattern: shuffle}}\n"
     "      |                        ^"},
    {"PatternThatUsesNoLink",
     "fabric: {nx: 2, ny: 2}\nsuites:\n  - {name: s, traffic: {pattern: garnet.tornado}}\n",
     "4:24: error: pattern garnet.tornado uses no link of a 2x2 fabric\n"
     "    4 |   - {name: s, traffic: {pattern: garnet.tornado}}\n"
     "      |                        ^"},
    {"TypesThatAreAllZero", "suites:\n  - {name: s, traffic: {types: {unicast: 0}}}\n",
     "3:24: error: all weights in types are 0, at least one must be more\n"
     "    3 |   - {name: s, traffic: {types: {unicast: 0}}}\n"
     "      |                        ^"},
    {"TraceWithoutAFile", "suites:\n  - {name: s, traffic: {pattern: trace}}\n",
     "3:24: error: pattern trace needs a trace_file\n"
     "    3 |   - {name: s, traffic: {pattern: trace}}\n"
     "      |                        ^"},
    {"TraceFileThatNobodyReads", "suites:\n  - {name: s, traffic: {trace_file: t.csv}}\n",
     "3:37: error: only pattern trace reads a trace_file\n"
     "    3 |   - {name: s, traffic: {trace_file: t.csv}}\n"
     "      |                                     ^"},
    {"ResetBehindTheEnd", "suites:\n  - {name: s, cycles: 100, reset_at: [100]}\n",
     "3:39: error: a reset must begin before the suite's last cycle and after the reset before it\n"
     "    3 |   - {name: s, cycles: 100, reset_at: [100]}\n"
     "      |                                       ^"},
    {"ResetsOutOfOrder", "suites:\n  - {name: s, reset_at: [50, 50]}\n",
     "3:30: error: a reset must begin before the suite's last cycle and after the reset before it\n"
     "    3 |   - {name: s, reset_at: [50, 50]}\n"
     "      |                              ^"},
    {"LongestRunOutOfRange",
     "suites:\n  - {name: s, back_pressure: {kind: heavy_tailed, longest: 100001}}\n",
     "3:60: error: 'longest' must be an integer from 1 to 100000, not '100001'\n"
     "    3 |   - {name: s, back_pressure: {kind: heavy_tailed, longest: 100001}}\n"
     "      |                                                            ^"},
    {"ResetsGivenAndDrawn", "suites:\n  - {name: s, reset_at: [50], resets: {count: 2}}\n",
     "3:39: error: a suite has either reset_at or resets\n"
     "    3 |   - {name: s, reset_at: [50], resets: {count: 2}}\n"
     "      |                                       ^"},
    {"FewerCyclesThanItsPatternNeeds",
     "suites:\n  - {name: s, cycles: 7039, traffic: {pattern: link_walk}, checks: [delivery]}\n",
     "3:23: error: pattern link_walk with the check delivery needs at least 7040 cycles to use all "
     "its links, the suite has 7039\n"
     "    3 |   - {name: s, cycles: 7039, traffic: {pattern: link_walk}, checks: [delivery]}\n"
     "      |                       ^"},
    {"AWatchdogThatAllowsLessThanAStall",
     "suites:\n  - {name: s, watchdog_cycles: 40, back_pressure: {kind: long_stalls}}\n",
     "3:32: error: the watchdog allows 40 cycles without movement, the receivers may stall longer\n"
     "    3 |   - {name: s, watchdog_cycles: 40, back_pressure: {kind: long_stalls}}\n"
     "      |                                ^\n"
     "  hint: set watchdog_cycles to 41 or more"},
    {"ReceiversThatAreNeverReady",
     "suites:\n  - {name: s, back_pressure: {kind: random, ready_probability: 0}}\n",
     "3:30: error: the watchdog allows 2000 cycles without movement, the receivers may stall "
     "longer\n"
     "    3 |   - {name: s, back_pressure: {kind: random, ready_probability: 0}}\n"
     "      |                              ^\n"
     "  hint: set ready_probability above 0, or leave the watchdog out of checks"},
    {"MoreResetsThanCycles", "suites:\n  - {name: s, cycles: 205, resets: {pattern: sweep}}\n",
     "3:36: error: 103 resets need 206 cycles or more, the suite has 205\n"
     "    3 |   - {name: s, cycles: 205, resets: {pattern: sweep}}\n"
     "      |                                    ^"},
    {"TwoSuitesOfOneName", "suites:\n  - name: s\n  - name: s\n",
     "4:5: error: a second suite named 's'\n"
     "    4 |   - name: s\n"
     "      |     ^\n"
     "  hint: names tell suites apart in reports and on the command line"},
    {"FaultOnAPortThatIsNone",
     "fabric: {nx: 4, ny: 3}\nsuites:\n  - name: s\n    faults:\n"
     "      - {kind: drop, link: {node: 0, port: \"x[3]\"}}\n",
     "6:44: error: 'x[3]' is not a port of a node\n"
     "    6 |       - {kind: drop, link: {node: 0, port: \"x[3]\"}}\n"
     "      |                                            ^\n"
     "  hint: x[0] to x[2] or y[0] to y[1]"},
    {"FaultOnANodeThatIsNone",
     "fabric: {nx: 4, ny: 3}\nsuites:\n  - name: s\n    faults:\n"
     "      - {kind: drop, link: {node: 12, port: \"x[0]\"}}\n",
     "6:35: error: 'node' must be an integer from 0 to 11, not '12'\n"
     "    6 |       - {kind: drop, link: {node: 12, port: \"x[0]\"}}\n"
     "      |                                   ^"},
    {"FaultForACheckerThatIsNotAttached",
     "suites:\n  - name: s\n    checks: [lockstep]\n    faults:\n"
     "      - {kind: drop, caught_by: [scoreboard]}\n",
     "6:34: error: the suite does not attach scoreboard\n"
     "    6 |       - {kind: drop, caught_by: [scoreboard]}\n"
     "      |                                  ^\n"
     "  hint: name it under the suite's checks"},
    {"TrafficOfAConnectivitySuite", "suites:\n  - {name: s, kind: connectivity, cycles: 5}\n",
     "3:35: error: unknown key 'cycles'\n"
     "    3 |   - {name: s, kind: connectivity, cycles: 5}\n"
     "      |                                   ^\n"
     "  hint: valid keys: name, kind"},
    {"ScriptBesideTraffic",
     "suites:\n  - name: s\n    traffic: {load: 0.5}\n    script: {packets: [{cycle: 0, link: "
     "{node: "
     "0, port: \"x[0]\"}, packet: 1}]}\n",
     "4:14: error: a suite with a script has no traffic\n"
     "    4 |     traffic: {load: 0.5}\n"
     "      |              ^"},
    {"ScriptOnAPortOfUsers",
     "suites:\n  - name: s\n    script:\n      packets:\n"
     "        - {cycle: 0, link: {node: 0, port: user}, packet: 1}\n",
     "6:44: error: 'user' is not a port of a node\n"
     "    6 |         - {cycle: 0, link: {node: 0, port: user}, packet: 1}\n"
     "      |                                            ^\n"
     "  hint: x[0] to x[6] or y[0] to y[6]"},
    {"ScriptWithoutAPacket", "suites:\n  - {name: s, script: {packets: []}}\n",
     "3:33: error: a script needs at least one packet\n"
     "    3 |   - {name: s, script: {packets: []}}\n"
     "      |                                 ^"},
    {"ScriptWithAPacketThatIsTooWide",
     "suites:\n  - name: s\n    cycles: 10\n    script:\n      packets:\n        - {cycle: 5, "
     "link: {node: 0, port: \"x[0]\"}, packet: 1}\n        - {cycle: 5, link: {node: 0, port: "
     "\"x[0]\"}, packet: 0x800000}\n",
     "8:61: error: packet 0x800000 has more than 23 bits\n"
     "    8 |         - {cycle: 5, link: {node: 0, port: \"x[0]\"}, packet: 0x800000}\n"
     "      |                                                             ^"},
    {"ScriptOutOfOrder",
     "suites:\n  - name: s\n    cycles: 10\n    script:\n      packets:\n        - {cycle: 5, "
     "link: {node: 0, port: \"x[0]\"}, packet: 1}\n        - {cycle: 4, link: {node: 0, port: "
     "\"x[0]\"}, packet: 0x7fffff}\n",
     "8:19: error: cycle 4 is before that of the entry above, 5\n"
     "    8 |         - {cycle: 4, link: {node: 0, port: \"x[0]\"}, packet: 0x7fffff}\n"
     "      |                   ^"},
    {"ScriptBehindItsEnd",
     "suites:\n  - name: s\n    cycles: 10\n    script:\n      packets:\n        - {cycle: 5, "
     "link: {node: 0, port: \"x[0]\"}, packet: 1}\n      stalls:\n        - {cycle: 10, cycles: 1, "
     "link: {node: 0, port: \"x[0]\"}}\n",
     "9:19: error: cycle 10 is behind the suite's last one, 9\n"
     "    9 |         - {cycle: 10, cycles: 1, link: {node: 0, port: \"x[0]\"}}\n"
     "      |                   ^"},
    {"ScriptThatStallsLongerThanTheWatchdogAllows",
     "suites:\n  - name: s\n    cycles: 10\n    script:\n      packets:\n        - {cycle: 5, "
     "link: {node: 0, port: \"x[0]\"}, packet: 1}\n      stalls:\n        - {cycle: 1, cycles: "
     "2000, link: {node: 0, port: \"x[0]\"}}\n",
     "9:30: error: the watchdog allows 2000 cycles without movement, the receiver stalls for 2000\n"
     "    9 |         - {cycle: 1, cycles: 2000, link: {node: 0, port: \"x[0]\"}}\n"
     "      |                              ^\n  hint: set watchdog_cycles to 2001 or more"},
    {"ScriptWithAResetThatEndsBeforeItBegins",
     "suites:\n  - name: s\n    cycles: 10\n    script:\n      packets:\n        - {cycle: 5, "
     "link: {node: 0, port: \"x[0]\"}, packet: 1}\n      resets:\n        - {cycle: 3, clocks: 0, "
     "from: low, to: high}\n",
     "9:11: error: a reset begins at rise, high or low, and ends later in a cycle\n"
     "    9 |         - {cycle: 3, clocks: 0, from: low, to: high}\n"
     "      |           ^\n  hint: {cycle: 10, clocks: 4}"},
    {"ScriptOfLinksWithAFailedNode",
     "suites:\n  - name: s\n    script:\n      packets:\n        - {cycle: 5, link: {node: 0, "
     "port: "
     "\"x[0]\"}, packet: 1}\n      failed_node: 1\n",
     "7:20: error: links have no failed node, only networks\n"
     "    7 |       failed_node: 1\n"
     "      |                    ^"},
    {"NoSuites", "suites: []\n",
     "2:9: error: 'suites' must be a list of at least 1 item, not of 0\n"
     "    2 | suites: []\n"
     "      |         ^"},
};
INSTANTIATE_TEST_SUITE_P(All, RegressionRefusals, ::testing::ValuesIn(kRefusals),
                         [](const auto& one) { return std::string(one.param.what); });

RegressionSpec short_suites(const TempFolder& folder) {
  return load(folder,
              "name: short\nfabric: {nx: 4, ny: 3}\nsuites:\n"
              "  - name: map\n    kind: connectivity\n"
              "  - name: walk\n    traffic: {pattern: link_walk}\n    checks: [delivery]\n"
              "  - name: unchecked_walk\n    traffic: {pattern: link_walk}\n    cycles: 50\n"
              "  - name: early\n    reset_at: [20, 500, 700]\n"
              "  - name: many\n    resets: {count: 30}\n"
              "  - name: faulty\n    cycles: 400\n    faults: [{kind: drop}]\n");
}

TEST(ShortenedRegression, LeavesOutWhatItsCyclesCannotReachWithTheNumberThatIsNeeded) {
  const TempFolder folder;
  RegressionSpec spec = short_suites(folder);
  std::vector<std::string> texts;
  for (const LeftOut& left : set_cycles(spec, 55)) {
    texts.push_back(left.suite + (left.whole ? ": " : " in part: ") + left.reason);
  }
  // 60 links of 4 packets each; the 12 of depth 1 need 3 cycles more to empty.
  EXPECT_THAT(texts, ElementsAre("walk: pattern link_walk needs at least 276 cycles to use all its "
                                 "links",
                                 "many: 30 resets need 60 cycles or more, the suite has 55",
                                 "faulty: its faults are found within 400 cycles",
                                 "early in part: its resets at cycle 500, 700"));
  ASSERT_EQ(spec.suites.size(), 3U);
  EXPECT_EQ(spec.suites[1].name, "unchecked_walk");
  EXPECT_FALSE(spec.suites[1].shortened);
  EXPECT_TRUE(spec.suites[2].shortened);
  EXPECT_EQ(spec.suites[2].cycles, 55U);
  EXPECT_THAT(spec.suites[2].reset_at, ElementsAre(20U));
}

TEST(ShortenedRegression, LeavesNothingOutOfALongerOne) {
  const TempFolder folder;
  RegressionSpec spec = short_suites(folder);
  EXPECT_THAT(set_cycles(spec, 20'000), IsEmpty());
  EXPECT_EQ(spec.suites.size(), 6U);
}

}  // namespace
}  // namespace kernbench::sim
