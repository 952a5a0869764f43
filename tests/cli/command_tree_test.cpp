// SPDX-License-Identifier: Apache-2.0
// Looks at the commands, options and help of all levels.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "tests/places.hpp"

namespace kernbench::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<CLI::App*> subcommands_of(CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

/// A fresh set of commands, which run nothing.
class Commands {
 public:
  Commands() {
    invocation_.root = places::kSource;
    invocation_.parts = all_parts();
    app_.set_version_flag("--version", "1.0", "Print the version");
    add_commands(app_, invocation_, outcome_);
    app_.parse_complete_callback([] { throw Parsed{}; });  // before a command runs
  }

  void each(const std::function<void(CLI::App&)>& visit) { visit_all(app_, visit); }

  /// Returns why the words of an example do not parse, or "".
  std::string problem_of(std::vector<std::string> words) {
    words.erase(words.begin());
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(words);
    } catch (const Parsed&) {
      return "";
    } catch (const CLI::Success&) {
      return "";
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no command";
  }

 private:
  struct Parsed {};

  static void visit_all(CLI::App& command, const std::function<void(CLI::App&)>& visit) {
    visit(command);
    for (CLI::App* sub : subcommands_of(command)) visit_all(*sub, visit);
  }

  common::Outcome outcome_ = common::Outcome::Pass;
  Invocation invocation_;
  CLI::App app_;
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

std::vector<std::string> examples_of(const CLI::App& command) {
  std::vector<std::string> examples;
  std::istringstream footer(command.get_footer());
  for (std::string line; std::getline(footer, line);) {
    if (line.starts_with("  kernbench")) examples.push_back(line.substr(2));
  }
  return examples;
}

TEST(CommandTree, EveryCommandHasADescriptionAndEveryOptionToo) {
  Commands commands;
  commands.each([](CLI::App& command) {
    if (command.get_parent() != nullptr) {
      EXPECT_THAT(command.get_description(), Not(IsEmpty())) << full_name(command);
    }
    for (const CLI::Option* option : command.get_options()) {
      EXPECT_THAT(option->get_description(), Not(IsEmpty()))
          << full_name(command) << ' ' << option->get_name();
    }
  });
}

TEST(CommandTree, EveryHelpEndsWithTheExitCodesWhichItNamesOnce) {
  Commands commands;
  commands.each([](CLI::App& command) {
    const std::string footer = command.get_footer();
    EXPECT_THAT(footer, EndsWith(exit_code_text())) << full_name(command);
    EXPECT_EQ(footer.find("Exit code: "), footer.rfind("Exit code: ")) << full_name(command);
  });
}

TEST(CommandTree, EveryCommandAcceptsTheCommonOptions) {
  Commands commands;
  commands.each([](CLI::App& command) {
    EXPECT_NE(command.get_option_no_throw("--quiet"), nullptr) << full_name(command);
    EXPECT_NE(command.get_option_no_throw("-v"), nullptr) << full_name(command);
  });
}

TEST(CommandTree, EveryCommandHasAnExampleOfItself) {
  Commands commands;
  commands.each([](CLI::App& command) {
    const std::vector<std::string> examples = examples_of(command);
    const bool own = std::any_of(examples.begin(), examples.end(), [&](const std::string& example) {
      return (example + " ").starts_with(full_name(command) + " ");
    });
    EXPECT_TRUE(own) << full_name(command);
  });
}

TEST(CommandTree, EveryExampleParses) {
  std::vector<std::string> examples;
  Commands all;
  all.each([&](CLI::App& command) {
    for (const std::string& example : examples_of(command)) examples.push_back(example);
  });
  EXPECT_GE(examples.size(), 40U);
  for (const std::string& example : examples) {
    EXPECT_EQ(Commands().problem_of(words_of(example)), "") << example;
  }
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
