// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::cli {

struct PathKind;

/// A condition on the text of a value.
struct Check {
  /// Returns what is wrong with a text, "" if nothing.
  std::function<std::string(const std::string& text)> problem;
  std::string range{};                 ///< range of a number, such as "1 - 256"; may be empty
  std::vector<std::string> choices{};  ///< all values, if they are few
  const PathKind* path = nullptr;      ///< how the value names files; null if it names none
  std::string
      file_names{};  ///< names of the files in a folder, such as "*.svg,*.txt", or the data folder
};

/// Checks the text of an integer: no sign, no leading 0, no blank.
[[nodiscard]] Check whole_number(std::uint64_t min,
                                 std::uint64_t max = std::numeric_limits<std::uint64_t>::max());

/// Checks that a text is one of `names`.
[[nodiscard]] Check one_of(const std::vector<std::string_view>& names);

/// Checks the text of a real number: no sign, no blank, not "nan".
[[nodiscard]] Check real_number(double min, double max);

/// Checks that a text is not empty. `what` names it in the message.
[[nodiscard]] Check not_empty(const char* what);

}  // namespace kernbench::cli
