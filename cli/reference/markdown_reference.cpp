// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "cli/reference/pages.hpp"

namespace kernbench::cli {
namespace {

constexpr const char* kSharedHeading = "Options of several commands";
constexpr const char* kSharedAnchor = "options-of-several-commands";

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

/// Returns the names of an option, as code.
std::string names_in(const Option& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "`" : ", `") + name + "`";
  }
  return names;
}

/// Returns the cells of an option: names, meaning and default.
std::string cells_of(const Option& option) {
  std::string text = option.meaning;
  if (!option.range().empty()) text += fmt::format(" ({})", option.range());
  if (option.is_required) text += " (required)";
  return fmt::format(
      "| {}{} | {} | {} |", names_in(option),
      option.kind() == ValueKind::None ? std::string() : " " + in_cell(option.value_name()),
      in_cell(text),
      option.default_value().empty() ? std::string()
                                     : fmt::format("`{}`", in_cell(option.default_value())));
}

/// Returns true for an option that all commands have, which stands in the first table alone.
bool is_common(const Option& option) {
  return option.name() == kHelpName || option.group == kCommonGroup;
}

/// The commands that have an option in the same words, by the cells of the option.
using Shared = std::map<std::string, std::vector<const Command*>>;

std::vector<const Option*> own_options(const Command& command) {
  std::vector<const Option*> options;
  for (const Option* option : command.shown_options()) {
    if (!is_common(*option) || command.parent() == nullptr) options.push_back(option);
  }
  return options;
}

std::string link_to(const Command& command) {
  return fmt::format("[`{}`](#{})", command.full_name(), anchor_of(command.full_name()));
}

/// Returns the table of the options that `command` alone has, and a line with the others.
std::string options_of(const Command& command, const Shared& all) {
  std::string rows;
  std::string shared;
  for (const Option* option : own_options(command)) {
    const std::string cells = cells_of(*option);
    if (all.at(cells).size() == 1) {
      rows += cells + "\n";
    } else {
      shared += (shared.empty() ? "" : ", ") + names_in(*option);
    }
  }
  std::string text = rows.empty() ? "" : "| option | means | default |\n|---|---|---|\n" + rows;
  if (!shared.empty()) {
    text += fmt::format("{}[Shared](#{}): {}\n", text.empty() ? "" : "\n", kSharedAnchor, shared);
  }
  return text;
}

std::string section_of(const Command& command, const Shared& shared) {
  std::string text = fmt::format("## {}\n\n{}\n\n", command.full_name(), command.meaning());
  if (!command.commands().empty()) {
    text += "| command | does |\n|---|---|\n";
    for (const auto& below : command.commands()) {
      text += fmt::format("| {} | {} |\n", link_to(*below), in_cell(below->meaning()));
    }
    text += "\n";
  }
  text += options_of(command, shared);
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
  Shared shared;
  std::vector<std::string> order;
  for (const Command* command : all_commands(program)) {
    for (const Option* option : own_options(*command)) {
      auto& commands = shared[cells_of(*option)];
      if (commands.size() == 1) order.push_back(cells_of(*option));
      commands.push_back(command);
    }
  }
  for (const Command* command : all_commands(program)) text += section_of(*command, shared);
  text += fmt::format("## {}\n\n| option | means | default | of |\n|---|---|---|---|\n",
                      kSharedHeading);
  for (const std::string& cells : order) {
    std::vector<std::string> links;
    for (const Command* command : shared.at(cells)) links.push_back(link_to(*command));
    text += fmt::format("{} {} |\n", cells, fmt::join(links, ", "));
  }
  return text;
}

}  // namespace kernbench::cli
