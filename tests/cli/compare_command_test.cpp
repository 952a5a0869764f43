// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench compare` as a process on reports of small runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
namespace fs = std::filesystem;

class CompareCommand : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_.path() / "out"); }

  [[nodiscard]] Finished run(const std::vector<std::string>& words) const {
    return cli_test::kernbench(words, folder_.path(), folder_.path() / "out");
  }
  /// Runs a bench that writes the report `name`.
  void bench(const std::string& name, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"run", "vector-add", "--json", name};
    words.insert(words.end(), more.begin(), more.end());
    ASSERT_EQ(run(words).exit_code, 0);
  }
  /// Changes a report with `change`, and returns the name of the copy.
  template <typename Change>
  std::string changed(const std::string& name, Change change) const {
    nlohmann::json report = nlohmann::json::parse(common::read_text_file(folder_.path() / name));
    change(report);
    (void)folder_.write("changed.json", report.dump(1));
    return "changed.json";
  }

  common::TempFolder folder_;
};

TEST_F(CompareCommand, OfAReportWithItselfPasses) {
  bench("a.json", {});
  const Finished finished = run({"compare", "a.json", "a.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              MatchesRegex("A  a.json\nB  a.json\n\nPASS  all [0-9]+ values are equal\n"));
}

TEST_F(CompareCommand, NamesTheKeyThatWasChangedAndThePartThatGrew) {
  bench("a.json", {"--explain"});
  bench("b.json", {"--explain", "--set", "topology.pe.clock_ghz=0.5"});
  const Finished finished = run({"compare", "a.json", "b.json", "--rows", "1000"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\n  topology.pe.clock_ghz"));
  EXPECT_THAT(finished.out,
              HasSubstr("  only the command of B: --set topology.pe.clock_ghz=0.5 b.json\n"));
  EXPECT_THAT(finished.out, HasSubstr("\ncritical path of "));
  EXPECT_THAT(finished.out, Not(HasSubstr("topology.sip")));
  for (std::size_t at = 0; at < finished.out.size();) {
    const std::size_t end = finished.out.find('\n', at);
    EXPECT_LE(end - at, 100U) << finished.out.substr(at, end - at);
    at = end + 1;
  }
}

TEST_F(CompareCommand, NamesExactlyTheMemberThatDiffers) {
  bench("a.json", {});
  const std::string other =
      changed("a.json", [](auto& report) { report["data"]["flit_hops"] = 1; });
  const Finished finished = run({"compare", "a.json", other});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("\n  flit_hops"));
  EXPECT_THAT(finished.out, HasSubstr("\nMISMATCH  1 of "));
}

// Reports of earlier versions have no pages of causes.
TEST_F(CompareCommand, ReadsARegressionWithoutCauses) {
  (void)folder_.write("line.yaml",
                      "name: line\ndut: noc\nnetwork: {topology: BidirectionalLine(3)}\n"
                      "suites:\n  - {name: busy, load: 0.5, cycles: 500}\n");
  const Finished failed = run({"sim", "line.yaml", "--model", places::kReferenceNoc, "--plusarg",
                               "third_head", "--report", "."});
  ASSERT_EQ(failed.exit_code, 1) << failed.err;
  const std::string old = changed("report.json", [](nlohmann::json& report) {
    ASSERT_EQ(report["data"]["cases"][0].erase("cause"), 1U);
  });
  const Finished finished = run({"compare", old, "report.json"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\n  cases.busy.cause  (none)  failure"));
  EXPECT_THAT(finished.out, HasSubstr("\nMISMATCH  1 of "));
}

TEST_F(CompareCommand, SaysWhichReportLacksTheCriticalPath) {
  bench("a.json", {"--explain"});
  bench("b.json", {"--set", "rows=2048"});
  EXPECT_THAT(run({"compare", "a.json", "b.json"}).out,
              HasSubstr("\nwhy: B has no critical path; run with --explain\n"));
}

TEST_F(CompareCommand, ConditionsDecideTheExitCode) {
  bench("a.json", {});
  const std::string other = changed("a.json", [](auto& report) {
    report["data"]["end_ps"] = 2 * report["data"]["end_ps"].template get<std::uint64_t>();
  });
  const Finished holds = run({"compare", "a.json", other, "--fail-if", "end_ps > 2%"});
  EXPECT_EQ(holds.exit_code, 1);
  EXPECT_THAT(holds.out, HasSubstr("\nFAIL  end_ps > 2%: it changed by +"));
  EXPECT_THAT(holds.out, HasSubstr("(+100 %)\n"));
  const Finished not_held =
      run({"compare", "a.json", other, "--fail-if", "end_ps > 100%", "--fail-if", "end_ps < 1"});
  EXPECT_EQ(not_held.exit_code, 0);
  EXPECT_THAT(not_held.out, HasSubstr("\nPASS  none of 2 conditions holds; 1 of "));
}

TEST_F(CompareCommand, RefusesOtherKindsValuesAndConditions) {
  bench("a.json", {});
  ASSERT_EQ(run({"probe", "--json", "p.json"}).exit_code, 0);
  const auto error = [&](const std::vector<std::string>& words) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    return finished.err;
  };
  EXPECT_THAT(error({"compare", "a.json", "p.json"}),
              HasSubstr("a.json is a report of kind 'run', and p.json of kind 'probe'"));
  EXPECT_THAT(error({"compare", "a.json", "a.json", "--fail-if", "end_p > 2%"}),
              HasSubstr("--fail-if: the reports have no value 'end_p'; did you mean 'end_ps'?"));
  EXPECT_THAT(error({"compare", "a.json", "a.json", "--fail-if", "bench > 2"}),
              HasSubstr("--fail-if: 'bench' is not a number in both reports"));
  EXPECT_THAT(error({"compare", "a.json", "a.json", "--fail-if", "end_ps"}),
              HasSubstr("--fail-if: 'end_ps' is not a condition, such as"));
  const std::string broken = changed("a.json", [](auto& report) { report["data"].erase("bench"); });
  EXPECT_THAT(error({"compare", "a.json", broken}), HasSubstr("bench"));
}

TEST_F(CompareCommand, WritesThePageOfBoth) {
  bench("a.json", {});
  bench("b.json", {"--set", "rows=2048"});
  EXPECT_EQ(run({"compare", "a.json", "b.json", "--html", "c.html"}).exit_code, 1);
  EXPECT_THAT(common::read_text_file(folder_.path() / "c.html"), HasSubstr("parameters"));
}

}  // namespace
}  // namespace kernbench
