// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "cli/reference/pages.hpp"

namespace kernbench::cli {
namespace {

constexpr const char* kEnvironment = R"(.SH ENVIRONMENT
.TP
.B KERNBENCH_ROOT
Folder of the data (RTL, Makefile.verilator and configs) of a program that is neither in the bin folder of an
installation nor in a checkout.
.TP
.B XDG_CACHE_HOME
Built models and mesh files are kept in its folder kernbench; ~/.cache/kernbench without this variable.
.TP
.B KERNBENCH_BENCHES
Folders of benches, with colons between them, as of --bench-dir.
.TP
.B KERNBENCH_LAST_WAVE
File for the path of the latest waves.
.TP
.B NO_COLOR
No colours on a terminal.
)";

/// Escapes text for roff. Dashes of options become ASCII.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

/// Returns a line of text that roff does not take for a request.
std::string roff_line(const std::string& line) {
  const bool request = !line.empty() && (line.front() == '.' || line.front() == '\'');
  return (request ? "\\&" : "") + roff(line) + "\n";
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string option_text(const Option& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", roff(name));
  }
  if (!option.is_argument() && option.kind() != ValueKind::None) {
    names += fmt::format(" \\fI{}\\fR", roff(option.value_name()));
  }
  std::string text = ".TP\n" + names + "\n" + roff_line(option.meaning);
  const auto add = [&](const std::string& line) { text += ".br\n" + roff_line(line); };
  if (!option.range().empty()) add("Range: " + option.range());
  if (option.is_argument() && option.kind() == ValueKind::Choice)
    add("One of " + option.value_name());
  if (option.is_required) add("Required.");
  if (!option.default_value().empty()) add("Default: " + option.default_value());
  return text;
}

std::string options_text(const Command& command) {
  std::string text;
  for (const Option* option : command.shown_options()) text += option_text(*option);
  return text;
}

std::string synopsis(const Command& command) {
  std::string text = fmt::format(".B {}\n", command.full_name());
  if (!command.commands().empty()) return text + "\\fICOMMAND\\fR [\\fIoptions\\fR]\n";
  text += "[\\fIoptions\\fR]";
  for (const Option* option : command.shown_options()) {
    if (!option->is_argument()) continue;
    const std::string name = upper(option->name()) + (option->is_repeatable() ? "..." : "");
    const std::string styled = "\\fI" + name + "\\fR";
    text += option->is_required ? " " + styled : " [" + styled + "]";
  }
  return text + "\n";
}

/// Returns the footer, each part below a heading made by `heading` (".SH" or ".PP\n.B").
std::string footer_text(const Command& command, bool section) {
  std::string text;
  for (const FooterPart& part : parts_of_footer(command.help_footer())) {
    const std::string heading = part.heading.empty() ? "Notes" : part.heading;
    text += section ? fmt::format(".SH {}\n", upper(heading))
                    : fmt::format(".PP\n\\fB{}\\fR\n.PP\n", heading);
    bool as_is = false;
    for (const std::string& line : part.lines) {
      const bool indented = line.starts_with(' ');
      if (line.empty()) continue;
      if (indented != as_is) text += indented ? ".nf\n" : ".fi\n";
      as_is = indented;
      text += roff_line(line);
    }
    if (as_is) text += ".fi\n";
  }
  return text;
}

std::string page_name(const Command& command) {
  return command.path().empty() ? "kernbench" : "kernbench-" + command.path();
}

ManPage page_of(const Command& command, const std::string& version) {
  const std::string name = page_name(command);
  std::string text = fmt::format(
      ".\\\" Written by `kernbench reference man`.\n"
      ".TH {} 1 \"\" \"kernbench {}\" \"User Commands\"\n"
      ".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
      upper(roff(name)), version, roff(name), roff(command.meaning()), synopsis(command));
  if (command.path().empty()) {
    text += ".SH COMMANDS\n";
    for (const auto& below : command.commands()) {
      text += fmt::format(".TP\n.BR kernbench\\-{} (1)\n{}", roff(below->path()),
                          roff_line(below->meaning()));
    }
  }
  text += ".SH OPTIONS\n" + options_text(command);
  if (!command.path().empty() && !command.commands().empty()) {
    text += ".SH COMMANDS\n";
    for (const auto& below : command.commands()) {
      text += fmt::format(".SS {}\n{}.PP\n{}{}{}", below->full_name(), roff_line(below->meaning()),
                          synopsis(*below), options_text(*below), footer_text(*below, false));
    }
  }
  text += footer_text(command, true);
  if (command.path().empty()) {
    text += kEnvironment;
  } else {
    text += ".SH SEE ALSO\n.BR kernbench (1)\n";
  }
  return {name + ".1", text};
}

}  // namespace

std::vector<ManPage> man_pages(const Command& program, const std::string& version) {
  std::vector<ManPage> pages = {page_of(program, version)};
  for (const auto& command : program.commands()) {
    pages.push_back(page_of(*command, version));
  }
  return pages;
}

}  // namespace kernbench::cli
