// SPDX-License-Identifier: Apache-2.0
// Reports of a run whose waves, disk or program fail. The model is the cycle
// reference, and a makefile of the test stands in for Makefile.verilator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::files_under;
using cli_test::Finished;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class SimSurvival : public ::testing::Test {
 protected:
  // A fault that a checker notices although it should not: a mismatch.
  static constexpr const char* kFailing =
      "name: failing\nfabric: {nx: 4, ny: 3}\nsuites:\n"
      "  - name: drop\n    traffic: {payload: raw}\n    cycles: 300\n"
      "    faults: [{kind: drop, cycle: 50, missed_by: [scoreboard]}]\n";

  void SetUp() override {
    (void)folder_.write("failing.yaml", kFailing);
    fs::create_directories(at("m"));
    fs::copy_file(KB_REFERENCE_MODEL, folder_.path() / "m/model.so");
    fs::create_directories(at("out"));
    setenv("KERNBENCH_LAST_WAVE", at("last-wave").c_str(), 1);
    // A program outside of any checkout, whose data KERNBENCH_ROOT names.
    fs::copy_file(KB_KERNBENCH, at("kernbench"));
    setenv("KERNBENCH_ROOT", KB_SOURCE_DIR, 1);
  }
  /// Makes a folder in which `make -f Makefile.verilator model` runs `recipe`.
  void set_traced_build(const std::string& recipe) const {
    (void)folder_.write("m/settings", "NX=4\n");
    (void)folder_.write("Makefile.verilator",
                        "hash:\n\t@echo reference\nmodel:\n\t@" + recipe + "\n");
    setenv("KERNBENCH_ROOT", folder_.path().c_str(), 1);
  }
  void TearDown() override { unsetenv("KERNBENCH_ROOT"); }

  [[nodiscard]] Finished run(const std::string& prefix = "") const {
    const std::string command =
        prefix +
        "exec ./kernbench"
        " sim --config failing.yaml --model m/model.so --no-structure --report r";
    cli_test::Process process({"/bin/sh", "-c", command}, folder_.path(), at("out"));
    return process.wait();
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] nlohmann::json report() const {
    return nlohmann::json::parse(common::read_text_file(at("r/report.json")));
  }
  void expect_reports() const {
    EXPECT_THAT(files_under(at("r")),
                ElementsAre("junit.xml", "report.html", "report.json", "summary.txt"));
    EXPECT_EQ(report().at("outcome"), "mismatch");
    EXPECT_EQ(report().at("data").at("cases").at(0).at("failures").at(0).at("checker"), "lockstep");
  }

  common::TempFolder folder_;
};

TEST_F(SimSurvival, AModelThatDoesNotTellHowItWasBuiltIsNotTraced) {
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err,
            "error: no waves: m/model.so: nothing beside it tells how it was built (there is "
            "no file '" +
                at("m/settings") +
                "'); build it again with "
                "Makefile.verilator\n");
  EXPECT_THAT(finished.out, HasSubstr("MISMATCH  1 case"));
  expect_reports();
}

TEST_F(SimSurvival, AModelWhoseSourcesHaveChangedIsNotTraced) {
  set_traced_build("false");
  (void)folder_.write("Makefile.verilator", "hash:\n\t@echo 0123456789abcdef\n");
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err,
            "error: no waves: m/model.so: its sources, the bench or the tools have changed "
            "since it was built\n");
  expect_reports();
}

TEST_F(SimSurvival, ATracedModelThatDoesNotBuildLeavesTheReports) {
  set_traced_build("echo '%Error: no such thing'; false");
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("no waves: cannot build the model with waves ("));
  EXPECT_THAT(finished.out, HasSubstr("MISMATCH  1 case"));
  expect_reports();
}

TEST_F(SimSurvival, AnInternalErrorWhileTracingLeavesTheReports) {
  // This model has no tracing: opening the waveform throws.
  set_traced_build("mkdir -p '$(OUT)' && cp m/model.so '$(OUT)/libmaze_model.so'");
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 5);
  EXPECT_THAT(finished.err, HasSubstr("no waves: internal error: no tracing\n"));
  EXPECT_THAT(finished.out, HasSubstr("MISMATCH  1 case"));
  expect_reports();
}

TEST_F(SimSurvival, AKillWhileTracingLeavesTheReports) {
  // The parent of the supervisor of make.
  set_traced_build("kill -9 $$(ps -o ppid= -p $$(ps -o ppid= -p $$PPID))");
  const Finished finished = run();
  EXPECT_NE(finished.exit_code, 1);
  expect_reports();
}

TEST_F(SimSurvival, AFullDiskLeavesTheSummaryTheExitCodeAndTheNamesOfTheMissingFiles) {
  // 5 blocks of 512 bytes hold the JUnit report and the summary only.
  const Finished finished = run("trap '' XFSZ; ulimit -f 5; ");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("MISMATCH  1 case"));
  EXPECT_THAT(finished.err, HasSubstr("error: cannot write 'r/report.json': File too large\n"));
  EXPECT_THAT(finished.err, HasSubstr("error: cannot write 'r/report.html': File too large\n"));
  EXPECT_THAT(files_under(at("r")), ElementsAre("junit.xml", "summary.txt"));
}

}  // namespace
}  // namespace kernbench
