// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// The commands of the program, "topology route" with its parent, and the options of each.
struct ProgramCommands {
  std::map<std::string, std::set<std::string>> options;
  std::set<std::string> parents;  ///< commands that have commands of their own, "topology"

  [[nodiscard]] bool has_option(const std::string& option) const;
};

/// Returns the commands of the program that is built here.
[[nodiscard]] ProgramCommands program_commands();

/// Lists commands and options that pages name beside `kernbench`, or as an option in a code span,
/// and that do not exist. `other_options` are those of scripts.
[[nodiscard]] std::vector<std::string> unknown_commands(const std::vector<SourceFile>& pages,
                                                        const ProgramCommands& commands,
                                                        const std::set<std::string>& other_options);

/// Lists folders and files that pages name in code and that do not exist. A code span is a path
/// when it ends in a slash or in the ending of a source file, or begins with a top-level folder; it
/// may leave out leading folders and, for sources, the ending. In blocks only paths from the root
/// count. Paths below `build/`, and those in `outputs`, are made by commands.
[[nodiscard]] std::vector<std::string> unknown_paths(const std::vector<SourceFile>& pages,
                                                     const std::set<std::string>& paths,
                                                     const std::set<std::string>& outputs);

/// A number that the sources decide, and the words that follow it on pages. Smaller numbers than
/// `least` count something else.
struct Count {
  std::uint64_t value = 0;
  std::string after;
  std::uint64_t least = 0;
  std::string not_followed_by{};
};

/// Lists counts on pages that differ from the sources. Numbers are digits with optional commas, or
/// words up to twenty.
[[nodiscard]] std::vector<std::string> wrong_counts(const std::vector<SourceFile>& pages,
                                                    const std::vector<Count>& counts);

}  // namespace kernbench::docs
