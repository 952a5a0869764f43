// SPDX-License-Identifier: Apache-2.0
#include "plot/member_columns.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "common/description.hpp"
#include "common/grade.hpp"
#include "common/utf8.hpp"

namespace kernbench::plot {

using common::ValueForm;
using Kind = ValueForm::Kind;
using Pointer = nlohmann::json::json_pointer;

namespace {

constexpr std::size_t kMostJson = 120;  // characters of an object in a cell

/// Returns whether no row has several objects in the list at `place`.
bool has_at_most_one(const nlohmann::json& rows, const Pointer& place) {
  return std::all_of(rows.begin(), rows.end(), [&](const nlohmann::json& row) {
    return !row.contains(place) || row[place].size() <= 1;
  });
}

void add_columns(std::vector<Column>& columns, const nlohmann::json& rows, const ValueForm& object,
                 const std::string& prefix, const Pointer& place) {
  for (ValueForm member : object.parts) {
    const Pointer inner = place / member.name;
    if (!prefix.empty()) member.name = common::inner_name(prefix, member.name);
    if (member.kind == Kind::Object) {
      add_columns(columns, rows, member, member.name, inner);
    } else if (is_list_of_objects(member) && has_at_most_one(rows, inner)) {
      add_columns(columns, rows, member.items(), prefix, inner / 0);
    } else {
      columns.push_back({std::move(member), inner});
    }
  }
}

}  // namespace

bool is_number(const ValueForm& form) {
  if (form.kind == Kind::List) return is_number(form.items()) || form.items().kind == Kind::Object;
  return form.kind == Kind::Integer || form.kind == Kind::Number;
}

const char* side_of(const ValueForm& form) {
  return is_number(form) ? " class=\"n\"" : "";
}

bool is_list_of_objects(const ValueForm& form) {
  return form.kind == Kind::List && form.items().kind == Kind::Object;
}

std::string text_of_value(const ValueForm& form, const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (form.kind == Kind::Object) return common::value_of<common::Grade>(value, "").text();
  if (is_list_of_objects(form)) return std::to_string(value.size());
  if (value.is_object()) return common::printable(value.dump(), kMostJson);
  if (form.kind != Kind::List) return common::text_of_member(form.name, value);
  std::vector<std::string> items;
  for (const nlohmann::json& item : value) items.push_back(common::text_of_member(form.name, item));
  return fmt::format("{}", fmt::join(items, ", "));
}

std::vector<Column> columns_of(const ValueForm& row_form, const nlohmann::json& rows) {
  std::vector<Column> columns;
  add_columns(columns, rows, row_form, "", Pointer());
  std::erase_if(columns, [&](const Column& column) {
    return std::none_of(rows.begin(), rows.end(), [&](const nlohmann::json& row) {
      return row.contains(column.place) && !row[column.place].is_null();
    });
  });
  return columns;
}

}  // namespace kernbench::plot
