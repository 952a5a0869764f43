// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/terminal.hpp"

namespace kernbench::common {

/// A table for people. Its columns are as wide as they need; columns of numbers stand on the right,
/// and headings go over several lines. If the terminal, or 100 columns of a pipe, is too narrow,
/// the widest column of texts is cut.
class TextTable {
 public:
  /// Headings have units: "time (us)".
  explicit TextTable(std::vector<std::string> headings) : headings_(std::move(headings)) {}

  /// Adds a row with a cell for each heading.
  void add(std::vector<std::string> cells) { rows_.push_back({std::move(cells), {}}); }
  /// Adds a line of text across all columns.
  void add_line(std::string text) { rows_.push_back({{}, std::move(text)}); }

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Returns headings and rows in lines. The headings are bold if `colour` is On.
  [[nodiscard]] std::string text(Colour colour = Colour::Off) const;

 private:
  struct Row {
    std::vector<std::string> cells;  ///< none in a line across
    std::string line;
  };

  [[nodiscard]] std::vector<std::size_t> widths(std::size_t room, std::size_t& gap) const;
  [[nodiscard]] bool is_of_numbers(std::size_t column) const;

  std::vector<std::string> headings_;
  std::vector<Row> rows_;
};

}  // namespace kernbench::common
