// SPDX-License-Identifier: Apache-2.0
#include "markdown_check.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <regex>
#include <sstream>

#include "common/text_file.hpp"
#include "page_code.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {
namespace {

namespace fs = std::filesystem;

/// Returns the name under which a heading can be linked: letters, digits and dashes.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(u));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors(const std::string& page) {
  std::set<std::string> names;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    const auto text = line.find_first_not_of('#');
    if (text == 0 || text == std::string::npos || line[text] != ' ') continue;
    names.insert(anchor_of(line.substr(text + 1)));
  }
  return names;
}

}  // namespace

std::vector<std::string> broken_links(const std::vector<SourceFile>& pages) {
  std::vector<std::string> problems;
  const std::regex link(R"(\]\(([^)\s]+)\))");
  for (const SourceFile& page : pages) {
    for (auto match = std::sregex_iterator(page.text.begin(), page.text.end(), link);
         match != std::sregex_iterator(); ++match) {
      const std::string target = (*match)[1];
      if (target.find("://") != std::string::npos) continue;
      const auto hash = target.find('#');
      const fs::path file = target.substr(0, hash);
      const fs::path path = fs::path(places::kSource) / page.path;
      const fs::path linked = file.empty() ? path : path.parent_path() / file;
      bool found = file.empty() || fs::exists(linked);
      if (found && hash != std::string::npos) {
        const std::string text = file.empty() ? page.text : common::read_text_file(linked.string());
        found = anchors(text).count(target.substr(hash + 1)) != 0;
      }
      if (!found) problems.push_back(fmt::format("{}: there is no {}", page.path, target));
    }
  }
  return problems;
}

std::vector<std::string> unknown_targets(const std::vector<SourceFile>& pages,
                                         const std::set<std::string>& targets) {
  std::vector<std::string> problems;
  for (const SourceFile& page : pages) {
    for (const PageCode& code : code_of(page.text)) {
      std::istringstream words(code.text);
      std::string word;
      words >> word;
      if (word != "make" || code.text.find(" -f ") != std::string::npos) continue;
      while (words >> word && word[0] != '#') {
        const bool setting = word.find('=') != std::string::npos;
        if (!setting && targets.count(word) == 0) {
          problems.push_back(fmt::format("{}: there is no make {}", page.path, word));
        }
      }
    }
  }
  return problems;
}

std::set<std::string> make_targets(const std::string& makefile) {
  std::set<std::string> targets;
  std::istringstream in(makefile);
  const std::regex rule(R"(^([a-z-]+):([^=].*)?$)");
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_match(line, match, rule)) targets.insert(match[1]);
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word != ".PHONY:") continue;
    while (words >> word) targets.insert(word);
  }
  return targets;
}

}  // namespace kernbench::docs
