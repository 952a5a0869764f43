// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kernbench::sim {

/// Returns a text, such as a path, on one line: a line break becomes "\n", a backslash "\\".
[[nodiscard]] inline std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\\') {
      line += "\\\\";
    } else if (c == '\n') {
      line += "\\n";
    } else {
      line += c;
    }
  }
  return line;
}

/// Returns the text that one_line() turned into `line`.
[[nodiscard]] inline std::string from_one_line(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escapes = line[i] == '\\' && i + 1 < line.size();
    text += !escapes ? line[i] : line[++i] == 'n' ? '\n' : line[i];
  }
  return text;
}

}  // namespace kernbench::sim
