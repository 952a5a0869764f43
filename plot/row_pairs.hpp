// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/value_form.hpp"
#include "plot/member_columns.hpp"

namespace kernbench::plot {

/// The rows of two lists of objects, by what tells them apart: their first columns, as many as tell
/// the rows of each list apart, at least one, but none from the first time on. Among rows that
/// agree there, the first belongs to the first, and so on. The lists must outlive it.
class RowPairs {
 public:
  RowPairs(const common::ValueForm& row_form, const nlohmann::json& a, const nlohmann::json& b);

  /// Null: the list has no such row.
  using Pair = std::pair<const nlohmann::json*, const nlohmann::json*>;
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  /// Returns the columns that tell rows apart.
  [[nodiscard]] std::vector<Column> keys() const {
    return {columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(keys_)};
  }
  [[nodiscard]] std::vector<Column> values() const {
    return {columns_.begin() + static_cast<std::ptrdiff_t>(keys_), columns_.end()};
  }
  /// Returns the columns of lists with several objects in a row.
  [[nodiscard]] const std::vector<Column>& lists() const { return lists_; }
  /// Returns what tells a row apart: "gemm", "light 7".
  [[nodiscard]] std::string label_of(const nlohmann::json& row) const;

 private:
  [[nodiscard]] std::string key_of(const nlohmann::json& row) const;
  [[nodiscard]] bool are_different(const nlohmann::json& rows) const;
  void find_keys();
  [[nodiscard]] std::string name_of(const nlohmann::json& row,
                                    std::map<std::string, std::size_t>& seen) const;
  Pair& at(const std::string& name);

  const nlohmann::json& a_;
  const nlohmann::json& b_;
  std::vector<Column> columns_;
  std::vector<Column> lists_;
  std::size_t keys_ = 0;  ///< columns that tell rows apart
  std::vector<Pair> pairs_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace kernbench::plot
