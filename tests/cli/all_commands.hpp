// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/base/command.hpp"
#include "cli/line/parser.hpp"
#include "tests/places.hpp"

namespace kernbench::cli {

/// All commands of the program, which run nothing.
class AllCommands {
 public:
  AllCommands() {
    invocation_.root = places::kSource;
    invocation_.parts = all_parts();
    add_commands(program_, invocation_);
  }

  [[nodiscard]] const Command& program() const { return program_; }
  [[nodiscard]] const Invocation& invocation() const { return invocation_; }
  /// Returns the command of these words, with its options set. Throws as parse() does.
  [[nodiscard]] const Command* parsed(const Words& words) const {
    return parse(program_, words, [] { return std::string("1.0"); }).command;
  }

 private:
  Invocation invocation_;
  Command program_{"kernbench", "All commands"};
};

}  // namespace kernbench::cli
