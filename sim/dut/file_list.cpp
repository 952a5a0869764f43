// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/file_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "common/utf8.hpp"
#include "sim/dut/foreign_options.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;
using common::in_quotes;

constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
constexpr std::size_t kShownIgnored = 30;

std::string absolute_path(const fs::path& path) {
  return fs::absolute(path).lexically_normal().string();
}

/// A word of a file list and its line.
struct Word {
  std::string text;
  int line = 1;
};

/// Splits a file list into words. Comments are those of Verilog, and lines that begin with '#';
/// quotes keep blanks. Adds comments and quotes without an end to `errors`.
std::vector<Word> words_of(const std::string& text, const std::string& list,
                           std::vector<std::string>& errors) {
  std::vector<Word> words;
  Word word;
  bool in_word = false;
  bool new_line = true;
  int line = 1;
  const auto finish = [&] {
    if (in_word) words.push_back(word);
    word.text.clear();
    in_word = false;
  };
  for (std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = std::string_view(text).substr(i);
    if (!in_word) word.line = line;
    if (!in_word && (rest.starts_with("//") || (new_line && c == '#'))) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (!in_word && rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos) {
        errors.push_back(fmt::format("{}:{}: the comment has no end", list, line));
        break;
      }
      line += static_cast<int>(std::count(rest.begin(), rest.begin() + end, '\n'));
      i += end + 1;
    } else if (c == '"') {
      const std::size_t end = std::min(text.find_first_of("\"\n", i + 1), text.size());
      if (end == text.size() || text[end] == '\n') {
        errors.push_back(fmt::format("{}:{}: the quote has no end", list, line));
      }
      word.text += text.substr(i + 1, end - i - 1);
      in_word = true;
      i = end < text.size() && text[end] == '\n' ? end - 1 : end;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      finish();
      if (c == '\n') ++line;
    } else if (!in_word && (rest.starts_with("\\\n") || rest.starts_with("\\\r\n"))) {
      continue;  // the next line continues this one
    } else {
      word.text += c;
      in_word = true;
    }
    new_line = c == '\n' || (new_line && (c == ' ' || c == '\t'));
  }
  finish();
  return words;
}

/// A variable of the environment at the start of a text.
struct Variable {
  std::string name;
  std::size_t length = 0;  ///< bytes of $NAME, ${NAME} or $(NAME)
  bool bare = true;        ///< without brackets
};

std::optional<Variable> variable_at(std::string_view text) {
  const char bracket = text.size() > 1 ? text[1] : '\0';
  const bool bare = bracket != '{' && bracket != '(';
  const std::size_t start = bare ? 1 : 2;
  std::size_t end = start;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
    ++end;
  }
  const bool is_name = end > start && std::isdigit(static_cast<unsigned char>(text[start])) == 0;
  const char closing = bracket == '{' ? '}' : ')';
  if (!is_name || (!bare && (end == text.size() || text[end] != closing))) return std::nullopt;
  return Variable{std::string(text.substr(start, end - start)), bare ? end : end + 1, bare};
}

bool is_macro(std::string_view text) {
  return text.starts_with("+define+") || text.starts_with("-D");
}

/// Replaces variables of the environment by their values. `\$` is a dollar sign, and so is that of
/// a function such as $clog2( in a macro. Adds an error for each variable that is not set, and
/// returns nothing then.
std::string expanded(const std::string& text, const std::string& where,
                     std::vector<std::string>& errors) {
  std::string result;
  bool failed = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("\\$")) {
      result += '$';
      ++i;
      continue;
    }
    const auto variable = text[i] == '$' ? variable_at(rest) : std::nullopt;
    if (!variable) {
      result += text[i];
      continue;
    }
    const char* value = std::getenv(variable->name.c_str());
    const bool function =
        variable->bare && is_macro(text) && rest.substr(variable->length).starts_with("(");
    if (value != nullptr) {
      result += value;
    } else if (function) {
      result += rest.substr(0, variable->length);
    } else {
      failed = true;
      errors.push_back(
          fmt::format("{}: the environment variable '{}' is not set (\\$ is a dollar sign)", where,
                      variable->name));
    }
    i += variable->length - 1;
  }
  return failed ? std::string() : result;
}

