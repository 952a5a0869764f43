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

std::string row_of(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "`" : ", `") + name + "`";
  }
  std::string text = option.text;
  if (!option.range.empty()) text += fmt::format(" ({})", option.range);
  if (option.required) text += " (required)";
  return fmt::format(
      "| {}{} | {} | {} |\n", names,
      option.kind == ValueKind::None ? std::string() : " " + in_cell(option.value_name()),
      in_cell(text),
      option.default_value.empty() ? std::string()
                                   : fmt::format("`{}`", in_cell(option.default_value)));
}

std::string section_of(const CommandDescription& command) {
  std::string text = fmt::format("## {}\n\n{}\n\n", command.call(), command.text);
  if (!command.commands.empty()) {
    text += "| command | does |\n|---|---|\n";
    for (const CommandDescription& below : command.commands) {
      text += fmt::format("| [`{}`](#{}) | {} |\n", below.call(), anchor_of(below.call()),
                          in_cell(below.text));
    }
    text += "\n";
  }
  text += "| option | means | default |\n|---|---|---|\n";
  for (const OptionDescription& option : command.options) text += row_of(option);
  for (const FooterPart& part : parts_of_footer(command.footer)) {
    text += part.heading.empty() ? "\n" : fmt::format("\n{}:\n\n", part.heading);
    for (const std::string& line : part.lines) {
      text += line.starts_with(' ') ? "  " + line + "\n" : line + "\n";
    }
  }
  return text + "\n";
}

}  // namespace

std::string markdown_reference(const CommandDescription& program) {
  std::string text = "# Commands and options of kernbench\n\n";
  for (const CommandDescription* command : all_commands(program)) text += section_of(*command);
  text.pop_back();
  return text;
}

}  // namespace kernbench::cli
