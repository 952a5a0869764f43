// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace kernbench::cli {

/// Returns the message about a word that is not a subcommand of `command`.
[[nodiscard]] std::string unknown_command_text(const CLI::App& command, const std::string& word);

/// Returns the messages about a command line that does not parse, one a line, without "error: ".
[[nodiscard]] std::string usage_error_text(const CLI::App& app, const CLI::ParseError& error);

/// Returns what to do after a usage error: the command whose help tells more, or the list of
/// subcommands if one is missing.
[[nodiscard]] std::string usage_advice(const CLI::App& app, const CLI::ParseError& error);

/// Returns the message about a help request after a word that is not a command, such as `topology
/// foo
/// --help`; nothing if the request is right.
[[nodiscard]] std::optional<std::string> wrong_help_text(const CLI::App& app);

}  // namespace kernbench::cli