bool is_c_or_cpp(const fs::path& path) {
  constexpr std::array<std::string_view, 5> kEndings = {".c", ".cc", ".cpp", ".cxx", ".C"};
  return std::find(kEndings.begin(), kEndings.end(), path.extension().string()) != kEndings.end();
}

std::string read_list(const fs::path& list) {
  const fs::file_status status = fs::status(list);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw common::BadInput(fmt::format("--filelist: '{}' is not a file", list.string()));
  }
  std::string text = common::read_text_file(list, kMostBytes);
  if (text.find('\0') != std::string::npos) {
    throw common::BadInput(
        fmt::format("{}: not a file list: save it as plain text in UTF-8", list.string()));
  }
  return text;
}

}  // namespace

struct SourceFinder::Reading {
  const fs::path& list;
  const std::vector<Word>& words;
  std::size_t at = 0;
  std::vector<std::string> ignored;

  [[nodiscard]] const std::string& text() const { return words[at].text; }
  [[nodiscard]] fs::path folder() const { return list.parent_path(); }
  [[nodiscard]] std::string where() const {
    return fmt::format("{}:{}", list.string(), words[at].line);
  }
  [[nodiscard]] std::string_view next() const {
    return at + 1 < words.size() ? std::string_view(words[at + 1].text) : std::string_view();
  }
};

void SourceFinder::add_if_file(std::vector<std::string>& files, const fs::path& path,
                               const std::string& where) {
  if (fs::is_regular_file(path)) {
    files.push_back(absolute_path(path));
  } else {
    errors_.push_back(fmt::format("{}: '{}' is not a file", where, path.string()));
  }
}

void SourceFinder::add_file(const fs::path& path, const std::string& where) {
  add_if_file(sources_.files, path, where);
}

void SourceFinder::add_dpi(const fs::path& path, const std::string& where) {
  if (fs::is_regular_file(path) && !is_c_or_cpp(path)) {
    errors_.push_back(fmt::format("{}: '{}' is not a file of C or C++: .c, .cc, .cpp or .cxx",
                                  where, path.string()));
  } else {
    add_if_file(sources_.dpi_files, path, where);
  }
}

void SourceFinder::add_folder(std::vector<std::string>& folders, const fs::path& path,
                              const std::string& where) {
  if (fs::is_directory(path)) {
    folders.push_back(absolute_path(path));
  } else {
    errors_.push_back(fmt::format("{}: '{}' is not a folder", where, path.string()));
  }
}

void SourceFinder::add_include(const fs::path& path, const std::string& where) {
  add_folder(sources_.include_dirs, path, where);
}

void SourceFinder::add_rtl_folder(const fs::path& folder, const std::string& topo_f) {
  add_folder(sources_.library_dirs, folder, "--rtl-dir");
  sources_.include_dirs.push_back(absolute_path(folder));
  for (const Word& name : words_of(common::read_text_file(topo_f), topo_f, errors_)) {
    if (fs::is_regular_file(folder / name.text)) add_file(folder / name.text, "--rtl-dir");
  }
  sources_.library_suffixes = {".sv", ".v"};
}

void SourceFinder::add_filelist(const fs::path& list) {
  const fs::path same = absolute_path(list);
  if (std::find(open_.begin(), open_.end(), same) != open_.end()) {
    errors_.push_back(
        fmt::format("{}: the file list names itself, or a list that names it", list.string()));
    return;
  }
  open_.push_back(same);
  std::vector<Word> words = words_of(read_list(list), list.string(), errors_);
  for (Word& word : words) {
    word.text = expanded(word.text, fmt::format("{}:{}", list.string(), word.line), errors_);
  }
  Reading reading{list, words, 0, {}};
  for (; reading.at < words.size(); ++reading.at) {
    if (reading.text().empty()) continue;  // its variable is reported
    if (!add_option_with_word(reading) && !add_option(reading) && !ignore(reading)) {
      add_entry(reading);
    }
  }
  open_.pop_back();
  if (open_.empty() && errors_.empty() && sources_.files.empty() &&
      sources_.library_files.empty() && sources_.library_dirs.empty()) {
    errors_.push_back(fmt::format("{}: the file list names no source", list.string()));
  }
  if (reading.ignored.empty()) return;
  const std::size_t shown = std::min(reading.ignored.size(), kShownIgnored);
  const std::string more = shown < reading.ignored.size()
                               ? fmt::format(" and {} more", reading.ignored.size() - shown)
                               : "";
  reading.ignored.resize(shown);
  sources_.ignored += fmt::format("{} in {}: {}{}", sources_.ignored.empty() ? "ignored" : ";",
                                  list.string(), fmt::join(reading.ignored, ", "), more);
}

