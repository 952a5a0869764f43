// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/reference/completion.hpp"

namespace kernbench::cli {
namespace {

constexpr const char* kBashHead =
    R"(# bash completion for kernbench; written by `kernbench completion bash`.

)";

constexpr const char* kBashBody = R"(
_kernbench_files() {
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_kernbench_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_kernbench() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local path='' word value_follows='' commands flags values operands i
  COMPREPLY=()
  # bash splits "--option=value" into three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _kernbench_command ''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      continue
    elif [[ $value_follows ]]; then
      value_follows=''
    elif [[ " $values " == *" $word "* ]]; then
      value_follows=yes
    elif [[ " $commands " == *" $word "* ]]; then
      path+=${path:+ }$word
      _kernbench_command "$path"
    fi
  done
  if [[ " $values " == *" $previous "* ]]; then
    _kernbench_value "$path $previous" "$current"
  elif [[ $current == -* ]]; then
    _kernbench_words "$values $flags" "$current"
  elif [[ $commands ]]; then
    _kernbench_words "$commands" "$current"
  elif [[ $operands ]]; then
    _kernbench_value "$path" "$current"
  fi
}

complete -F _kernbench kernbench
)";

/// Returns the branch that completes the values of an option or of a positional argument.
std::string value_branch(const std::string& pattern, const Option& option) {
  if (option.kind() == ValueKind::Choice) {
    return fmt::format("    {}) _kernbench_words '{}' \"$2\" ;;\n", pattern,
                       fmt::join(option.choices(), " "));
  }
  return option.kind() == ValueKind::Number ? fmt::format("    {}) ;;\n", pattern) : std::string();
}

}  // namespace

std::string bash_completion(const Command& program) {
  std::string commands =
      "_kernbench_command() {\n  commands='' flags='' values='' operands=''\n  case $1 in\n";
  std::string values = "_kernbench_value() {\n  case $1 in\n";
  for (const Command* command : all_commands(program)) {
    std::vector<std::string> below;
    for (const auto& one : command->commands()) below.push_back(one->name());
    std::vector<std::string> flags;
    std::vector<std::string> valued;
    bool operands = false;
    for (const Option* option : command->shown_options()) {
      operands = operands || option->is_argument();
      if (option->is_argument()) {
        values += value_branch(fmt::format("'{}'", command->path()), *option);
        continue;
      }
      auto& names = option->kind() == ValueKind::None ? flags : valued;
      names.insert(names.end(), option->names.begin(), option->names.end());
      std::vector<std::string> patterns;
      for (const std::string& name : option->names) {
        patterns.push_back(fmt::format("'{} {}'", command->path(), name));
      }
      values += value_branch(fmt::format("{}", fmt::join(patterns, " | ")), *option);
    }
    commands += fmt::format("    '{}')\n", command->path());
    if (!below.empty()) commands += fmt::format("      commands='{}'\n", fmt::join(below, " "));
    commands += fmt::format("      flags='{}'\n", fmt::join(flags, " "));
    if (!valued.empty()) commands += fmt::format("      values='{}'\n", fmt::join(valued, " "));
    if (operands) commands += "      operands=yes\n";
    commands += "      ;;\n";
  }
  commands += "  esac\n}\n\n";
  values += "    *) _kernbench_files \"$2\" ;;\n  esac\n}\n";
  return kBashHead + commands + values + kBashBody;
}

}  // namespace kernbench::cli
