// SPDX-License-Identifier: Apache-2.0
#include "stale_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

#include "page_code.hpp"
#include "tests/cli/all_commands.hpp"

namespace kernbench::docs {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string finding(const SourceFile& page, unsigned line, const std::string& what) {
  return fmt::format("{}:{}: there is no {}", page.path, line, what);
}

/// Returns "--seed" for "--seed=3", "[--seed" and "--seed,"; nothing for other words.
std::optional<std::string> option_of(const std::string& word) {
  static const std::regex form(R"(^[\[(]?(--[a-z][a-z-]*[a-z]))");
  std::smatch match;
  if (!std::regex_search(word, match, form)) return std::nullopt;
  return match[1];
}

bool is_name(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || c == '-';
  });
}

class CommandLines {
 public:
  CommandLines(const ProgramCommands& commands, const std::set<std::string>& other_options)
      : commands_(commands), other_options_(other_options) {}

  /// Checks one piece of code; returns the names that do not exist.
  std::vector<std::string> unknown(const PageCode& code) {
    const std::vector<std::string> words = words_of(code.text);
    const auto program = std::find_if(words.begin(), words.end(), [](const std::string& word) {
      return word == "kernbench" || word.ends_with("/kernbench");
    });
    const bool called = program != words.end() && program - words.begin() <= 2;
    if (!called) {
      const auto option = words.empty() ? std::nullopt : option_of(words[0]);
      if (code.kind != PageCode::Kind::Span || !option) return {};
      if (commands_.has_option(*option) || other_options_.count(*option) != 0) return {};
      return {"option " + *option};
    }
    return unknown_in_call({program + 1, words.end()});
  }

 private:
  std::vector<std::string> unknown_in_call(const std::vector<std::string>& words) {
    std::vector<std::string> unknown;
    std::string command;
    for (const std::string& word : words) {
      if (word == "|" || word == "&&" || word.starts_with("#")) break;
      if (const auto option = option_of(word)) {
        const auto known = commands_.options.find(command);
        if (known != commands_.options.end() && known->second.count(*option) == 0) {
          unknown.push_back(fmt::format("option {} of kernbench {}", *option, command));
        }
      } else if (is_name(word) && (command.empty() || commands_.parents.count(command) != 0)) {
        command += (command.empty() ? "" : " ") + word;
        if (commands_.options.count(command) == 0) {
          unknown.push_back("kernbench " + command);
          break;
        }
      }
    }
    return unknown;
  }

  const ProgramCommands& commands_;
  const std::set<std::string>& other_options_;
};

constexpr std::array kSourceEndings = {".cpp", ".hpp", ".sv", ".py", ".sh", ".vlt", ".cmake"};
constexpr std::array kDataEndings = {".yaml", ".json", ".csv", ".md", ".svg"};

template <class Endings>
bool ends_with_any(const std::string& text, const Endings& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const char* ending) { return text.ends_with(ending); });
}

class PathNames {
 public:
  PathNames(const std::set<std::string>& paths, const std::set<std::string>& outputs)
      : paths_(paths), outputs_(outputs) {
    for (const std::string& path : paths) {
      const auto slash = path.find('/');
      if (slash != std::string::npos) top_.insert(path.substr(0, slash));
    }
  }

  /// Returns whether `word` names something of the repository that must exist.
  [[nodiscard]] bool is_path(const std::string& word, PageCode::Kind kind) const {
    static const std::regex form(R"((\.[A-Za-z]+/)?[A-Za-z_][\w.*/-]*)");
    if (!std::regex_match(word, form) || word.starts_with("build/")) return false;
    if (outputs_.count(word) != 0) return false;
    const auto slash = word.find('/');
    if (slash != std::string::npos && top_.count(word.substr(0, slash)) != 0) return true;
    if (kind == PageCode::Kind::Block) return false;
    return word.ends_with('/') || ends_with_any(word, kSourceEndings) ||
           (slash != std::string::npos && ends_with_any(word, kDataEndings));
  }

