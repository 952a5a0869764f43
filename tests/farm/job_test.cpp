// SPDX-License-Identifier: Apache-2.0
// Job files and the lines of their results.
#include "farm/job.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/diagnostics.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

PointResult a_result() {
  PointResult result;
  result.key = "k1";
  result.attempt = 2;
  result.outcome = common::Outcome::Mismatch;
  result.message = "it \xff differs";
  result.targets = {7, nullptr, 0.5, "x"};
  result.has_report = true;
  result.grade = "exact";
  result.report = "{}\n";
  result.seconds = 1.5;
  result.worker = "host";
  return result;
}

TEST(Job, IsReadAsItWasWritten) {
  const common::TempFolder folder;
  const Job job = {
      "/some where",
      "/r \"x\"\\y",
      {"data.a"},
      {{"k1", 1, {"run", "--set", "a=\\ '\"\xc3\xa9"}, "/r/1.part"}, {"k2", 3, {"probe"}}},
      "/bin/a program"};
  const Job read = read_job(folder.write("job.json", render_job(job)));
  EXPECT_EQ(render_job(read), render_job(job));
  EXPECT_THAT(read.points[0].command, ElementsAre("run", "--set", "a=\\ '\"\xc3\xa9"));
  EXPECT_EQ(read.points[0].result, "/r/1.part");
  EXPECT_EQ(read.points[1].result, "");
  EXPECT_EQ(read.program, "/bin/a program");
}

TEST(Job, RunsACommandOfItsProgramThatLeavesItsResultInAFile) {
  const common::TempFolder folder;
  const std::string left = (folder.path() / "left").string();
  const Job job = {folder.path().string(),
                   (folder.path() / "0.results").string(),
                   {},
                   {{"k1", 1, {left}, left}},
                   "/usr/bin/touch"};
  EXPECT_EQ(run_job(job, "/bin/false"), common::Outcome::Pass);
  EXPECT_THAT(ended_points(job.results), ElementsAre("k1"));
}

TEST(Job, EndsAtAPointWithoutAResultSoThatItIsStartedAgain) {
  const common::TempFolder folder;
  const Job job = {folder.path().string(),
                   (folder.path() / "0.results").string(),
                   {},
                   {{"k1", 1, {"no/such"}, "no/such"}, {"k2", 1, {"x"}}},
                   "/usr/bin/touch"};
  EXPECT_EQ(common::bad_input_of([&] { (void)run_job(job, "/bin/true"); }),
            "error: the command of point k1 left no result; its exit code was 1\n"
            "/usr/bin/touch: cannot touch 'no/such': No such file or directory\n");
  std::uintmax_t offset = 0;
  const std::vector<PointResult> results = read_results(job.results, offset);
  ASSERT_THAT(results, SizeIs(1));
  EXPECT_FALSE(results[0].outcome.has_value());
}

TEST(Job, RunsWhatATaskHadNotFinishedWhenItIsStartedAgain) {
  const common::TempFolder folder;
  PointResult finished = a_result();
  finished.key = "k1";
  const std::string results =
      folder
          .write("0.results", render_result({.key = "k1", .attempt = 1}) + render_result(finished) +
                                  render_result({.key = "k2", .attempt = 1}) +
                                  "{\"key\": \"k2\", \"outc")
          .string();
  const Job job = {folder.path().string(), results, {}, {{"k1", 1, {"a"}}, {"k2", 1, {"b"}}}};
  EXPECT_EQ(run_job(job, "/bin/true"), common::Outcome::Pass);
  std::uintmax_t offset = 0;
  std::vector<std::string> lines;
  for (const PointResult& result : read_results(results, offset)) {
    lines.push_back(result.key + (result.outcome ? " ends" : " starts"));
  }
  EXPECT_THAT(lines, ElementsAre("k1 starts", "k1 ends", "k2 starts", "k2 starts", "k2 ends"));
}

TEST(Job, DoesNotRunWithoutItsFolder) {
  const common::TempFolder folder;
  const std::string results = (folder.path() / "0.results").string();
  const Job job = {"/no/such/folder", results, {}, {}};
  EXPECT_EQ(common::bad_input_of([&] { (void)run_job(job, "/bin/true"); }),
            "error: there is no folder '/no/such/folder' here for the commands of the job");
  EXPECT_FALSE(std::filesystem::exists(results));
}

TEST(Job, RefusesAnotherVersionAndMissingKeysAtOnce) {
  const common::TempFolder folder;
  const auto file_named = [&](const char* name) { return (folder.path() / name).string(); };
  const std::filesystem::path file =
      folder.write("job.json",
                   "{\"schema\": 2, \"kind\": \"job\", \"folder\": \"/\", \"results\": \"r\",\n"
                   " \"targets\": [], \"points\": [{\"key\": \"k\", \"comand\": [\"run\"]}]}\n");
  EXPECT_EQ(
      common::bad_input_of([&] { (void)read_job(file); }),
      "" + file_named("job.json") +
          ":1:12: error: 'schema' must be 1, not '2'\n"
          "    1 | {\"schema\": 2, \"kind\": \"job\", \"folder\": \"/\", \"results\": \"r\",\n"
          "      |            ^\n"
          "" +
          file_named("job.json") +
          ":2:28: error: missing key 'attempt'\n"
          "    2 |  \"targets\": [], \"points\": [{\"key\": \"k\", \"comand\": [\"run\"]}]}\n"
          "      |                            ^\n"
          "  hint: it must be an integer from 1 to 4294967295\n"
          "" +
          file_named("job.json") +
          ":2:28: error: missing key 'command'\n"
          "    2 |  \"targets\": [], \"points\": [{\"key\": \"k\", \"comand\": [\"run\"]}]}\n"
          "      |                            ^\n"
          "  hint: it must be a list of at least 1 item\n"
          "" +
          file_named("job.json") +
          ":2:41: error: unknown key 'comand'\n"
          "    2 |  \"targets\": [], \"points\": [{\"key\": \"k\", \"comand\": [\"run\"]}]}\n"
          "      |                                         ^\n"
          "  hint: did you mean 'command'?");
}

