// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/line/command.hpp"

namespace kernbench::cli {

// Messages about a command line that CLI11 refuses. `command` is the one that its words have
// reached.

/// Returns the messages, one a line, without "error: ".
[[nodiscard]] std::string usage_error_text(const Command& command, const CLI::App& app,
                                           const CLI::ParseError& error);

/// Returns what to do after a usage error: the command whose help tells more, or the list of
/// commands if one is missing.
[[nodiscard]] std::string usage_advice(const Command& command, const CLI::App& app,
                                       const CLI::ParseError& error);

/// Returns which help tells more.
[[nodiscard]] std::string help_advice(const Command& command);

/// Returns the message about a help request after a word that is not a command, such as `topology
/// foo --help`; nothing if the request is right.
[[nodiscard]] std::optional<std::string> wrong_help_text(const Command& command,
                                                         const CLI::App& app);

}  // namespace kernbench::cli
