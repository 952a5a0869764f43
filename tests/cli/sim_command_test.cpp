// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench sim` and `kernbench coverage` as processes and checks outputs, files and exit
// codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::files_under;
using cli_test::Finished;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

const fs::path kHere = places::source("/tests/cli");

class SimCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(const std::vector<std::string>& arguments) const {
    const fs::path scratch = folder_.path() / "out";
    fs::create_directories(scratch);
    return cli_test::kernbench(arguments, kHere, scratch);
  }
  /// Returns the arguments that run the reference regression on the reference model.
  [[nodiscard]] std::vector<std::string> reference(const std::string& report,
                                                   std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {
        "sim",      "reference.yaml", "--model", places::kReferenceModel, "--report",
        at(report), "--waves",        "off",     "--no-structure"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  /// Returns a report without the parts that may differ between runs: host times and the command.
  [[nodiscard]] std::string told(const std::string& report) const {
    nlohmann::json json =
        nlohmann::json::parse(common::read_text_file(at(report) + "/report.json"));
    json.erase("command");
    json["data"].erase("host");
    for (auto& one : json["data"]["cases"]) {
      one.erase("host");
      one.erase("command");
    }
    return json.dump(1);
  }

  common::TempFolder folder_;
};

TEST_F(SimCommand, TellsVersionRevisionAndCompiler) {
  const Finished version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(
      version.out,
      ::testing::MatchesRegex(
          "kernbench [0-9]+\\.[0-9]+\\.[0-9]+, revision [0-9a-z-]+, (GCC|Clang) [0-9.]+\n"));
  const std::string number = version.out.substr(10, version.out.find(',') - 10);
  const auto text = [](const std::string& file) {
    return common::read_text_file(places::source("/") + file);
  };
  EXPECT_THAT(text("CITATION.cff"), HasSubstr("\nversion: " + number + "\n"));
  EXPECT_THAT(text("kernbench.core"), HasSubstr("\nname: kernbench:maze:topo:" + number + "\n"));
  EXPECT_THAT(text("rtl/topo.ipxact.xml"),
              HasSubstr("<ipxact:version>" + number + "</ipxact:version>"));
}

TEST_F(SimCommand, ReportsNameVersionAndRevision) {
  ASSERT_EQ(run({"topology", "export", "--topology", places::source("/configs/topology.yaml"), "-o",
                 at("export.json")})
                .exit_code,
            0);
  const auto report = nlohmann::json::parse(common::read_text_file(at("export.json")));
  const std::string version = run({"--version"}).out;
  const std::string revision = report.at("revision").get<std::string>();
  const std::size_t plus = revision.find('+');
  ASSERT_NE(plus, std::string::npos) << revision;
  EXPECT_THAT(version, ::testing::StartsWith("kernbench " + revision.substr(0, plus) +
                                             ", revision " + revision.substr(plus + 1) + ", "));
}

TEST_F(SimCommand, HelpOfEveryCommandShowsExamplesThatBeginWithTheCommand) {
  const std::vector<std::vector<std::string>> commands = {
      {}, {"sim"}, {"coverage"}, {"coverage", "merge"}, {"coverage", "report"}};
  for (std::vector<std::string> words : commands) {
    std::string typed = "  kernbench";
    for (const std::string& word : words) typed += " " + word;
    words.emplace_back("--help");
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 0) << typed;
    EXPECT_EQ(finished.err, "") << typed;
    EXPECT_THAT(finished.out, HasSubstr("Usage: ")) << typed;
    EXPECT_THAT(finished.out, HasSubstr("Example")) << typed;
    EXPECT_THAT(finished.out, HasSubstr(typed)) << typed;
  }
}

TEST_F(SimCommand, HelpNamesEveryExitCode) {
  EXPECT_THAT(run({"sim", "--help"}).out,
              HasSubstr("Exit code: 0 pass, 1 mismatch or nothing checked, 2 bad input, 3 timeout, "
                        "4 deadlock,\n5 internal error, 130 interrupted."));
}

TEST_F(SimCommand, ListShowsTheSuitesAndTouchesNothing) {
  const Finished finished =
      run({"sim", "--list", "small.yaml", "--report", at("r"), "--models", at("models")});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(finished.out,
            "suite                  traffic            receivers       cycles  seeds  faults\n"
            "connectivity           probes every link \n"
            "saturation             all_links          none               300      2       0\n"
            "stalled                uniform_random     random             300      1       0\n");
  EXPECT_FALSE(fs::exists(at("r")));
  EXPECT_FALSE(fs::exists(at("models")));
}

