// SPDX-License-Identifier: Apache-2.0
#include "plot/compared_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/markup.hpp"
#include "plot/described_page.hpp"
#include "plot/html_text.hpp"
#include "plot/member_columns.hpp"
#include "plot/report_differences.hpp"
#include "plot/row_pairs.hpp"

namespace kernbench::plot {

using common::escape_markup;
using common::ValueForm;
using nlohmann::json;
using Kind = ValueForm::Kind;

namespace {

constexpr std::string_view kStyle =
    ".columns { grid-template-columns: repeat(2, minmax(0, 1fr)); }\n"
    ".columns svg { max-width: 100%; height: auto; }\n"
    "h3 { margin: 16px 0 4px; }\n";

std::string heading_of(const ValueForm& form) {
  return escape_markup(common::heading_of_member(form.name));
}

/// Returns a value as text: of a list of texts those that the `other` list lacks, and the size of a
/// long list of numbers.
std::string text_beside(const ValueForm& form, const json& value, const json& other) {
  constexpr std::size_t kShown = 3;
  if (form.kind != Kind::List || !value.is_array() || !other.is_array()) {
    return text_of_value(form, value);
  }
  if (form.items().kind != Kind::Text) {
    constexpr std::size_t kShort = 8;
    return value.size() <= kShort ? text_of_value(form, value)
                                  : fmt::format("{} values", value.size());
  }
  const std::set<json> known(other.begin(), other.end());
  std::string text;
  std::size_t own = 0;
  for (const json& item : value) {
    if (known.contains(item) || ++own > kShown) continue;
    text += (text.empty() ? "" : ", ") + item.get<std::string>();
  }
  return own > kShown ? fmt::format("{} and {} more", text, own - kShown) : text;
}

/// Returns the cells of A and B, and of their difference if they are numbers; a value that is
/// missing is empty.
std::string cells_of(const ValueForm& form, const json& a, const json& b, const char* side) {
  const bool has_both = !a.is_null() && !b.is_null();
  std::string out =
      fmt::format("<td{0}>{1}</td><td{0}>{2}</td>", side,
                  escape_markup(has_both ? text_beside(form, a, b) : text_of_value(form, a)),
                  escape_markup(has_both ? text_beside(form, b, a) : text_of_value(form, b)));
  if (is_number(form)) {
    print(out, "<td{}>{}</td>", side, has_both ? difference_of(form, a, b) : "");
  }
  return out;
}

/// Single values of both reports, in one table.
class ValueTable {
 public:
  void add(const std::string& heading, const ValueForm& form, const json& a, const json& b) {
    if (a == b) return;
    print(rows_, "<tr><td>{}</td>{}{}</tr>\n", heading, cells_of(form, a, b, ""),
          is_number(form) ? "" : "<td></td>");
  }
  [[nodiscard]] std::string html() const {
    if (rows_.empty()) return {};
    return scroll_box("values",
                      "<table class=\"rows\">\n<thead><tr><th>value</th><th>A</th><th>B</th>"
                      "<th>B - A</th></tr></thead>\n<tbody>\n" +
                          rows_ + "</tbody>\n</table>\n");
  }

