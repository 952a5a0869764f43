// SPDX-License-Identifier: Apache-2.0
// The regressions of a network as YAML files.
#include "sim/network/network_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include <algorithm>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NetworkSpec load_file(const std::string& path) {
  return parse_network_regression(common::read_text_file(path), path);
}

NetworkSpec shipped() {
  return load_file(places::source("/configs/regressions/network.yaml"));
}

std::vector<std::string> names_of(const std::vector<NetworkCase>& cases, const std::string& suite) {
  std::vector<std::string> names;
  for (const NetworkCase& network_case : cases) {
    if (network_case.suite == suite) names.push_back(network_case.name);
  }
  return names;
}

const NetworkCase& find(const std::vector<NetworkCase>& cases, const std::string& name) {
  const auto found = std::ranges::find(cases, name, &NetworkCase::name);
  if (found == cases.end()) throw std::logic_error("no case " + name);
  return *found;
}

/// Returns what is wrong with a file of these suites.
std::string wrong(const std::string& suites) {
  const common::TempFolder folder;
  const auto path =
      folder.write("n.yaml", "name: n\ndut: network\nfabric: {nx: 4, ny: 3}\nsuites:\n" + suites);
  try {
    (void)load_file(path.string());
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return {};
}

TEST(NetworkSpec, NamesTheCasesOfTheShippedRegression) {
  const std::vector<NetworkCase> cases = network_cases(shipped());
  EXPECT_THAT(names_of(cases, "uniform"),
              ElementsAre("uniform-0.1", "uniform-0.5", "uniform-0.8", "uniform-0.9",
                          "uniform-saturated", "uniform-low", "uniform-high"));
  EXPECT_THAT(
      names_of(cases, "pattern"),
      ElementsAre("pattern-transpose", "pattern-bit_complement", "pattern-bit_reverse",
                  "pattern-half_rotation", "pattern-booksim.tornado", "pattern-booksim.neighbor",
                  "pattern-shuffle", "pattern-garnet.tornado", "pattern-garnet.neighbor"));
  EXPECT_THAT(names_of(cases, "resets"), ElementsAre("resets", "resets-many", "resets-trees",
                                                     "resets-failed-1", "resets-failed-62"));
  EXPECT_EQ(names_of(cases, "failed-node").size(), 64U);
  EXPECT_EQ(names_of(cases, "detours").size(), 128U);
  EXPECT_EQ(cases.size(), 225U);
}

TEST(NetworkSpec, SpreadsCyclesAndResetsOverNodes) {
  NetworkSpec spec = shipped();
  std::vector<NetworkCase> cases = network_cases(spec);
  EXPECT_EQ(find(cases, "stalls-one").cycles, 76'800U);
  EXPECT_EQ(find(cases, "detours-resets-5").resets, 200U);
  EXPECT_EQ(find(cases, "detours-resets-5").cycles, 6'000U);
  EXPECT_EQ(find(cases, "detours-resets-5").failed, 5U);
  EXPECT_EQ(find(cases, "failed-node-4").back_pressure.kind, BackPressure::None);
  EXPECT_EQ(find(cases, "failed-node-5").back_pressure.kind, BackPressure::Random);
  EXPECT_THAT(move_to_network(spec, {4, 3, 8}), ::testing::IsEmpty());
  cases = network_cases(spec);
  EXPECT_EQ(find(cases, "stalls-one").cycles, 14'400U);
  EXPECT_EQ(find(cases, "detours-resets-5").resets, 800U);
}

TEST(NetworkSpec, LeavesOutSuitesWhoseKindAnotherSizeDoesNotHave) {
  const common::TempFolder folder;
  NetworkSpec spec =
      load_file(folder
                    .write("n.yaml",
                           "name: n\ndut: network\nsuites:\n  - {name: a, pattern: transpose}\n"
                           "  - {name: b, pattern: hotspot, hotspot_node: 12}\n  - {name: c}\n")
                    .string());
  const std::vector<LeftOut> left = move_to_network(spec, {4, 3, 8});
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].suite, "a");
  EXPECT_EQ(left[0].reason, "pattern transpose needs a square grid, which a 4x3 fabric is not");
  EXPECT_EQ(left[1].reason, "hotspot_node is 12, the last node of 4x3 nodes is 11");
  EXPECT_EQ(network_cases(spec).size(), 1U);
}

/// The kind of a plugin may refuse no shape, and name a node beyond the last of small ones.
TEST(NetworkSpec, LeavesOutAKindThatNamesANodeBeyondTheLast) {
  static const topology::TrafficKind kind{
      "to_node_63", "",
      [](std::uint32_t, const topology::TrafficShape&) { return std::vector<std::uint32_t>{63}; }};
  NetworkSpec spec = shipped();
  spec.suites.resize(1);
  spec.suites[0].shared.pattern = NetworkPattern::Kind;
  spec.suites[0].shared.kind = &kind;
  EXPECT_THAT(move_to_network(spec, {8, 8, 8}), ::testing::IsEmpty());
  const std::vector<LeftOut> left = move_to_network(spec, {4, 3, 8});
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].reason,
            "pattern to_node_63 sends from node 0 to node 63, but a 4x3 fabric has 12");
}