/// A pipe can be read once only.
TEST_F(SimCommand, TakesARegressionFromAPipe) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream(at("pipe")) << "name: piped\nfabric: {nx: 4, ny: 3}\nsuites:\n  - {name: only}\n";
  });
  const Finished finished = run({"sim", "--list", at("pipe")});
  writer.join();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\nonly                   all_links "));
}

TEST_F(SimCommand, RunsARegressionFromAPipe) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::thread writer(
      [&] { std::ofstream(at("pipe")) << common::read_text_file(kHere / "reference.yaml"); });
  const Finished finished = run({"sim", at("pipe"), "--model", places::kReferenceModel, "--report",
                                 at("r"), "--waves", "off", "--no-structure"});
  writer.join();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
}

/// Only what decides the results counts, by its values: files by their content.
TEST_F(SimCommand, TheHashOfAConfigurationIsOneOfValues) {
  const auto hash = [&](const std::string& config, const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "sim",           config,    "--model",  places::kReferenceModel,
        "--suite",       "stalled", "--cycles", "200",
        "--waves",       "off",     "--report", at("r"),
        "--no-structure"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).exit_code, 0);
    return nlohmann::json::parse(common::read_text_file(at("r") + "/report.json"))
        .at("config_hash")
        .get<std::string>();
  };
  const std::string text = common::read_text_file(kHere / "reference.yaml");
  const std::string first = hash("reference.yaml", {});
  EXPECT_EQ(hash(folder_.write("elsewhere.yaml", text), {"--jobs", "1"}), first);
  EXPECT_EQ(hash("reference.yaml", {"--durations", "2"}), first);
  EXPECT_NE(hash(folder_.write("changed.yaml", text + "# changed\n"), {}), first);
  EXPECT_NE(hash("reference.yaml", {"--seed", "77"}), first);
  EXPECT_NE(hash("reference.yaml", {"--plusarg", "a=1"}), first);
}

TEST_F(SimCommand, APassingRunEndsWith0AndLeavesItsReports) {
  const Finished finished = run(reference("r"));
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, HasSubstr("PASS  5 cases"));
  EXPECT_THAT(files_under(at("r")), ElementsAre("coverage.json", "junit.xml", "report.html",
                                                "report.json", "summary.txt"));
}

TEST_F(SimCommand, TellsTheSameForTheSameSeedWithOneJobAndWithTwo) {
  ASSERT_EQ(run(reference("one", {"--seed", "7", "--jobs", "1"})).exit_code, 0);
  ASSERT_EQ(run(reference("two", {"--seed", "7", "--jobs", "2"})).exit_code, 0);
  ASSERT_EQ(run(reference("other", {"--seed", "8", "--jobs", "2"})).exit_code, 0);
  EXPECT_EQ(told("one"), told("two"));
  EXPECT_NE(told("one"), told("other"));
}

TEST_F(SimCommand, RunsTheSuitesThatAreNamedWithTheSeedsAndCyclesThatAreGiven) {
  ASSERT_EQ(
      run(reference("r", {"--suite", "stalled", "--seed", "40", "--seeds", "1", "--cycles", "123"}))
          .exit_code,
      0);
  const auto json = nlohmann::json::parse(common::read_text_file(at("r") + "/report.json"));
  const auto& cases = json.at("data").at("cases");
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].at("suite"), "stalled");
  EXPECT_EQ(cases[0].at("seed"), 40);
  // 4 reset cycles, the traffic and the drain.
  EXPECT_GT(cases[0].at("cycles"), 4 + 123);
  EXPECT_LT(cases[0].at("cycles"), 4 + 123 + 40);
}

TEST_F(SimCommand, CyclesThatCannotReachWhatASuiteChecksAreRefusedOrLeaveItOut) {
  const std::string config = folder_.write(
      "short.yaml",
      "name: short\nfabric: {nx: 4, ny: 3}\nsuites:\n"
      "  - {name: walk, traffic: {pattern: link_walk}, checks: [lockstep, delivery]}\n"
      "  - {name: sparse, traffic: {load: 0.1}, checks: [lockstep, watchdog, delivery]}\n");
  const auto sim = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"sim", config, "--report", at("r"), "--waves", "off",
                               "--no-structure", "--model"});
    return run(more);
  };
  // Before a model is looked for.
  const Finished refused = sim({"/no/such/model.so", "--suite", "walk", "--cycles", "100"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            "error: --cycles 100: suite walk: pattern link_walk needs at least 276 cycles to use "
            "all its links\n");
  const Finished rest = sim({places::kReferenceModel, "--cycles", "3"});
  EXPECT_EQ(rest.exit_code, 0) << rest.out << rest.err;
  EXPECT_THAT(rest.err, HasSubstr("left out with 3 cycles: walk: pattern link_walk needs at least "
                                  "276 cycles to use all its links\n"));
  EXPECT_THAT(rest.out, HasSubstr("not checked\n  sparse: delivery: "));
  EXPECT_THAT(rest.out, HasSubstr("  sparse: watchdog: no stretch without a reset was as long as "
                                  "its window of 2000 cycles\n"));
  EXPECT_THAT(rest.out, HasSubstr(", 2 points left unchecked, "));
  const auto json = nlohmann::json::parse(common::read_text_file(at("r") + "/report.json"));
  EXPECT_EQ(json.at("data").at("cases").at(0).at("not_checked").size(), 2U);
}

