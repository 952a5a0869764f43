// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kernbench::cli {

/// The kind of value that an option takes, which decides what a shell offers for it.
enum class ValueKind { None, Number, Choice, File };

/// One option or positional argument.
struct OptionDescription {
  std::vector<std::string> names;  ///< with their dashes, short ones first; one for a positional
  ValueKind kind = ValueKind::None;
  std::string range;                 ///< "1 - 256" of a number; may be empty
  std::vector<std::string> choices;  ///< all values of a Choice
  std::string default_value;
  std::string text;
  bool positional = false;
  bool required = false;
  bool repeatable = false;

  /// Returns what stands for the value: "N", "FILE" or "dot|json"; empty without a value.
  [[nodiscard]] std::string value_name() const;
};

/// A command with everything that its help says.
struct CommandDescription {
  std::string path;  ///< "topology build"; empty for the program
  std::string text;
  std::string footer;
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> commands;

  /// Returns the last word of the path.
  [[nodiscard]] std::string name() const;
  /// Returns "kernbench topology build".
  [[nodiscard]] std::string call() const;
};

/// Reads the commands that are added to `app`.
[[nodiscard]] CommandDescription describe_commands(const CLI::App& app);

/// Returns the command and all below it, each before those that it contains.
[[nodiscard]] std::vector<const CommandDescription*> all_commands(const CommandDescription& top);

}  // namespace kernbench::cli
