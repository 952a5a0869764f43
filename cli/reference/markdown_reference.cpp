// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "cli/reference/pages.hpp"

namespace kernbench::cli {
namespace {

/// Escapes what would end a cell of a table.
std::string in_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '<') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

/// Returns the anchor of a heading.
std::string anchor_of(std::string heading) {
  std::replace(heading.begin(), heading.end(), ' ', '-');
  return heading;
}

std::string row_of(const Option& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "`" : ", `") + name + "`";
  }
  std::string text = option.meaning;
  if (!option.range().empty()) text += fmt::format(" ({})", option.range());
  if (option.is_required) text += " (required)";
  return fmt::format(
      "| {}{} | {} | {} |\n", names,
      option.kind() == ValueKind::None ? std::string() : " " + in_cell(option.value_name()),
      in_cell(text),
      option.default_value().empty() ? std::string()
                                     : fmt::format("`{}`", in_cell(option.default_value())));
}

/// Returns true for an option that all commands have, which stands in the first table alone.
bool is_common(const Option& option) {
  return option.name() == kHelpName || option.group == kCommonGroup;
}

std::string section_of(const Command& command) {
  std::string text = fmt::format("## {}\n\n{}\n\n", command.full_name(), command.meaning());
  if (!command.commands().empty()) {
    text += "| command | does |\n|---|---|\n";
    for (const auto& below : command.commands()) {
      text += fmt::format("| [`{}`](#{}) | {} |\n", below->full_name(),
                          anchor_of(below->full_name()), in_cell(below->meaning()));
    }
    text += "\n";
  }
  text += "| option | means | default |\n|---|---|---|\n";
  for (const Option* option : command.shown_options()) {
    if (!is_common(*option) || command.parent() == nullptr) text += row_of(*option);
  }
  for (const FooterPart& part : parts_of_footer(command.help_footer())) {
    text += part.heading.empty() ? "\n" : fmt::format("\n{}:\n\n", part.heading);
    for (const std::string& line : part.lines) {
      text += line.starts_with(' ') ? "  " + line + "\n" : line + "\n";
    }
  }
  return text + "\n";
}

}  // namespace

std::string markdown_reference(const Command& program) {
  std::string text =
      "# Commands and options of kernbench\n\n"
      "Every command takes --help, --quiet and --verbose, and those that use plugins --plugin.\n\n";
  for (const Command* command : all_commands(program)) text += section_of(*command);
  text.pop_back();
  return text;
}

}  // namespace kernbench::cli
