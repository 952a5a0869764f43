// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/sweep_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "common/markup.hpp"
#include "common/numbers.hpp"
#include "common/outcome.hpp"
#include "common/shell_quote.hpp"
#include "farm/charts.hpp"
#include "farm/csv.hpp"
#include "farm/quantity.hpp"
#include "farm/summary.hpp"
#include "plot/html_text.hpp"
#include "plot/report_page.hpp"
#include "sim/report/html_parts.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::escape_markup;
using common::Outcome;
using farm::Effect;
using farm::Table;

constexpr std::size_t kMostRows = 1000;

constexpr std::string_view kStyle = R"css(
pre { margin: 8px 0 0; padding: 8px 10px; border-radius: 5px; background: var(--empty);
      overflow-x: auto; font: 12px/1.5 "DejaVu Sans Mono", ui-monospace, monospace; }
.effects { max-width: 760px; }
.effects .bar i { background: var(--p6); }
td.message { min-width: 240px; overflow-wrap: anywhere; }
.answer { margin: 8px 0 0; font-size: 15px; }
.rows tr.best td { background: var(--good-soft); }
)css";

std::string direction_of(const farm::Target& target) {
  if (target.direction == farm::Direction::None) return "";
  return target.direction == farm::Direction::Min ? ", less is better" : ", more is better";
}

/// Says for a column of values if all that are there are numbers, which stand on the right.
template <typename Value>
const char* class_of(const std::vector<farm::Row>& rows, const Value& value) {
  const bool numbers = std::all_of(rows.begin(), rows.end(), [&value](const farm::Row& row) {
    const std::string text = value(row);
    return text.empty() || common::parse_double(text).has_value();
  });
  return numbers ? " class=\"n\"" : "";
}

/// Returns a value of a target with about six digits; the CSV file has all.
std::string shown(const nlohmann::json& value) {
  return value.is_number_float() ? farm::plain_number(value.get<double>()) : farm::text_of(value);
}

/// Writes rows of the table of a sweep, with the same columns in every table.
class RowTable {
 public:
  explicit RowTable(const Table& table)
      : table_(table), names_(farm::short_names(table.parameters)) {
    for (std::size_t p = 0; p < table.parameters.size(); ++p) {
      parameters_.emplace_back(
          class_of(table.rows, [p](const farm::Row& row) { return row.parameters[p]; }));
    }
    for (std::size_t t = 0; t < table.targets.size(); ++t) {
      targets_.emplace_back(class_of(
          table.rows, [t](const farm::Row& row) { return farm::text_of(row.targets[t]); }));
    }
  }

  /// `best`, in rising order, are places of rows that are marked. Rows may be numbered from 1 on.
  [[nodiscard]] std::string of_results(std::string_view label,
                                       const std::vector<std::size_t>& places,
                                       const std::vector<std::size_t>& best,
                                       bool is_numbered = false) const {
    std::string out = "<table class=\"rows sortable\">\n<thead><tr>";
    if (is_numbered) out += "<th class=\"n\">number</th>";
    print_heading(out);
    out += "<th>outcome</th><th>grade</th>";
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      const farm::Target& target = table_.targets[t];
      plot::print(out, "<th{}>{}{}</th>", targets_[t], escape_markup(target.name),
                  target.unit.empty() ? "" : escape_markup(fmt::format(" ({})", target.unit)));
    }
    if (!table_.limits.empty()) out += "<th>allowed</th>";
    out += "<th>key</th></tr></thead>\n<tbody>\n";
    std::size_t number = 0;
    for (const std::size_t place : places) {
      const farm::Row& row = table_.rows[place];
      const bool is_best = std::binary_search(best.begin(), best.end(), place);
      out += is_best ? "<tr class=\"best\">" : "<tr>";
      if (is_numbered) plot::print(out, "<td class=\"n\">{}</td>", ++number);
      print_parameters(out, row);
      plot::print(out, "<td>{}</td><td>{}</td>", outcome_text(row.outcome),
                  escape_markup(row.grade));
      for (std::size_t t = 0; t < targets_.size(); ++t) {
        plot::print(out, "<td{}>{}</td>", targets_[t], escape_markup(shown(row.targets[t])));
      }
      if (!table_.limits.empty()) out += row.is_allowed ? "<td>yes</td>" : "<td>no</td>";
      plot::print(out, "<td><code>{}</code></td></tr>\n", escape_markup(row.key));
    }
    return plot::scroll_box(label, out + "</tbody>\n</table>\n");
  }

  [[nodiscard]] std::string of_failures(const std::vector<std::size_t>& places) const {
    std::string out = "<table class=\"rows sortable\">\n<thead><tr>";
    print_heading(out);
    out += "<th>outcome</th><th>message</th><th>key</th></tr></thead>\n<tbody>\n";
    for (const std::size_t place : places) {
      const farm::Row& row = table_.rows[place];
      out += "<tr>";
      print_parameters(out, row);
      plot::print(out, "<td>{}</td><td class=\"message\">{}</td><td><code>{}</code></td></tr>\n",
                  outcome_text(row.outcome), escape_markup(row.message), escape_markup(row.key));
    }
    return plot::scroll_box("Failed points", out + "</tbody>\n</table>\n");
  }

 private:
  static std::string outcome_text(Outcome outcome) {
    return outcome == Outcome::Pass ? "pass" : plot::outcome_badge(outcome);
  }

  void print_heading(std::string& out) const {
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      plot::print(out, "<th{} title=\"{}\">{}</th>", parameters_[p],
                  escape_markup(table_.parameters[p]), escape_markup(names_[p]));
    }
  }

  void print_parameters(std::string& out, const farm::Row& row) const {
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      plot::print(out, "<td{}>{}</td>", parameters_[p], escape_markup(row.parameters[p]));
    }
  }

  const Table& table_;
  std::vector<std::string> names_;       ///< short names of the parameters
  std::vector<std::string> parameters_;  ///< class of each column
  std::vector<std::string> targets_;
};

