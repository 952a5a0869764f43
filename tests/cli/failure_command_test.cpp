// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench shrink` and `kernbench bisect` as processes: on a failure.json made by hand, with
// the reference in place of the RTL. A case "fails" where its suite sends nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* kPasses =
    "name: case\nfabric: {nx: 4, ny: 3}\nsuites:\n  - name: one\n    cycles: 200\n";
constexpr const char* kFails =
    "name: case\nfabric: {nx: 4, ny: 3}\nsuites:\n  - name: one\n    cycles: 200\n"
    "    traffic: {load: 1.0e-12}\n    checks: [scoreboard]\n";
constexpr const char* kCannotRun = "name: case\nfabric: {nx: 4\n";

class FailureCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.path() / "out");
    fs::create_directories(repository());
  }
  [[nodiscard]] fs::path repository() const { return folder_.path() / "rtl repository"; }

  [[nodiscard]] Finished run(const std::vector<std::string>& words) const {
    return cli_test::kernbench(words, repository(), folder_.path() / "out");
  }
  void git(const std::string& words) const {
    const std::string command = "git -C '" + repository().string() +
                                "' -c user.name=a -c user.email=a@b " + words + " > /dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(concurrency-mt-unsafe)
  }
  void commit(const char* text, const std::string& title) const {
    (void)folder_.write("rtl repository/case.yaml", std::string(text) + "# " + title + "\n");
    git("add -A");
    git("commit -m '" + title + "'");
  }
  /// Writes a failure.json outside the repository, and returns its path.
  [[nodiscard]] std::string failure(const std::vector<std::string>& words,
                                    const std::string& hash = "reference") const {
    const auto none = nlohmann::json::array();
    const nlohmann::json data = {{"title", "TOPO 4x3"},
                                 {"design", "TOPO"},
                                 {"suite", "one"},
                                 {"checker", "scoreboard"},
                                 {"kind", "loss"},
                                 {"cycle", 5},
                                 {"message", "a packet is lost"},
                                 {"first_wrong", nullptr},
                                 {"cause", none},
                                 {"findings", none},
                                 {"lines", none},
                                 {"no_lines", ""},
                                 {"shrunk", nullptr},
                                 {"not_shrunk", ""},
                                 {"shrunk_wave", nullptr},
                                 {"wave", nullptr},
                                 {"node_wave", nullptr},
                                 {"ways", nullptr},
                                 {"checkers", none},
                                 {"commands", none},
                                 {"model_hash", hash},
                                 {"words", words}};
    const nlohmann::json report = {
        {"schema", 1},       {"kind", "failure"}, {"outcome", "mismatch"},  {"seed", 1},
        {"config_hash", ""}, {"revision", ""},    {"command", "kernbench"}, {"data", data}};
    return folder_.write("failure.json", report.dump(1)).string();
  }
  [[nodiscard]] std::vector<std::string> case_words() const {
    return {"sim",           "case.yaml", "--model",  places::kReferenceModel,
            "--waves",       "off",       "--report", (folder_.path() / "again").string(),
            "--no-structure"};
  }

  common::TempFolder folder_;
};

TEST_F(FailureCommand, BisectNamesTheFirstCommitThatFails) {
  git("init -b main");
  commit(kPasses, "first");
  commit(kPasses, "second");
  commit(kCannotRun, "third");
  commit(kFails, "fourth");
  commit(kFails, "fifth");
  const Finished finished = run({"bisect", "HEAD~4", "HEAD~1", "--failure", failure(case_words())});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("one of these is the first that fails"));
  EXPECT_THAT(finished.out, HasSubstr("not judged"));
  commit(kFails, "sixth");
  const Finished all = run({"bisect", "HEAD~2", "HEAD", "--failure", failure(case_words())});
  EXPECT_EQ(all.exit_code, 2);
  EXPECT_THAT(all.err, HasSubstr("the case has to be one that passes at HEAD~2, and is not"));
}

