// SPDX-License-Identifier: Apache-2.0
// Looks at the commands, options and help of all levels.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "all_commands.hpp"

namespace kernbench::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Returns why the words of an example do not parse, or "".
std::string problem_of(const AllCommands& commands, Words words) {
  words.erase(words.begin());
  try {
    (void)commands.parsed(words);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

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
  const AllCommands commands;
  for (const Command* const command : all_commands(commands.program())) {
    EXPECT_THAT(command->meaning(), Not(IsEmpty())) << command->full_name();
    for (const auto& option : command->options()) {
      EXPECT_THAT(option->meaning, Not(IsEmpty())) << command->full_name() << ' ' << option->name();
    }
  }
}

TEST(CommandTree, EveryHelpEndsWithTheExitCodesWhichItNamesOnce) {
  const AllCommands commands;
  for (const Command* const command : all_commands(commands.program())) {
    const std::string help = help_text(*command);
    EXPECT_THAT(help, EndsWith(exit_code_text() + "\n")) << command->full_name();
    EXPECT_EQ(help.find("Exit code: "), help.rfind("Exit code: ")) << command->full_name();
  }
}

TEST(CommandTree, EveryCommandAcceptsTheCommonOptions) {
  const AllCommands commands;
  for (const Command* const command : all_commands(commands.program())) {
    EXPECT_NE(command->find_option("--quiet"), nullptr) << command->full_name();
    EXPECT_NE(command->find_option("-v"), nullptr) << command->full_name();
  }
}

TEST(CommandTree, EveryCommandHasAnExampleOfItself) {
  const AllCommands commands;
  for (const Command* const command : all_commands(commands.program())) {
    const std::vector<std::string> examples = examples_of(*command);
    const bool own = std::any_of(examples.begin(), examples.end(), [&](const std::string& example) {
      return (example + " ").starts_with(command->full_name() + " ");
    });
    EXPECT_TRUE(own) << command->full_name();
  }
}

TEST(CommandTree, EveryExampleParses) {
  const AllCommands commands;
  std::size_t tried = 0;
  for (const Command* const command : all_commands(commands.program())) {
    for (const std::string& example : examples_of(*command)) {
      EXPECT_EQ(problem_of(commands, words_of(example)), "") << example;
      ++tried;
    }
  }
  EXPECT_GE(tried, 40U);
}

TEST(CommandTree, AnOptionOfOneValueEachLeavesTheArgumentBehindIt) {
  const AllCommands commands;
  std::size_t tried = 0;
  for (const Command* const command : all_commands(commands.program())) {
    const auto argument = std::find_if(command->options().begin(), command->options().end(),
                                       [](const auto& option) { return option->is_argument(); });
    if (argument == command->options().end() || !(*argument)->is_required) continue;
    const auto needed = std::count_if(
        command->options().begin(), command->options().end(),
        [](const auto& option) { return option->is_argument() && option->is_required; });
    for (const auto& option : command->options()) {
      if (!option->is_single || !option->choices().empty()) continue;
      std::istringstream path(command->path());
      Words words{std::istream_iterator<std::string>(path), {}};
      const std::vector<std::string> choices = (*argument)->choices();
      words.insert(words.end(), {option->name(), "topology.a=b",
                                 choices.empty() ? "argument.json" : choices.front()});
      words.insert(words.end(), static_cast<std::size_t>(needed - 1), "argument.json");
      (void)commands.parsed(words);
      EXPECT_EQ(option->typed, Words{"topology.a=b"}) << option->name();
      EXPECT_TRUE((*argument)->is_given) << command->full_name() << ' ' << option->name();
      ++tried;
    }
  }
  EXPECT_GE(tried, 8U);
}

/// Words that repeat a command line give its options the same values.
TEST(CommandTree, TheWordsOfACommandLineGiveTheSameValues) {
  const AllCommands commands;
  const auto all = [](const Option&) { return true; };
  const auto values = [&](const Words& words) {
    const Command& command = *commands.parsed(words);
    std::vector<Words> texts;
    for (const auto& option : command.options()) texts.push_back(option->variable.texts());
    return std::tuple(command.typed_words(all), command.words(all), texts);
  };
  for (const Words& line :
       {Words{"run", "gemm", "--set", "m=8", "--fabric=cycle", "--spread", "--json=-x"},
        Words{"sim", "--rtl", "a.sv", "b.sv", "--suite", "x y", "--no-assertions", "--fabric",
              "3x5"},
        Words{"coverage", "merge", "-o", "all.json", "a.json", "b.json"},
        Words{"--plugin", "p.so", "traffic", "Mesh2D(2,2)", "--loads", "0.1,0.2"},
        Words{"serve", "--rate", "0.25", "--set", "model=c.json"},
        Words{"sweep", "p.yaml", "--jobs", "77", "--yes"}}) {
    const auto [typed, words, texts] = values(line);
    EXPECT_EQ(std::get<2>(values(typed)), texts) << fmt::format("{}", fmt::join(line, " "));
    EXPECT_EQ(std::get<0>(values(typed)), typed) << fmt::format("{}", fmt::join(line, " "));
    EXPECT_EQ(std::get<1>(values(words)), words) << fmt::format("{}", fmt::join(line, " "));
  }
}

TEST(CommandTree, AnExampleThatDoesNotParseIsNoticed) {
  EXPECT_THAT(problem_of(AllCommands(), words_of("kernbench sim --sed 3   a remark")),
              HasSubstr("--sed"));
  EXPECT_EQ(words_of("kernbench traffic 'Mesh2D(4,4)' --loads 0.1   a remark").back(), "0.1");
  EXPECT_EQ(words_of("kernbench schema inputs/topology > file"),
            (std::vector<std::string>{"kernbench", "schema", "inputs/topology"}));
}

}  // namespace
}  // namespace kernbench::cli
