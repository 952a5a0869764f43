// SPDX-License-Identifier: Apache-2.0
// The order of the stages in which a model is built, with stages that only note that they ran.
#include "cli/rtl/sim_stages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using ::testing::ElementsAre;

class SimStages : public ::testing::Test {
 protected:
  SimStages() {
    plan_.shape = {8, 8, 8};
    plan_.small = {4, 3, 8};
    plan_.is_current = [] { return false; };
    plan_.build = [this] { return note("build"); };
    plan_.structure = [this] {
      (void)note("structure");
      sim::structure::ModelStructure checked;
      checked.result.emplace().links = 1;
      return checked;
    };
    plan_.build_small = [this] { return note("build small"); };
    plan_.run_small = [this](const std::string& library) {
      (void)note("run small " + library);
      return small_;
    };
  }

  std::string note(const std::string& stage) {
    const std::scoped_lock lock(mutex_);
    ran_.push_back(stage);
    return "lib" + stage;
  }
  /// Runs the stages, and keeps what they print.
  void run() {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    staged_ = built_in_stages(plan_, options_);
    std::sort(ran_.begin(), ran_.end());  // the build runs beside the small fabric
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
  }

  StagePlan plan_;
  SimOptions options_;
  SmallRun small_{5, {}};
  StagedModel staged_;
  std::mutex mutex_;
  std::vector<std::string> ran_;
  std::string out_;
  std::string err_;
};

TEST_F(SimStages, RunAllAndSayNothingOfGoodRtl) {
  run();
  EXPECT_THAT(ran_, ElementsAre("build", "build small", "run small libbuild small", "structure"));
  EXPECT_EQ(staged_.library, "libbuild");
  EXPECT_TRUE(staged_.structure_shown);
  EXPECT_EQ(out_ + err_, "");
}

TEST_F(SimStages, DoNotRunForAModelThatIsCurrentOrInATask) {
  plan_.is_current = [] { return true; };
  run();
  EXPECT_THAT(ran_, ElementsAre("build"));
  ran_.clear();
  plan_.is_current = [] { return false; };
  options_.parts.part = "0.1:x";
  run();
  EXPECT_THAT(ran_, ElementsAre("build"));
}

TEST_F(SimStages, DoNotRunASmallFabricBeforeOneThatIsNotLarger) {
  plan_.shape = {6, 2, 8};
  plan_.structure = nullptr;
  run();
  EXPECT_THAT(ran_, ElementsAre("build"));
  EXPECT_FALSE(staged_.structure_shown);
}

TEST_F(SimStages, ShowThreeFailuresOfTheSmallFabricAndGoOn) {
  small_.failures = {"a seed 1: cycle 3: x\n  again: k", "b", "c", "d"};
  run();
  EXPECT_EQ(err_,
            "FAIL  4x3 first: a seed 1: cycle 3: x\n  again: k\nFAIL  4x3 first: b\n"
            "FAIL  4x3 first: c\nFAIL  4x3 first: 4 of 5 cases failed\n");
  EXPECT_EQ(staged_.library, "libbuild");
}

TEST_F(SimStages, NameAStageThatCannotJudgeAndGoOn) {
  plan_.build_small = []() -> std::string { throw BadInput("TOPO has no parameter NX\n  more"); };
  run();
  EXPECT_EQ(err_, "4x3 first: skipped: TOPO has no parameter NX\n");
  EXPECT_THAT(ran_, ElementsAre("build", "structure"));
  plan_.build_small = [this] { return note("build small"); };
  small_.cases = 0;
  run();
  EXPECT_EQ(err_, "4x3 first: skipped: it has no case\n");
  plan_.run_small = [](const std::string&) -> SmallRun {
    throw BadInput("no suite of the regression runs on it");
  };
  run();
  EXPECT_EQ(err_, "4x3 first: skipped: no suite of the regression runs on it\n");
  EXPECT_EQ(staged_.library, "libbuild");
}

TEST_F(SimStages, LeaveADesignThatCannotBeElaboratedToTheBuild) {
  plan_.structure = []() -> sim::structure::ModelStructure { throw BadInput("no dump"); };
  run();
  EXPECT_EQ(err_, "");
  EXPECT_FALSE(staged_.structure_shown);
  plan_.build = []() -> std::string { throw BadInput("syntax error"); };
  EXPECT_THROW((void)built_in_stages(plan_, options_), BadInput);
}

TEST_F(SimStages, ReturnNoLibraryAfterAnInterruption) {
  plan_.build = []() -> std::string { throw common::Interrupted{}; };
  run();
  EXPECT_FALSE(staged_.library.has_value());
}

TEST_F(SimStages, HaveOneLineEachWithWatch) {
  options_.watch = true;
  small_.failures = {"a seed 1: cycle 3\n  again: k", "b"};
  run();
  EXPECT_THAT(out_, ::testing::MatchesRegex("PASS  structure +[0-9.]+ s\n"
                                            "FAIL  4x3 first +[0-9.]+ s  a seed 1: cycle 3\n"));
}

}  // namespace
}  // namespace kernbench::cli
