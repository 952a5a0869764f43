// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/file_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestNesting = 16;

std::string absolute_path(const fs::path& path) {
  return fs::absolute(path).lexically_normal().string();
}

/// A word of a file list and its line.
struct Word {
  std::string text;
  int line = 1;
};

/// Splits a file list into words. Comments are those of Verilog; quotes keep blanks.
std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  Word word;
  int line = 1;
  const auto finish = [&] {
    if (!word.text.empty()) words.push_back(word);
    word.text.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool starts = word.text.empty();
    if (starts) word.line = line;
    if (starts && text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (starts && text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size() - 1);
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end + 1;
    } else if (c == '"') {
      const std::size_t end = std::min(text.find_first_of("\"\n", i + 1), text.size());
      word.text += text.substr(i + 1, end - i - 1);
      i = end < text.size() && text[end] == '\n' ? end - 1 : end;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      finish();
      if (c == '\n') ++line;
    } else {
      word.text += c;
    }
  }
  finish();
  return words;
}

}  // namespace

void SourceFinder::add_file(const fs::path& path, const std::string& where) {
  if (fs::is_regular_file(path)) {
    sources_.files.push_back(absolute_path(path));
  } else {
    errors_.push_back(fmt::format("{}: '{}' is not a file", where, path.string()));
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
  for (const Word& name : words_of(common::read_text_file(topo_f))) {
    if (fs::is_regular_file(folder / name.text)) add_file(folder / name.text, "--rtl-dir");
  }
  sources_.library_suffixes = {".sv", ".v"};
}

void SourceFinder::add_filelist(const fs::path& list, int nesting) {
  if (nesting > kDeepestNesting) {
    errors_.push_back(fmt::format("{}: file lists include each other", list.string()));
    return;
  }
  const std::vector<Word> words = words_of(common::read_text_file(list));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string where = fmt::format("{}:{}", list.string(), words[i].line);
    const std::string& text = words[i].text;
    const bool takes_path = text == "-f" || text == "-F" || text == "-y" || text == "-v";
    if (takes_path && i + 1 == words.size()) {
      errors_.push_back(fmt::format("{}: {} needs a path", where, text));
    } else if (takes_path) {
      add_path_option(text[1], list.parent_path() / words[++i].text, where, nesting);
    } else if (!add_option(text, list.parent_path(), where)) {
      add_file(list.parent_path() / text, where);
    }
  }
}

RtlSources SourceFinder::finish() {
  if (!errors_.empty()) throw common::BadInput(fmt::format("{}", fmt::join(errors_, "\nerror: ")));
  return std::move(sources_);
}

void SourceFinder::add_path_option(char option, const fs::path& path, const std::string& where,
                                   int nesting) {
  if (option == 'y') {
    add_folder(sources_.library_dirs, path, where);
  } else if (!fs::is_regular_file(path)) {
    errors_.push_back(fmt::format("{}: '{}' is not a file", where, path.string()));
  } else if (option == 'v') {
    sources_.library_files.push_back(absolute_path(path));
  } else {
    add_filelist(path, nesting + 1);
  }
}

bool SourceFinder::add_option(const std::string& text, const fs::path& folder,
                              const std::string& where) {
  const auto each = [&](std::string_view prefix, const auto& action) {
    if (text.compare(0, prefix.size(), prefix) != 0) return false;
    for (std::size_t at = prefix.size(); at <= text.size();) {
      const std::size_t end = std::min(text.find('+', at), text.size());
      action(text.substr(at, end - at));
      at = end + 1;
    }
    return true;
  };
  if (each("+incdir+", [&](const std::string& dir) { add_include(folder / dir, where); }) ||
      each("+define+", [&](const std::string& define) { add_define(define); }) ||
      each("+libext+",
           [&](const std::string& suffix) { sources_.library_suffixes.push_back(suffix); })) {
    return true;
  }
  if (text.compare(0, 2, "-I") == 0 && text.size() > 2) {
    add_include(folder / text.substr(2), where);
  } else if (text.compare(0, 2, "-D") == 0 && text.size() > 2) {
    add_define(text.substr(2));
  } else if (text[0] == '-' || text[0] == '+') {
    errors_.push_back(fmt::format(
        "{}: '{}' is not understood; a file list has files, -f, -F, -y, -v, -I, -D, +incdir+, "
        "+define+ and +libext+",
        where, text));
  } else {
    return false;
  }
  return true;
}

}  // namespace kernbench::sim
