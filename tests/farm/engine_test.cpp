// SPDX-License-Identifier: Apache-2.0
// Engines: their files, their commands and the answers of a cluster.
#include "farm/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;

const std::string kEngines = KB_SOURCE_DIR "/configs/engines/";

TEST(Engine, WritesTheCommandsOfSlurm) {
  const Engine slurm = read_engine(kEngines + "slurm.yaml");
  const ArrayOfTasks array = {
      "/opt/kern bench", "/home/a b/x.db.jobs", 3, 12, {{"partition", "main"}, {"mem", "2G"}},
      {"-A", "chip"}};
  const std::string name = name_of(array);
  EXPECT_EQ(name, "kernbench-b226a2f6-3");
  EXPECT_THAT(
      words_of(slurm, slurm.submit, array),
      ElementsAre("sbatch", "--parsable", "--job-name=" + name, "--array=1-12", "--no-requeue",
                  "--ntasks=1", "--chdir=/home/a b/x.db.jobs",
                  "--output=/home/a b/x.db.jobs/3-%a.log", "--mem=2G", "--partition=main", "-A",
                  "chip", "--wrap",
                  "exec '/opt/kern bench' job run '/home/a b/x.db.jobs/3-'\"$SLURM_ARRAY_TASK_ID\""
                  ".json"));
  EXPECT_THAT(words_of(slurm, slurm.cancel, array),
              ElementsAre("scancel", "--me", "--name=" + name));
}

TEST(Engine, SplitsOptionsOfSeveralWords) {
  const Engine lsf = read_engine(kEngines + "lsf.yaml");
  const ArrayOfTasks array = {"/k", "/j", 1, 2, {{"partition", "long"}}, {}};
  EXPECT_THAT(words_of(lsf, lsf.submit, array),
              ElementsAre("bsub", "-J", name_of(array) + "[1-2]", "-rn", "-o", "/j/1-%I.log", "-q",
                          "long", "exec /k job run /j/1-\"$LSB_JOBINDEX\".json"));
}

TEST(Engine, RefusesOptionsThatItDoesNotHave) {
  Engine slurm = read_engine(kEngines + "slurm.yaml");
  slurm.file = "slurm.yaml";
  const ArrayOfTasks array = {"/k", "/j", 1, 1, {{"queue", "x"}}, {}};
  EXPECT_EQ(common::bad_input_of([&] { (void)words_of(slurm, slurm.submit, array); }),
            "error: slurm.yaml: the engine has no option 'queue'; add it under 'options'");
}

TEST(Engine, ReadsTheTasksThatHaveNotEnded) {
  const Engine slurm = read_engine(kEngines + "slurm.yaml");
  const auto tasks = tasks_in(slurm,
                              "1 RUNNING node1\n2 COMPLETED node2\n3 PENDING \nN/A CANCELLED \n\n"
                              "10 COMPLETING node3\n11 NODE_FAIL node4\n");
  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_TRUE(tasks.at(1).running);
  EXPECT_EQ(tasks.at(1).node, "node1");
  EXPECT_FALSE(tasks.at(3).running);
  EXPECT_EQ(tasks.at(3).node, "");
  EXPECT_TRUE(tasks.at(10).running);
  Engine named = slurm;
  named.file = "x.yaml";
  EXPECT_EQ(
      common::bad_input_of([&] { (void)tasks_in(named, "one RUNNING node1\n"); }),
      "error: x.yaml: 'poll' printed 'one RUNNING node1', expected the number of a task, its state "
      "and its node");
}

TEST(Engine, ReportsAllErrorsOfItsFile) {
  const common::TempFolder folder;
  const std::filesystem::path file = folder.write("e.yaml",
                                                  "submit: [sbatch]\n"
                                                  "task: $ID\n"
                                                  "poll: [squeue, '{name}']\n"
                                                  "cancle: [scancel, '{name}']\n"
                                                  "waiting: [PENDING]\n"
                                                  "running: [RUNNING]\n"
                                                  "options: {mem: [--mem]}\n");
  const std::string where = file.string();
  EXPECT_EQ(common::bad_input_of([&] { (void)read_engine(file); }),
            where +
                ":1:1: error: missing key 'cancel'\n"
                "    1 | submit: [sbatch]\n"
                "      | ^\n"
                "  hint: it must be a list of at least 1 item\n" +
                where +
                ":1:9: error: 'submit' needs the placeholder {name}\n"
                "    1 | submit: [sbatch]\n"
                "      |         ^\n"
                "  hint: tasks are found again by the name of their array\n" +
                where +
                ":4:1: error: unknown key 'cancle'\n"
                "    4 | cancle: [scancel, '{name}']\n"
                "      | ^\n"
                "  hint: did you mean 'cancel'?\n" +
                where +
                ":7:16: error: option 'mem' needs the placeholder {value}\n"
                "    7 | options: {mem: [--mem]}\n"
                "      |                ^");
}

}  // namespace
}  // namespace kernbench::farm