TEST_F(SimCommand, TheCommandOfACaseRunsThatCaseAgain) {
  ASSERT_EQ(run(reference("all")).exit_code, 0);
  const auto all = nlohmann::json::parse(common::read_text_file(at("all") + "/report.json"));
  const auto& last = all.at("data").at("cases").back();
  std::vector<std::string> words;
  std::istringstream command(last.at("command").get<std::string>());
  for (std::string word; command >> word;) words.push_back(word);
  ASSERT_EQ(words.front(), places::kKernbench);
  words.erase(words.begin());
  const std::string before = common::read_text_file(at("all") + "/report.json");
  ASSERT_EQ(run(words).exit_code, 0);
  EXPECT_EQ(common::read_text_file(at("all") + "/report.json"), before);
  const auto again =
      nlohmann::json::parse(common::read_text_file(at("all") + "/again/report.json"));
  EXPECT_EQ(again.at("data").at("cases").at(0).at("output_hash"), last.at("output_hash"));
}

TEST_F(SimCommand, TheCommandOfACaseIsQuotedForTheShell) {
  const std::string config =
      folder_.write("my regression.yaml", common::read_text_file(kHere / "reference.yaml"));
  ASSERT_EQ(run({"sim", config, "--model", places::kReferenceModel, "--report", at("r"), "--waves",
                 "off", "--no-structure"})
                .exit_code,
            0);
  const auto json = nlohmann::json::parse(common::read_text_file(at("r") + "/report.json"));
  for (const auto& one : json.at("data").at("cases")) {
    EXPECT_THAT(one.at("command").get<std::string>(),
                HasSubstr("kernbench sim '" + config + "' --suite "));
  }
}

TEST_F(SimCommand, TheCommandOfACaseHasEveryOptionOfTheRun) {
  ASSERT_EQ(run(reference("my r", {"--cycles", "200", "--suite", "stalled", "--jobs", "77",
                                   "--no-checkers", "--models", at("m")}))
                .exit_code,
            0);
  const auto json = nlohmann::json::parse(common::read_text_file(at("my r") + "/report.json"));
  EXPECT_EQ(json.at("data").at("cases").at(0).at("command"),
            std::string(places::kKernbench) +
                " sim reference.yaml --suite stalled --seed 1 --seeds 1 --cycles 200"
                " --jobs 77 --waves off --report '" +
                at("my r") + "/again' --models " + at("m") + " --model " + places::kReferenceModel +
                " --no-checkers --no-structure");
}

TEST_F(SimCommand, OnlyOneSourceOfRtlIsAccepted) {
  const Finished two = run({"sim", "reference.yaml", "--model", places::kReferenceModel,
                            "--rtl-dir", ".", "--report", at("r")});
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_THAT(two.err,
              HasSubstr("--rtl, --filelist, --rtl-dir and --model exclude each other: name one\n"));
  const Finished none = run({"sim", "reference.yaml", "-D", "A=1", "--report", at("r")});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("-I, -D and --dpi need RTL of --rtl, --filelist or --rtl-dir\n"));
}

TEST_F(SimCommand, AFileListIsRefusedWithAllItsErrorsAndTheirLines) {
  const std::string list =
      folder_.write("list.f",
                    "// a comment\n+define+A=1+B /* of two\nlines */ missing.sv\n"
                    "+incdir+nowhere -pvalue+DEPTH=3\n-f\n");
  const Finished finished =
      run({"sim", "reference.yaml", "--filelist", list, "-I", "absent", "--report", at("r")});
  EXPECT_EQ(finished.exit_code, 2);
  const std::string here = folder_.path().string();
  EXPECT_EQ(
      finished.err,
      "error: -I: 'absent' is not a folder\n"
      "error: " +
          list + ":3: '" + here +
          "/missing.sv' is not a file\n"
          "error: " +
          list + ":4: '" + here +
          "/nowhere' is not a folder\n"
          "error: " +
          list +
          ":4: '-pvalue+DEPTH=3' is not understood and may change the design; a file list has "
          "files, -f, -F, -y, -v, -I, -D, +incdir+, +define+ and +libext+\n"
          "error: " +
          list + ":5: -f needs a path\n");
  EXPECT_FALSE(fs::exists(at("r")));
}