  [[nodiscard]] bool exists(std::string word) const {
    const bool folder = word.ends_with('/');
    if (word.ends_with(".*")) word.erase(word.size() - 2);
    if (word.ends_with("*")) word.erase(word.find('*'));
    return std::any_of(paths_.begin(), paths_.end(), [&](const std::string& path) {
      const std::string rooted = "/" + path;
      for (auto at = rooted.find("/" + word); at != std::string::npos;
           at = rooted.find("/" + word, at + 1)) {
        const std::string rest = rooted.substr(at + 1 + word.size());
        if (folder || rest.empty() || rest[0] == '.' || rest[0] == '/') return true;
      }
      return false;
    });
  }

 private:
  const std::set<std::string>& paths_;
  const std::set<std::string>& outputs_;
  std::set<std::string> top_;
};

std::optional<std::uint64_t> number_of(const std::string& text) {
  static const std::array kWords = {
      "zero",     "one",     "two",     "three",     "four",     "five",     "six",
      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
  std::string digits;
  std::string lower;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isdigit(u) != 0) digits += c;
    lower += static_cast<char>(std::tolower(u));
  }
  if (!digits.empty()) return std::stoull(digits);
  const auto word = std::find(kWords.begin(), kWords.end(), lower);
  if (word == kWords.end()) return std::nullopt;
  return static_cast<std::uint64_t>(word - kWords.begin());
}

}  // namespace

bool ProgramCommands::has_option(const std::string& option) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const auto& command) { return command.second.count(option) != 0; });
}

std::vector<std::string> unknown_commands(const std::vector<SourceFile>& pages,
                                          const ProgramCommands& commands,
                                          const std::set<std::string>& other_options) {
  std::vector<std::string> findings;
  CommandLines lines(commands, other_options);
  for (const SourceFile& page : pages) {
    for (const PageCode& code : code_of(page.text)) {
      for (const std::string& what : lines.unknown(code)) {
        findings.push_back(finding(page, code.line, what));
      }
    }
  }
  return findings;
}

std::vector<std::string> unknown_paths(const std::vector<SourceFile>& pages,
                                       const std::set<std::string>& paths,
                                       const std::set<std::string>& outputs) {
  std::vector<std::string> findings;
  const PathNames names(paths, outputs);
  for (const SourceFile& page : pages) {
    for (const PageCode& code : code_of(page.text)) {
      if (code.kind == PageCode::Kind::Span && code.text.find(' ') != std::string::npos) continue;
      for (const std::string& word : words_of(code.text)) {
        if (names.is_path(word, code.kind) && !names.exists(word)) {
          findings.push_back(finding(page, code.line, word));
        }
      }
    }
  }
  return findings;
}

std::vector<std::string> wrong_counts(const std::vector<SourceFile>& pages,
                                      const std::vector<Count>& counts) {
  std::vector<std::string> findings;
  for (const SourceFile& page : pages) {
    for (const Count& count : counts) {
      for (auto at = page.text.find(" " + count.after); at != std::string::npos;
           at = page.text.find(" " + count.after, at + 1)) {
        const std::size_t end = at + 1 + count.after.size();
        if (end < page.text.size() && std::isalpha(static_cast<unsigned char>(page.text[end]))) {
          continue;
        }
        if (!count.not_followed_by.empty() &&
            page.text.compare(end, count.not_followed_by.size(), count.not_followed_by) == 0) {
          continue;
        }
        const auto before = page.text.find_last_of(" \n(|/`*", at - 1);
        const std::string word = page.text.substr(before + 1, at - before - 1);
        const auto number = number_of(word);
        if (!number || *number < count.least || *number == count.value) continue;
        const auto line = 1 + std::count(page.text.begin(),
                                         page.text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        findings.push_back(fmt::format("{}:{}: '{} {}': there are {}", page.path, line, word,
                                       count.after, count.value));
      }
    }
  }
  return findings;
}

ProgramCommands program_commands() {
  const cli::AllCommands all;
  const cli::Command& program = all.program();
  ProgramCommands known;
  for (const cli::Command* const command : cli::all_commands(program)) {
    if (command->parent() == nullptr) continue;
    if (!command->commands().empty()) known.parents.insert(command->path());
    for (const auto& option : command->options()) {
      known.options[command->path()].insert(option->names.begin(), option->names.end());
    }
    for (const auto& option : program.options()) {
      known.options[command->path()].insert(option->name());
    }
  }
  return known;
}

}  // namespace kernbench::docs
