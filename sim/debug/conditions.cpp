// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/conditions.hpp"

#include <algorithm>
#include <iterator>
#include <regex>
#include <string>
#include <utility>

#include "sim/debug/source_lines.hpp"

namespace kernbench::sim {
namespace {

/// Adds the lines behind the head of a process that assign to its register: a line that never runs
/// is not part of the elaborated design.
void add_assignments(const Suspect& process, std::vector<Suspect>& all) {
  const Lines text = read_lines(process.file);
  const std::regex assigns("\\b" + process.signal + "\\s*<=");
  const std::regex next(R"(\b(?:always\w*|endmodule)\b)");
  for (std::size_t line = process.line + 1; line <= text.size(); ++line) {
    if (std::regex_search(text[line - 1], next)) break;
    if (!std::regex_search(text[line - 1], assigns)) continue;
    Suspect& one = all.emplace_back(process);
    one.line = static_cast<unsigned>(line);
    one.keeps_in_reset = false;
  }
}

/// Returns lines of the process around an assignment that the elaborated design does not tell of:
/// those that assign to the same register and can never run, and those that assign to another one
/// which the line before or behind assigns to, too.
std::vector<Suspect> hidden_lines(const Suspect& one, const std::vector<Suspect>& known) {
  static const std::regex kProcess(R"(\balways\w*)");
  static const std::regex kEnd(R"(\b(?:always\w*|endmodule)\b)");
  const Lines text = read_lines(one.file);
  if (one.line == 0 || one.line > text.size()) return {};
  std::size_t first = one.line;
  while (first > 1 && !std::regex_search(text[first - 1], kProcess)) --first;
  std::vector<Suspect> hidden;
  const auto add = [&](std::size_t line, const std::string& target) {
    const auto is_it = [&](const Suspect& other) {
      return other.file == one.file && other.line == line;
    };
    if (std::any_of(known.begin(), known.end(), is_it) ||
        std::any_of(hidden.begin(), hidden.end(), is_it)) {
      return;
    }
    Suspect& added = hidden.emplace_back(one);
    added.line = static_cast<unsigned>(line);
    added.signal = target;
  };
  std::string before;
  for (std::size_t line = first; line <= text.size(); ++line) {
    if (line > first && std::regex_search(text[line - 1], kEnd)) break;
    const std::string target = target_of(text[line - 1]);
    const bool again = !target.empty() && target == before;
    if (again && target != one.signal) add(line - 1, target);
    if (again || target == one.signal) add(line, target);
    before = target;
  }
  return hidden;
}

/// Returns the last line of a statement that goes on behind its first; 0 if it does not.
unsigned end_of_statement(const Suspect& one) {
  static const std::regex kAssigns(R"((?:^|[^=!<>])<?=(?:[^=]|$))");
  static const std::regex kComment(R"(//.*)");
  const Lines text = read_lines(one.file);
  if (one.line == 0 || one.line > text.size()) return 0;
  for (std::size_t line = one.line; line <= text.size() && line - one.line < kLinesOfInstance;
       ++line) {
    const std::string code = std::regex_replace(text[line - 1], kComment, "");
    if (line == one.line && !std::regex_search(code, kAssigns)) return 0;
    if (code.find(';') == std::string::npos) continue;
    return line == one.line ? 0 : static_cast<unsigned>(line);
  }
  return 0;
}

/// Returns the line with the condition of the block around an assignment; 0 if the assignment has
/// one on its own line, or none.
unsigned head_of_block(const Suspect& one) {
  static const std::regex kWord(R"(\b(?:begin|end|always\w*)\b)");
  static const std::regex kIf(R"(\bif\b)");
  const Lines text = read_lines(one.file);
  if (one.line == 0 || one.line > text.size()) return 0;
  if (std::regex_search(text[one.line - 1], kIf)) return 0;
  unsigned ended = 0;
  for (unsigned line = one.line - 1; line > 0; --line) {
    const std::string& code = text[line - 1];
    std::vector<std::string> words(std::sregex_token_iterator(code.begin(), code.end(), kWord),
                                   std::sregex_token_iterator());
    for (auto word = words.rbegin(); word != words.rend(); ++word) {
      if (word->starts_with("always")) return 0;
      if (*word == "end") ++ended;
      if (*word == "begin" && ended-- == 0) return words.front().starts_with("always") ? 0 : line;
    }
  }
  return 0;
}

/// Adds the declaration of a register that is too narrow, behind that of the number which it has as
/// its width, or before those of others in it.
void add_with_width(Suspect declaration, std::vector<Suspect>& all) {
  const Lines text = read_lines(declaration.file);
  if (declaration.line == 0 || declaration.line > text.size()) return;
  const std::string& code = text[declaration.line - 1];
  static const std::regex kRange(R"(\[([^\]:]*):)");
  static const std::regex kOnlyName(R"(\s*\w+\s*-\s*1\s*)");
  std::smatch range;
  const std::string width = std::regex_search(code, range, kRange) ? range[1].str() : "";
  std::vector<Suspect> numbers;
  for (const std::string& name : names_in(width)) {
    const std::regex declares("\\blocalparam\\b.*\\b" + name + "\\s*=");
    for (std::size_t line = 1; line <= text.size(); ++line) {
      if (!std::regex_search(text[line - 1], declares)) continue;
      Suspect& one = numbers.emplace_back(declaration);
      one.line = static_cast<unsigned>(line);
      one.finding = "is the width of a register, " + declaration.signal + ", that is too narrow";
    }
  }
  const bool is_number = std::regex_match(width, kOnlyName);
  if (!is_number) all.push_back(declaration);
  all.insert(all.end(), numbers.begin(), numbers.end());
  if (is_number) all.push_back(std::move(declaration));
}

}  // namespace

std::vector<Suspect> with_conditions(std::vector<Suspect> lines) {
  static const std::regex kCondition(R"(\b(?:if|else|case)\b)");
  std::vector<Suspect> all;
  // Behind the first line of a register.
  const auto is_of_register = [](const Suspect& one) { return one.is_register; };
  const auto first = std::find_if(lines.begin(), lines.end(), is_of_register);
  if (first != lines.end()) {
    std::vector<Suspect> hidden = hidden_lines(*first, lines);
    lines.insert(first + 1, hidden.begin(), hidden.end());
  }
  for (Suspect& one : lines) {
    if (one.is_condition) {
      one.line = head_of_block(one);
      if (one.line != 0) all.push_back(std::move(one));
      continue;
    }
    if (one.finding == kNarrow) {
      add_with_width(std::move(one), all);
      continue;
    }
    if (one.finding.empty()) one.last_line = end_of_statement(one);
    if (one.keeps_in_reset) add_assignments(one, all);
    if (one.finding == kOtherStage) {
      const Lines text = read_lines(one.file);
      for (std::size_t line = std::min<std::size_t>(one.line, text.size());
           line > 1 && one.line - line < kLinesOfInstance; --line) {
        if (!std::regex_search(text[line - 1], kCondition)) continue;
        Suspect& condition = all.emplace_back(one);
        condition.line = static_cast<unsigned>(line);
        condition.finding = "generates a stage without the registers that the reference has";
        break;
      }
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace kernbench::sim
