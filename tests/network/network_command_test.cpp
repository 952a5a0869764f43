// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench sim` of a network as a process and checks its output and exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "tests/cli/pin_trace_text.hpp"
#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::network_test {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kGood = std::string(places::kNetworkModels) + "/4x3/libnetwork_model.so";
const std::string kFixed = std::string(places::kNetworkModels) + "/4x3-fixed/libnetwork_model.so";
const std::string kForgetful =
    std::string(places::kNetworkModels) + "/forgetful/model/libnetwork_model.so";

class NetworkCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"sim", "configs/regressions/network.yaml"});
    return cli_test::kernbench(arguments, folder_.path(), folder_.path());
  }
  common::TempFolder folder_;
};

TEST_F(NetworkCommand, PrintsARowForEachSuite) {
  const Finished finished = run({"--model", kGood, "--suite", "alone", "--suite", "failed-node-7"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\nMAZE network 4x3, 8 data bits, 60 links; "));
  EXPECT_THAT(
      finished.out,
      HasSubstr(
          "\nalone        alone           none              1      1,628     576    5.08  pass\n"
          "failed-node  uniform_random  random            1      2,089  10.0 k   24.55  pass\n"
          "\n"
          "users  6,885 packets at A, 10,604 copies at B\n"
          "  low QoS: 30.2 cycles from A to B, up to 248\n"
          "  high QoS: 16.3 cycles from A to B, up to 144\n"
          "\n"
          "comparisons made\n"
          "  lockstep              267,624 in 2 cases\n"
          "  latency                   576 in 1 case\n"
          "  scoreboard             10,604 in 2 cases\n"
          "  assertions              3,717 in 2 cases\n"
          "\n"
          "functional coverage  589 of 840 bins, 70.1 %; not required of this run\n"
          "\n"
          "PASS  2 cases, 10.6 k packets, 60/60 links, 3.7 k cycles, "));
}

TEST_F(NetworkCommand, TheWholeRegressionCoversEachBin) {
  const Finished finished = run({"--model", kGood});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\nfunctional coverage  840 of 840 bins, 100.0 %\n"
                                      "  crosspoint, no failure                  204/204  100.0 %\n"
                                      "  crosspoint, any network                 276/276  100.0 %\n"
                                      "  levels meet                             216/216  100.0 %\n"
                                      "  failed corner                             72/72  100.0 %\n"
                                      "  multicast                                 36/36  100.0 %\n"
                                      "  back-pressure of 1,000 cycles             24/24  100.0 %\n"
                                      "  reset under traffic                       12/12  100.0 %\n"
                                      "\nPASS  66 cases, "));
}

TEST_F(NetworkCommand, WritesTheCodeCoverageOfEachCase) {
  const auto folder = folder_.path() / "code";
  const Finished finished =
      run({"--model", kFixed, "--suite", "alone", "--code-coverage", folder.string()});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const std::string data = common::read_text_file(folder / "0.dat");
  EXPECT_THAT(data, HasSubstr("rtl/network/maze_fork.sv"));
  EXPECT_THAT(data, HasSubstr("v_branch/MAZE_QUEUE"));
  EXPECT_THAT(data, Not(HasSubstr("network_tb_top.sv")));
}

