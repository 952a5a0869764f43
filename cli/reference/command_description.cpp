// SPDX-License-Identifier: Apache-2.0
#include "cli/reference/command_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace kernbench::cli {
namespace {

/// Returns the text between the first `open` and the last `close`; empty if there is none.
std::string between(const std::string& text, char open, char close) {
  const auto begin = text.find(open);
  const auto end = text.rfind(close);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return text.substr(begin + 1, end - begin - 1);
}

OptionDescription describe(const CLI::Option& option) {
  OptionDescription found;
  for (const std::string& name : option.get_snames()) found.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) found.names.push_back("--" + name);
  found.positional = found.names.empty();
  if (found.positional) found.names.push_back(option.get_name(true));
  found.text = option.get_description();
  found.default_value = option.get_default_str();
  found.required = option.get_required();
  found.repeatable = option.get_expected_max() > 1;
  if (option.get_items_expected_max() == 0) return found;
  const std::string type = option.get_type_name();  // with the descriptions of its checks
  std::istringstream choices(between(type, '{', '}'));
  for (std::string choice; std::getline(choices, choice, ',');) found.choices.push_back(choice);
  const bool number =
      type.starts_with("UINT") || type.starts_with("INT") || type.starts_with("FLOAT");
  found.range = number ? between(type, '[', ']') : std::string();
  found.kind = !found.choices.empty() ? ValueKind::Choice
               : number               ? ValueKind::Number
                                      : ValueKind::File;
  return found;
}

CommandDescription describe(const CLI::App& app, const std::string& path) {
  CommandDescription found{path, app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) found.options.push_back(describe(*option));
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (below->get_name().empty()) {  // a group of options
      const CommandDescription group = describe(*below, path);
      for (const OptionDescription& option : group.options) {
        if (option.names.back() != "--help") found.options.push_back(option);
      }
    } else {
      found.commands.push_back(
          describe(*below, path.empty() ? below->get_name() : path + " " + below->get_name()));
    }
  }
  return found;
}

void collect(const CommandDescription& command, std::vector<const CommandDescription*>& all) {
  all.push_back(&command);
  for (const CommandDescription& below : command.commands) collect(below, all);
}

}  // namespace

std::string OptionDescription::value_name() const {
  switch (kind) {
    case ValueKind::None:
      return {};
    case ValueKind::Number:
      return "N";
    case ValueKind::Choice:
      return fmt::format("{}", fmt::join(choices, "|"));
    case ValueKind::File:
      break;
  }
  return "VALUE";
}

std::string CommandDescription::name() const {
  return path.substr(path.rfind(' ') + 1);
}

std::string CommandDescription::call() const {
  return path.empty() ? "kernbench" : "kernbench " + path;
}

CommandDescription describe_commands(const CLI::App& app) {
  return describe(app, "");
}

std::vector<const CommandDescription*> all_commands(const CommandDescription& top) {
  std::vector<const CommandDescription*> all;
  collect(top, all);
  return all;
}

}  // namespace kernbench::cli
