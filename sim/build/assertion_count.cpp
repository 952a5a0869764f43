// SPDX-License-Identifier: Apache-2.0
#include "sim/build/assertion_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iomanip>
#include <sstream>

namespace kernbench::sim {
namespace {

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Calls an action with each word outside strings and its position.
template <class Action>
void for_each_word(std::string_view text, const Action& action) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
      }
      ++at;
    } else if (is_part_of_word(text[at])) {
      const std::size_t start = at;
      while (at < text.size() && is_part_of_word(text[at])) ++at;
      action(text.substr(start, at - start), start);
    } else {
      ++at;
    }
  }
}

/// Returns the file and line of a position, by the lines that begin with `line.
std::string place_of(std::string_view text, std::size_t position) {
  constexpr std::string_view kMark = "`line ";
  const std::string_view before = text.substr(0, position);
  std::size_t mark = before.rfind(kMark);
  while (mark != std::string_view::npos && mark != 0 && before[mark - 1] != '\n') {
    mark = before.rfind(kMark, mark - 1);
  }
  if (mark == std::string_view::npos) return "the RTL";
  const std::size_t end = text.find('\n', mark);
  std::istringstream words(std::string(text.substr(mark + kMark.size(), end - mark)));
  std::size_t line = 0;
  std::string file;
  words >> line >> std::quoted(file);
  line += static_cast<std::size_t>(
              std::count(before.begin() + static_cast<std::ptrdiff_t>(end), before.end(), '\n')) -
          1;
  return fmt::format("{}:{}", file, line);
}

}  // namespace

AssertionCount count_assertions(std::string_view preprocessed) {
  AssertionCount count;
  for_each_word(preprocessed, [&](std::string_view word, std::size_t /*position*/) {
    if (word == "assert" || word == "assume") ++count.assertions;
    if (word == "unique" || word == "unique0" || word == "priority") ++count.unique;
  });
  return count;
}

std::vector<std::string> run_time_readers(std::string_view preprocessed) {
  std::vector<std::string> calls;
  for_each_word(preprocessed, [&](std::string_view word, std::size_t position) {
    if (word == "$readmemh" || word == "$readmemb" || word == "$fopen" || word == "$sreadmemh" ||
        word == "$sreadmemb") {
      calls.push_back(fmt::format("{}: {}", place_of(preprocessed, position), word));
    }
  });
  return calls;
}

}  // namespace kernbench::sim
