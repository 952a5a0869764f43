// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench rerun` as a process on reports of small runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
namespace fs = std::filesystem;

class RerunCommand : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_.path() / "out"); }

  [[nodiscard]] Finished run(const std::vector<std::string>& words) const {
    return cli_test::kernbench(words, folder_.path(), folder_.path() / "out");
  }
  /// Writes a copy of the report a.json that `change` has changed.
  template <typename Change>
  void change(Change change) const {
    auto report = nlohmann::json::parse(common::read_text_file(folder_.path() / "a.json"));
    change(report);
    (void)folder_.write("changed.json", report.dump(1));
  }

  common::TempFolder folder_;
};

TEST_F(RerunCommand, NeedsTheReportAlone) {
  (void)folder_.write("machine.yaml", "sip: {cube_mesh: {w: 2, h: 1}}\n");
  ASSERT_EQ(run({"run", "vector-add", "--topology", "machine.yaml", "--set", "rows=64", "--set",
                 "topology.pe.clock_ghz=0.5", "--explain", "--json", "a.json"})
                .exit_code,
            0);
  fs::remove(folder_.path() / "machine.yaml");
  const std::string before = common::read_text_file(folder_.path() / "a.json");
  const Finished again = run({"rerun", "a.json", "--json", "b.json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, MatchesRegex("PASS  the run gives all [0-9]+ values of a.json again\n"));
  EXPECT_EQ(common::read_text_file(folder_.path() / "a.json"), before);
  EXPECT_TRUE(fs::exists(folder_.path() / "b.json"));
}

TEST_F(RerunCommand, NamesWhatComesOutOtherwise) {
  ASSERT_EQ(run({"run", "vector-add", "--json", "a.json"}).exit_code, 0);
  change([](auto& report) { report["data"]["flit_hops"] = 1; });
  const Finished again = run({"rerun", "changed.json"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.out, MatchesRegex("MISMATCH  1 of [0-9]+ values differ from changed.json, the "
                                      "first: flit_hops\n"));
}

TEST_F(RerunCommand, RefusesAReportThatCannotRun) {
  ASSERT_EQ(run({"run", "vector-add", "--json", "a.json"}).exit_code, 0);
  const auto error = [&](const std::string& command) {
    change([&](auto& report) { report["command"] = command; });
    const Finished finished = run({"rerun", "changed.json", "--json", "b.json"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_FALSE(fs::exists(folder_.path() / "b.json"));
    return finished.err;
  };
  EXPECT_THAT(error("kernbench probe"), HasSubstr("'command' must be a command of kernbench run"));
  EXPECT_THAT(error("kernbench run 'vector-add"), HasSubstr("'command': a quote has no end"));
  EXPECT_THAT(error("kernbench run $(reboot)"),
              HasSubstr("'command': '$' has a meaning for a shell"));
  EXPECT_THAT(error("kernbench run vector-add --nosuch"), HasSubstr("--nosuch"));
  EXPECT_THAT(error("kernbench run nosuch"), HasSubstr("the run ended with exit code 2"));
}

}  // namespace
}  // namespace kernbench
