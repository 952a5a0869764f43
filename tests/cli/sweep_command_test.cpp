// SPDX-License-Identifier: Apache-2.0
// Sweeps by the real program: resumed after a kill, the same bytes with any number of processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "common/diagnostics.hpp"
#include "farm/local_engine.hpp"
#include "farm/store.hpp"
#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A tenth of the processor time of the whole system, for sweeps that nothing interrupts.
constexpr const char* kOneCube =
    ", --set=topology.sip.cube_mesh.w=1, --set=topology.sip.cube_mesh.h=1]\n";

constexpr const char* kTwelvePoints =
    "command: [run, vector-add]\n"
    "parameters:\n"
    "  bench.rows: [256, 384, 512]\n"
    "  bench.columns: {from: 64, to: 256, step: 64}\n"
    "targets: {data.end_ps: min, data.flit_hops: none}\n";

class SweepCommandTest : public ::testing::Test {
 protected:
  [[nodiscard]] cli_test::Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "sweep");
    return cli_test::kernbench(std::move(arguments), folder_.path(), scratch_.path());
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_.path() / name;
  }
  [[nodiscard]] std::string text_of(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Starts the sweep of plan.yaml and waits until `rows` of its points have a row.
  [[nodiscard]] std::unique_ptr<cli_test::Process> started(std::size_t rows) const {
    auto process = std::make_unique<cli_test::Process>(
        std::vector<std::string>{places::kKernbench, "sweep", "plan.yaml", "--jobs", "1"},
        folder_.path(), scratch_.path());
    for (std::size_t found = 0; found < rows;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (!std::filesystem::exists(path("plan.db"))) continue;
      try {
        found = farm::Store(path("plan.db")).finished().size();
      } catch (const common::BadInput&) {
        // The database is being made.
      }
    }
    return process;
  }

  common::TempFolder folder_;
  common::TempFolder scratch_;
};

