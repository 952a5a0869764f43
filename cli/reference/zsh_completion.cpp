// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "cli/reference/completion.hpp"

namespace kernbench::cli {
namespace {

/// Escapes the characters of `special` with a backslash, and quotes of the shell.
std::string zsh_escaped(const std::string& text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (c == '\\' || special.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string function_of(const Command& command) {
  std::string name = "_kernbench" + (command.path().empty() ? "" : "_" + command.path());
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// Returns ":message:action", which completes the value of an option.
std::string action_of(const Option& option) {
  switch (option.kind()) {
    case ValueKind::None:
      return {};
    case ValueKind::Number:
      return ":number: ";
    case ValueKind::Choice:
      return fmt::format(":value:({})", fmt::join(option.choices(), " "));
    case ValueKind::Text:
      break;
  }
  return ":value:_files";
}

/// Returns the arguments of _arguments for an option: one line for each name.
std::string arguments_of(const Option& option) {
  if (option.is_argument()) {
    return fmt::format("    '{}{}' \\\n", option.is_repeatable() ? "*" : "1", action_of(option));
  }
  std::string lines;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    const char* joint = option.kind() == ValueKind::None ? "" : is_long ? "=" : "+";
    lines += fmt::format("    '{}{}{}[{}]{}' \\\n", option.is_repeatable() ? "*" : "", name, joint,
                         zsh_escaped(option.meaning, "[]:"), action_of(option));
  }
  return lines;
}

std::string function_text(const Command& command) {
  std::string text = function_of(command) + "() {\n";
  std::string arguments;
  for (const Option* option : command.shown_options()) arguments += arguments_of(*option);
  if (command.commands().empty()) {
    return text + "  _arguments : \\\n" + arguments.substr(0, arguments.size() - 3) + "\n}\n\n";
  }
  std::string described;
  std::string branches;
  for (const auto& below : command.commands()) {
    described += fmt::format("    '{}:{}'\n", below->name(), zsh_escaped(below->meaning(), ":"));
    branches += fmt::format("        {}) {} ;;\n", below->name(), function_of(*below));
  }
  return text + "  local curcontext=$curcontext state line\n  local -a commands=(\n" + described +
         "  )\n  _arguments -C : \\\n" + arguments +
         "    '1: :->command' \\\n    '*:: :->argument'\n"
         "  case $state in\n"
         "    command) _describe -t commands 'command' commands ;;\n"
         "    argument)\n      case $line[1] in\n" +
         branches + "      esac ;;\n  esac\n}\n\n";
}

}  // namespace

std::string zsh_completion(const Command& program) {
  std::string text =
      "#compdef kernbench\n# zsh completion for kernbench; written by `kernbench completion zsh`.\n"
      "\n";
  for (const Command* command : all_commands(program)) text += function_text(*command);
  return text +
         "# Autoloaded by the completion system, or sourced.\n"
         "if [[ $funcstack[1] == _kernbench ]]; then\n  _kernbench \"$@\"\nelse\n"
         "  compdef _kernbench kernbench\nfi\n";
}

}  // namespace kernbench::cli