TEST_F(FailureCommand, BisectLeavesTheRepositoryAsItIs) {
  git("init -b main");
  commit(kPasses, "first");
  commit(kFails, "second");
  commit(kFails, "third");
  const Finished finished = run({"bisect", "HEAD~2", "HEAD", "--failure", failure(case_words())});
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  EXPECT_THAT(finished.out, HasSubstr("first that fails: "));
  EXPECT_THAT(finished.out, HasSubstr(" second\n"));
  EXPECT_EQ(common::read_text_file(repository() / "case.yaml"), std::string(kFails) + "# third\n");
  git("diff --quiet HEAD");
  EXPECT_FALSE(fs::exists(repository() / ".git/worktrees"));
}

TEST_F(FailureCommand, BisectRefusesUncommittedChangesAndUnknownCommits) {
  git("init -b main");
  commit(kPasses, "first");
  commit(kFails, "second");
  const std::string file = failure(case_words());
  const Finished unknown = run({"bisect", "nowhere", "HEAD", "--failure", file});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("git rev-parse: "));
  const Finished turned = run({"bisect", "HEAD", "HEAD~1", "--failure", file});
  EXPECT_EQ(turned.exit_code, 2);
  EXPECT_THAT(turned.err, HasSubstr("HEAD is not an ancestor of HEAD~1"));
  (void)folder_.write("rtl repository/case.yaml", "changed\n");
  const Finished changed = run({"bisect", "HEAD~1", "HEAD", "--failure", file});
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_THAT(changed.err, HasSubstr("has uncommitted changes, which no commit has: case.yaml"));
}

TEST_F(FailureCommand, BisectHereEndsAsGitWantsIt) {
  git("init -b main");
  commit(kPasses, "first");
  const std::string file = failure(case_words());
  EXPECT_EQ(run({"bisect", "--here", "--failure", file}).exit_code, 0);
  commit(kFails, "second");
  EXPECT_EQ(run({"bisect", "--here", "--failure", file}).exit_code, 1);
  commit(kCannotRun, "third");
  EXPECT_EQ(run({"bisect", "--here", "--failure", file}).exit_code, 125);
}

/// A case that sends nothing in fewer than 9 cycles, and the command that runs it.
constexpr const char* kFailsEarly =
    "name: case\nfabric: {nx: 4, ny: 3}\nsuites:\n  - name: one\n    cycles: 200\n"
    "    traffic: {load: 0.001}\n    checks: [scoreboard]\n";

TEST_F(FailureCommand, BisectOverWholeNumbersFindsTheLeastThatFails) {
  // More seeds are more cases; the reference passes them all, so no value fails.
  (void)folder_.write("rtl repository/case.yaml", kPasses);
  const Finished none = run({"bisect", "--over", "seeds=1..4", "--failure", failure(case_words())});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.out, "passes      --seeds 1\npasses      --seeds 4\n");
  EXPECT_THAT(none.err,
              HasSubstr("--over: the case has to be one that fails with --seeds 4, and is "
                        "not"));
}

TEST_F(FailureCommand, BisectOverSeedsTriesAll) {
  (void)folder_.write("rtl repository/case.yaml", kFailsEarly);
  std::vector<std::string> words = case_words();
  words.insert(words.end(), {"--cycles", "2"});
  const Finished finished = run({"bisect", "--over", "seed=1..4", "--failure", failure(words)});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("  --seed 4\nfails with "));
  EXPECT_THAT(finished.out, HasSubstr(" of 4 values"));
}

TEST_F(FailureCommand, BisectOverAListNamesTheValuesThatFail) {
  (void)folder_.write("rtl repository/case.yaml", kFailsEarly);
  const Finished finished =
      run({"bisect", "--over", "cycles=1,4000", "--failure", failure(case_words())});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out,
            "fails       --cycles 1\npasses      --cycles 4000\n"
            "fails with 1 of 2 values: --cycles 1\n");
}