TEST_F(SweepCommandTest, HasTheSameBytesWithAnyNumberOfProcesses) {
  (void)folder_.write("plan.yaml", std::regex_replace(kTwelvePoints, std::regex("]\n"), kOneCube,
                                                      std::regex_constants::format_first_only));
  EXPECT_EQ(run({"plan.yaml", "--jobs", "1", "--output", "one.db"}).out,
            "least data.end_ps: 3.78556 us with bench.rows=256, bench.columns=64; data.flit_hops "
            "5339\n"
            "PASS  12 points (12 exact); wrote one.db and one.csv\n");
  EXPECT_EQ(run({"plan.yaml", "--jobs", "2", "--output", "two.db"}).exit_code, 0);
  const std::string csv = text_of("one.csv");
  EXPECT_EQ(csv, text_of("two.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 13);
  EXPECT_THAT(csv,
              HasSubstr("key,bench.rows,bench.columns,outcome,grade,data.end_ps,data.flit_hops\n"));
  EXPECT_THAT(csv, HasSubstr(",512,256,pass,exact,12745555,36699\n"));
  EXPECT_THAT(cli_test::files_under(folder_.path()),
              ElementsAre("one.csv", "one.db", "plan.yaml", "two.csv", "two.db"));
}

TEST_F(SweepCommandTest, StartsNoFinishedPointAgainAfterAKill) {
  (void)folder_.write("plan.yaml", kTwelvePoints);
  const auto process = started(3);
  process->send(SIGKILL);
  EXPECT_EQ(process->wait().exit_code, -1);
  std::map<std::string, common::Outcome> finished;
  {
    const farm::JobFolder jobs(path("plan.db"));
    finished = farm::Store(path("plan.db")).finished();
    for (const farm::PointResult& result : jobs.left_results()) {
      if (result.outcome) finished.emplace(result.key, *result.outcome);
    }
  }
  ASSERT_GE(finished.size(), 3U);
  ASSERT_LT(finished.size(), 12U);
  const cli_test::Finished resumed = run({"plan.yaml", "--jobs", "2"});
  EXPECT_EQ(resumed.out, std::to_string(finished.size()) +
                             " of 12 points are in 'plan.db' already\n"
                             "least data.end_ps: 4.20351 us with bench.rows=256, bench.columns=64; "
                             "data.flit_hops 11812\n"
                             "PASS  12 points (12 exact); wrote plan.db and plan.csv\n");
  const farm::Store store(path("plan.db"));
  EXPECT_EQ(store.finished().size(), 12U);
  for (const auto& [key, attempts] : store.attempts()) {
    EXPECT_LE(attempts, finished.contains(key) ? 1U : 2U) << key;
  }
  EXPECT_EQ(run({"plan.yaml", "--output", "whole.db"}).exit_code, 0);
  EXPECT_EQ(text_of("plan.csv"), text_of("whole.csv"));
  EXPECT_FALSE(std::filesystem::exists(path("plan.db.jobs")));
}

TEST_F(SweepCommandTest, AnInterruptionKeepsWhatIsFinished) {
  (void)folder_.write("plan.yaml", kTwelvePoints);
  const auto process = started(2);
  process->send(SIGINT);
  const cli_test::Finished interrupted = process->wait();
  EXPECT_EQ(interrupted.exit_code, 130);
  const std::size_t finished = farm::Store(path("plan.db")).finished().size();
  EXPECT_EQ(interrupted.out,
            "interrupted with " + std::to_string(finished) +
                " of 12 points in 'plan.db'; the same command continues the sweep\n");
  EXPECT_FALSE(std::filesystem::exists(path("plan.csv")));
  EXPECT_EQ(run({"plan.yaml"}).exit_code, 0);
  EXPECT_EQ(farm::Store(path("plan.db")).finished().size(), 12U);
}

TEST_F(SweepCommandTest, OneSweepAtATimeUsesADatabase) {
  (void)folder_.write("plan.yaml", kTwelvePoints);
  const auto process = started(1);
  process->send(SIGSTOP);
  const common::TempFolder scratch;
  const cli_test::Finished second =
      cli_test::kernbench({"sweep", "plan.yaml"}, folder_.path(), scratch.path());
  process->send(SIGCONT);
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_EQ(second.err,
            "error: 'plan.db' is in use by another sweep; wait for its end or name another file "
            "by --output\n");
  EXPECT_EQ(process->wait().exit_code, 0);
}

TEST_F(SweepCommandTest, AFailedPointIsARow) {
  (void)folder_.write("plan.yaml",
                      "command: [run, softmax, --verify]\n"
                      "parameters: {bench.rows: [8, 0, many]}\n"
                      "targets: {data.end_ps: min}\n");
  const cli_test::Finished finished = run({"plan.yaml"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.out,
            "least data.end_ps: 2.22772 us with bench.rows=8\n"
            "first failed point: bench.rows=0 (vacuous): bench 'softmax': --verify compared no "
            "numbers: the expected tensors have no elements with columns=512, rows=0, "
            "rows_at_once=16, split=no, type=f16\n"
            "FAIL  3 points (1 exact), 1 bad-input, 1 vacuous; wrote plan.db and plan.csv\n");
  EXPECT_EQ(finished.err, "");
  EXPECT_THAT(text_of("plan.csv"), HasSubstr(",0,vacuous,"));
  EXPECT_THAT(text_of("plan.csv"), HasSubstr(",many,bad-input,,\n"));
  EXPECT_EQ(run({"plan.yaml"}).out, "3 of 3 points are in 'plan.db' already\n" + finished.out);
}

TEST_F(SweepCommandTest, RefusesPlansBeforeAPointRuns) {
  const auto error_of = [this](const std::string& plan) {
    (void)folder_.write("plan.yaml", plan);
    const cli_test::Finished finished = run({"plan.yaml"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(cli_test::files_under(folder_.path()), ElementsAre("plan.yaml"));
    return finished.err;
  };
  EXPECT_EQ(error_of("command: [run, gemm]\nparameters: {device: [0, x]}\n"
                     "targets: {data.end_ps: min}\n"),
            "plan.yaml:1:10: error: --device: must be an integer from 0 to 4294967295, not 'x'\n"
            "    1 | command: [run, gemm]\n"
            "      |          ^\n"
            "  hint: the point with device=x\n");
  EXPECT_EQ(error_of("command: [run, gemm]\nparameters: {topology: [none.yaml]}\n"
                     "targets: {data.end_ps: min}\n"),
            "error: cannot read 'none.yaml': No such file or directory\n");
  EXPECT_EQ(error_of("command: [run, gemm]\nparameters: {bench.m: {from: 1, to: 10001, "
                     "step: 1}}\ntargets: {data.end_ps: min}\n"),
            "error: 'plan.yaml' has 10001 points; more than 10000 need --yes\n");
}

TEST_F(SweepCommandTest, RefusesAPlanWithoutAPointThatCanRun) {
  (void)folder_.write("plan.yaml",
                      "command: [run, gemm, --set, kk=1]\n"
                      "parameters:\n"
                      "  bench.mm: [64, 128]\n"
                      "  topology.pe.clok_ghz: [1, 2]\n"
                      "targets: {data.end_ps: min}\n");
  const cli_test::Finished finished = run({"plan.yaml"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "plan.yaml:1:10: error: bench 'gemm' has no parameter 'kk'; it has m, k, n, type, a, "
            "b, c, stage_a, "
            "stage_b, tile_m, tile_k, tile_n, tiles_in_flight, rotate, plan, cubes, pes; did you "
            "mean 'k'?\n"
            "    1 | command: [run, gemm, --set, kk=1]\n"
            "      |          ^\n"
            "plan.yaml:3:13: error: bench 'gemm' has no parameter 'mm'; it has m, k, n, type, a, "
            "b, c, stage_a, "
            "stage_b, tile_m, tile_k, tile_n, tiles_in_flight, rotate, plan, cubes, pes; did you "
            "mean 'm'?\n"
            "    3 |   bench.mm: [64, 128]\n"
            "      |             ^\n"
            "plan.yaml:4:25: error: unknown key 'clok_ghz'\n"
            "    4 |   topology.pe.clok_ghz: [1, 2]\n"
            "      |                         ^\n"
            "  hint: did you mean 'clock_ghz'?\n");
  EXPECT_THAT(cli_test::files_under(folder_.path()), ElementsAre("plan.yaml"));
}

TEST_F(SweepCommandTest, RunsAPlanIfOneOfItsPointsCanRun) {
  (void)folder_.write("plan.yaml",
                      "command: [run]\n"
                      "parameters: {bench: [copi, softmax], bench.rows: [8]}\n"
                      "targets: {data.end_ps: min}\n");
  EXPECT_THAT(run({"plan.yaml"}).out, HasSubstr("FAIL  2 points (1 exact), 1 bad-input; wrote"));
}

TEST_F(SweepCommandTest, RefusesATargetThatNoReportHas) {
  (void)folder_.write("plan.yaml",
                      "command: [run, vector-add]\n"
                      "parameters: {bench.rows: [8, 16]}\n"
                      "targets: {data.end_ps: min, data.flit_hop: min, data.launches: none}\n");
  const cli_test::Finished finished = run({"plan.yaml"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "plan.yaml:3:44: error: no report has a field 'data.flit_hop' with one value; did you "
            "mean 'data.flit_hops'?\n"
            "    3 | targets: {data.end_ps: min, data.flit_hop: min, data.launches: none}\n"
            "      |                                            ^\n"
            "  hint: write a report with kernbench run vector-add --json FILE\n"
            "plan.yaml:3:64: error: no report has a field 'data.launches' with one value\n"
            "    3 | targets: {data.end_ps: min, data.flit_hop: min, data.launches: none}\n"
            "      |                                                                ^\n"
            "  hint: write a report with kernbench run vector-add --json FILE\n");
  EXPECT_THAT(cli_test::files_under(folder_.path()), ElementsAre("plan.yaml"));
}

TEST_F(SweepCommandTest, TheShippedPlanPasses) {
  EXPECT_EQ(run({places::source("/configs/sweeps/gemm-clock.yaml")}).out,
            "least data.end_ps: 6.3778 us with bench.m=128, topology.pe.clock_ghz=2,\n"
            "  topology.cube.memory_map.hbm_total_bw_gbs=2048; data.flit_hops 174588\n"
            "PASS  12 points (12 exact); wrote gemm-clock.db and gemm-clock.csv\n");
}

TEST_F(SweepCommandTest, AnswersWithACostAndALimit) {
  const std::string plan =
      "command: [run, softmax]\n"
      "parameters: {bench.rows: [64, 128], topology.pe.clock_ghz: [1, 2]}\n"
      "constraints: ['time < 4.3 us']\n"
      "targets:\n"
      "  cost: {of: topology.pe.clock_ghz * topology.system.sips.count, goal: min, unit: $}\n"
      "  time: {of: data.end_ps / 1e6, unit: us}\n";
  (void)folder_.write("plan.yaml", plan);
  EXPECT_EQ(run({"plan.yaml"}).out,
            "least cost: 2 $ with bench.rows=64, topology.pe.clock_ghz=1; time 4.1951 us\n"
            "PASS  4 points (4 exact); wrote plan.db and plan.csv\n");
  EXPECT_THAT(text_of("plan.csv"), HasSubstr(",128,1,pass,exact,2,5.299132\n"));
  (void)folder_.write("plan.yaml", std::regex_replace(plan, std::regex("4.3"), "0.1"));
  const cli_test::Finished none = run({"plan.yaml"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.out, EndsWith("\nno point satisfies time < 0.1 us\nVACUOUS  4 points (4 exact); "
                                 "wrote plan.db and plan.csv\n"));
}

TEST_F(SweepCommandTest, SearchesForTheBestPoint) {
  (void)folder_.write(
      "plan.yaml", std::string("command: [run, softmax") + kOneCube +
                       "parameters: {bench.rows: [8, 16, 32, 64], bench.columns: [64, 128, 256]}\n"
                       "sample: {kind: search, points: 8}\n"
                       "targets: {data.end_ps: min}\n");
  const cli_test::Finished finished = run({"plan.yaml"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              StartsWith("search: 12 points screened by --fidelity=message, 8 of them in full\n"));
  EXPECT_THAT(finished.out, HasSubstr("\nleast data.end_ps: 2.06385 us with bench.rows=8, "
                                      "bench.columns=64\nPASS  8 points (8 exact); wrote plan.db "
                                      "and plan.csv\n"));
  EXPECT_EQ(farm::Store(path("plan.screen.db")).table().rows.size(), 12U);
  // The same command finds all that it needs.
  EXPECT_THAT(run({"plan.yaml"}).out, StartsWith("12 of 12 points are in 'plan.screen.db' already\n"
                                                 "8 of 12 points are in 'plan.db' already\n"));
}

TEST_F(SweepCommandTest, SaysWhichKeyATopologyLacks) {
  (void)folder_.write("plan.yaml",
                      "command: [run, softmax]\nparameters: {bench.rows: [8]}\n"
                      "targets: {cost: {of: topology.system.sips.cnt}}\n");
  EXPECT_EQ(run({"plan.yaml"}).err,
            "plan.yaml:3:17: error: the topology of the points has no key 'system.sips.cnt' with "
            "one value; did you mean 'system.sips.count'?\n"
            "    3 | targets: {cost: {of: topology.system.sips.cnt}}\n"
            "      |                 ^\n");
  EXPECT_THAT(cli_test::files_under(folder_.path()), ElementsAre("plan.yaml"));
}

TEST_F(SweepCommandTest, SweepsSimulationsWithAFolderOfReportsEach) {
  (void)folder_.write(
      "plan.yaml",
      std::string("command: [sim, --model, ") + places::kReferenceModel +
          ", --no-structure, --fabric, 4x3, --suite, uniform, --seeds, 1, --cycles, 200]\n"
          "parameters: {seed: [1, 2]}\n"
          "targets: {'data.cases[0].delivered': max}\n");
  const cli_test::Finished finished = run({"plan.yaml"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, EndsWith("\nPASS  2 points; wrote plan.db and plan.csv\n"));
  EXPECT_TRUE(std::filesystem::exists(path("plan.reports/seed=2/report.json")));
}

TEST_F(SweepCommandTest, ThePointRunsAgainWhenAFileThatItReadsHasChanged) {
  (void)folder_.write("system.yaml", "sip: {cube_mesh: {w: 2, h: 1}}\n");
  (void)folder_.write("plan.yaml",
                      "command: [run, vector-add, --topology, system.yaml]\n"
                      "parameters: {bench.rows: [64]}\ntargets: {data.end_ps: min}\n");
  EXPECT_EQ(run({"plan.yaml"}).exit_code, 0);
  EXPECT_THAT(run({"plan.yaml"}).out, HasSubstr("1 of 1 points are in 'plan.db' already\n"));
  (void)folder_.write("system.yaml", "sip: {cube_mesh: {w: 1, h: 1}}\n");
  EXPECT_THAT(run({"plan.yaml"}).out,
              EndsWith("\nPASS  1 point (1 exact); wrote plan.db and plan.csv\n"));
  const farm::Table table = farm::Store(path("plan.db")).table();
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.former, 1U);
}

TEST_F(SweepCommandTest, ThePointRunsAgainWhenAFileOfAParameterHasChanged) {
  const std::string model =
      "name: a\nhidden: 16\nlayers: 1\nheads: 2\nfeed_forward: 16\nvocabulary: 16\n";
  (void)folder_.write("a.yaml", model);
  (void)folder_.write(
      "plan.yaml", std::string("command: [run, transformer, --set, model=a.yaml, --set, prompt=4") +
                       kOneCube +
                       "parameters: {bench.batch: [1, 2]}\n"
                       "targets: {data.end_ps: min}\n");
  EXPECT_EQ(run({"plan.yaml"}).out,
            "least data.end_ps: 43.4107 us with bench.batch=1\n"
            "PASS  2 points (2 exact); wrote plan.db and plan.csv\n");
  const std::string first = text_of("plan.csv");
  (void)folder_.write("a.yaml", model + "head_size: 32\n");
  EXPECT_EQ(run({"plan.yaml"}).exit_code, 0);
  EXPECT_NE(text_of("plan.csv"), first);
}

TEST_F(SweepCommandTest, ThePointRunsAgainWhenItsTransfersHaveChanged) {
  const std::string head = "time_ps,src,dst,bytes,qos,type\n";
  (void)folder_.write("plan.yaml",
                      "command: [cosim, --workload, transfers.csv, --fabric, analytic]\n"
                      "parameters: {seed: [1]}\ntargets: {config_hash: none}\n");
  (void)folder_.write("transfers.csv", head + "0,0,1,64,low,unicast\n");
  EXPECT_EQ(run({"plan.yaml"}).exit_code, 0);
  EXPECT_THAT(run({"plan.yaml"}).out, HasSubstr("1 of 1 points are in 'plan.db' already"));
  (void)folder_.write("transfers.csv", head + "0,0,1,65,low,unicast\n");
  EXPECT_EQ(run({"plan.yaml"}).out, "PASS  1 point (1 estimate); wrote plan.db and plan.csv\n");
}

TEST_F(SweepCommandTest, RefusesACommandThatHasNothingToRunOrWritesAFile) {
  const auto refusal = [&](const std::string& command) {
    (void)folder_.write("plan.yaml", "command: " + command +
                                         "\nparameters: {device: [0]}\n"
                                         "targets: {config_hash: none}\n");
    const cli_test::Finished finished = run({"plan.yaml"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(path("plan.db")));
    return finished.err;
  };
  EXPECT_THAT(refusal("[run]"),
              HasSubstr("plan.yaml:1:10: error: kernbench run needs the argument bench\n"));
  EXPECT_THAT(refusal("[run, gemm, --export-chakra, t]"),
              HasSubstr("plan.yaml:1:10: error: a sweep does not take '--export-chakra' of a "
                        "command\n"));
}

TEST_F(SweepCommandTest, SweepsKeysOfATopology) {
  (void)folder_.write("plan.yaml",
                      "command: [run, vector-add, --set, rows=64]\n"
                      "parameters: {topology.system.flit_bytes: [128, 256]}\n"
                      "targets: {data.flit_hops: min}\n");
  EXPECT_EQ(run({"plan.yaml"}).exit_code, 0);
  const farm::Table table = farm::Store(path("plan.db")).table();
  EXPECT_THAT(table.rows[0].targets, ElementsAre(38224));
  EXPECT_THAT(table.rows[1].targets, ElementsAre(11812));
}

TEST_F(SweepCommandTest, ShowsComparesAndRemovesRows) {
  (void)folder_.write("plan.yaml",
                      "command: [run, softmax]\n"
                      "parameters: {bench.rows: [8, 64, many]}\n"
                      "targets: {data.end_ps: min, data.operations: none}\n");
  EXPECT_EQ(run({"plan.yaml"}).exit_code, 1);
  const farm::Table table = farm::Store(path("plan.db")).table();
  EXPECT_EQ(run({"show", "plan.db", "--rows", "2", "--csv", "rows.csv"}).out,
            "kernbench run softmax\n"
            "3 of 3 points have a row, 1 failed\n"
            "least data.end_ps: 2.22772 us with bench.rows=8; data.operations 74\n"
            "\n"
            "rows  data.end_ps  data.operations  outcome  grade\n"
            "   8    2,227,724               74  pass     exact\n"
            "  64    4,195,100              578  pass     exact\n"
            "and 1 more; --rows shows them\n"
            "\n"
            "Pareto front: 1 of 3 rows\n"
            "rows  data.end_ps  data.operations  outcome  grade\n"
            "   8    2,227,724               74  pass     exact\n"
            "\n"
            "target           parameter   least mean  largest mean       effect\n"
            "data.end_ps      rows       2.22772e+06    4.1951e+06  1.96738e+06\n"
            "data.operations  rows                74           578          504\n");
  EXPECT_EQ(text_of("rows.csv"), text_of("plan.csv"));

  EXPECT_EQ(run({"compare", "plan.db", "plan.db"}).out, "PASS  3 points are equal\n");
  (void)folder_.write("other.yaml",
                      "command: [run, softmax, --set, columns=256]\n"
                      "parameters: {bench.rows: [8, 16]}\n"
                      "targets: {data.end_ps: min}\n");
  EXPECT_EQ(run({"other.yaml"}).exit_code, 0);
  const cli_test::Finished compared = run({"compare", "plan.db", "other.db"});
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_EQ(compared.out,
            "bench.rows=8: data.end_ps 2227724 -> 2123724 (-4.67 %)\n"
            "3 points are in one of the databases only\n"
            "MISMATCH  1 of 1 points differ\n");

  const cli_test::Finished unknown = run({"rm", "plan.db", "abc", table.rows[0].key});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err,
            "error: 'plan.db' has no row with the key 'abc'\n"
            "  hint: kernbench sweep show plan.db --csv FILE writes them\n");
  EXPECT_EQ(run({"rm", "plan.db"}).err,
            "error: kernbench sweep rm needs either keys or --failed\n");
  EXPECT_EQ(run({"rm", "plan.db", "--failed"}).out, "removed 1 row from 'plan.db'\n");
  EXPECT_EQ(run({"rm", "plan.db", table.rows[1].key}).out, "removed 1 row from 'plan.db'\n");
  EXPECT_EQ(farm::Store(path("plan.db")).finished().size(), 1U);
}

TEST_F(SweepCommandTest, RefusesToCompareSweepsOfOtherParametersOrTargets) {
  const auto sweep = [this](const std::string& name, const std::string& rest) {
    (void)folder_.write(name + ".yaml", "command: [run, vector-add]\n" + rest);
    EXPECT_EQ(run({name + ".yaml"}).exit_code, 0);
  };
  sweep("a", "parameters: {bench.rows: [8]}\ntargets: {data.end_ps: min}\n");
  sweep("b", "parameters: {bench.columns: [8]}\ntargets: {data.end_ps: min}\n");
  sweep("c", "parameters: {bench.rows: [8]}\ntargets: {data.operations: min}\n");
  sweep("d", "parameters: {bench.rows: [16]}\ntargets: {data.end_ps: min}\n");
  EXPECT_EQ(run({"compare", "a.db", "b.db"}).err,
            "error: 'a.db' has the parameters bench.rows, but 'b.db' has bench.columns\n");
  EXPECT_EQ(run({"compare", "a.db", "c.db"}).err,
            "error: 'a.db' and 'c.db' have no target in common\n");
  const cli_test::Finished apart = run({"compare", "a.db", "d.db"});
  EXPECT_EQ(apart.exit_code, 1);
  EXPECT_EQ(apart.out,
            "2 points are in one of the databases only\n"
            "VACUOUS  the databases have no point in common\n");
}

TEST_F(SweepCommandTest, ComparesMediansByTheirBands) {
  const auto sweep = [this](const std::string& name, const std::string& more) {
    (void)folder_.write(name + ".yaml",
                        "command: [run, gemm, --set, k=128, --set, n=128, --spread, 5" + more +
                            "]\nparameters: {bench.m: [256]}\n"
                            "targets: {'data.spread.times[0].median_ps': min}\n");
    EXPECT_EQ(run({name + ".yaml"}).exit_code, 0);
  };
  sweep("before", "");
  sweep("drawn", ", --seed, 100");
  sweep("slow", ", --set, topology.cube.hbm_ctrl.attrs.overhead_ns=900");
  const cli_test::Finished drawn = run({"compare", "before.db", "drawn.db"});
  EXPECT_EQ(drawn.exit_code, 0);
  EXPECT_THAT(drawn.out,
              ContainsRegex("^bench\\.m=256: data\\.spread\\.times\\[0\\]\\.median_ps [0-9]+ "
                            "-> [0-9]+: no difference \\([-+][0-9.]+ %, the band is "
                            "[0-9.]+ %\\)\n"));
  EXPECT_THAT(drawn.out, EndsWith("\nPASS  1 points have no difference: 0 are equal, 1 differ "
                                  "within their bands\n"));
  const cli_test::Finished slow = run({"compare", "before.db", "slow.db"});
  EXPECT_EQ(slow.exit_code, 1);
  EXPECT_THAT(slow.out, ContainsRegex(": \\+[0-9.]+ %, the band is [0-9.]+ %\nMISMATCH  1 of 1 "
                                      "points differ\n$"));
}

TEST_F(SweepCommandTest, AJobWithoutPointsIsRefused) {
  farm::Job job;
  job.folder = folder_.path();
  job.results = (folder_.path() / "results").string();
  const std::string file = folder_.write("none.json", farm::render_job(job)).string();
  const cli_test::Finished none =
      cli_test::kernbench({"job", "run", file}, folder_.path(), folder_.path());
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err, "error: " + file + ": a job without points\n");
}

TEST_F(SweepCommandTest, AJobFileRunsByItself) {
  farm::Job job;
  job.folder = folder_.path().string();
  job.results = path("0.results").string();
  job.targets = {"data.end_ps"};
  job.points = {{"k1", 2, {"run", "vector-add", "--set=rows=64"}}, {"k2", 1, {"run", "vector-ad"}}};
  const cli_test::Finished finished =
      cli_test::kernbench({"job", "run", folder_.write("0.json", farm::render_job(job)).string()},
                          folder_.path(), scratch_.path());
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out + finished.err, "");
  std::uintmax_t offset = 0;
  const std::vector<farm::PointResult> results = farm::read_results(path("0.results"), offset);
  ASSERT_EQ(results.size(), 4U);
  EXPECT_FALSE(results[0].outcome.has_value());
  EXPECT_EQ(results[1].attempt, 2U);
  EXPECT_EQ(results[1].outcome, common::Outcome::Pass);
  EXPECT_THAT(results[1].report,
              HasSubstr("\"command\": \"kernbench run vector-add --set=rows=64\""));
  EXPECT_EQ(results[3].outcome, common::Outcome::BadInput);
  EXPECT_EQ(results[3].message, "unknown bench 'vector-ad'; did you mean 'vector-add'?");
  EXPECT_THAT(results[3].targets, ElementsAre(nullptr));
}

}  // namespace
}  // namespace kernbench