/// Returns the first 1,000 of these places, and a note on the others.
std::pair<std::vector<std::size_t>, std::string> first_rows(std::vector<std::size_t> places) {
  if (places.size() <= kMostRows) return {std::move(places), ""};
  std::string note = fmt::format("<p class=\"dim\">and {} more; the CSV file has all rows</p>\n",
                                 sim::grouped(places.size() - kMostRows));
  places.resize(kMostRows);
  return {std::move(places), std::move(note)};
}

/// Returns a bar for each parameter, as wide as its effect on the target.
std::string effect_bars(const Table& table, const std::vector<Effect>& effects,
                        std::size_t target) {
  double largest = 0;
  for (const Effect& effect : effects) {
    if (effect.target == target) largest = std::max(largest, effect.range);
  }
  std::string out =
      "<table class=\"rows effects\">\n<thead><tr><th>parameter</th><th class=\"n\">least mean</th>"
      "<th class=\"n\">largest mean</th><th class=\"n\">main effect</th><th>of the "
      "largest</th></tr></thead>\n"
      "<tbody>\n";
  for (const Effect& effect : effects) {
    if (effect.target != target) continue;
    const auto ends = std::minmax_element(effect.means.begin(), effect.means.end());
    plot::print(out,
                "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                "<td class=\"n\">{}</td><td class=\"wide\"><span class=\"bar\">"
                "<i style=\"width:{:.1f}%\"></i></span></td></tr>\n",
                escape_markup(table.parameters[effect.parameter]), farm::plain_number(*ends.first),
                farm::plain_number(*ends.second), farm::plain_number(effect.range),
                largest == 0 ? 0.0 : 100.0 * effect.range / largest);
  }
  return plot::scroll_box("Main effects on " + table.targets[target].name,
                          out + "</tbody>\n</table>\n");
}

std::string header_of(const Table& table, const std::map<Outcome, std::size_t>& outcomes) {
  const auto passed = outcomes.find(Outcome::Pass);
  const bool all = passed != outcomes.end() && passed->second == table.rows.size();
  const std::string badge = table.rows.empty() ? plot::outcome_badge(Outcome::Vacuous)
                            : all              ? plot::outcome_badge(Outcome::Pass)
                                               : "<span class=\"badge bad\">failed points</span>";
  std::string out = fmt::format(
      "<div class=\"title\">{}<h1>Sweep of kernbench {}</h1></div>\n"
      "<dl class=\"facts\">\n",
      badge, escape_markup(table.command.front()));
  plot::print_fact(out, "parameters", fmt::format("{}", fmt::join(table.parameters, ", ")));
  std::vector<std::string> targets;
  for (const farm::Target& target : table.targets)
    targets.push_back(target.name + direction_of(target));
  plot::print_fact(out, "targets", fmt::format("{}", fmt::join(targets, "; ")));
  if (!table.limits.empty()) {
    plot::print_fact(out, "limits", fmt::format("{}", fmt::join(table.limits, "; ")));
  }
  out += "</dl>\n";
  for (const std::string& answer : farm::answers_of(table)) {
    plot::print(out, "<p class=\"answer\">{}</p>\n", escape_markup(answer));
  }
  out += "<code class=\"command\">kernbench";
  for (const std::string& word : table.command) {
    plot::print(out, " {}", escape_markup(common::shell_quote(word)));
  }
  return out + "</code>\n";
}

