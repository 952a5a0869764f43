// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/line/check.hpp"
#include "cli/line/path_kinds.hpp"
#include "cli/line/variable.hpp"

namespace kernbench::cli {

/// Tells what depends on the value of an option.
enum class Decides {
  Result,   ///< results that the command computes
  Host,     ///< speed and places on this machine, such as --jobs and --models
  Cluster,  ///< tasks that compute the results, such as --engine
};

/// The kind of value that an option takes, which decides what a shell offers for it.
enum class ValueKind { None, Number, Choice, Text };

/// An option or an argument of a command: all that is known of it. Parsing, help, reference, man
/// pages and completion, the words that repeat a command, and the files that it reads and writes
/// come from here.
struct Option {
  /// Describes the option of these names, such as "-o,--output", or the argument "bench".
  Option(const std::string& all_names, Variable value, std::string text);

  std::vector<std::string> names;  ///< with their dashes, short ones first; one for an argument
  Variable variable;
  std::string meaning;
  std::vector<Check> checks{};
  std::string group{};                  ///< heading in the help; empty: that of most options
  std::vector<std::string> needed{};    ///< options without which it cannot be given
  std::vector<std::string> excluded{};  ///< options with which it cannot be given
  bool is_required = false;
  bool is_hidden = false;    ///< internal: parsed, and in no help or page
  bool is_single = false;    ///< each value of a list needs the name of the option before it
  std::string bare_value{};  ///< value of the name alone; empty: a value must follow
  Decides decides = Decides::Result;
  std::string data_folder{};  ///< a relative path that does not exist is looked for in this folder
  std::optional<std::string> shown_default{};  ///< default in the help, if it is not the value's
  /// Returns the path that follows from other options if this one is not given, or nothing.
  std::function<std::string()> follows{};
  Words first{};          ///< texts of the default
  Words typed{};          ///< texts of the command line
  Words values{};         ///< the same with the paths of the files that were found
  bool is_given = false;  ///< stands in the command line

  // Each of these sets a part of the description and returns the option.

  Option& check(Check condition);
  Option& required();
  Option& hidden();
  Option& one_each();
  Option& needs(std::string name);
  Option& excludes(const char* other) { return excludes(std::vector{other}); }
  Option& excludes(const std::vector<const char*>& others);
  Option& in_group(std::string heading);
  Option& default_text(std::string text);
  Option& following(std::function<std::string()> path);
  Option& alone_means(std::string value);
  Option& only(Decides what);
  Option& found_in(std::string folder);

  /// Returns the name that messages use: the long one, if there is one.
  [[nodiscard]] const std::string& name() const { return names.back(); }
  [[nodiscard]] bool is_argument() const { return !name().starts_with('-'); }
  [[nodiscard]] bool is_flag() const { return variable.type.empty(); }
  [[nodiscard]] bool is_repeatable() const { return variable.is_list; }
  [[nodiscard]] ValueKind kind() const;
  /// Returns what stands for the value in a page: "N", "VALUE" or "dot|json"; empty for a flag.
  [[nodiscard]] std::string value_name() const;
  [[nodiscard]] std::string range() const;
  [[nodiscard]] std::vector<std::string> choices() const;
  /// Returns the default as the help shows it.
  [[nodiscard]] std::string default_value() const;
  /// Returns the check that says how the values name files; null if they name none.
  [[nodiscard]] const Check* path() const;
  /// Returns the texts of the values that the command line gives, or else of the default.
  [[nodiscard]] Words given_or_default() const;

  /// Forgets what a command line gave.
  void reset();
  /// Takes the texts of the command line, and sets the variable.
  void take(Words texts);
};

/// Returns the path of a file of `folder` if the relative path `text` does not exist and such a
/// file does, else `text`.
[[nodiscard]] std::string path_in(const std::string& folder, const std::string& text);

}  // namespace kernbench::cli
