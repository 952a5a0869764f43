// SPDX-License-Identifier: Apache-2.0
#include "cli/usage_error.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "cli/help.hpp"
#include "common/text_distance.hpp"

namespace kernbench::cli {
namespace {

/// Returns the command that the words of the command line have reached.
const CLI::App& reached(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

bool has_subcommands(const CLI::App& command) {
  return !command_list(command).empty();
}

bool is_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-';
}

std::string unknown_option_text(const CLI::App& command, std::string_view word) {
  word = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("{} has no option '{}'{}", full_name(command), word,
                     common::did_you_mean(word, known));
}

/// Returns the messages about words that are not understood.
std::vector<std::string> unknown_words(const CLI::App& app) {
  const CLI::App& command = reached(app);
  std::vector<std::string> messages;
  bool after_option = false;
  for (const std::string& word : app.remaining(true)) {
    if (word == "--") continue;
    if (is_option(word)) {
      messages.push_back(unknown_option_text(command, word));
    } else if (!after_option) {  // otherwise it is the value of the unknown option
      messages.push_back(
          has_subcommands(command)
              ? unknown_command_text(command, word)
              : fmt::format("{} does not expect the argument '{}'", full_name(command), word));
      if (has_subcommands(command)) break;  // the other words are those of the unknown command
    }
    after_option = is_option(word) && word.find('=') == std::string::npos;
  }
  return messages;
}

/// Splits "--seed: 1 required UINT missing" at `separator`.
std::pair<std::string, std::string> split(const std::string& text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + separator.size())};
}

std::string required_text(const CLI::App& command, const CLI::RequiredError& error) {
  const auto [what, rest] = split(error.what(), " is required");
  if (what == "A subcommand") return full_name(command) + " needs a command";
  return fmt::format("{} needs {} {}", full_name(command),
                     is_option(what) ? "option" : "the argument", what);
}

std::string mismatch_text(const CLI::App& command, const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();
  if (text.ends_with("disallowed flag override")) {
    return fmt::format("{}: option --{} takes no value", full_name(command),
                       split(text, " was").first);
  }
  const auto [name, problem] = split(text, ": ");
  if (const auto [limit, given] = split(problem, " required but received ");
      limit.starts_with("At Most ")) {
    return fmt::format("{}: option {} takes {} value{}, but {} are given", full_name(command), name,
                       limit.substr(8), limit == "At Most 1" ? "" : "s", given);
  }
  return fmt::format("{}: option {} needs a value", full_name(command), name);
}

}  // namespace

std::string unknown_command_text(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    if (!sub->get_name().empty()) names.push_back(sub->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (known.empty()) return fmt::format("{} has no subcommands", full_name(command));
  const std::string nearest = common::did_you_mean(word, known);
  return fmt::format(
      "{} has no command '{}'{}", full_name(command), word,
      nearest.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : nearest);
}

std::string usage_error_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = reached(app);
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return fmt::format("{}", fmt::join(unknown_words(app), "\n"));
  }
  if (const auto* required = dynamic_cast<const CLI::RequiredError*>(&error)) {
    // The missing one may be there, but misspelled.
    const std::vector<std::string> unknown = unknown_words(app);
    if (!unknown.empty()) return fmt::format("{}", fmt::join(unknown, "\n"));
    return required_text(command, *required);
  }
  if (const auto* mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    return mismatch_text(command, *mismatch);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const auto [one, other] = split(text, " excludes ");
    return fmt::format("{}: {} and {} cannot be combined", full_name(command), one, other);
  }
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    const auto [one, other] = split(text, " requires ");
    return fmt::format("{}: {} needs {}", full_name(command), one, other);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr &&
      text.starts_with("Could not convert: ")) {
    const auto [name, value] =
        split(text.substr(std::string_view("Could not convert: ").size()), " = ");
    return fmt::format("{}: '{}' is not a number", name, value);
  }
  return text;
}

std::string usage_advice(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = reached(app);
  const bool bare = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                    has_subcommands(command) && unknown_words(app).empty();
  if (bare) {
    return fmt::format("Commands:\n{}Run '{} COMMAND --help' for one of them.",
                       command_list(command), full_name(command));
  }
  return fmt::format("Run '{} --help' for its {}.", full_name(command),
                     has_subcommands(command) ? "commands" : "options");
}

std::optional<std::string> wrong_help_text(const CLI::App& app) {
  const CLI::App& command = reached(app);
  if (!has_subcommands(command)) return std::nullopt;
  for (const std::string& word : app.remaining(true)) {
    if (!is_option(word)) return unknown_command_text(command, word);
  }
  return std::nullopt;
}

}  // namespace kernbench::cli
