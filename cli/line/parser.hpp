// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "cli/line/command.hpp"

namespace kernbench::cli {

/// The wish of a command line: a command to run, or a text to print.
struct Asked {
  const Command* command = nullptr;
  std::string text{};  ///< a help or a version; empty if the command is to run
};

/// Thrown for a command line that does not parse. The message has one line for each error.
class UsageError : public std::invalid_argument {
 public:
  UsageError(const std::string& message, std::string advice)
      : std::invalid_argument(message), advice_(std::move(advice)) {}

  /// Returns what to do: the command whose help tells more, or the list of commands.
  [[nodiscard]] const std::string& advice() const { return advice_; }

 private:
  std::string advice_;
};

/// Parses the words behind the name of the program, and sets the variables of all options: those
/// that are not given get their defaults. Runs nothing. `version` prints the text of --version.
/// Throws UsageError, and common::BadInput of a value that an option refuses.
[[nodiscard]] Asked parse(const Command& program, const Words& words,
                          const std::function<std::string()>& version);

/// Returns the help of a command.
[[nodiscard]] std::string help_text(const Command& command);

/// Returns the message about a word that is not a command below `command`.
[[nodiscard]] std::string unknown_command_text(const Command& command, const std::string& word);

}  // namespace kernbench::cli
