// SPDX-License-Identifier: Apache-2.0
// Looks at the commands, options and help of all levels.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/line/parser.hpp"
#include "tests/places.hpp"

namespace kernbench::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A fresh set of commands, which run nothing.
class Commands {
 public:
  Commands() {
    invocation_.root = places::kSource;
    invocation_.parts = all_parts();
    add_commands(program_, invocation_);
  }

  [[nodiscard]] std::vector<const Command*> all() const { return all_commands(program_); }

  /// Returns why the words of an example do not parse, or "".
  [[nodiscard]] std::string problem_of(std::vector<std::string> words) const {
    words.erase(words.begin());
    try {
      (void)parse(program_, words, [] { return std::string("1.0"); });
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

 private:
  Invocation invocation_;
  Command program_{"kernbench", "All commands"};
};

/// Returns the words of a line of a shell, up to a redirection, a pipe or a remark after two
/// blanks.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\'') {
      quoted = !quoted;
    } else if (quoted || line[i] != ' ') {
      if (!quoted && (line[i] == '>' || line[i] == '|')) break;
      words.back() += line[i];
    } else if (words.back().empty()) {
      break;
    } else {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::vector<std::string> examples_of(const Command& command) {
  std::vector<std::string> examples;
  std::istringstream footer(command.help_footer());
  for (std::string line; std::getline(footer, line);) {
    if (line.starts_with("  kernbench")) examples.push_back(line.substr(2));
  }
  return examples;
}

TEST(CommandTree, EveryCommandHasADescriptionAndEveryOptionToo) {
  const Commands commands;
  for (const Command* const command : commands.all()) {
    EXPECT_THAT(command->meaning(), Not(IsEmpty())) << command->full_name();
    for (const auto& option : command->options()) {
      EXPECT_THAT(option->meaning, Not(IsEmpty())) << command->full_name() << ' ' << option->name();
    }
  }
}

TEST(CommandTree, EveryHelpEndsWithTheExitCodesWhichItNamesOnce) {
  const Commands commands;
  for (const Command* const command : commands.all()) {
    const std::string help = help_text(*command);
    EXPECT_THAT(help, EndsWith(exit_code_text() + "\n")) << command->full_name();
    EXPECT_EQ(help.find("Exit code: "), help.rfind("Exit code: ")) << command->full_name();
  }
}

TEST(CommandTree, EveryCommandAcceptsTheCommonOptions) {
  const Commands commands;
  for (const Command* const command : commands.all()) {
    EXPECT_NE(command->find_option("--quiet"), nullptr) << command->full_name();
    EXPECT_NE(command->find_option("-v"), nullptr) << command->full_name();
  }
}

TEST(CommandTree, EveryCommandHasAnExampleOfItself) {
  const Commands commands;
  for (const Command* const command : commands.all()) {
    const std::vector<std::string> examples = examples_of(*command);
    const bool own = std::any_of(examples.begin(), examples.end(), [&](const std::string& example) {
      return (example + " ").starts_with(command->full_name() + " ");
    });
    EXPECT_TRUE(own) << command->full_name();
  }
}

TEST(CommandTree, EveryExampleParses) {
  const Commands commands;
  std::size_t tried = 0;
  for (const Command* const command : commands.all()) {
    for (const std::string& example : examples_of(*command)) {
      EXPECT_EQ(commands.problem_of(words_of(example)), "") << example;
      ++tried;
    }
  }
  EXPECT_GE(tried, 40U);
}

TEST(CommandTree, AnExampleThatDoesNotParseIsNoticed) {
  EXPECT_THAT(Commands().problem_of(words_of("kernbench sim --sed 3   a remark")),
              HasSubstr("--sed"));
  EXPECT_EQ(words_of("kernbench traffic 'Mesh2D(4,4)' --loads 0.1   a remark").back(), "0.1");
  EXPECT_EQ(words_of("kernbench topology schema > file"),
            (std::vector<std::string>{"kernbench", "topology", "schema"}));
}

}  // namespace
}  // namespace kernbench::cli
