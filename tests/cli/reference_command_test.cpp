// SPDX-License-Identifier: Apache-2.0
// Man pages, completions and the reference, which are written from the commands themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::files_under;
using cli_test::Finished;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ReferenceCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> words) const {
    return cli_test::kernbench(std::move(words), folder_.path(), scratch_.path());
  }
  [[nodiscard]] std::string page(const std::string& name) const {
    return common::read_text_file(folder_.path() / "man" / name);
  }

  common::TempFolder folder_;
  common::TempFolder scratch_;
};

/// Returns the options of each command, as "topology build" has "--output".
std::map<std::string, std::set<std::string>> options_in(const std::string& markdown) {
  std::map<std::string, std::set<std::string>> options;
  std::string command;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## kernbench")) {
      command = line.size() > 13 ? line.substr(13) : "";
      options[command];
    }
    static const std::regex name("`(-[^`]+)`");
    if (line == "## Options of several commands") break;
    const bool is_shared = line.starts_with("[Shared](");
    if (!is_shared && !line.starts_with("| `-")) continue;
    const std::string cell = is_shared ? line : line.substr(0, line.find(" | "));
    for (auto found = std::sregex_iterator(cell.begin(), cell.end(), name);
         found != std::sregex_iterator(); ++found) {
      options[command].insert((*found)[1]);
    }
  }
  return options;
}

/// Returns the options that a help text lists.
std::set<std::string> options_in_help(const std::string& help) {
  static const std::regex line("^  (?:(-[A-Za-z]),?)?(--[a-z-]+)?.*");
  std::set<std::string> options;
  std::istringstream lines(help);
  bool listed = false;
  for (std::string text; std::getline(lines, text);) {
    if (!text.starts_with(' ')) listed = text == "Options:" || text == "[Option Group: source]";
    std::smatch found;
    if (!listed || !std::regex_match(text, found, line)) continue;
    for (const std::size_t group : {1U, 2U}) {
      if (found[group].matched) options.insert(found[group]);
    }
  }
  return options;
}

TEST_F(ReferenceCommand, HasTheOptionsThatEveryHelpLists) {
  const auto reference = options_in(run({"reference", "markdown"}).out);
  EXPECT_THAT(reference, testing::SizeIs(testing::Ge(25U)));
  for (const auto& [command, options] : reference) {
    std::vector<std::string> words;
    std::istringstream path(command);
    for (std::string word; path >> word;) words.push_back(word);
    words.emplace_back("--help");
    for (const std::string& listed : options_in_help(run(words).out)) {
      // The first table has the options of all commands.
      const bool is_common = listed == "-h" || listed == "--help";
      EXPECT_THAT(is_common ? reference.at("") : options, Contains(listed)) << command;
    }
  }
  EXPECT_THAT(reference.at(""), testing::IsSupersetOf({"--help", "--quiet", "--verbose"}));
  EXPECT_THAT(reference.at("topology build"), Contains("--output"));
}

TEST_F(ReferenceCommand, PrintsValuesAndDefaults) {
  const std::string text = run({"reference", "markdown"}).out;
  EXPECT_THAT(text, HasSubstr("\n| `--format` dot\\|graphml\\|json | Output format | `json` |\n"));
  EXPECT_THAT(
      text, HasSubstr("\n| `--seeds` N | Number of seeds per suite; with --packets: the most seeds "
                      "(1 - 10000) |  |\n"));
  EXPECT_THAT(text, HasSubstr("`configs/regressions/default.yaml` |\n"));
  EXPECT_THAT(text, HasSubstr("(#kernbench-topology-build)"));
}

TEST_F(ReferenceCommand, DependsOnNeitherTheFolderNorTheMachine) {
  const std::string text = run({"reference", "markdown"}).out;
  EXPECT_EQ(cli_test::kernbench({"reference", "markdown"}, places::kSource, scratch_.path()).out,
            text);
  EXPECT_THAT(text, Not(HasSubstr(places::kSource)));
  EXPECT_THAT(
      text, HasSubstr("| `--jobs` N | Number of parts of the work that run side by side (1 - 1024) "
                      "| `all processors` | [`kernbench sim`](#kernbench-sim), "));
}

TEST_F(ReferenceCommand, WritesAManPageForEachCommand) {
  EXPECT_EQ(run({"reference", "man", "-o", "man"}).exit_code, 0);
  const auto reference = options_in(run({"reference", "markdown"}).out);
  for (const auto& [command, options] : reference) {
    const std::string first = command.substr(0, command.find(' '));
    EXPECT_THAT(files_under(folder_.path() / "man"),
                Contains(first.empty() ? "kernbench.1" : "kernbench-" + first + ".1"));
  }
  EXPECT_THAT(page("kernbench-sim.1"),
              HasSubstr("\n.TP\n\\fB\\-\\-seeds\\fR \\fIN\\fR\nNumber of seeds per suite; with "
                        "\\-\\-packets: the most seeds\n"
                        ".br\nRange: 1 \\- 10000\n"));
  EXPECT_THAT(page("kernbench-topology.1"), HasSubstr("\n.SS kernbench topology build\n"));
  EXPECT_THAT(page("kernbench-sim.1"), HasSubstr("\n.SH EXIT STATUS\nExit code: 0 pass"));
  EXPECT_THAT(page("kernbench.1"), HasSubstr("\n.B KERNBENCH_ROOT\n"));
}

TEST_F(ReferenceCommand, PrintsACompletionForEachShell) {
  EXPECT_THAT(run({"completion", "bash"}).out, StartsWith("# bash completion for kernbench;"));
  EXPECT_THAT(run({"completion", "zsh"}).out, StartsWith("#compdef kernbench\n"));
  EXPECT_THAT(run({"completion", "fish"}).out, StartsWith("# fish completion for kernbench;"));
}

TEST_F(ReferenceCommand, RefusesAnotherShell) {
  const Finished finished = run({"completion", "tcsh"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "error: shell: 'tcsh' is not one of bash, zsh, fish\n"
            "Run 'kernbench completion --help' for its options.\n");
}

}  // namespace
}  // namespace kernbench