std::string tiles_of(const Table& table, const std::map<Outcome, std::size_t>& outcomes) {
  std::string out = "<div class=\"tiles\">\n";
  const std::size_t planned = std::max(table.planned, table.rows.size());
  plot::print_tile(out, table.is_search || table.rows.size() == planned,
                   fmt::format("{}/{}", sim::grouped(table.rows.size()), sim::grouped(planned)),
                   "points have a row");
  for (const auto& [outcome, count] : outcomes) {
    plot::print_tile(out, outcome == Outcome::Pass, sim::grouped(count),
                     std::string(common::name(outcome)));
  }
  if (!table.limits.empty()) {
    const auto allowed = std::count_if(table.rows.begin(), table.rows.end(), [](const auto& row) {
      return row.outcome == Outcome::Pass && row.is_allowed;
    });
    plot::print_tile(out, allowed > 0, sim::grouped(static_cast<std::uint64_t>(allowed)),
                     "satisfy all limits");
  }
  if (table.former > 0) {
    plot::print_tile(out, true, sim::grouped(table.former), "rows of former points");
  }
  return out + "</div>\n";
}

void add_charts(plot::ReportPage& page, const Table& table, const std::vector<std::size_t>& front) {
  const std::vector<Effect> effects = farm::main_effects(table);
  const std::vector<farm::Chart> charts =
      farm::charts_of(table, front, effects, farm::ChartUse::Page);
  std::size_t next = 0;
  if (!charts.empty() && charts.front().name == "front") {
    page.add({"Pareto front: the first two targets",
              "<div class=\"charts\">\n" + charts[next++].svg + "</div>\n"});
  }
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    std::string body;
    for (; next < charts.size() && charts[next].target == t; ++next) body += charts[next].svg;
    if (body.empty()) continue;
    page.add({table.targets[t].name + direction_of(table.targets[t]),
              effect_bars(table, effects, t) + "<div class=\"charts\">\n" + body + "</div>\n",
              true});
  }
}

}  // namespace

std::string sweep_page(const Table& table) {
  std::map<Outcome, std::size_t> outcomes;
  std::vector<std::size_t> all;
  std::vector<std::size_t> failed;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    ++outcomes[table.rows[r].outcome];
    all.push_back(r);
    if (table.rows[r].outcome != Outcome::Pass) failed.push_back(r);
  }
  const std::string title = "Sweep of kernbench " + table.command.front();
  plot::ReportPage page(title, farm::sweep_chart_style() + std::string(kStyle.substr(1)));
  page.header(header_of(table, outcomes), failed.empty() && !table.rows.empty());
  page.add_html(tiles_of(table, outcomes));

  const RowTable rows(table);
  const std::vector<std::size_t> front = farm::pareto_front(table);
  if (!failed.empty()) {
    const auto [places, note] = first_rows(failed);
    page.add({sim::counted(failed.size(), "failed point"), rows.of_failures(places) + note});
  }
  if (!front.empty()) {
    const auto [places, note] = first_rows(front);
    page.add({fmt::format("Pareto front: {} of {}", sim::grouped(front.size()),
                          sim::counted(table.rows.size(), "row")),
              rows.of_results("Pareto front", places, {}, true) + note});
  }
  add_charts(page, table, front);
  const auto [places, note] = first_rows(all);
  page.add({table.rows.empty() ? "No rows" : "Rows",
            table.rows.empty() ? "<p>No point has a row.</p>\n"
                               : rows.of_results("Rows", places, front) + note});
  page.add({"Plan", fmt::format("<pre>{}</pre>\n", common::escape_content(table.plan))});
  return std::move(page).finish();
}

}  // namespace kernbench::cli
