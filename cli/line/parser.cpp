// SPDX-License-Identifier: Apache-2.0
#include "cli/line/parser.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/line/usage_error.hpp"
#include "common/diagnostics.hpp"
#include "common/text_lines.hpp"

namespace kernbench::cli {
namespace {

/// Returns the words as CLI11 takes them, the last first. "--json=" becomes "--json" and an empty
/// word, because CLI11 would take the next word, whatever it is, for the value.
Words parsed_words(const Words& given) {
  Words words;
  for (auto at = given.rbegin(); at != given.rend(); ++at) {
    const std::string& word = *at;
    const bool is_empty = word.starts_with("--") && word.find('=') == word.size() - 1;
    if (is_empty) words.emplace_back();
    words.push_back(is_empty ? word.substr(0, word.size() - 1) : word);
  }
  return words;
}

CLI::Validator validator(const Check& check) {
  const std::string shown = !check.choices.empty()
                                ? fmt::format("{{{}}}", fmt::join(check.choices, ","))
                            : !check.range.empty() ? fmt::format("[{}]", check.range)
                                                   : std::string();
  return {[problem = check.problem](std::string& text) { return problem(text); }, shown};
}

/// Writes the help of CLI11 with meanings that fit into the lines of the terminal.
class HelpFormatter final : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option_desc(const CLI::Option* option) const override {
    return folded(option->get_description());
  }
  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             folded(command->get_description()), get_column_width());
    return out.str();
  }

 private:
  /// Returns a text in lines of what the column of names leaves.
  [[nodiscard]] std::string folded(const std::string& text) const {
    const std::string lines = common::wrapped_from(std::string(get_column_width(), ' '), text);
    std::string out;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
      out += (out.empty() ? "" : "\n") + line.substr(std::min(get_column_width(), line.size()));
    }
    return out;
  }
};

/// The parser of CLI11 for a program, built from its description: with the options of the commands
/// that `words` can reach, since building those of all takes most of the time of a start.
class Parser {
 public:
  Parser(const Command& program, const Words& words, const std::function<std::string()>& version)
      : program_(program), words_(words) {
    app_.formatter(std::make_shared<HelpFormatter>());
    bind(program, app_, version);
  }

  CLI::App& app() { return app_; }

  /// Returns the command that the words have reached.
  [[nodiscard]] const Command& reached() const {
    const CLI::App* app = &app_;
    const Command* command = &program_;
    while (!app->get_subcommands().empty()) {
      app = app->get_subcommands().front();
      command = command->find(app->get_name());
    }
    return *command;
  }

  /// Gives the options the texts of the parsed words.
  void apply() const {
    for (const Command* const command : all_commands(program_)) {
      for (const auto& option : command->options()) option->reset();
    }
    for (const Command* const command : reached().chain()) {
      for (const auto& option : command->options()) {
        const auto found = found_.find(option.get());
        if (found != found_.end() && found->second->is_given) option->take(found->second->texts);
      }
    }
  }

  CLI::App& app_of(const Command& command) {
    return command.parent() == nullptr ? app_
                                       : *app_of(*command.parent()).get_subcommand(command.name());
  }

 private:
  /// Words that an option is given.
  struct Found {
    bool is_given = false;
    Words texts{};
  };

  void bind(const Command& command, CLI::App& app, const std::function<std::string()>& version) {
    app.footer(command.help_footer());
    app.set_help_flag();
    if (command.is_missing) app.allow_extras();
    for (const auto& option : command.options()) bind(*option, app, command.is_missing, version);
    relate(command, app);
    for (const auto& below : command.commands()) {
      CLI::App* const sub = app.add_subcommand(below->name(), below->meaning());
      if (std::find(words_.begin(), words_.end(), below->name()) != words_.end()) {
        bind(*below, *sub, version);
      }
    }
    if (command.needs_command) {
      app.require_subcommand(1);
    } else if (!command.commands().empty()) {
      app.require_subcommand(0, 1);
    }
  }

