// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/line/option.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

// Options that the parser serves itself.
inline constexpr std::string_view kHelpName = "--help";
inline constexpr std::string_view kVersionName = "--version";

/// The heading of the options that all commands have.
inline constexpr const char* kCommonGroup = "Common options";

/// A condition on several options of a command.
struct Condition {
  std::vector<std::string> options;
  std::string problem;  ///< message if it does not hold
};

/// A command: its options, the commands below it, and what runs it.
class Command {
 public:
  /// Makes a command with the option --help.
  Command(std::string name, std::string meaning, const Command* parent = nullptr);
  // Commands below hold a pointer to this one.
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  Command(Command&&) = delete;
  Command& operator=(Command&&) = delete;
  ~Command() = default;

  /// Adds a command below this one.
  Command& add_command(const std::string& name, const std::string& meaning);
  /// Adds an option that sets `value`, whose value now is the default.
  template <class T>
  Option& add_option(const std::string& names, T& value, const std::string& meaning) {
    return add(names, variable(value), meaning);
  }
  /// Adds an option without a value, which makes `value` the opposite of what it is.
  Option& add_flag(const std::string& names, bool& value, const std::string& meaning) {
    return add(names, flag(value), meaning);
  }
  Option& add(const std::string& names, Variable variable, const std::string& meaning);

  /// Makes the options of both lists exclude each other, but for an option itself.
  void exclude(const std::vector<const char*>& some, const std::vector<const char*>& others);
  /// Refuses a command line that gives not exactly one of these options.
  void require_one(std::vector<std::string> options, std::string problem);

  std::string footer;                    ///< notes and examples below the options in the help
  std::function<common::Outcome()> run;  ///< runs the command after its options are set
  bool needs_command = false;            ///< does nothing without a command below it
  bool is_missing = false;               ///< not in this build; takes any words

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& meaning() const { return meaning_; }
  [[nodiscard]] const Command* parent() const { return parent_; }
  /// Returns the footer with the exit codes, which are the same for all commands.
  [[nodiscard]] std::string help_footer() const;
  /// Returns the words of the name without the program, such as "topology build".
  [[nodiscard]] std::string path() const;
  /// Returns the words of the name, such as "kernbench topology build".
  [[nodiscard]] std::string full_name() const;
  [[nodiscard]] const std::vector<std::unique_ptr<Command>>& commands() const { return commands_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Option>>& options() const { return options_; }
  [[nodiscard]] const std::vector<Condition>& conditions() const { return conditions_; }
  /// Returns the options that pages and completions show.
  [[nodiscard]] std::vector<const Option*> shown_options() const;
  /// Returns the command of this name below this one, null if there is none.
  [[nodiscard]] Command* find(std::string_view name) const;
  /// Returns the option of this name, null if there is none.
  [[nodiscard]] Option* find_option(std::string_view name) const;
  /// Returns the option of this name, which the command has.
  [[nodiscard]] Option& option(std::string_view name) const;
  /// Returns true if the command line gives the option of this name, which the command has.
  [[nodiscard]] bool given(std::string_view name) const { return option(name).is_given; }
  /// Returns the commands that lead here, this one last.
  [[nodiscard]] std::vector<const Command*> chain() const;

  using Keep = std::function<bool(const Option&)>;
  /// Returns the words that repeat the command line, the program left out, with those options that
  /// `keep` accepts.
  [[nodiscard]] Words typed_words(const Keep& keep) const;
  /// Returns the words of a command line that gives the variables of the options the values that
  /// they have now, with those options that `keep` accepts.
  [[nodiscard]] Words words(const Keep& keep) const;

 private:
  std::string name_;
  std::string meaning_;
  const Command* parent_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<Condition> conditions_;
};

/// Returns the sentence about the exit codes.
[[nodiscard]] std::string exit_code_text();

/// Returns the command and all below it, each before those that it contains.
[[nodiscard]] std::vector<const Command*> all_commands(const Command& top);

/// Returns the words as a line that can be pasted into a shell, behind `program`.
[[nodiscard]] std::string shell_line(const std::string& program, const Words& words);

}  // namespace kernbench::cli