/// `pattern: permutations` asks each registered kind. A registration lasts as long as its process.
TEST(NetworkSpec, RefusesAllPermutationsIfAKindOfAPluginNamesANodeBeyondTheLast) {
  const auto refused = [] {
    const topology::TrafficRegistration beyond{
        {"beyond", "", [](std::uint32_t, const topology::TrafficShape& shape) {
           return std::vector<std::uint32_t>{shape.count};
         }}};
    std::fputs(wrong("  - {name: a, pattern: permutations}\n").c_str(), stderr);
    std::_Exit(0);
  };
  EXPECT_EXIT(refused(), ::testing::ExitedWithCode(0),
              "n.yaml:5:24: error: pattern beyond sends from node 0 to node 12, but a 4x3 fabric "
              "has 12");
}

TEST(NetworkSpec, RefusesWhatItCannotRun) {
  EXPECT_EQ(wrong("  - {name: a}\n"), "");
  EXPECT_THAT(wrong("  - {name: a}\n  - {name: a, load: 0.5}\n"),
              HasSubstr("n.yaml:6:5: error: a second suite 'a'"));
  EXPECT_THAT(wrong("  - {name: a, pattern: transpose}\n"),
              HasSubstr("n.yaml:5:24: error: pattern transpose needs a square grid"));
  EXPECT_THAT(wrong("  - {name: a, pattern: detours}\n"),
              HasSubstr("n.yaml:5:5: error: the pattern detours needs a failed node"));
  EXPECT_THAT(wrong("  - {name: a, cycles: 5, cycles_per_node: 5}\n"),
              HasSubstr("error: has several of cycles, cycles_per_node and cycles_per_reset"));
  EXPECT_THAT(wrong("  - {name: a, resets: 5, resets_in_all: 5}\n"),
              HasSubstr("error: has both resets and resets_in_all"));
  EXPECT_THAT(wrong("  - {name: a, resets: 51, cycles: 100}\n"),
              HasSubstr("error: 51 resets need 102 cycles or more, the suite has 100"));
  EXPECT_THAT(wrong("  - {name: a, checks: [delivery]}\n"),
              HasSubstr("error: delivery is a checker of links, not of networks"));
  EXPECT_THAT(wrong("  - {name: a, stall_each: 1200, watchdog_cycles: 2000}\n"),
              AllOf(HasSubstr("error: the watchdog allows 2000 cycles without movement, packets "
                              "may wait longer behind others for receivers that stall"),
                    HasSubstr("set watchdog_cycles to 4800 or more")));
  EXPECT_THAT(wrong("  - {name: a, back_pressure: {kind: random, ready_probability: 0}}\n"),
              HasSubstr("set ready_probability above 0, or leave the watchdog out of checks"));
  EXPECT_THAT(
      wrong("  - {name: a, faults: [{kind: receiver_dead, link: {node: 1, port: \"x[0]\"}}]}\n"),
      HasSubstr("error: receiver_dead acts on users, not on a link between nodes"));
  EXPECT_THAT(wrong("  - {name: a, faults: [{kind: drop, link: {node: 1, port: \"x[9]\"}}]}\n"),
              HasSubstr("error: 'x[9]' is not a port of a node"));
  EXPECT_THAT(wrong("  - {name: a, checks: [lockstep], faults: [{kind: drop, caught_by: "
                    "[scoreboard]}]}\n"),
              HasSubstr("error: the suite does not attach scoreboard"));
  EXPECT_THAT(wrong("  - {name: a, cycles_per_reset: 5}\n"),
              HasSubstr("error: the suite has no resets"));
  EXPECT_THAT(wrong("  - {name: a, pattern: uniform}\n"),
              HasSubstr("hint: did you mean 'uniform_random'?"));
}

