// SPDX-License-Identifier: Apache-2.0
// Engines: their files, their commands and the answers of a cluster.
#include "farm/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "farm/cluster_engine.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;

const std::string kEngines = places::source("/configs/engines/");

TEST(Engine, WritesTheCommandsOfSlurm) {
  const Engine slurm = read_engine(kEngines + "slurm.yaml");
  ArrayOfTasks array = {
      "/opt/kern bench", "/a b/x.db.jobs/3", 12, {{"partition", "main"}, {"mem", "2 G"}},
      {"-A", "chip x"},  {"node2", "node7"}};
  EXPECT_EQ(command_for(slurm, slurm.submit, array),
            "avoid=node2,node7\n"
            "sbatch --parsable --no-requeue --open-mode=append --job-name=kernbench-36a30c94 "
            "--array=1-12 --output='/a b/x.db.jobs/3'/%a.log \\\n"
            "  ${avoid:+--exclude=\"$avoid\"} --mem='2 G' --partition=main -A 'chip x' <<'END'\n"
            "#!/bin/sh\n"
            "exec '/opt/kern bench' job run '/a b/x.db.jobs/3'/\"$SLURM_ARRAY_TASK_ID\".json\n"
            "END\n");
  array.job = "77";
  EXPECT_EQ(command_for(slurm, slurm.cancel, array), "scancel 77");
}

TEST(ChunkSizes, FallAtTheEndSoThatAllNodesEndTogether) {
  EXPECT_THAT(chunk_sizes(100, 10, 2),
              ElementsAre(6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 3, 2, 2, 1, 1, 1, 1));
  EXPECT_THAT(chunk_sizes(3, 10, 4), ElementsAre(1, 1, 1));
  EXPECT_THAT(chunk_sizes(0, 10, 4), ::testing::IsEmpty());
}

TEST(ChunkSizes, HaveAtMostTheTimeOfAChunkAndTheTasksOfAnArray) {
  const std::vector<std::size_t> by_time = chunk_sizes(960, 30, 4);
  EXPECT_EQ(by_time.front(), 30U);
  EXPECT_EQ(std::accumulate(by_time.begin(), by_time.end(), std::size_t{0}), 960U);
  EXPECT_LE(by_time.size(), 50U);
  const std::vector<std::size_t> by_limit = chunk_sizes(9'999, 0.5, 4);
  EXPECT_EQ(by_limit.size(), 1'000U);
  EXPECT_EQ(by_limit.front(), 10U);
  EXPECT_EQ(by_limit.back(), 9U);
}

TEST(Engine, RefusesOptionsThatItDoesNotHave) {
  Engine slurm = read_engine(kEngines + "slurm.yaml");
  slurm.file = "slurm.yaml";
  const ArrayOfTasks array = {"/k", "/j", 1, {{"queue", "x"}}, {}};
  EXPECT_EQ(common::bad_input_of([&] { (void)command_for(slurm, slurm.submit, array); }),
            "error: slurm.yaml: the engine has no option 'queue'; add it under 'options'");
}

TEST(Engine, ReadsTheTasks) {
  Engine engine;
  engine.file = "x.yaml";
  const auto tasks = tasks_in(engine,
                              "1 running node1 \n3 waiting - Resources\n"
                              "10 failed node3 exit code 2, restart 1\n11 lost node4 NODE_FAIL\n");
  ASSERT_EQ(tasks.size(), 4U);
  EXPECT_EQ(tasks.at(1).state, TaskState::Running);
  EXPECT_EQ(tasks.at(1).node, "node1");
  EXPECT_EQ(tasks.at(1).detail, "");
  EXPECT_EQ(tasks.at(3).node, "");
  EXPECT_FALSE(tasks.at(3).ended());
  EXPECT_TRUE(tasks.at(10).ended());
  EXPECT_EQ(tasks.at(10).detail, "exit code 2, restart 1");
  EXPECT_EQ(tasks.at(11).state, TaskState::Lost);
  for (const char* const line : {"one running node1", "1 runing node1", "1 running"}) {
    EXPECT_EQ(common::bad_input_of([&] { (void)tasks_in(engine, line); }),
              "error: x.yaml: 'poll' printed '" + std::string(line) +
                  "', expected the number of a task, its state and its node");
  }
}

TEST(Engine, ReportsAllErrorsOfItsFile) {
  const common::TempFolder folder;
  const std::filesystem::path file = folder.write("e.yaml",
                                                  "submit: sbatch {kernbench} {folder}\n"
                                                  "poll: squeue {job}\n"
                                                  "cancle: scancel {job}\n"
                                                  "options: {mem: --mem}\n");
  const std::string where = file.string();
  EXPECT_EQ(common::bad_input_of([&] { (void)read_engine(file); }),
            where +
                ":1:1: error: missing key 'cancel'\n"
                "    1 | submit: sbatch {kernbench} {folder}\n"
                "      | ^\n"
                "  hint: it must be text\n" +
                where +
                ":1:9: error: 'submit' needs the placeholder {chunks}\n"
                "    1 | submit: sbatch {kernbench} {folder}\n"
                "      |         ^\n" +
                where +
                ":3:1: error: unknown key 'cancle'\n"
                "    3 | cancle: scancel {job}\n"
                "      | ^\n"
                "  hint: did you mean 'cancel'?\n" +
                where +
                ":4:16: error: 'mem' needs the placeholder {value}\n"
                "    4 | options: {mem: --mem}\n"
                "      |                ^");
}

}  // namespace
}  // namespace kernbench::farm