TEST_F(SimCommand, AModelWithoutAStructureCheckIsNoSignOff) {
  const Finished finished = run({"sim", "reference.yaml", "--model", places::kReferenceModel,
                                 "--report", at("r"), "--waves", "off"});
  EXPECT_EQ(finished.exit_code, 1);
  const std::string why =
      std::string(places::kReferenceModel) + " has no dump of the design beside it";
  EXPECT_THAT(finished.out, HasSubstr("structure of the RTL: not checked\n"));
  EXPECT_THAT(finished.out, HasSubstr("VACUOUS  6 cases"));
  for (const char* file : {"summary.txt", "report.html", "junit.xml", "report.json"}) {
    std::string text = common::read_text_file(at("r") + "/" + file);
    std::replace(text.begin(), text.end(), '\n', ' ');  // the text report wraps lines
    EXPECT_THAT(text, HasSubstr("--no-structure accepts that")) << file;
  }
  const auto json = nlohmann::json::parse(common::read_text_file(at("r") + "/report.json"));
  EXPECT_EQ(json.at("data").at("cases").back().at("reason"),
            "the structure of the model was not checked, so this is not a sign-off: " + why +
                "; --no-structure accepts that");
}

TEST_F(SimCommand, EveryReportSaysThatTheStructureWasLeftOut) {
  ASSERT_EQ(run(reference("r")).exit_code, 0);
  for (const char* file : {"summary.txt", "report.html", "junit.xml", "report.json"}) {
    EXPECT_THAT(common::read_text_file(at("r") + "/" + file),
                HasSubstr("not checked (--no-structure)"))
        << file;
  }
  const auto json = nlohmann::json::parse(common::read_text_file(at("r") + "/report.json"));
  EXPECT_THAT(json.at("data").at("cases").at(0).at("command").get<std::string>(),
              HasSubstr(" --no-structure"));
}

class Interrupted : public SimCommand, public ::testing::WithParamInterface<int> {};

TEST_P(Interrupted, RunEndsWith130AndLeavesAReportOfTheFinishedCases) {
  const fs::path report = at("r");
  fs::create_directories(folder_.path() / "out");
  // The first suite ends at once; the two cases of the second one start first and end with the
  // signal.
  const std::string config =
      folder_.write("endless.yaml",
                    "name: endless\nfabric: {nx: 4, ny: 3}\nsuites:\n"
                    "  - {name: short, traffic: {payload: raw}, cycles: 500}\n"
                    "  - {name: endless, traffic: {payload: raw}, cycles: 1000000000, seeds: 2}\n");
  cli_test::Process process({places::kKernbench, "sim", config, "--model", places::kReferenceModel,
                             "--report", report.string(), "--jobs", "3"},
                            kHere, folder_.path() / "out");
  // Once the folder exists, the signal handlers are installed.
  for (int i = 0; i < 2000 && !fs::exists(report); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_TRUE(fs::exists(report));
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));  // into the second suite
  process.send(GetParam());
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_THAT(finished.out, HasSubstr("INTERRUPTED  1 of 3 cases, "));
  EXPECT_THAT(finished.err, HasSubstr("interrupted after 1 of 3 cases; the reports have those\n"));
  const auto json = nlohmann::json::parse(common::read_text_file(report / "report.json"));
  EXPECT_EQ(json.at("outcome"), "interrupted");
  EXPECT_EQ(json.at("data").at("totals").at("planned"), 3);
  ASSERT_EQ(json.at("data").at("cases").size(), 1U);
  EXPECT_EQ(json.at("data").at("cases").at(0).at("suite"), "short");
  EXPECT_EQ(json.at("data").at("cases").at(0).at("outcome"), "pass");
  EXPECT_THAT(files_under(report), ElementsAre("coverage.json", "junit.xml", "report.html",
                                               "report.json", "summary.txt"));
}
INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, ::testing::Values(SIGINT, SIGTERM));