RtlSources SourceFinder::finish() {
  if (!errors_.empty()) throw common::BadInput(fmt::format("{}", fmt::join(errors_, "\nerror: ")));
  return std::move(sources_);
}

bool SourceFinder::add_option_with_word(Reading& reading) {
  constexpr std::array<std::string_view, 8> kOptions = {"-f", "-F", "-y",      "-v",
                                                        "-I", "-D", "-incdir", "-define"};
  const std::string& option = reading.text();
  if (std::find(kOptions.begin(), kOptions.end(), option) == kOptions.end()) return false;
  const std::string where = reading.where();
  if (reading.at + 1 == reading.words.size()) {
    errors_.push_back(fmt::format("{}: {} needs {}", where, option,
                                  option == "-D" || option == "-define" ? "a macro" : "a path"));
    return true;
  }
  ++reading.at;
  if (reading.text().empty()) return true;  // its variable is reported
  const fs::path path = reading.folder() / reading.text();
  if (option == "-D" || option == "-define") {
    add_define(reading.text());
  } else if (option == "-y") {
    add_folder(sources_.library_dirs, path, where);
  } else if (option == "-I" || option == "-incdir") {
    add_include(path, where);
  } else if (option == "-v") {
    add_if_file(sources_.library_files, path, where);
  } else if (!fs::is_regular_file(path)) {
    errors_.push_back(fmt::format("{}: '{}' is not a file", where, path.string()));
  } else {
    add_filelist(path);
  }
  return true;
}

bool SourceFinder::add_option(const Reading& reading) {
  const std::string& text = reading.text();
  const std::string where = reading.where();
  const auto each = [&](std::string_view prefix, const auto& action) {
    if (text.compare(0, prefix.size(), prefix) != 0) return false;
    for (std::size_t at = prefix.size(); at <= text.size();) {
      const std::size_t end = std::min(text.find('+', at), text.size());
      if (end > at) action(text.substr(at, end - at));
      at = end + 1;
    }
    return true;
  };
  if (each("+incdir+",
           [&](const std::string& dir) { add_include(reading.folder() / dir, where); }) ||
      each("+define+", [&](const std::string& define) { add_define(define); }) ||
      each("+libext+",
           [&](const std::string& suffix) { sources_.library_suffixes.push_back(suffix); })) {
    return true;
  }
  if (text.compare(0, 2, "-I") == 0) {
    add_include(reading.folder() / text.substr(2), where);
  } else if (text.compare(0, 2, "-D") == 0) {
    add_define(text.substr(2));
  } else {
    return false;
  }
  return true;
}

bool SourceFinder::ignore(Reading& reading) {
  const auto more = words_after_ignored(reading.text(), reading.next());
  if (!more) return false;
  const int line = reading.words[reading.at].line;
  std::string option = reading.text();
  for (unsigned i = 0; i < *more && reading.at + 1 < reading.words.size(); ++i) {
    option += " " + reading.words[++reading.at].text;
  }
  reading.ignored.push_back(fmt::format("{} (line {})", common::printable(option, 60), line));
  return true;
}

void SourceFinder::add_entry(const Reading& reading) {
  const std::string& text = reading.text();
  if (text[0] == '-' || text[0] == '+') {
    errors_.push_back(fmt::format(
        "{}: {} is not understood and may change the design; a file list has files, -f, -F, -y, "
        "-v, -I, -D, +incdir+, +define+ and +libext+",
        reading.where(), in_quotes(text)));
  } else if (is_c_or_cpp(text)) {
    add_dpi(reading.folder() / text, reading.where());
  } else {
    add_file(reading.folder() / text, reading.where());
  }
}

}  // namespace kernbench::sim
