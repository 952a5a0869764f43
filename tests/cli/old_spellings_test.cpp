// SPDX-License-Identifier: Apache-2.0
#include "cli/line/old_spellings.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OldSpellings, ABenchIsAnArgumentNow) {
  const Respelled run = with_new_spellings({"--plugin", "p.so", "run", "--bench", "gemm", "-q"});
  EXPECT_THAT(run.words, ElementsAre("--plugin", "p.so", "run", "gemm", "-q"));
  EXPECT_THAT(run.notes, ElementsAre("'run --bench gemm' is 'run gemm' now; the old spelling works "
                                     "until 0.4"));
  const Respelled record = with_new_spellings({"kernel", "record", "--bench=softmax"});
  EXPECT_THAT(record.words, ElementsAre("kernel", "record", "softmax"));
  EXPECT_THAT(record.notes,
              ElementsAre("'kernel record --bench softmax' is 'kernel record softmax' "
                          "now; the old spelling works until 0.4"));
}

/// Expects that the words of `before` are those of `now` today, with these notes.
void expect_respelled(const Words& before, const Words& now,
                      const std::vector<std::pair<std::string, std::string>>& notes) {
  const Respelled out = with_new_spellings(before);
  EXPECT_EQ(out.words, now);
  std::vector<std::string> expected;
  for (const auto& [old, today] : notes) {
    expected.push_back(
        fmt::format("'{}' is '{}' now; the old spelling works until 0.4", old, today));
  }
  EXPECT_EQ(out.notes, expected);
}

TEST(OldSpellings, ARegressionIsAnArgumentNowAndNamesItsDevice) {
  expect_respelled({"-q", "sim", "--config=a.yaml", "--seed", "7"},
                   {"-q", "sim", "a.yaml", "--seed", "7"}, {{"sim --config a.yaml", "sim a.yaml"}});
  expect_respelled({"sim", "--network", "--suite", "tour"},
                   {"sim", "configs/regressions/network.yaml", "--suite", "tour"},
                   {{"sim --network", "sim configs/regressions/network.yaml"}});
  expect_respelled({"sim", "--network", "--config", "a.yaml"}, {"sim", "a.yaml"},
                   {{"sim --config a.yaml", "sim a.yaml"}});
}

TEST(OldSpellings, ModesAreCommandsNow) {
  expect_respelled({"sim", "--structure-only", "--fabric", "3x5"}, {"structure", "--fabric", "3x5"},
                   {{"sim --structure-only", "structure"}});
  expect_respelled({"sim", "--network", "--structure-only"}, {"structure", "network"},
                   {{"sim --structure-only", "structure network"}});
  expect_respelled({"sim", "--rtl-dir", "my", "--replay", "pins.json"},
                   {"replay", "pins.json", "--rtl-dir", "my"},
                   {{"sim --replay pins.json", "replay pins.json"}});
  expect_respelled(
      {"soak", "--config", "a.yaml", "--packets", "9", "--jobs", "2"},
      {"sim", "a.yaml", "--jobs", "2", "--packets", "9", "--resume", "--report", "build/soak"},
      {{"soak", "sim --packets 9 --resume --report build/soak"},
       {"sim --config a.yaml", "sim a.yaml"}});
  expect_respelled({"soak", "--folder", "f"},
                   {"sim", "--packets", "100000000000", "--resume", "--report", "f"},
                   {{"soak", "sim --packets 100000000000 --resume --report f"}});
  expect_respelled({"run", "--chakra", "t/step", "--chakra-compute=ops", "--set", "a=b"},
                   {"replay", "t/step.et", "--set", "a=b", "--compute", "ops"},
                   {{"run --chakra t/step", "replay t/step.et"}});
  expect_respelled({"topology", "schema"}, {"schema", "inputs/topology"},
                   {{"topology schema", "schema inputs/topology"}});
}