TEST_F(FailureCommand, BisectOverRefusesWhatTheOptionDoesNotTake) {
  (void)folder_.write("rtl repository/case.yaml", kPasses);
  const std::string file = failure(case_words());
  const auto error = [&](const std::string& over) {
    const Finished finished = run({"bisect", "--over", over, "--failure", file});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    return finished.err;
  };
  EXPECT_THAT(error("cycles"), HasSubstr("'cycles' is neither NAME=A,B,C nor NAME=FIRST..LAST"));
  EXPECT_THAT(error("cycles=9..2"), HasSubstr("'9..2' is not a range of whole numbers"));
  EXPECT_THAT(error("cycles=0..5"), HasSubstr("--cycles"));
  EXPECT_THAT(error("colour=red"), HasSubstr("--colour"));
  EXPECT_THAT(error("seed=1..9000"), HasSubstr("at most 1,000 seeds can be tried"));
}

TEST_F(FailureCommand, ShrinkOfACaseThatPassesSaysSo) {
  (void)folder_.write("rtl repository/case.yaml", kPasses);
  const std::string file = failure(case_words());
  const Finished finished = run({"shrink", file});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr(file + " does not fail: there is nothing to shrink\n"));
}

TEST_F(FailureCommand, ShrinkRefusesAFailureOfAnotherModel) {
  (void)folder_.write("rtl repository/case.yaml", kPasses);
  const Finished finished = run({"shrink", failure(case_words(), "another")});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err,
              HasSubstr("the failure is of the model another, and this is reference: the RTL, its "
                        "settings or the tools have changed since"));
  EXPECT_FALSE(fs::exists(folder_.path() / "again/report.json"));
}

TEST_F(FailureCommand, RefusesAFileThatIsNotAFailureOfThisProgram) {
  const Finished other = run({"shrink", failure({"rm", "-rf", "case.yaml"})});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("'data.words' must be a command of kernbench sim"));
  const Finished unknown = run({"shrink", failure({"sim", "--no-such-option"})});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("'data.words': "));
  const Finished text = run({"shrink", folder_.write("some.json", "{\"schema\": 1}").string()});
  EXPECT_EQ(text.exit_code, 2);
}

/// Runs a regression that leaves a row in a history.
class History : public FailureCommand {
 protected:
  [[nodiscard]] Finished regression(const char* text, const std::string& history) const {
    (void)folder_.write("rtl repository/case.yaml", text);
    std::vector<std::string> words = case_words();
    words.insert(words.end(), {"--history", history});
    return run(words);
  }
};

TEST_F(History, HasARowForEachRunAndAPageOfTheLast) {
  const std::string file = (folder_.path() / "history.db").string();
  EXPECT_EQ(regression(kPasses, file).exit_code, 0);
  EXPECT_EQ(regression(kFails, file).exit_code, 1);
  EXPECT_EQ(regression(kPasses, file).exit_code, 0);
  const std::string page = common::read_text_file(folder_.path() / "history.html");
  EXPECT_THAT(page, HasSubstr("2 of 3 runs passed. Times are UTC; the latest run is first."));
  // The last run is the first row.
  const auto fails = page.find(">vacuous<");
  EXPECT_NE(fails, std::string::npos);
  EXPECT_LT(page.find(">pass<"), fails);
  EXPECT_GT(page.rfind(">pass<"), fails);
  EXPECT_THAT(page, HasSubstr("(one, 1 case)"));
}

TEST_F(History, RefusesAnotherFileBeforeTheRun) {
  const std::string file =
      folder_.write("some.txt", "not a database, but quite a long text").string();
  const Finished finished = regression(kPasses, file);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(common::read_text_file(file), "not a database, but quite a long text");
  EXPECT_FALSE(fs::exists(folder_.path() / "again"));
}

}  // namespace
}  // namespace kernbench
