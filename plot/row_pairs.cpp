// SPDX-License-Identifier: Apache-2.0
#include "plot/row_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace kernbench::plot {

using common::ValueForm;
using nlohmann::json;

RowPairs::RowPairs(const ValueForm& row_form, const json& a, const json& b) : a_(a), b_(b) {
  json all = a;
  all.insert(all.end(), b.begin(), b.end());
  columns_ = columns_of(row_form, all);
  const auto is_list = [](const Column& column) {
    return column.form.kind == ValueForm::Kind::List;
  };
  const auto lists = std::stable_partition(columns_.begin(), columns_.end(), std::not_fn(is_list));
  std::copy_if(lists, columns_.end(), std::back_inserter(lists_),
               [](const Column& column) { return is_list_of_objects(column.form); });
  std::erase_if(columns_, [](const Column& column) { return is_list_of_objects(column.form); });
  find_keys();
  std::map<std::string, std::size_t> seen;
  for (const json& row : a) at(name_of(row, seen)).first = &row;
  seen.clear();
  for (const json& row : b) at(name_of(row, seen)).second = &row;
}

std::string RowPairs::label_of(const json& row) const {
  std::string label;
  for (std::size_t i = 0; i < keys_; ++i) {
    const json value = row.value(columns_[i].place, json());
    if (value.is_null()) continue;
    label +=
        (label.empty() ? "" : " ") + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return label;
}

std::string RowPairs::key_of(const json& row) const {
  std::string key;
  for (std::size_t i = 0; i < keys_; ++i) {
    key += row.value(columns_[i].place, json()).dump() + ' ';
  }
  return key;
}

bool RowPairs::are_different(const json& rows) const {
  std::set<std::string> keys;
  return std::all_of(rows.begin(), rows.end(),
                     [&](const json& row) { return keys.insert(key_of(row)).second; });
}

void RowPairs::find_keys() {
  const auto is_time = [](const Column& column) {
    const auto* const unit = common::unit_of(column.form.name);
    return unit != nullptr && (unit->suffix == "_ps" || unit->suffix == "_ns");
  };
  // The first column is one of them even where a list has a single row.
  while (keys_ < columns_.size() && !is_time(columns_[keys_]) &&
         (keys_ == 0 || !are_different(a_) || !are_different(b_))) {
    ++keys_;
  }
}

std::string RowPairs::name_of(const json& row, std::map<std::string, std::size_t>& seen) const {
  const std::string key = key_of(row);
  return fmt::format("{}#{}", key, seen[key]++);
}

RowPairs::Pair& RowPairs::at(const std::string& name) {
  const auto [found, is_new] = index_.try_emplace(name, pairs_.size());
  if (is_new) pairs_.emplace_back(nullptr, nullptr);
  return pairs_[found->second];
}

}  // namespace kernbench::plot
