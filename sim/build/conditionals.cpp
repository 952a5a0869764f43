// SPDX-License-Identifier: Apache-2.0
#include "sim/build/conditionals.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>

namespace kernbench::sim {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Returns the source without comments and the content of strings, with its line breaks.
std::string without_comments(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t at = 0; at < source.size(); ++at) {
    const std::string_view rest = source.substr(at);
    if (rest.starts_with("//")) {
      at += std::min(rest.find('\n'), rest.size()) - 1;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = std::min(rest.find("*/", 2), rest.size());
      text += ' ';
      text.append(static_cast<std::size_t>(std::count(rest.begin(), rest.begin() + end, '\n')),
                  '\n');
      at += end + 1;
    } else if (rest.front() == '"') {
      std::size_t end = 1;
      for (; end < rest.size() && rest[end] != '"'; ++end) {
        if (rest[end] == '\\') ++end;
      }
      end = std::min(end, rest.size());
      text += '"';
      text.append(static_cast<std::size_t>(std::count(rest.begin(), rest.begin() + end, '\n')),
                  '\n');
      text += '"';
      at += end;
    } else {
      text += rest.front();
    }
  }
  return text;
}

/// Returns true for a text with nothing but assertions and messages at elaboration.
bool is_only_checks(const std::string& text) {
  constexpr std::size_t kLongest = 1000;  // std::regex recurses
  static const std::string kMessage = R"(\$(?:fatal|error|warning|info)\s*(?:\([^;`]*\))?\s*;\s*)";
  static const std::regex kChecks(
      R"(\s*(?:if\s*\([^;`]*\)\s*(?:begin\s*(?::\s*\w+\s*)?(?:)" + kMessage +
      R"()+end\s*(?::\s*\w+\s*)?|)" + kMessage +
      R"()|(?:\w+\s*:\s*)?(?:assert|assume|cover)\s+property\s*\([^;`]*\)\s*(?:else\s*\$\w+\s*)" +
      R"((?:\([^;`]*\))?\s*)?;\s*)*)");
  return text.size() <= kLongest && std::regex_match(text, kChecks);
}

/// One `ifdef that has not met its `endif.
struct Open {
  std::size_t first;  ///< number of its first conditional
  std::size_t start;  ///< start of the text behind its macro
  bool simple = true;
};

}  // namespace

const std::vector<ToolMacros>& tool_macros() {
  static const std::vector<ToolMacros> kTools = {{"Verilator", {"VERILATOR"}},
                                                 {"other simulators", {}},
                                                 {"Icarus Verilog", {"__ICARUS__"}},
                                                 {"synthesis", {"SYNTHESIS"}},
                                                 {"Yosys", {"SYNTHESIS", "YOSYS"}}};
  return kTools;
}

std::vector<Conditional> tool_conditionals(std::string_view source) {
  static const std::set<std::string> kMacros = [] {
    std::set<std::string> all;
    for (const ToolMacros& tool : tool_macros()) {
      all.insert(tool.macros.begin(), tool.macros.end());
    }
    return all;
  }();
  const std::string text = without_comments(source);
  std::vector<Conditional> found;
  std::vector<Open> open;
  unsigned line = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') ++line;
    if (text[at] != '`') continue;
    const std::size_t tick = at;
    const auto word = [&](std::size_t from) {
      std::size_t end = from;
      while (end < text.size() && is_name_character(text[end])) ++end;
      return text.substr(from, end - from);
    };
    const std::string directive = word(tick + 1);
    at = tick + directive.size();
    const bool opens = directive == "ifdef" || directive == "ifndef";
    if (directive == "endif" && !open.empty()) {
      const Open closed = open.back();
      open.pop_back();
      if (closed.simple && found.size() > closed.first &&
          is_only_checks(text.substr(closed.start, tick - closed.start))) {
        found.resize(closed.first);
      }
      continue;
    }
    if (!opens && !open.empty()) open.back().simple = false;
    if (!opens && directive != "elsif") continue;
    if (opens) {
      if (!open.empty()) open.back().simple = false;
      open.push_back({found.size(), 0});
    }
    // The macro, or an expression in parentheses with several.
    std::size_t next = at + 1;
    while (next < text.size() && std::isspace(static_cast<unsigned char>(text[next])) != 0) {
      if (text[next++] == '\n') ++line;
    }
    int depth = 0;
    do {
      const std::string macro = word(next);
      if (kMacros.count(macro) != 0) found.push_back({macro, line});
      next += std::max<std::size_t>(macro.size(), 1);
      const char last = text[std::min(next, text.size()) - 1];
      if (macro.empty() && last == '(') ++depth;
      if (macro.empty() && last == ')') --depth;
      if (macro.empty() && last == '\n') ++line;
    } while (depth > 0 && next < text.size());
    at = next - 1;
    if (opens) open.back().start = next;
  }
  return found;
}

}  // namespace kernbench::sim
