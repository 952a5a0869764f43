// SPDX-License-Identifier: Apache-2.0
#include "plot/member_html.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/grade.hpp"
#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "plot/report_page.hpp"

namespace kernbench::plot {

using common::escape_markup;
using common::ValueForm;
using Kind = ValueForm::Kind;

namespace {

bool is_number(const ValueForm& form) {
  return form.kind == Kind::Integer || form.kind == Kind::Number || form.kind == Kind::List;
}

bool is_list_of_objects(const ValueForm& form) {
  return form.kind == Kind::List && form.items().kind == Kind::Object;
}

std::string text_of(const ValueForm& form, const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (form.kind == Kind::Defined) return common::grade_from_json(value).text();
  if (is_list_of_objects(form)) return std::to_string(value.size());
  if (form.kind != Kind::List) return common::text_of_member(form.name, value);
  std::vector<std::string> items;
  for (const nlohmann::json& item : value) items.push_back(common::text_of_member(form.name, item));
  return fmt::format("{}", fmt::join(items, ", "));
}

/// A column of a table: a member of a row, or one of an object in it.
struct Column {
  ValueForm form;  ///< with the name that the heading is made of
  nlohmann::json::json_pointer place;
};

void add_columns(std::vector<Column>& columns, const ValueForm& object, const std::string& prefix,
                 const nlohmann::json::json_pointer& place) {
  for (ValueForm member : object.parts) {
    const nlohmann::json::json_pointer inner = place / member.name;
    if (!prefix.empty()) member.name = common::inner_name(prefix, member.name);
    if (member.kind == Kind::Object) {
      add_columns(columns, member, member.name, inner);
    } else {
      columns.push_back({std::move(member), inner});
    }
  }
}

/// Returns the columns that have a value in any row.
std::vector<Column> columns_of(const ValueForm& row_form, const nlohmann::json& rows) {
  std::vector<Column> columns;
  add_columns(columns, row_form, "", nlohmann::json::json_pointer());
  std::erase_if(columns, [&](const Column& column) {
    return std::none_of(rows.begin(), rows.end(), [&](const nlohmann::json& row) {
      return row.contains(column.place) && !row[column.place].is_null();
    });
  });
  return columns;
}

std::string table_of(const ValueForm& list, const nlohmann::json& rows) {
  const std::vector<Column> columns = columns_of(list.items(), rows);
  std::string out = "<table class=\"rows sortable\">\n<thead><tr>";
  for (const auto& [member, place] : columns) {
    print(out, "<th{}{}>{}</th>", is_number(member) ? " class=\"n\"" : "",
          member.meaning.empty() ? std::string()
                                 : fmt::format(" title=\"{}\"", escape_markup(member.meaning)),
          escape_markup(common::heading_of_member(member.name)));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < std::min(kMostRows, rows.size()); ++i) {
    out += "<tr>";
    for (const auto& [member, place] : columns) {
      print(out, "<td{}>{}</td>", is_number(member) ? " class=\"n\"" : "",
            escape_markup(text_of(member, rows[i].value(place, nlohmann::json()))));
    }
    out += "</tr>\n";
  }
  out = scroll_box(common::heading_of_member(list.name), out + "</tbody>\n</table>\n");
  if (rows.size() > kMostRows) {
    print(out, "<p class=\"dim\">and {} more, which the JSON report has</p>\n",
          rows.size() - kMostRows);
  }
  return out;
}

}  // namespace

std::string html_of_value(const ValueForm& form, const nlohmann::json& value) {
  if (is_list_of_objects(form)) return value.empty() ? std::string() : table_of(form, value);
  std::string facts;
  if (form.kind == Kind::TextMap) {
    for (const auto& [name, text] : value.items()) {
      print_fact(facts, escape_markup(name), text.get<std::string>());
    }
  }
  std::string inner;
  for (ValueForm member : form.parts) {
    const auto found = value.find(member.name);
    if (found == value.end() || found->is_null()) continue;
    // In an object of times, for example, the members have the unit of the object.
    if (common::unit_of(form.name) != nullptr) {
      const std::string full = common::inner_name(form.name, member.name);
      member.name += common::unit_of(full)->suffix;
    }
    const std::string heading = escape_markup(common::heading_of_member(member.name));
    if (member.kind == Kind::Object || is_list_of_objects(member)) {
      const std::string body = html_of_value(member, *found);
      if (!body.empty()) print(inner, "<h3>{}</h3>\n{}", heading, body);
    } else {
      print_fact(facts, heading, text_of(member, *found));
    }
  }
  if (!facts.empty()) facts = fmt::format("<dl class=\"facts\">\n{}</dl>\n", facts);
  return facts + inner;
}

}  // namespace kernbench::plot
