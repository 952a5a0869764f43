// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/text_table.hpp"

namespace kernbench::cli {

// Output for people. Output that is itself the purpose of a command (a list, a route, a schema) is
// printed as it is.

/// How much a command prints.
enum class Verbosity {
  Quiet,    ///< verdicts and errors
  Normal,   ///< results too
  Verbose,  ///< also which files are read and written and which programs are run
};

/// Sets the verbosity of this process. Call before any other thread runs.
void set_verbosity(Verbosity verbosity);
[[nodiscard]] Verbosity verbosity();

/// Prints a part of a result to stdout. A line that begins with a verdict (PASS, FAIL, MISMATCH,
/// ...) is coloured on a terminal. With --quiet, prints only such lines.
void print_text(std::string_view text);

template <typename... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  print_text(fmt::format(format, std::forward<Args>(args)...));
}

/// Prints the output of a command whose purpose it is, such as a list, also with --quiet.
void print_output(std::string_view text);

/// Prints a table. Its headings are bold on a terminal.
void print_table(const common::TextTable& table);

/// Prints the title or the header of a table, in bold on a terminal.
void print_heading(std::string_view line);

/// Returns `text` in red if stdout is a terminal.
[[nodiscard]] std::string red(std::string_view text);

/// Prints "error: " and the message to stderr. Each line of the message is an error, except for
/// indented ones, which belong to the line above.
void print_error(std::string_view message);

/// Prints errors that are already rendered, with their positions, to stderr.
void print_error(const common::BadInput& error);

/// Prints "FAIL  " and the message to stderr: what a design under test did wrong, not an error of
/// the command.
void print_failure(std::string_view message);

/// Prints "warning: " and the message to stderr.
void print_warning(std::string_view message);

/// Prints a remark to stderr, except with --quiet.
void print_note(std::string_view message);

}  // namespace kernbench::cli
