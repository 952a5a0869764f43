// SPDX-License-Identifier: Apache-2.0
#include "common/text_table.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string_view>

#include "common/text_lines.hpp"

namespace kernbench::common {
namespace {

constexpr std::size_t kFewestOfText = 8;  // a column of texts is not cut below that
constexpr std::string_view kEllipsis = "\u2026";

/// Returns `text` in `width` columns, with an ellipsis if it is longer.
std::string fitted(const std::string& text, std::size_t width, bool on_right) {
  const std::size_t own = character_count(text);
  if (own <= width) {
    const std::string blanks(width - own, ' ');
    return on_right ? blanks + text : text + blanks;
  }
  std::string cut;
  std::size_t kept = 0;
  for (const char c : text) {
    if (begins_character(c) && ++kept == width) break;
    cut += c;
  }
  return cut + std::string(kEllipsis);
}

/// Returns a heading in lines of at most `width` columns, as far as its words allow.
std::vector<std::string> lines_of(const std::string& heading, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& word : words_of_text(heading)) {
    if (!lines.empty() && character_count(lines.back()) + 1 + character_count(word) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

void trim(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

bool TextTable::is_of_numbers(std::size_t column) const {
  bool any = false;
  for (const Row& row : rows_) {
    if (row.cells.empty() || row.cells[column].empty() || row.cells[column] == "-") continue;
    const std::string& cell = row.cells[column];
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (cell.find_first_not_of("0123456789.,+-eE %") != std::string::npos) return false;
    any = any || std::any_of(cell.begin(), cell.end(), is_digit);
  }
  return any;
}

std::vector<std::size_t> TextTable::widths(std::size_t room, std::size_t& gap) const {
  std::vector<std::size_t> widths;
  std::vector<std::size_t> least;  // with headings over several lines
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    std::size_t cells = 0;
    for (const Row& row : rows_) {
      if (!row.cells.empty()) cells = std::max(cells, character_count(row.cells[i]));
    }
    widths.push_back(std::max(cells, character_count(headings_[i])));
    for (const std::string& word : words_of_text(headings_[i]))
      cells = std::max(cells, character_count(word));
    least.push_back(cells);
  }
  const auto total = [&] {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
  };
  gap = 2;
  if (total() > room) widths = least;
  if (total() > room) gap = 1;
  while (total() > room) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool can_be_cut = !is_of_numbers(i) && widths[i] > kFewestOfText;
      if (can_be_cut && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    widths[widest] -= std::min(widths[widest] - kFewestOfText, total() - room);
  }
  return widths;
}

std::string TextTable::text(Colour colour) const {
  std::size_t gap = 2;
  const std::vector<std::size_t> columns = widths(text_columns(), gap);
  std::vector<bool> on_right;
  std::vector<std::vector<std::string>> headings;
  std::size_t height = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    on_right.push_back(is_of_numbers(i));
    headings.push_back(lines_of(headings_[i], columns[i]));
    height = std::max(height, headings.back().size());
  }
  const auto line_of = [&](const auto& cell) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      line += (i == 0 ? "" : std::string(gap, ' ')) + fitted(cell(i), columns[i], on_right[i]);
    }
    trim(line);
    return line;
  };
  std::string text;
  for (std::size_t h = 0; h < height; ++h) {
    text += bold(line_of([&](std::size_t i) {
                   const std::size_t above = height - headings[i].size();
                   return h < above ? std::string() : headings[i][h - above];
                 }),
                 colour) +
            "\n";
  }
  for (const Row& row : rows_) {
    text += row.cells.empty() ? row.line : line_of([&](std::size_t i) { return row.cells[i]; });
    text += "\n";
  }
  return text;
}

}  // namespace kernbench::common
