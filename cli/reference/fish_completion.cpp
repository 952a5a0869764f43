// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/reference/completion.hpp"

namespace kernbench::cli {
namespace {

constexpr const char* kFishBody = R"(
# Succeeds if the commands typed so far are those of the argument.
function __kernbench_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l path
    set -l value_follows no
    for word in $words
        if test $value_follows = yes
            set value_follows no
        else if contains -- "$path|$word" $__kernbench_values
            set value_follows yes
        else if contains -- "$path|$word" $__kernbench_commands
            set path (string trim -- "$path $word")
        end
    end
    test "$path" = "$argv[1]"
end

complete -c kernbench -f
)";

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "'";
}

/// Returns the arguments of `complete` that tell what follows an option.
std::string completed_by(const Option& option) {
  switch (option.kind()) {
    case ValueKind::None:
      return {};
    case ValueKind::Number:
      return " -x";
    case ValueKind::Choice:
      return fmt::format(" -x -a '{}'", fmt::join(option.choices(), " "));
    case ValueKind::Text:
      break;
  }
  return " -r -F";
}

std::string line_of(const std::string& condition, const Option& option) {
  std::string line = "complete -c kernbench -n " + condition;
  if (option.is_argument()) {
    return line + (option.kind() == ValueKind::Choice
                       ? fmt::format(" -a '{}'\n", fmt::join(option.choices(), " "))
                       : std::string(" -F\n"));
  }
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return line + completed_by(option) + " -d " + fish_quoted(option.meaning) + "\n";
}

}  // namespace

std::string fish_completion(const Command& program) {
  std::string commands = "set -g __kernbench_commands";
  std::string values = "set -g __kernbench_values";
  std::string lines;
  for (const Command* command : all_commands(program)) {
    const std::string condition = fmt::format("'__kernbench_at \"{}\"'", command->path());
    for (const auto& below : command->commands()) {
      commands += fmt::format(" \\\n    '{}|{}'", command->path(), below->name());
      lines += fmt::format("complete -c kernbench -n {} -a {} -d {}\n", condition, below->name(),
                           fish_quoted(below->meaning()));
    }
    for (const Option* option : command->shown_options()) {
      lines += line_of(condition, *option);
      if (option->kind() == ValueKind::None || option->is_argument()) continue;
      for (const std::string& name : option->names) {
        values += fmt::format(" \\\n    '{}|{}'", command->path(), name);
      }
    }
  }
  return "# fish completion for kernbench; written by `kernbench completion fish`.\n\n" + commands +
         "\n" + values + "\n" + kFishBody + lines;
}

}  // namespace kernbench::cli