  void bind(const Option& option, CLI::App& app, bool is_missing,
            const std::function<std::string()>& version) {
    Found* const found = found_.emplace(&option, std::make_unique<Found>()).first->second.get();
    const std::string names = fmt::format("{}", fmt::join(option.names, ","));
    if (option.name() == kHelpName) {
      if (!is_missing) app.set_help_flag(names, option.meaning);
      return;
    }
    if (option.name() == kVersionName) {
      app.set_version_flag(names, version, option.meaning);
      return;
    }
    CLI::Option* const bound = option.is_flag() ? bind_flag(option, names, app, *found)
                                                : bind_valued(option, names, app, *found);
    if (!option.group.empty()) bound->group(option.group);
    if (option.is_hidden) bound->group("");
    if (option.is_required) bound->required();
  }

  static CLI::Option* bind_flag(const Option& option, const std::string& names, CLI::App& app,
                                Found& found) {
    CLI::Option* const bound = app.add_flag_callback(
        names,
        [&found] {
          found = {true, {""}};
        },
        option.meaning);
    bound->disable_flag_override();  // else --flag=0 is accepted
    return bound;
  }

  static CLI::Option* bind_valued(const Option& option, const std::string& names, CLI::App& app,
                                  Found& found) {
    const auto take = [&found, &option](const Words& texts) {
      for (const std::string& text : texts) {
        if (text.empty()) throw CLI::ValidationError(option.name(), "the value is empty");
      }
      found = {true, texts};
    };
    CLI::Option* const bound =
        option.variable.is_list
            ? app.add_option_function<Words>(names, take, option.meaning)
            : app.add_option_function<std::string>(
                  names, [take](const std::string& text) { take({text}); }, option.meaning);
    bound->type_name(option.variable.type);
    if (option.is_single) {
      bound->allow_extra_args(false)->expected(1)->multi_option_policy(
          CLI::MultiOptionPolicy::TakeAll);
    }
    const std::string fallback = option.default_value();
    if (!fallback.empty()) bound->default_str(fallback);
    if (!option.bare_value.empty()) {
      bound->expected(0, 1)
          ->default_str(option.bare_value)
          ->option_text(fmt::format("[{}]", option.variable.type));
    }
    for (const Check& check : option.checks) bound->check(validator(check));
    if (option.checks.empty() && option.variable.check.problem) {
      bound->check(validator({.problem = option.variable.check.problem}));
    }
    return bound;
  }

  /// Tells CLI11 which options need and exclude each other.
  static void relate(const Command& command, CLI::App& app) {
    for (const auto& option : command.options()) {
      for (const std::string& other : option->needed) {
        app.get_option(option->name())->needs(app.get_option(other));
      }
      for (const std::string& other : option->excluded) {
        app.get_option(option->name())->excludes(app.get_option(other));
      }
    }
  }

  const Command& program_;
  const Words& words_;
  std::map<const Option*, std::unique_ptr<Found>> found_;
  CLI::App app_{std::string(program_.meaning()), program_.name()};
};

/// Throws UsageError if a condition of the command does not hold.
void check_conditions(const Command& command) {
  for (const Condition& condition : command.conditions()) {
    const auto given = std::count_if(condition.options.begin(), condition.options.end(),
                                     [&](const std::string& name) { return command.given(name); });
    if (given != 1) throw UsageError(condition.problem, help_advice(command));
  }
}

}  // namespace

Asked parse(const Command& program, const Words& words,
            const std::function<std::string()>& version) {
  Parser parser(program, words, version);
  try {
    parser.app().parse(parsed_words(words));
  } catch (const CLI::CallForVersion&) {
    return {nullptr, version() + "\n"};
  } catch (const CLI::CallForHelp&) {
    if (const auto wrong = wrong_help_text(parser.reached(), parser.app())) {
      throw common::BadInput(*wrong);
    }
    return {nullptr, parser.app().help()};
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_error_text(parser.reached(), parser.app(), error),
                     usage_advice(parser.reached(), parser.app(), error));
  }
  parser.apply();
  const Command& command = parser.reached();
  check_conditions(command);
  return {&command, {}};
}

std::string help_text(const Command& command) {
  const Command& program = *command.chain().front();
  Words names;
  for (const Command* const part : command.chain()) names.push_back(part->name());
  Parser parser(program, names, [] { return std::string(); });
  return parser.app_of(command).help(command.parent() == nullptr ? ""
                                                                 : command.parent()->full_name());
}

}  // namespace kernbench::cli
