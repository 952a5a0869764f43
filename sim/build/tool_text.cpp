// SPDX-License-Identifier: Apache-2.0
#include "sim/build/tool_text.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <regex>
#include <set>
#include <sstream>

namespace kernbench::sim {

std::string argument_file(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += '"';
    for (const char c : word) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

std::string errors_in(const std::string& log) {
  constexpr int kMostLines = 12;
  std::string text;
  std::string of_make;
  int lines = 0;
  std::istringstream file(log);
  for (std::string line; std::getline(file, line) && lines < kMostLines;) {
    if (line.find("***") != std::string::npos) {
      of_make += "\n  " + line;
    } else if (line.find("%Error") != std::string::npos ||
               line.find("error:") != std::string::npos ||
               line.find("No space left") != std::string::npos) {
      text += "\n  " + line;
      ++lines;
    }
  }
  return text.empty() ? of_make : text;
}

std::string missing_in(const std::string& log) {
  static const std::regex kMissing(
      "%Error(?:-[A-Z]+)?: (.*:[0-9]+:[0-9]+): (?:Cannot find file containing|Can't resolve) "
      "(module|interface): '([^']*)'.*");
  std::istringstream file(log);
  std::string text;
  std::set<std::string> seen;
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, found, kMissing) || !seen.insert(found[3]).second) continue;
    text += fmt::format("{}{} '{}' (used at {})", text.empty() ? "" : ", no ", found[2].str(),
                        found[3].str(), found[1].str());
  }
  return text;
}

std::vector<std::string> headers_in(const std::string& rule) {
  std::vector<std::string> names;
  std::string word;
  const auto finish = [&] {
    if (word.starts_with("../kb_")) names.push_back(word.substr(3));
    word.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const bool escapes = (rule[i] == '\\' || rule[i] == '$') && i + 1 < rule.size();
    if (escapes && rule[i + 1] != '\n') {
      word += rule[++i];
    } else if (std::isspace(static_cast<unsigned char>(rule[i])) != 0 || escapes) {
      finish();
    } else {
      word += rule[i];
    }
  }
  finish();
  return names;
}

}  // namespace kernbench::sim