TEST(NetworkSpec, ReadsAScriptWithItsFailedNode) {
  const NetworkSpec spec = parse_network_regression(
      "name: n\ndut: network\nfabric: {nx: 2, ny: 3}\nsuites:\n  - name: s\n    cycles: 30\n"
      "    script:\n      failed_node: 4\n      packets:\n"
      "        - {cycle: 1, link: {node: 0, port: user}, packet: 0x104001}\n"
      "      stalls:\n        - {cycle: 2, cycles: 50, link: {node: 1, port: user}}\n"
      "      resets:\n        - {cycle: 20, clocks: 2}\n",
      "n.yaml");
  const std::vector<NetworkCase> cases = network_cases(spec);
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].failed, 4U);
  EXPECT_EQ(cases[0].pattern_name(), "script");
  EXPECT_EQ(cases[0].back_pressure_name(), "script");
  Script expected;
  expected.cycles = 30;
  expected.packets = {{1, {0, 0}, 0x104001}};
  expected.stalls = {{2, 30, {1, 0}}};  // it ends with the cycles of the suite
  expected.resets = {{.at = 20, .clocks = 2}};
  EXPECT_EQ(cases[0].script->script, expected);
}

TEST(NetworkSpec, RefusesAScriptOnLinks) {
  EXPECT_THAT(wrong("  - {name: a, load: 0.5, script: {packets: [{cycle: 0, link: {node: 1, port: "
                    "\"x[0]\"}, packet: 1}]}}\n"),
              AllOf(HasSubstr("error: a suite with a script has no load"),
                    HasSubstr("error: 'x[0]' is not a port at which a script acts")));
  EXPECT_THAT(wrong("  - {name: a, cycles: 9, watchdog_cycles: 100, script: {packets: [{cycle: 0, "
                    "link: {node: 1, port: user}, packet: 1}], stalls: [{cycle: 0, cycles: 26, "
                    "link: {node: 1, port: user}}]}}\n"),
              HasSubstr("set watchdog_cycles to 104 or more"));
}

TEST(NetworkSpec, IsToldFromARegressionOfTopo) {
  EXPECT_TRUE(is_network_regression(shipped().text, "n.yaml"));
  EXPECT_TRUE(is_network_regression("dut: network\ndut: 3\n", "n.yaml"));
  EXPECT_FALSE(is_network_regression("dut: topo\n", "n.yaml"));
  EXPECT_FALSE(is_network_regression("name: n\n", "n.yaml"));
  try {
    (void)load_file(places::source("/configs/regressions/default.yaml"));
    FAIL();
  } catch (const common::BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("'dut'"));
  }
}

}  // namespace
}  // namespace kernbench::sim
