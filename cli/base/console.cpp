// SPDX-License-Identifier: Apache-2.0
#include "cli/base/console.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "common/activity.hpp"
#include "common/progress.hpp"
#include "common/terminal.hpp"
#include "common/utf8.hpp"

namespace kernbench::cli {
namespace {

Verbosity& current_verbosity() {
  static Verbosity verbosity = Verbosity::Normal;
  return verbosity;
}

constexpr std::array<std::string_view, 11> kVerdicts = {
    "PASS",      "FAIL",        "MISMATCH",       "VACUOUS",      "TIMEOUT",        "DEADLOCK",
    "BAD-INPUT", "INTERRUPTED", "INTERNAL-ERROR", "SAME FAILURE", "ANOTHER FAILURE"};

/// Returns the verdict with which a line begins, or "".
std::string_view verdict_of(std::string_view line) {
  for (const std::string_view verdict : kVerdicts) {
    if (!line.starts_with(verdict)) continue;
    const std::string_view rest = line.substr(verdict.size());
    if (rest.empty() || rest.front() == '\n' || rest.starts_with("  ")) return verdict;
  }
  return {};
}

void write(std::string_view text, std::FILE* file) {
  common::Progress::make_room();
  (void)std::fwrite(text.data(), 1, text.size(), file);
}

void print_marked(std::string_view mark, std::string_view message) {
  std::string text;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size() - 1) + 1;
    const std::string_view line = message.substr(0, end);
    text += line.front() == ' ' ? std::string(line) : fmt::format("{} {}", mark, line);
    message.remove_prefix(end);
  }
  write(text + '\n', stderr);
}

}  // namespace

void set_verbosity(Verbosity verbosity) {
  current_verbosity() = verbosity;
  if (verbosity == Verbosity::Quiet) common::Progress::turn_off();
  if (verbosity == Verbosity::Verbose) common::show_activity();
}

Verbosity verbosity() {
  return current_verbosity();
}

void print_text(std::string_view text) {
  const common::Colour colour = common::colour_for(STDOUT_FILENO);
  std::string shown;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    const std::string_view verdict = verdict_of(line);
    if (verdict.empty() && verbosity() == Verbosity::Quiet) continue;
    shown += verdict == "PASS" ? common::green(verdict, colour)
             : verdict.empty() ? std::string()
                               : common::red(verdict, colour);
    shown += line.substr(verdict.size());
  }
  write(shown, stdout);
}

void print_output(std::string_view text) {
  write(text, stdout);
}

void print_table(const common::TextTable& table) {
  print_text(table.text(common::colour_for(STDOUT_FILENO)));
}

void print_heading(std::string_view line) {
  if (verbosity() == Verbosity::Quiet) return;
  write(common::bold(line, common::colour_for(STDOUT_FILENO)) + '\n', stdout);
}

std::string red(std::string_view text) {
  return common::red(text, common::colour_for(STDOUT_FILENO));
}

// Messages may quote names of a file, which must not control the terminal.

void print_error(std::string_view message) {
  print_marked(common::red("error:", common::colour_for(STDERR_FILENO)),
               common::without_controls(message));
}

void print_error(const common::BadInput& error) {
  std::string text = common::without_controls(error.what());
  const std::string painted = common::red("error:", common::colour_for(STDERR_FILENO));
  for (std::size_t line = 0; line < text.size();) {
    // The first "error:" of a line: a message may quote others.
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::size_t at = text.find("error:", line);
    std::size_t added = 0;
    if (at < end && text[line] != ' ') {
      text.replace(at, std::string_view("error:").size(), painted);
      added = painted.size() - std::string_view("error:").size();
    }
    line = end + added + 1;
  }
  write(text + '\n', stderr);
}

void print_failure(std::string_view message) {
  print_marked(common::red("FAIL ", common::colour_for(STDERR_FILENO)),
               common::without_controls(message));
}

void print_warning(std::string_view message) {
  print_marked("warning:", message);
}

void print_note(std::string_view message) {
  if (verbosity() == Verbosity::Quiet) return;
  write(std::string(message) + '\n', stderr);
}

}  // namespace kernbench::cli
