// SPDX-License-Identifier: Apache-2.0
#include "plot/member_html.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "plot/member_columns.hpp"
#include "plot/report_page.hpp"

namespace kernbench::plot {

using common::escape_markup;
using common::ValueForm;
using Kind = ValueForm::Kind;

namespace {

constexpr std::size_t kMostTexts = 4;     // of a list in a cell
constexpr std::size_t kMostColumns = 10;  // of a table that also has columns of equal values

/// Returns a cell of a table. Of a long list of texts it has the ends, and all as a tooltip.
std::string cell_of(const ValueForm& form, const nlohmann::json& value) {
  const std::string text = text_of_value(form, value);
  if (form.kind != Kind::List || form.items().kind != Kind::Text || value.size() <= kMostTexts) {
    return fmt::format("<td{}>{}</td>", side_of(form), escape_markup(text));
  }
  return fmt::format("<td title=\"{}\">{} ... {} ({})</td>", escape_markup(text),
                     escape_markup(value.front().get<std::string>()),
                     escape_markup(value.back().get<std::string>()), value.size());
}

/// Moves the columns that have the same value in all rows out of a wide table. Returns them as
/// facts.
std::string equal_columns(std::vector<Column>& columns, const nlohmann::json& rows) {
  if (columns.size() <= kMostColumns || rows.size() < 2) return {};
  std::string facts;
  std::erase_if(columns, [&](const Column& column) {
    const nlohmann::json first = rows[0].value(column.place, nlohmann::json());
    const bool equal = std::all_of(rows.begin(), rows.end(), [&](const nlohmann::json& row) {
      return row.value(column.place, nlohmann::json()) == first;
    });
    if (equal) {
      print_fact(facts, escape_markup(common::heading_of_member(column.form.name)),
                 text_of_value(column.form, first));
    }
    return equal;
  });
  return facts.empty() ? facts : fmt::format("<dl class=\"facts\">\n{}</dl>\n", facts);
}

std::string left_out(std::size_t items) {
  return fmt::format("<p class=\"dim\">and {} more, which the JSON report has</p>\n", items);
}

std::string table_of(const ValueForm& list, const nlohmann::json& rows, std::size_t most_rows) {
  std::vector<Column> columns = columns_of(list.items(), rows);
  const std::string equal = equal_columns(columns, rows);
  std::string out = "<table class=\"rows sortable\">\n<thead><tr>";
  for (const auto& [member, place] : columns) {
    print(out, "<th{}{}>{}</th>", side_of(member),
          member.meaning.empty() ? std::string()
                                 : fmt::format(" title=\"{}\"", escape_markup(member.meaning)),
          escape_markup(common::heading_of_member(member.name)));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < std::min(most_rows, rows.size()); ++i) {
    out += "<tr>";
    for (const auto& [member, place] : columns) {
      out += cell_of(member, rows[i].value(place, nlohmann::json()));
    }
    out += "</tr>\n";
  }
  out = equal + scroll_box(common::heading_of_member(list.name), out + "</tbody>\n</table>\n");
  if (rows.size() > most_rows) out += left_out(rows.size() - most_rows);
  return out;
}

/// Returns the items of a list that are not objects, each on a line of its own if they are texts.
std::string items_of(const ValueForm& list, const nlohmann::json& items, std::size_t most) {
  const bool are_texts = list.items().kind == Kind::Text;
  std::string out;
  for (std::size_t i = 0; i < std::min(most, items.size()); ++i) {
    ValueForm item = list.item(i);
    item.name = list.name;
    const bool is_list = item.kind == Kind::List;
    const std::string text =
        escape_markup(is_list ? items[i].dump() : text_of_value(item, items[i]));
    if (are_texts) {
      print(out, "<li>{}</li>\n", text);
    } else {
      out += (i == 0 ? "" : ", ") + text;
    }
  }
  out = are_texts ? fmt::format("<ul>\n{}</ul>\n", out) : fmt::format("<p>{}</p>\n", out);
  if (items.size() > most) out += left_out(items.size() - most);
  return out;
}

}  // namespace

std::string html_of_value(const ValueForm& form, const nlohmann::json& value,
                          std::size_t most_rows) {
  if (is_list_of_objects(form))
    return value.empty() ? std::string() : table_of(form, value, most_rows);
  if (form.kind == Kind::List) {
    return value.empty() ? std::string() : items_of(form, value, most_rows);
  }
  std::string facts;
  if (form.kind == Kind::Map) {
    for (const auto& [name, one] : value.items()) {
      ValueForm item = form.items();
      item.name = form.name;
      print_fact(facts, escape_markup(name), text_of_value(item, one));
    }
  }
  std::string inner;
  for (ValueForm member : form.kind == Kind::Object ? form.parts : std::vector<ValueForm>()) {
    const auto found = value.find(member.name);
    if (found == value.end() || found->is_null()) continue;
    // In an object of times, for example, the members have the unit of the object.
    if (common::unit_of(form.name) != nullptr) {
      const std::string full = common::inner_name(form.name, member.name);
      member.name += common::unit_of(full)->suffix;
    }
    const std::string heading = escape_markup(common::heading_of_member(member.name));
    if (member.kind == Kind::Object || is_list_of_objects(member)) {
      const std::string body = html_of_value(member, *found, most_rows);
      if (!body.empty()) print(inner, "<h3>{}</h3>\n{}", heading, body);
    } else {
      print_fact(facts, heading, text_of_value(member, *found));
    }
  }
  if (!facts.empty()) facts = fmt::format("<dl class=\"facts\">\n{}</dl>\n", facts);
  return facts + inner;
}

}  // namespace kernbench::plot
