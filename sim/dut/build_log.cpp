// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/build_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "common/diagnostics.hpp"

namespace kernbench::sim {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns a text with a blank for each comment.
std::string without_comments(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_line = text.compare(at, 2, "//") == 0;
    if (is_line || text.compare(at, 2, "/*") == 0) {
      const std::size_t end = text.find(is_line ? "\n" : "*/", at + 2);
      at = end == std::string::npos ? text.size() : end + (is_line ? 0 : 2);
      plain += ' ';
    } else {
      plain += text[at++];
    }
  }
  return plain;
}

/// Returns the words of a definition that begins in a line of a file, up to its end keyword,
/// without comments; nothing if there is none.
std::optional<std::string> definition_at(const std::string& path, std::size_t line) {
  std::istringstream file(text_of(path));
  std::string text;
  std::size_t number = 0;
  for (std::string one; std::getline(file, one);) {
    if (++number >= line) text += one + "\n";
  }
  text = without_comments(text);
  static const std::regex kEnd(R"(\bend(module|interface|package|program)\b)");
  std::smatch end;
  if (!std::regex_search(text, end, kEnd)) return std::nullopt;
  std::istringstream words(text.substr(0, static_cast<std::size_t>(end.position(0))));
  std::string plain;
  for (std::string word; words >> word;) plain += word + " ";
  return plain;
}

/// Returns the macros whose absence a line of a file needs, the innermost last.
std::vector<std::string> guards_of(const std::string& path, std::size_t line) {
  static const std::regex kDirective(R"(^\s*`(ifdef|ifndef|elsif|else|endif)\b\s*([A-Za-z_]\w*)?)");
  struct Branch {
    std::string name;
    bool needs_absence = false;
  };
  std::vector<Branch> open;
  std::ifstream file(path);
  std::string text;
  for (std::size_t number = 1; number < line && std::getline(file, text); ++number) {
    std::smatch found;
    if (!std::regex_search(text, found, kDirective)) continue;
    const std::string directive = found[1];
    if (directive == "ifdef" || directive == "ifndef") {
      open.push_back({found[2], directive == "ifndef"});
    } else if (open.empty()) {
      continue;
    } else if (directive == "endif") {
      open.pop_back();
    } else {
      open.back().needs_absence = directive == "else" && !open.back().needs_absence;
    }
  }
  std::vector<std::string> names;
  for (const Branch& branch : open) {
    // A file's guard against being included twice leaves out more than an assertion.
    const bool of_the_file = &branch == &open.front() &&
                             text_of(path).find("`define " + branch.name) != std::string::npos;
    if (branch.needs_absence && !of_the_file) names.push_back(branch.name);
  }
  return names;
}

}  // namespace

BuildFindings findings_in(const std::string& log, const SourceNames& names) {
  static const std::regex kTwice(
      "%Warning-MODDUP: (.*):([0-9]+):[0-9]+: Duplicate declaration of ([a-z]+): '([^']*)'.*");
  static const std::regex kMacro(
      "%Warning-REDEFMACRO: (.*:[0-9]+):[0-9]+: Redefining existing define: '([^']*)', with "
      "different value: (.*)");
  static const std::regex kBefore(
      " *(.*):([0-9]+):[0-9]+: \\.\\.\\. Location of (?:original declaration|previous "
      "definition)(?:, with value: (.*))?");
  BuildFindings findings;
  std::ifstream file(log);
  std::smatch second;
  std::string line;
  std::string kept;
  std::set<std::string> seen;
  bool is_macro = false;
  while (std::getline(file, line)) {
    std::smatch first;
    if (line.rfind("%Warning-", 0) == 0) {
      kept = line;
      is_macro = std::regex_match(kept, second, kMacro);
      if (!is_macro && !std::regex_match(kept, second, kTwice)) kept.clear();
    } else if (!kept.empty() && std::regex_match(line, first, kBefore)) {
      const std::string before = first[1].str() + ":" + first[2].str();
      std::string text;
      bool is_error = false;
      if (is_macro) {
        text =
            fmt::format("{}: the macro {} is {} from here on, and {} before (near {})",
                        second[1].str(), second[2].str(), second[3].str(), first[3].str(), before);
      } else {
        const auto one =
            definition_at(names.path_of(first[1].str()).string(), std::stoul(first[2]));
        const auto other =
            definition_at(names.path_of(second[1].str()).string(), std::stoul(second[2]));
        is_error = !one || !other || *one != *other;
        text = fmt::format("{}:{}: '{}' is defined twice{}, at first in {}", second[1].str(),
                           second[2].str(), second[4].str(),
                           is_error ? " with different texts" : " with the same text", before);
      }
      text = names.user_text(text);
      if (seen.insert(text).second) (is_error ? findings.errors : findings.notes).push_back(text);
      kept.clear();
    }
  }
  return findings;
}

std::vector<std::string> build_notes(const std::filesystem::path& folder) {
  const SourceNames names = SourceNames::read(folder);
  std::vector<std::string> notes = findings_in((folder / "verilate.log").string(), names).notes;
  std::ifstream file(folder / "notes");
  for (std::string line; std::getline(file, line);) notes.push_back(names.user_text(line));
  return notes;
}

void require_one_definition(const std::string& log, const std::string& what,
                            const SourceNames& names) {
  const BuildFindings findings = findings_in(log, names);
  if (findings.errors.empty()) return;
  throw common::BadInput(
      fmt::format("{}: tools disagree about which of two definitions counts; "
                  "leave one out:\n  {}",
                  what, fmt::join(findings.errors, "\n  ")));
}

std::string assertion_hint(const std::string& log) {
  static const std::regex kUnread(
      "%Error(?:-[A-Z]+)?: (.*):([0-9]+):[0-9]+: .*(##|s_eventually|s_until|s_always|s_nexttime|"
      "nexttime|until_with|throughout|intersect|first_match|\\[[*=-]|sequence|propert|#-#|#=#|"
      "assert|assume|cover).*");
  std::ifstream file(log);
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    if (line.find("Internal Error") != std::string::npos) continue;
    if (!std::regex_match(line, found, kUnread)) continue;
    const std::vector<std::string> guards = guards_of(found[1], std::stoul(found[2]));
    const std::string place = found[1].str() + ":" + found[2].str();
    if (!guards.empty()) {
      return fmt::format(
          "\n  this Verilator cannot read the assertion at {}; -D {} leaves it out, and it is then "
          "not checked",
          place, guards.back());
    }
    return fmt::format(
        "\n  this Verilator cannot read the assertion at {}; write `ifndef VERILATOR before it and "
        "`endif behind it, which leave it out, and it is then not checked",
        place);
  }
  return "";
}

}  // namespace kernbench::sim
