// SPDX-License-Identifier: Apache-2.0
// Reports of a run whose waves, disk or program fail. The model is the cycle reference, and a
// script stands in for Verilator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "sim/build/model_builder.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

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
    fs::copy_file(places::kReferenceModel, folder_.path() / "m/model.so");
    fs::create_directories(at("out"));
    setenv("KERNBENCH_LAST_WAVE", at("last-wave").c_str(), 1);
    // A program outside of any checkout, whose data KERNBENCH_ROOT names.
    fs::copy_file(places::kKernbench, at("kernbench"));
    setenv("KERNBENCH_ROOT", places::kSource, 1);
  }
  /// Says of m/model.so that it is up to date, and lets a script build the model with waves.
  void set_traced_build(const std::string& script) const {
    (void)folder_.write(
        "verilator",
        "#!/bin/sh\ncase $1 in --version) echo Verilator; exit;; --getenv) exit;; esac\n" + script);
    fs::permissions(at("verilator"), fs::perms::owner_all);
    sim::BuildSettings settings;
    settings.shape.nx = 4;
    settings.verilator = at("verilator");
    (void)folder_.write("m/settings", to_text(settings));
    write_manifest("m", "reference", settings);
  }
  /// Writes the manifest of a model that was built of one file.
  void write_manifest(const std::string& folder, const std::string& hash,
                      const sim::BuildSettings& settings) const {
    const sim::ModelBuilder builder(places::kSource, at(folder), settings, "a model");
    sim::Manifest manifest{hash, builder.recipe(false), {}, {}};
    manifest.files.emplace_back("kb_root/rtl/topo.sv",
                                *sim::content_hash(places::source("/rtl/topo.sv")));
    sim::write_manifest(fs::path(at(folder)) / "manifest", manifest);
    fs::copy_file(places::kReferenceModel, fs::path(at(folder)) / "libmaze_model.so",
                  fs::copy_options::overwrite_existing);
  }
  [[nodiscard]] Finished run(const std::string& prefix = "") const {
    const std::string command = prefix +
                                "exec ./kernbench"
                                " sim failing.yaml --model m/model.so --no-structure --report r";
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
                at("m/settings") + "'); build it again with `kernbench model`\n");
  EXPECT_THAT(finished.out, HasSubstr("MISMATCH  1 case"));
  expect_reports();
}

TEST_F(SimSurvival, AModelWhoseSourcesHaveChangedIsNotTraced) {
  set_traced_build("exit 1");
  (void)folder_.write("m/manifest", "reference\n");
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err,
            "error: no waves: m/model.so: its sources, the bench or the tools have changed "
            "since it was built\n");
  expect_reports();
}

TEST_F(SimSurvival, ATracedModelThatDoesNotBuildLeavesTheReports) {
  set_traced_build("echo '%Error: no such thing'; exit 1");
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("no waves: cannot build the model with waves (" +
                                      at("m-trace/build.log") + "):\n  %Error: no such thing\n"));
  EXPECT_THAT(finished.out, HasSubstr("MISMATCH  1 case"));
  expect_reports();
}

TEST_F(SimSurvival, AnInternalErrorWhileTracingLeavesTheReports) {
  // This model has no tracing: opening the waveform throws.
  set_traced_build("exit 1");
  sim::BuildSettings traced = sim::parse_settings(common::read_text_file(at("m/settings")), "m");
  traced.trace = true;
  write_manifest("m-trace", "traced", traced);
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 5);
  EXPECT_THAT(finished.err, HasSubstr("no waves: internal error: no tracing\n"));
  EXPECT_THAT(finished.out, HasSubstr("MISMATCH  1 case"));
  expect_reports();
}

TEST_F(SimSurvival, AKillWhileTracingLeavesTheReports) {
  set_traced_build("kill -9 $(ps -o ppid= -p $PPID)");  // the parent of its supervisor
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
