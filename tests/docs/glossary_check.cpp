// SPDX-License-Identifier: Apache-2.0
#include "glossary_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

namespace kernbench::docs {
namespace {

/// Replaces text[begin, end) by spaces.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
            text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
}

/// Returns the page with everything blanked that is not text: headings, code blocks, code spans
/// other than the term, and the targets of links.
std::string text_of(const std::string& page, const std::string& term) {
  std::string text;
  std::istringstream in(page);
  bool fenced = false;
  for (std::string line; std::getline(in, line);) {
    const bool fence = line.starts_with("```");
    if (fence) fenced = !fenced;
    if (fence || fenced || line.starts_with("    ") || line.starts_with("#")) {
      blank(line, 0, line.size());
    }
    for (auto open = line.find('`'); open != std::string::npos;) {
      const auto close = line.find('`', open + 1);
      if (close == std::string::npos) break;
      // A name in capitals is the term also as code; `vacuous` is a value of some key.
      const bool is_name = std::isupper(static_cast<unsigned char>(term[0])) != 0;
      if (!is_name || line.substr(open + 1, close - open - 1) != term) {
        blank(line, open, close + 1);
      }
      open = line.find('`', close + 1);
    }
    for (auto open = line.find("]("); open != std::string::npos; open = line.find("](", open + 1)) {
      blank(line, open + 2, std::min(line.find(')', open), line.size()));
    }
    text += line + "\n";
  }
  return text;
}

std::optional<std::size_t> first_use(const std::string& text, const std::string& term) {
  const auto joins = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/' ||
           c == '.';
  };
  for (auto at = text.find(term); at != std::string::npos; at = text.find(term, at + 1)) {
    std::size_t end = at + term.size();
    if (end < text.size() && text[end] == 's') ++end;
    const bool sentence_ends = end + 1 < text.size() && text[end] == '.' && !joins(text[end + 1]);
    const bool starts = at == 0 || !joins(text[at - 1]);
    if (starts && (end == text.size() || !joins(text[end]) || sentence_ends)) return at;
  }
  return std::nullopt;
}

/// Returns whether a position lies between the brackets of a link.
bool is_linked(const std::string& text, std::size_t at) {
  const auto close = text.find(']', at);
  const auto open = text.find('[', at);
  return close != std::string::npos && close < open && text.compare(close, 2, "](") == 0 &&
         text.rfind('[', at) != std::string::npos;
}

}  // namespace

std::vector<std::string> glossary_terms(const std::string& glossary) {
  std::vector<std::string> terms;
  std::istringstream in(glossary);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("### ")) terms.push_back(line.substr(4));
  }
  return terms;
}

std::vector<std::string> unlinked_terms(const std::vector<SourceFile>& pages,
                                        const std::vector<std::string>& terms) {
  std::vector<std::string> findings;
  for (const SourceFile& page : pages) {
    for (const std::string& term : terms) {
      const std::string text = text_of(page.text, term);
      const auto use = first_use(text, term);
      if (!use || is_linked(text, *use)) continue;
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*use), '\n');
      findings.push_back(
          fmt::format("{}:{}: link the first '{}' to the glossary", page.path, line, term));
    }
  }
  return findings;
}

}  // namespace kernbench::docs
