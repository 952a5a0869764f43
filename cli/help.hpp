// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kernbench::cli {

/// Returns the sentence about the exit codes, which are the same for all commands.
[[nodiscard]] std::string exit_code_text();

/// Adds what all commands have: `--quiet`, `--verbose` and the sentence about exit codes. Call
/// after all commands have been added to `app`.
void add_common_parts(CLI::App& app);

/// Adds `kernbench help COMMAND...`, which prints the same as `kernbench COMMAND... --help`.
void add_help_command(CLI::App& app);

/// Returns "kernbench topology route" for that command.
[[nodiscard]] std::string full_name(const CLI::App& command);

/// Returns the lines of a help page that list the subcommands of `command`.
[[nodiscard]] std::string command_list(const CLI::App& command);

}  // namespace kernbench::cli
