// SPDX-License-Identifier: Apache-2.0
#include "cli/line/usage_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/line/parser.hpp"
#include "common/text_distance.hpp"

namespace kernbench::cli {
namespace {

bool is_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-';
}

std::string unknown_option_text(const Command& command, std::string_view word) {
  word = word.substr(0, word.find('='));
  std::vector<std::string_view> known;
  for (const auto& option : command.options()) {
    if (option->name().starts_with("--")) known.push_back(option->name());
  }
  return fmt::format("{} has no option '{}'{}", command.full_name(), word,
                     common::did_you_mean(word, known));
}

/// Returns the lines of a help page that list the commands below `command`.
std::string command_list(const Command& command) {
  std::size_t width = 0;
  for (const auto& below : command.commands()) width = std::max(width, below->name().size());
  std::string text;
  for (const auto& below : command.commands()) {
    text += fmt::format("  {:<{}}  {}\n", below->name(), width, below->meaning());
  }
  return text;
}

/// Returns the messages about words that are not understood.
std::vector<std::string> unknown_words(const Command& command, const CLI::App& app) {
  std::vector<std::string> messages;
  bool after_option = false;
  for (const std::string& word : app.remaining(true)) {
    if (word == "--") continue;
    if (is_option(word)) {
      messages.push_back(unknown_option_text(command, word));
    } else if (!after_option) {  // otherwise it is the value of the unknown option
      messages.push_back(
          !command.commands().empty()
              ? unknown_command_text(command, word)
              : fmt::format("{} does not expect the argument '{}'", command.full_name(), word));
      if (!command.commands().empty()) break;  // the other words are those of the unknown command
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

std::string required_text(const Command& command, const CLI::RequiredError& error) {
  const auto [what, rest] = split(error.what(), " is required");
  if (what == "A subcommand") return command.full_name() + " needs a command";
  return fmt::format("{} needs {} {}", command.full_name(),
                     is_option(what) ? "option" : "the argument", what);
}

std::string mismatch_text(const Command& command, const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();
  if (text.ends_with("disallowed flag override")) {
    return fmt::format("{}: option --{} takes no value", command.full_name(),
                       split(text, " was").first);
  }
  const auto [name, problem] = split(text, ": ");
  if (const auto [limit, given] = split(problem, " required but received ");
      limit.starts_with("At Most ")) {
    return fmt::format("{}: option {} takes {} value{}, but {} are given", command.full_name(),
                       name, limit.substr(8), limit == "At Most 1" ? "" : "s", given);
  }
  return fmt::format("{}: option {} needs a value", command.full_name(), name);
}

}  // namespace

std::string unknown_command_text(const Command& command, const std::string& word) {
  std::vector<std::string_view> known;
  for (const auto& below : command.commands()) known.push_back(below->name());
  if (known.empty()) return fmt::format("{} has no subcommands", command.full_name());
  const std::string nearest = common::did_you_mean(word, known);
  return fmt::format(
      "{} has no command '{}'{}", command.full_name(), word,
      nearest.empty() ? fmt::format("; expected one of {}", fmt::join(known, ", ")) : nearest);
}

std::string usage_error_text(const Command& command, const CLI::App& app,
                             const CLI::ParseError& error) {
  const std::string text = error.what();
  const auto* const required = dynamic_cast<const CLI::RequiredError*>(&error);
  const std::vector<std::string> words = app.remaining(true);
  // The missing one may be there, but misspelled, and a wrong argument may be the value of a
  // misspelled option.
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr || required != nullptr ||
      std::any_of(words.begin(), words.end(), is_option)) {
    const std::vector<std::string> unknown = unknown_words(command, app);
    if (!unknown.empty()) return fmt::format("{}", fmt::join(unknown, "\n"));
  }
  if (required != nullptr) return required_text(command, *required);
  if (const auto* mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    return mismatch_text(command, *mismatch);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const auto [one, other] = split(text, " excludes ");
    return fmt::format("{}: {} and {} cannot be combined", command.full_name(), one, other);
  }
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    const auto [one, other] = split(text, " requires ");
    return fmt::format("{}: {} needs {}", command.full_name(), one, other);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr &&
      text.starts_with("Could not convert: ")) {
    const auto [name, value] =
        split(text.substr(std::string_view("Could not convert: ").size()), " = ");
    return fmt::format("{}: '{}' is not a number", name, value);
  }
  return text;
}

std::string help_advice(const Command& command) {
  return fmt::format("Run '{} --help' for its {}.", command.full_name(),
                     command.commands().empty() ? "options" : "commands");
}

std::string usage_advice(const Command& command, const CLI::App& app,
                         const CLI::ParseError& error) {
  const bool bare = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                    !command.commands().empty() && unknown_words(command, app).empty();
  if (bare) {
    return fmt::format("Commands:\n{}Run '{} COMMAND --help' for one of them.",
                       command_list(command), command.full_name());
  }
  return help_advice(command);
}

std::optional<std::string> wrong_help_text(const Command& command, const CLI::App& app) {
  if (command.commands().empty()) return std::nullopt;
  for (const std::string& word : app.remaining(true)) {
    if (!is_option(word)) return unknown_command_text(command, word);
  }
  return std::nullopt;
}

}  // namespace kernbench::cli
