// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/files_read.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "common/text_file.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<std::pair<std::string, fs::path>>;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Returns the end of the string that begins at `at`, or one behind `at` if it has no end in its
/// line.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return at + 1;
}

/// Returns a text with a blank for each comment.
std::string code_without_comments(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    std::size_t end = i + 1;
    if (rest.starts_with("`\"")) {
      end = i + 2;
    } else if (rest[0] == '"') {
      end = end_of_string(text, i);
    } else if (rest.starts_with("//")) {
      end = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*") && text.find("*/", i + 2) != std::string_view::npos) {
      end = text.find("*/", i + 2) + 2;
    }
    const bool comment = end - i > 1 && rest[0] == '/';
    result += comment ? " " : std::string(text.substr(i, end - i));
    i = end;
  }
  return result;
}

/// Returns the place behind the word that begins at `at` if the word reads a file, else npos.
std::size_t behind_reading_word(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 3> kWords = {"`include", "$readmemh", "$readmemb"};
  for (const std::string_view word : kWords) {
    std::size_t end = at + word.size();
    if (text.substr(at, word.size()) != word || (end < text.size() && is_word(text[end]))) continue;
    if (word[0] == '`') return end;
    end = std::min(text.find_first_not_of(" \t\r\n\f\v", end), text.size());
    return end < text.size() && text[end] == '(' ? end + 1 : std::string_view::npos;
  }
  return std::string_view::npos;
}

/// Returns the names that a source reads in their order; an empty one if only a macro or a variable
/// tells it.
std::vector<std::string> names_read(const std::string& source) {
  const std::string text = code_without_comments(source);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t behind = behind_reading_word(text, i);
    if (behind == std::string::npos) continue;
    const std::size_t open = text.find_first_not_of(" \t\r\n\f\v", behind);
    const char first = open == std::string::npos ? '\0' : text[open];
    const char last = first == '"' ? '"' : '>';
    const std::size_t close = first == '"' || first == '<'
                                  ? text.find_first_of(std::string(1, last) + "\n", open + 1)
                                  : std::string::npos;
    const bool known = close != std::string::npos && text[close] == last;
    names.push_back(known ? text.substr(open + 1, close - open - 1) : std::string());
    i = (known ? close : behind - 1);
  }
  return names;
}

bool add_files(const fs::path& source, const fs::path& headers, std::set<fs::path>& seen,
               Files& files) {
  for (const std::string& name : names_read(common::read_text_file(source))) {
    if (name.empty()) return false;
    for (const fs::path& folder : {fs::path("."), source.parent_path(), headers}) {
      const fs::path found = folder / name;
      if (!fs::is_regular_file(found) || !seen.insert(fs::canonical(found)).second) continue;
      files.emplace_back(name, found);
      if (!add_files(found, headers, seen, files)) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Files> files_read(const fs::path& source, const fs::path& headers) {
  std::set<fs::path> seen = {fs::canonical(source)};
  Files files;
  if (!add_files(source, headers, seen, files)) return std::nullopt;
  return files;
}

}  // namespace kernbench::sim