TEST(Job, RefusesWhatItCannotRunOrWriteBeforeAnythingIsWritten) {
  const common::TempFolder folder;
  const std::string results = (folder.path() / "0.results").string();
  const auto problem_of = [](const Job& job) {
    return common::bad_input_of([&] { (void)run_job(job, "/bin/true"); });
  };
  EXPECT_EQ(problem_of({folder.path().string(), results, {}, {{"k", 1, {"x"}}}, "/no/such"}),
            "error: there is no program '/no/such' here for the commands of the job");
  EXPECT_EQ(problem_of({folder.path().string(), results, {}, {{"k", 1, {"x"}}}, "/tmp"}),
            "error: there is no program '/tmp' here for the commands of the job");
  EXPECT_FALSE(std::filesystem::exists(results));
  EXPECT_EQ(problem_of({folder.path().string(), folder.path().string(), {}, {}}),
            fmt::format("error: cannot write the results to '{}': it is a folder",
                        folder.path().string()));
  EXPECT_EQ(problem_of({folder.path().string(), "/dev/zero", {}, {}}),
            "error: cannot write the results to '/dev/zero': it is not a regular file");
}

TEST(Job, RefusesTextsWithoutQuotesAndAKeyThatIsThereTwice) {
  const common::TempFolder folder;
  const auto file = folder.write(
      "job.json",
      "{\"schema\": 1, \"kind\": \"job\", \"folder\": 7, \"results\": true, \"targets\": [1],\n"
      "\"points\": [{\"key\": 5, \"attempt\": 1, \"command\": [1]},\n"
      "{\"key\": \"a\", \"attempt\": 1, \"command\": [\"x\"]},\n"
      "{\"key\": \"a\", \"attempt\": 1, \"command\": [\"x\"], \"result\": null}]}\n");
  std::string messages;
  try {
    (void)read_job(file);
  } catch (const common::BadInput& error) {
    for (const common::Diagnostic& diagnostic : error.diagnostics().errors()) {
      messages += fmt::format("{}:{}: {}\n", diagnostic.position.line, diagnostic.position.column,
                              diagnostic.message);
    }
  }
  EXPECT_EQ(messages,
            "1:40: 'folder' must be text, not '7'\n"
            "1:54: 'results' must be text, not 'true'\n"
            "1:72: item 1 of 'targets' must be text, not '1'\n"
            "2:20: 'key' must be text, not '5'\n"
            "2:49: item 1 of 'command' must be text, not '1'\n"
            "4:46: 'result' must be text, not nothing\n"
            "4:9: the key 'a' is already that of the point in line 3\n");
}

TEST(Job, RefusesToWriteItsResultsOverItself) {
  const common::TempFolder folder;
  const std::string file = (folder.path() / "job.json").string();
  (void)folder.write("job.json", render_job({folder.path().string(), file, {}, {}}));
  EXPECT_EQ(common::bad_input_of([&] { (void)read_job(file); }),
            fmt::format("error: '{}' is the job file; its results need another file", file));
}

TEST(JobResults, AreReadAsTheyWereWritten) {
  const common::TempFolder folder;
  PointResult start;
  start.key = "k1";
  start.attempt = 2;
  const auto file = folder.write("0.results", render_result(start) + render_result(a_result()));
  std::uintmax_t offset = 0;
  const std::vector<PointResult> results = read_results(file, offset);
  ASSERT_THAT(results, SizeIs(2));
  EXPECT_EQ(render_result(results[0]), render_result(start));
  EXPECT_FALSE(results[0].outcome.has_value());
  EXPECT_EQ(render_result(results[1]), render_result(a_result()));
  EXPECT_EQ(results[1].message, "it \xef\xbf\xbd differs");
  EXPECT_THAT(results[1].targets, ElementsAre(7, nullptr, 0.5, "x"));
  EXPECT_EQ(offset, std::filesystem::file_size(file));
  EXPECT_THAT(read_results(file, offset), SizeIs(0));
}

TEST(JobResults, ALineThatIsNotCompleteIsReadWhenItIs) {
  const common::TempFolder folder;
  const std::string line = render_result(a_result());
  const auto file = folder.write("0.results", line + line.substr(0, 20));
  std::uintmax_t offset = 0;
  EXPECT_THAT(read_results(file, offset), SizeIs(1));
  EXPECT_EQ(offset, line.size());
  EXPECT_THAT(read_results(file, offset), SizeIs(0));
  std::ofstream(file, std::ios::app) << line.substr(20);
  EXPECT_THAT(read_results(file, offset), SizeIs(1));
}

TEST(JobResults, OfAMissingFileAreNoneAndDamagedOnesAreRefused) {
  const common::TempFolder folder;
  std::uintmax_t offset = 0;
  EXPECT_THAT(read_results(folder.path() / "none", offset), SizeIs(0));
  const auto file = folder.write("0.results", render_result(a_result()) + "{\"key\": 1}\n");
  EXPECT_EQ(common::bad_input_of([&] { (void)read_results(file, offset); }),
            fmt::format("error: {}: the results of a job are damaged at byte {}; remove the file, "
                        "and its points run again",
                        file.string(), render_result(a_result()).size()));
}

}  // namespace
}  // namespace kernbench::farm