TEST(OldSpellings, OptionsOfAClusterAreSettingsOfItsEngine) {
  expect_respelled(
      {"sweep", "p.yaml", "--engine=slurm", "--partition", "a", "--mem=2G",
       "--submit-option=--nice=1", "--submit-option=-x", "--dry-run"},
      {"sweep", "p.yaml", "--engine", "slurm:partition=a,mem=2G,submit=--nice=1,submit=-x,dry-run"},
      {{"the options of a cluster",
        "--engine slurm:partition=a,mem=2G,submit=--nice=1,submit=-x,dry-run"}});
  expect_respelled({"sim", "--time", "1:00"}, {"sim", "--engine", "local:time=1:00"},
                   {{"the options of a cluster", "--engine local:time=1:00"}});
}

TEST(OldSpellings, OptionsHaveOneNameInAllCommands) {
  expect_respelled({"serve", "--load", "0.5"}, {"serve", "--loads", "0.5"},
                   {{"serve --load", "serve --loads"}});
  expect_respelled({"run", "gemm", "--sample-seed=7"}, {"run", "gemm", "--seed", "7"},
                   {{"run --sample-seed", "run --seed"}});
  expect_respelled({"run", "gemm", "--what-if", "pe.clock_ghz*2", "--confirm"},
                   {"run", "gemm", "--what-if", "pe.clock_ghz*2"},
                   {{"--what-if X --confirm", "--what-if X"}});
  expect_respelled({"evaluate", "gemm", "--sample-seed", "7"}, {"evaluate", "gemm", "--seed", "7"},
                   {{"evaluate --sample-seed", "evaluate --seed"}});
  expect_respelled({"coverage", "report", "--missed", "9", "a.json"},
                   {"coverage", "report", "a.json", "--rows", "9"},
                   {{"coverage report --missed", "coverage report --rows"}});
  expect_respelled({"sim", "--packets", "9", "--chunks", "2"},
                   {"sim", "--packets", "9", "--seeds", "2"}, {{"sim --chunks", "sim --seeds"}});
  expect_respelled({"sweep", "p.yaml", "--out", "p.db"}, {"sweep", "p.yaml", "--output", "p.db"},
                   {{"sweep --out", "sweep --output"}});
  expect_respelled({"model", "NX=4", "--out", "m"}, {"model", "NX=4", "--output", "m"},
                   {{"model --out", "model --output"}});
  expect_respelled({"serve", "--hf", "c.json"}, {"serve", "--set", "model=c.json"},
                   {{"--hf c.json", "--set model=c.json"}});
  expect_respelled({"cosim", "--fault", "receiver_sleeps", "--fault-cycles", "40"},
                   {"cosim", "--fault", "receiver_sleeps:40"},
                   {{"--fault receiver_sleeps --fault-cycles 40", "--fault receiver_sleeps:40"}});
}

TEST(OldSpellings, WhatIsNewIsLeftAlone) {
  for (const Words& words : {Words{"run", "gemm", "--set", "m=8"}, Words{"run", "--bench"},
                             Words{"probe", "--bench", "x"}, Words{"--bench", "run"}, Words{},
                             Words{"--plugin", "soak", "list"}, Words{"replay", "--network"},
                             Words{"sim", "a.yaml", "--packets", "9"}, Words{"--plugin"}}) {
    const Respelled out = with_new_spellings(words);
    EXPECT_EQ(out.words, words);
    EXPECT_THAT(out.notes, IsEmpty());
  }
}

TEST(OldSpellings, RunWithANoteAndTheReportHasTheNewOne) {
  const common::TempFolder folder;
  const cli_test::Finished old =
      cli_test::kernbench({"run", "--bench", "vector-add", "--set", "rows=64", "--json", "r.json"},
                          folder.path(), folder.path());
  EXPECT_EQ(old.exit_code, 0);
  EXPECT_EQ(
      old.err,
      "warning: 'run --bench vector-add' is 'run vector-add' now; the old spelling works until "
      "0.4\n");
  const std::string report = common::read_text_file(folder.path() / "r.json");
  EXPECT_THAT(report,
              ::testing::HasSubstr("\"kernbench run vector-add --set rows=64 --json r.json\""));
}

}  // namespace
}  // namespace kernbench::cli