TEST_F(SimCommand, AnUnwritableReportIsBadInputBeforeTheRun) {
  fs::create_directories(at("r") + "/coverage.json");
  const Finished finished = run(reference("r"));
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err,
              HasSubstr("error: cannot write '" + at("r") + "/coverage.json': Is a directory\n"));
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(files_under(at("r")), IsEmpty());
}

TEST_F(SimCommand, MergedCoverageOfTwoRunsHasAllThatEitherHit) {
  ASSERT_EQ(run(reference("a", {"--suite", "saturation"})).exit_code, 0);
  ASSERT_EQ(run(reference("b", {"--suite", "stalled"})).exit_code, 0);
  ASSERT_EQ(run(reference("both")).exit_code, 0);
  const Finished merged = run(
      {"coverage", "merge", "-o", at("all.json"), at("a/coverage.json"), at("b/coverage.json")});
  EXPECT_EQ(merged.exit_code, 0);
  EXPECT_EQ(merged.err, "");
  EXPECT_THAT(merged.out, HasSubstr(" bins from 2 files\n"));
  auto all = nlohmann::json::parse(common::read_text_file(at("all.json")));
  auto both = nlohmann::json::parse(common::read_text_file(at("both/coverage.json")));
  ASSERT_EQ(both.at("data").at("runs").size(), 1U);
  const nlohmann::json run_of_both = both.at("data").at("runs").at(0);
  EXPECT_EQ(all.at("data").at("runs"), nlohmann::json::array({run_of_both, run_of_both}));
  all.at("data").erase("runs");
  both.at("data").erase("runs");
  EXPECT_EQ(all.at("data"), both.at("data"));
}

TEST_F(SimCommand, CoverageReportNamesWhatWasMissedAndEndsWith1) {
  ASSERT_EQ(run(reference("a")).exit_code, 0);
  const Finished report = run({"coverage", "report", "--rows", "1", at("a/coverage.json")});
  EXPECT_EQ(report.exit_code, 1);
  EXPECT_EQ(report.err, "");
  EXPECT_THAT(report.out, HasSubstr("reset_under_traffic"));
}

TEST_F(SimCommand, CoverageOfAListIsThatOfItsFiles) {
  ASSERT_EQ(run(reference("a", {"--suite", "saturation"})).exit_code, 0);
  ASSERT_EQ(run(reference("b", {"--suite", "stalled"})).exit_code, 0);
  (void)folder_.write("list.txt", "a/coverage.json  # the first\nb/coverage.json\n");
  const Finished listed = run({"coverage", "report", "--list", at("list.txt")});
  const Finished named = run({"coverage", "report", at("a/coverage.json"), at("b/coverage.json")});
  EXPECT_EQ(listed.exit_code, named.exit_code);
  EXPECT_EQ(listed.out, named.out);
}

TEST_F(SimCommand, RefusesAFabricThatCannotBe) {
  for (const char* text : {"3", "3x", "x3", "3x5x", "3x5x8x1", "-3x5", "3 x 5"}) {
    EXPECT_EQ(
        run({"sim", "--fabric", text, "--list"}).err,
        fmt::format("error: --fabric: '{}' is not a fabric: columns x rows, each 2 to 16, and "
                    "optionally data bits, 1 to 32 (default 8), such as 3x5 or 16x16x32\n",
                    text));
  }
  EXPECT_EQ(run({"sim", "--fabric", "", "--list"}).err,
            "error: --fabric: the value is empty\nRun 'kernbench sim --help' for its options.\n");
  for (const char* text : {"1x5", "3x17", "3x5x33", "3x5x0"}) {
    EXPECT_THAT(run({"sim", "--fabric", text, "--list"}).err,
                HasSubstr(fmt::format("--fabric: '{}' is out of range", text)));
  }
}

TEST_F(SimCommand, NamesTheSuitesThatAFabricCannotRun) {
  const Finished finished = run(
      {"sim", places::source("/configs/regressions/default.yaml"), "--fabric", "3x5", "--list"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.err,
              HasSubstr("left out on a 3x5 fabric: transpose: pattern transpose needs "
                        "a square grid, which a 3x5 fabric is not\n"));
  EXPECT_THAT(
      finished.err,
      HasSubstr("left out on a 3x5 fabric: trace_example: its trace is of another fabric\n"));
  EXPECT_THAT(finished.out, Not(HasSubstr("trace_example")));
  EXPECT_THAT(finished.out, HasSubstr("\nsaturation "));
  const Finished one = run({"sim", places::source("/configs/regressions/default.yaml"), "--fabric",
                            "3x5", "--suite", "saturation", "--list"});
  EXPECT_EQ(one.err, "");  // the others were not asked for
}

}  // namespace
}  // namespace kernbench
