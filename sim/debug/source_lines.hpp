// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace kernbench::sim {

/// The lines of a file; line 1 is the first.
using Lines = std::vector<std::string>;

/// Most lines around the name of an instance that belong to it.
inline constexpr std::size_t kLinesOfInstance = 24;

/// Returns nothing for a file that is gone.
[[nodiscard]] Lines read_lines(const std::string& file);

/// Returns the words of a line that are names.
[[nodiscard]] std::set<std::string> names_in(const std::string& line);

/// Returns the target of a non-blocking assignment on a line; empty if there is none.
[[nodiscard]] std::string target_of(const std::string& line);

}  // namespace kernbench::sim