TEST_F(NetworkCommand, RefusesToWriteTheCodeCoverageOfAModelWithoutIt) {
  const auto folder = folder_.path() / "code";
  const Finished finished = run({"--model", kGood, "--code-coverage", folder.string()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err, "error: " + kGood +
                              ": built without code coverage; build a model by `kernbench model "
                              "DEVICE=network COVERAGE=line,toggle --output FOLDER`\n");
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(NetworkCommand, StartsNoCaseAfterAFailureWithFailFast) {
  const Finished finished =
      run({"--model", kForgetful, "--waves", "off", "--jobs", "1", "--fail-fast", "--suite",
           "multicast-few", "--suite", "failed-node-3"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("\nMISMATCH  1 case, "));
  EXPECT_THAT(finished.out, HasSubstr(", 1 case not run after the first failure, "));
  const auto report =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "build/reports/report.json"));
  EXPECT_EQ(report["data"]["totals"]["planned"], 2);
  EXPECT_EQ(report["data"]["totals"]["cases"], 1);
}

TEST_F(NetworkCommand, WritesItsReportsAlsoOfAFailure) {
  const std::string report = (folder_.path() / "out").string();
  EXPECT_EQ(
      run({"--model", kForgetful, "--suite", "multicast-few", "--report", report, "--waves", "off"})
          .exit_code,
      1);
  const std::string junit = common::read_text_file(report + "/junit.xml");
  EXPECT_THAT(junit, HasSubstr("tests=\"1\" failures=\"1\""));
  EXPECT_THAT(junit, HasSubstr("type=\"mismatch\""));
  EXPECT_THAT(common::read_text_file(report + "/report.json"), HasSubstr("\"regression\""));
  EXPECT_THAT(common::read_text_file(report + "/report.html"), HasSubstr("multicast-few"));
}

TEST_F(NetworkCommand, RefusesAFolderThatItCannotWriteBeforeItRuns) {
  const Finished finished = run({"--model", kGood, "--report", "/dev/null/out"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
}

TEST_F(NetworkCommand, ThreadsDoNotChangeTheOutput) {
  const std::vector<std::string> arguments = {"--model", kGood, "--suite", "failed-node", "--jobs"};
  std::vector<std::string> one = arguments;
  one.push_back("1");
  std::vector<std::string> three = arguments;
  three.push_back("3");
  // The seconds come last.
  const auto without_time = [](const std::string& out) { return out.substr(0, out.rfind(", ")); };
  EXPECT_EQ(without_time(run(one).out), without_time(run(three).out));
}

TEST_F(NetworkCommand, AWrongNetworkFailsWithTheCommandThatRunsTheCaseAgain) {
  const Finished finished =
      run({"--model", kForgetful, "--suite", "multicast-few", "--seed", "3", "--waves", "off"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("\nmulticast multicast-few, seed 3: mismatch\n"
                                      "  cycle 40  lockstep out_vld\n"
                                      "    [0,0].x[0]: out_vld is 1, the reference has 0\n"));
  EXPECT_THAT(finished.out,
              HasSubstr("sim configs/regressions/network.yaml --suite multicast-few --seed 3 "
                        "--seeds 1 --waves off --report "));
  EXPECT_THAT(finished.out, HasSubstr(" --model " + kForgetful + "\n"));
  EXPECT_THAT(finished.out, HasSubstr("\nMISMATCH  1 case, "));
}

/// The second coding of tests/other_rtl/network/, in which all state is in packed arrays.
TEST_F(NetworkCommand, RunsOtherRtlAndFindsABugThatIsPlantedThere) {
  const std::string list = places::source("/tests/other_rtl/network/maze.f");
  const std::vector<std::string> other = {"--fabric", "3x2",    "--filelist", list,
                                          "--models", "models", "--waves",    "off"};
  const Finished sound = run(other);
  EXPECT_EQ(sound.exit_code, 0) << sound.err;
  EXPECT_THAT(sound.out,
              HasSubstr("\n  levels meet                               72/72  100.0 %\n"));
  EXPECT_THAT(sound.out, HasSubstr("\nstructure of the RTL: checked\n"));
  EXPECT_THAT(sound.err, HasSubstr("no MAZE_CORE with the ports of the repository's: the wiring of "
                                   "the nodes is not checked, the traffic judges it\n"));
  std::vector<std::string> planted = other;
  planted.insert(planted.end(), {"-D", "BUG_TURN_STAYS", "--suite", "uniform-saturated"});
  const Finished broken = run(planted);
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.out, HasSubstr("\nuniform uniform-saturated, seed 1: mismatch\n"));
  EXPECT_THAT(broken.out, HasSubstr("sim configs/regressions/network.yaml --fabric 3x2x8 --suite "
                                    "uniform-saturated --seed 1 --seeds 1 --waves off --report "));
  EXPECT_THAT(broken.out,
              HasSubstr(" --filelist " + list + " -D BUG_TURN_STAYS --models models\n"));
}

TEST_F(NetworkCommand, ReplaysAPinTrace) {
  const auto text = [](const std::string& bench) {
    return cli_test::pin_trace_text(
        {{"bench", bench}, {"fabric", {{"nx", 4}, {"ny", 3}, {"flit_bits", 8}}}},
        {{"node", 0}, {"port", 0}}, {{"node", 5}, {"port", 0}},
        {{.reset = true}, {.packet = "0x155", .ready = false}, {}, {}, {}, {}, {}, {}});
  };
  (void)folder_.write("pins.json", text("network"));
  const auto replay = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"replay", "pins.json"});
    return cli_test::kernbench(words, folder_.path(), folder_.path());
  };
  const Finished sound = replay({"--model", kGood});
  EXPECT_EQ(sound.exit_code, 0) << sound.err;
  EXPECT_EQ(sound.out,
            "pins.json: 8 cycles on the network 4x3x8\n"
            "PASS  16 start seeds from 1, 9,344 comparisons\n");
  (void)folder_.write("pins.json", text("topo"));
  const Finished refused = replay({"--high-bound", "4"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(
      refused.err,
      "error: --high-bound and --fixed-priority are of a network: pins.json is a trace of TOPO "
      "4x3x8\n");
}

TEST_F(NetworkCommand, NamesItsCases) {
  const Finished finished = run({"--list", "--fabric", "2x2", "--suite", "failed-node"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out, "failed-node-0\nfailed-node-1\nfailed-node-2\nfailed-node-3\n");
}

TEST_F(NetworkCommand, RunsTheSuitesOfAFileWithSeveralSeeds) {
  (void)folder_.write("n.yaml",
                      "name: n\ndut: network\nfabric: {nx: 4, ny: 3}\nsuites:\n"
                      "  - {name: far, pattern: half_rotation, cycles: 400}\n"
                      "  - {name: hot, pattern: hotspot, hotspot_node: 7, hotspot_share: 1, "
                      "cycles: 300}\n");
  const Finished finished =
      cli_test::kernbench({"sim", "n.yaml", "--model", kGood, "--seed", "4", "--seeds", "2"},
                          folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\nfar    half_rotation  none              2 "));
  const auto report =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "build/reports/report.json"));
  const auto& cases = report["data"]["cases"];
  ASSERT_EQ(cases.size(), 4U);
  EXPECT_EQ(cases[0]["seed"], 4);
  EXPECT_EQ(cases[1]["seed"], 5);
}

TEST_F(NetworkCommand, RunsOtherArbiters) {
  const std::string bound = std::string(places::kNetworkModels) + "/4x3-bound/libnetwork_model.so";
  const Finished finished =
      run({"--model", bound, "--high-bound", "2", "--suite", "permutation-high"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(run({"--model", kGood, "--high-bound", "2"}).err,
            "error: --high-bound: the model " + kGood + " has 16, not 2\n");
  EXPECT_EQ(run({"--model", kGood, "--fixed-priority"}).err,
            "error: --fixed-priority: the model " + kGood + " has round robin\n");
  EXPECT_EQ(run({"--model", kFixed, "--fixed-priority", "--suite", "alone"}).exit_code, 0);
}

TEST_F(NetworkCommand, ShortensItsCases) {
  const Finished finished =
      run({"--model", kGood, "--suite", "resets-many", "--suite", "bursts", "--cycles", "90"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.err, "a case of 90 cycles has at most one reset in 30\n");
  EXPECT_THAT(finished.out, HasSubstr("\nresets  uniform_random  none              1 "));
}

TEST_F(NetworkCommand, InjectsFaultsAtUsersAndLinks) {
  const std::string faults = places::source("/configs/regressions/network-faults.yaml");
  const Finished finished = cli_test::kernbench(
      {"sim", faults, "--model", kGood, "--durations", "1"}, folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\ninjected faults  119 of 119 caught\n"
                                      "  lockstep                   77, 32 by no other checker\n"
                                      "  scoreboard                 76, 24 by no other checker\n"
                                      "  watchdog                   14, 8 by no other checker\n"
                                      "  assertions                 13, 2 by no other checker\n"
                                      "\nPASS  119 cases: every injected fault was found, "));
  EXPECT_THAT(finished.out, HasSubstr("\nslowest 1 case\n"));
  const Finished one = cli_test::kernbench(
      {"sim", faults, "--model", kGood, "--fault", "receiver_dead", "--seeds", "1"}, folder_.path(),
      folder_.path());
  EXPECT_THAT(one.out, HasSubstr("\nPASS  1 case: the injected fault was found, "));
}

TEST_F(NetworkCommand, TheRegressionOfDepthReachesEachBin) {
  const Finished finished =
      cli_test::kernbench({"sim", places::source("/configs/regressions/network-deep.yaml"),
                           "--fabric", "4x3", "--model", kGood},
                          folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out,
              HasSubstr("\nfunctional coverage  701 of 701 bins, 100.0 %\n"
                        "  stall lengths on every user              262/262  100.0 %\n"
                        "  stall lengths by range                     15/15  100.0 %\n"
                        "  idle lengths on every user               262/262  100.0 %\n"
                        "  idle lengths by range                      15/15  100.0 %\n"
                        "  ready in a reset                           12/12  100.0 %\n"
                        "  not ready in a reset                       12/12  100.0 %\n"
                        "  131072 packets without a reset             12/12  100.0 %\n"
                        "  resets and length of cases                 11/11  100.0 %\n"
                        "  widths of resets                         100/100  100.0 %\n"
                        "\nPASS  "));
}

TEST_F(NetworkCommand, TheLongRegressionAsksForEachQueue) {
  const std::vector<std::string> short_one = {
      "sim",      places::source("/configs/regressions/network-long.yaml"),
      "--fabric", "4x3",
      "--model",  kGood,
      "--cycles", "2000"};
  const Finished finished = cli_test::kernbench(short_one, folder_.path(), folder_.path());
  EXPECT_THAT(finished.out,
              HasSubstr("\nfunctional coverage  0 of 72 bins, 0.0 %; not required of this run\n"));
  (void)folder_.write("n.yaml",
                      "name: n\ndut: network\nfabric: {nx: 4, ny: 3}\nfull_coverage: true\n"
                      "packets_per_link: 100\nsuites:\n  - {name: a, cycles: 3000}\n");
  const Finished reached =
      cli_test::kernbench({"sim", "n.yaml", "--model", kGood}, folder_.path(), folder_.path());
  EXPECT_EQ(reached.exit_code, 0) << reached.err;
  EXPECT_THAT(reached.out, HasSubstr("\nfunctional coverage  72 of 72 bins, 100.0 %\n"));
}

TEST_F(NetworkCommand, ADeepRegressionNamesWhatItDidNotReach) {
  (void)folder_.write("n.yaml",
                      "name: n\ndut: network\nfabric: {nx: 4, ny: 3}\nfull_coverage: true\n"
                      "deep_coverage: true\nsuites:\n"
                      "  - {name: a, cycles: 3000, resets: 3, checks: [lockstep, scoreboard]}\n");
  const Finished finished =
      cli_test::kernbench({"sim", "n.yaml", "--model", kGood}, folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr(": 12 users without it, the first is [0,0].user\n"));
  EXPECT_THAT(finished.out, HasSubstr("\n    missed: no stall of 1 to 1 cycles on users\n"));
  EXPECT_THAT(finished.out,
              HasSubstr("\n    missed: [0,0].user: never 131072 packets without a reset\n"));
}

TEST_F(NetworkCommand, SoaksWithSeedAfterSeedAndGoesOn) {
  (void)folder_.write("n.yaml",
                      "name: n\ndut: network\nfabric: {nx: 4, ny: 3}\nsuites:\n"
                      "  - {name: a, cycles: 3000, watchdog_cycles: 1000}\n"
                      "  - {name: b, cycles: 1000, resets: 5, checks: [lockstep, scoreboard]}\n");
  const auto soak = [&](const std::string& model, const std::string& chunks) {
    return cli_test::kernbench({"sim", "n.yaml", "--model", model, "--packets", "100000000",
                                "--seeds", chunks, "--resume", "--report", "out"},
                               folder_.path(), folder_.path());
  };
  const Finished two = soak(kGood, "2");
  EXPECT_EQ(two.exit_code, 0) << two.err;
  EXPECT_THAT(two.out, HasSubstr("seed 1: pass, "));
  EXPECT_THAT(two.out, HasSubstr("\nseed 2: pass, "));
  EXPECT_THAT(two.out, HasSubstr(" packets, 0 of 4 cases not passed\n"));
  const Finished third = soak(kGood, "1");
  EXPECT_THAT(third.out, HasSubstr("seed 3: pass, "));
  EXPECT_THAT(third.out, HasSubstr(" packets, 0 of 6 cases not passed\n"));
  EXPECT_EQ(soak(kForgetful, "1").err,
            "error: " + kForgetful +
                ": built for a 2x3 fabric with 8 data bits, the configuration asks for 4x3 with "
                "8\n");
}

TEST_F(NetworkCommand, ASoakNamesTheCaseThatFails) {
  (void)folder_.write("n.yaml",
                      "name: n\ndut: network\nfabric: {nx: 2, ny: 3}\nsuites:\n"
                      "  - {name: a, multicasts: 0.3, cycles: 3000, watchdog_cycles: 1000}\n");
  const Finished finished =
      cli_test::kernbench({"sim", "n.yaml", "--model", kForgetful, "--packets", "100000000",
                           "--seeds", "1", "--report", "out"},
                          folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr(" sim n.yaml --suite a --seed 1 --seeds 1 --report "));
  EXPECT_THAT(finished.out, HasSubstr(" --model " + kForgetful));
}

TEST_F(NetworkCommand, RefusesWhatItsDesignOrItsFileDoesNotHave) {
  (void)folder_.write("n.yaml", "name: n\ndut: network\nsuites:\n  - {name: a}\n");
  const auto with = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words = {"sim", "n.yaml", "--model", kGood};
    words.insert(words.end(), options.begin(), options.end());
    const Finished finished = cli_test::kernbench(words, folder_.path(), folder_.path());
    EXPECT_EQ(finished.exit_code, 2);
    return finished.err;
  };
  EXPECT_EQ(with({"--fault", "drop"}), "error: no suite of n.yaml injects the fault 'drop'\n");
  EXPECT_EQ(with({"--fault", "dorp"}),
            "error: --fault: there is no fault 'dorp'; did you mean 'drop'?\n");
  EXPECT_EQ(with({"--no-checkers"}),
            "error: --no-checkers: the nodes of a network have checkers only with "
            "--node-checkers\n");
  const std::string topo = places::source("/configs/regressions/faults.yaml");
  EXPECT_EQ(
      cli_test::kernbench({"sim", topo, "--high-bound", "4"}, folder_.path(), folder_.path()).err,
      "error: --node-checkers, --high-bound and --fixed-priority are of a network: " + topo +
          " is a regression of TOPO, without 'dut: network'\n");
}

TEST_F(NetworkCommand, RefusesWhatItCannotRun) {
  EXPECT_EQ(run({"--suite", "unifrom"}).err,
            "error: --suite: the network regression has no suite 'unifrom'; did you mean "
            "'uniform'?\n");
  EXPECT_EQ(run({"--model", kGood, "--fabric", "8x8"}).err,
            "error: --fabric: the model " + kGood + " has 4x3x8, not 8x8x8\n");
  EXPECT_EQ(run({"--model", places::kNotAModel}).err,
            "error: " + std::string(places::kNotAModel) +
                ": not a network model: it exports no 'kernbench_network_abi'\n");
  EXPECT_THAT(run({"--node-checkers", "--filelist", "maze.f"}).err,
              HasSubstr("--filelist and --node-checkers cannot be combined"));
  EXPECT_EQ(run({"--filelist", "maze.f"}).err,
            "error: cannot read 'maze.f': No such file or directory\n");
  EXPECT_EQ(run({"-D", "DEPTH=2"}).err,
            "error: -I, -D and --dpi need RTL of --rtl, --filelist or --rtl-dir\n");
}

}  // namespace
}  // namespace kernbench::network_test