 private:
  std::string rows_;
};

/// Returns "1 row is equal", "7 rows are equal".
std::string equal_rows(std::size_t count) {
  return fmt::format("{} row{} equal", count, count == 1 ? " is" : "s are");
}

json value_in(const json* row, const Column& column) {
  return row == nullptr ? json() : row->value(column.place, json());
}

/// Returns the items of a list inside rows as rows of their own, with what tells the outer rows
/// apart. Fills in the form of these rows.
json inner_rows(const json& rows, const std::vector<Column>& keys, const Column& list,
                ValueForm& form) {
  form = ValueForm();
  std::vector<std::string> names;
  for (const Column& key : keys) {
    ValueForm outer = key.form;
    const auto& inner = list.form.items().parts;
    while (std::any_of(inner.begin(), inner.end(),
                       [&](const ValueForm& part) { return part.name == outer.name; })) {
      outer.name = "outer_" + outer.name;
    }
    names.push_back(outer.name);
    form.parts.push_back(std::move(outer));
  }
  for (const ValueForm& part : list.form.items().parts) form.parts.push_back(part);
  json all = json::array();
  for (const json& row : rows) {
    for (const json& item : row.value(list.place, json::array())) {
      json one = item;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        one[names[i]] = row.value(keys[i].place, json());
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

std::string table_of(const ValueForm& row_form, const json& a, const json& b,
                     std::size_t most_rows) {
  const RowPairs rows(row_form, a, b);
  const std::vector<Column> keys = rows.keys();
  std::vector<Column> values = rows.values();
  std::vector<std::string> equal;
  std::erase_if(values, [&](const Column& column) {
    const bool is_equal =
        std::all_of(rows.pairs().begin(), rows.pairs().end(), [&](const auto& pair) {
          return value_in(pair.first, column) == value_in(pair.second, column);
        });
    if (is_equal) equal.push_back(common::heading_of_member(column.form.name));
    return is_equal;
  });
  // Texts can be long: numbers come first.
  std::stable_partition(values.begin(), values.end(),
                        [](const Column& column) { return is_number(column.form); });
  std::string body;
  std::size_t differing = 0, same = 0;
  for (const auto& [first, second] : rows.pairs()) {
    const bool differs =
        first == nullptr || second == nullptr ||
        std::any_of(values.begin(), values.end(), [&, f = first, s = second](const Column& column) {
          return value_in(f, column) != value_in(s, column);
        });
    if (!differs) {
      ++same;
      continue;
    }
    if (++differing > most_rows) continue;
    body += "<tr>";
    for (const Column& key : keys) {
      print(
          body, "<td{}>{}</td>", side_of(key.form),
          escape_markup(text_of_value(key.form, value_in(first != nullptr ? first : second, key))));
    }
    const char* const only = first == nullptr ? "only B" : second == nullptr ? "only A" : "";
    if (values.empty()) print(body, "<td>{}</td>", only);
    for (const Column& column : values) {
      body += cells_of(column.form, value_in(first, column), value_in(second, column),
                       side_of(column.form));
    }
    body += "</tr>\n";
  }
  std::string out;
  if (differing > 0) {
    out += "<table class=\"rows sortable\">\n<thead><tr>";
    for (const Column& key : keys) {
      print(out, "<th{}>{}</th>", side_of(key.form), heading_of(key.form));
    }
    if (values.empty()) out += "<th>in</th>";
    for (const Column& column : values) {
      const bool number = is_number(column.form);
      print(out, "<th{0}>{1} A</th><th{0}>{1} B</th>{2}", side_of(column.form),
            heading_of(column.form), number ? "<th class=\"n\">B - A</th>" : "");
    }
    out =
        scroll_box("differences", out + "</tr></thead>\n<tbody>\n" + body + "</tbody>\n</table>\n");
    if (differing > most_rows) {
      print(out, "<p class=\"dim\">and {} more that differ</p>\n", differing - most_rows);
    }
    if (same > 0) print(out, "<p class=\"dim\">{}.</p>\n", equal_rows(same));
    if (!equal.empty()) {
      print(out, "<p class=\"dim\">Equal in all rows of both: {}.</p>\n",
            escape_markup(fmt::format("{}", fmt::join(equal, ", "))));
    }
  }
  for (const Column& list : rows.lists()) {
    ValueForm form;
    const json inner_a = inner_rows(a, keys, list, form);
    const json inner_b = inner_rows(b, keys, list, form);
    const std::string inner = inner_a == inner_b ? "" : table_of(form, inner_a, inner_b, most_rows);
    if (!inner.empty()) print(out, "<h3>{}</h3>\n{}", heading_of(list.form), inner);
  }
  return out;
}

/// Returns the differences of lists of single values: the texts that only one has, or how many
/// numbers differ.
std::string list_differences(const ValueForm& form, const json& a, const json& b) {
  if (form.items().kind != Kind::Text) {
    const std::size_t both = std::min(a.size(), b.size());
    std::size_t differ = 0;
    for (std::size_t i = 0; i < both; ++i) differ += a[i] == b[i] ? 0 : 1;
    return fmt::format("<p>{} values in A, {} in B; {} of the first {} differ.</p>\n", a.size(),
                       b.size(), differ, both);
  }
  const auto only_in = [](const json& one, const json& other) {
    std::string items;
    for (const json& item : one) {
      if (std::find(other.begin(), other.end(), item) == other.end()) {
        print(items, "<li>{}</li>\n", escape_markup(item.get<std::string>()));
      }
    }
    return items;
  };
  std::string out;
  for (const auto& [name, items] : {std::pair("A", only_in(a, b)), std::pair("B", only_in(b, a))}) {
    if (!items.empty()) print(out, "<p>Only in {}:</p>\n<ul>\n{}</ul>\n", name, items);
  }
  return out.empty() ? "<p>The same values in another order or number.</p>\n" : out;
}

json member_of(const json& object, const std::string& name) {
  return object.is_object() ? object.value(name, json()) : json();
}

std::string table_of_values(const std::string& what, const std::vector<DifferingValue>& values) {
  if (values.empty()) return {};
  std::string rows;
  for (const DifferingValue& value : values) {
    print(rows,
          "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
          "class=\"n\">{}</td></tr>\n",
          escape_markup(value.place), escape_markup(value.a), escape_markup(value.b),
          escape_markup(value.change));
  }
  return scroll_box(
      what, fmt::format("<table class=\"rows\">\n<thead><tr><th>{}</th><th class=\"n\">A</th>"
                        "<th class=\"n\">B</th><th class=\"n\">B - A</th></tr></thead>\n"
                        "<tbody>\n{}</tbody>\n</table>\n",
                        escape_markup(what), rows));
}

/// Returns what differs in what ran.
std::string html_of_inputs(const ReportComparison& comparison) {
  std::string out = table_of_values("input", comparison.inputs);
  for (const auto& [name, words] :
       {std::pair("A", &comparison.commands.first), std::pair("B", &comparison.commands.second)}) {
    if (words->empty()) continue;
    print(out, "<p>Only in the command of {}: <code>{}</code></p>\n", name, escape_markup(*words));
  }
  return out;
}

/// Returns the parts of critical paths that changed, and the times that differ by no more than
/// those of repeated runs.
std::string html_of_reasons(const ReportComparison& comparison) {
  std::string out;
  for (const DifferingValue& value : comparison.results) {
    if (!value.is_within_band) continue;
    print(out, "<p>{}: {} and {}, within the band of repeated runs.</p>\n",
          escape_markup(value.place), escape_markup(value.a), escape_markup(value.b));
  }
  for (const ChangedParts& changed : comparison.reasons) {
    out += table_of_values(fmt::format("critical path of {}, {}", changed.of, changed.by),
                           changed.parts);
  }
  if (!comparison.missing_reasons.empty()) {
    print(out, "<p class=\"dim\">{}.</p>\n", capitalized(comparison.missing_reasons));
  }
  return out;
}

/// Returns the differences of two objects, whose single values follow those in `single`.
std::string differences(const ValueForm& form, const json& a, const json& b, std::size_t most_rows,
                        ValueTable single) {
  std::string inner;
  for (const ValueForm& member : form.parts) {
    const json in_a = member_of(a, member.name);
    const json in_b = member_of(b, member.name);
    if (in_a == in_b) continue;
    std::string body;
    if (member.kind == Kind::Object) {
      body = differences(member, in_a, in_b, most_rows, {});
    } else if (is_list_of_objects(member)) {
      const json none = json::array();
      body = table_of(member.items(), in_a.is_null() ? none : in_a, in_b.is_null() ? none : in_b,
                      most_rows);
    } else if (member.kind == Kind::List && in_a.is_array() && in_b.is_array()) {
      body = list_differences(member, in_a, in_b);
    } else if (member.kind == Kind::Map && member.items().kind != Kind::Object) {
      ValueTable values;
      json names = in_a.is_object() ? in_a : json::object();
      if (in_b.is_object()) names.update(in_b);
      ValueForm item = member.items();
      item.name = member.name;
      for (const auto& [name, ignored] : names.items()) {
        values.add(escape_markup(name), item, member_of(in_a, name), member_of(in_b, name));
      }
      body = values.html();
    } else {
      single.add(heading_of(member), member, in_a, in_b);
      continue;
    }
    if (!body.empty()) print(inner, "<h3>{}</h3>\n{}", heading_of(member), body);
  }
  return single.html() + inner;
}

}  // namespace

std::string html_of_differences(const ValueForm& form, const json& a, const json& b,
                                std::size_t most_rows) {
  return differences(form, a, b, most_rows, {});
}

std::string compared_page(const ReportKind& kind, const NamedReport& a, const NamedReport& b) {
  for (const NamedReport* one : {&a, &b}) {
    common::require_form(kind.form(), one->report.data, one->name);
  }
  return compared_page(kind, a, b, compare_reports(kind, a.report, b.report));
}

std::string compared_page(const ReportKind& kind, const NamedReport& a, const NamedReport& b,
                          const ReportComparison& comparison) {
  ReportPage page(fmt::format("{} and {}", a.name, b.name), kStyle);
  std::string header = fmt::format("<div class=\"title\"><h1>{}</h1></div>\n<p>{}</p>\n",
                                   escape_markup(kind.command), escape_markup(kind.about));
  for (const auto& [letter, one] : {std::pair("A", &a), std::pair("B", &b)}) {
    print(header, "<p><b>{}</b> {} {}</p>\n<code class=\"command\">{}</code>\n", letter,
          outcome_badge(one->report.outcome), escape_markup(one->name),
          escape_markup(one->report.command));
  }
  const auto passed = [](const NamedReport& one) {
    return one.report.outcome == common::Outcome::Pass;
  };
  page.header(header, passed(a) && passed(b));

  page.add({"Inputs", html_of_inputs(comparison)});
  page.add({"Why", html_of_reasons(comparison)});
  // Leaves out the members that the sections above show.
  ValueForm results = kind.form();
  std::erase_if(results.parts, [&](const ValueForm& member) {
    return member.name == kind.reasons ||
           std::find(kind.inputs.begin(), kind.inputs.end(), member.name) != kind.inputs.end();
  });
  std::string body = html_of_differences(results, a.report.data, b.report.data, kind.rows);
  if (body.empty()) body = "<p>The results are equal.</p>\n";
  page.add({"Results", fmt::format("<p>{}.</p>\n", capitalized(comparison.counts())) + body});
  if (kind.parts != nullptr) {
    const std::vector<ReportSection> in_b = kind.parts(b.report.data);
    for (ReportSection& part : kind.parts(a.report.data)) {
      const auto other = std::find_if(in_b.begin(), in_b.end(), [&](const ReportSection& section) {
        return section.heading == part.heading;
      });
      if (other == in_b.end()) continue;
      page.add_columns({{"A: " + part.heading, part.body}},
                       {{"B: " + other->heading, other->body}});
    }
  }
  return std::move(page).finish();
}

std::string compared_page_of_texts(const ReportKinds& kinds, const std::string& text_a,
                                   const std::string& name_a, const std::string& text_b,
                                   const std::string& name_b) {
  const auto report_of = [&](const std::string& text, const std::string& name) {
    return NamedReport{name, common::parse_report(text, name, names_of(kinds))};
  };
  const NamedReport a = report_of(text_a, name_a);
  const NamedReport b = report_of(text_b, name_b);
  if (a.report.kind != b.report.kind) {
    throw common::BadInput(fmt::format("{} is a report of another kind", name_b));
  }
  return compared_page(*find_kind(kinds, a.report.kind), a, b);
}

}  // namespace kernbench::plot
