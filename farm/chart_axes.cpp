// SPDX-License-Identifier: Apache-2.0
#include "farm/chart_axes.hpp"

#include <algorithm>
#include <cmath>

#include "common/numbers.hpp"
#include "common/text_lines.hpp"
#include "farm/quantity.hpp"
#include "plot/style.hpp"
#include "plot/text_width.hpp"

namespace kernbench::farm {
namespace {

constexpr double kWideRange = 50;  // ratio of the ends from which an axis is logarithmic

}  // namespace

Column target_column(const Table& table, std::size_t target) {
  Column column{table.targets[target]};
  for (const Row& row : table.rows) {
    const bool passed = row.outcome == common::Outcome::Pass;
    column.values.push_back(passed ? number_of(row.targets[target]) : std::nullopt);
  }
  return column;
}

Column parameter_column(const Table& table, const Effect& effect) {
  const std::string& name = table.parameters[effect.parameter];
  Column column{.target = {.name = name}};
  const auto& logs = table.log_parameters;
  column.is_log = std::find(logs.begin(), logs.end(), name) != logs.end();
  if (effect.places.empty()) {
    for (const std::string& text : effect.values) {
      column.ticks.push_back({static_cast<double>(column.ticks.size()), text});
    }
  }
  for (const Row& row : table.rows) {
    const std::string& text = row.parameters[effect.parameter];
    if (!effect.places.empty()) {
      column.values.push_back(common::parse_double(text));
      continue;
    }
    const auto known = std::find(effect.values.begin(), effect.values.end(), text);
    const auto place = static_cast<double>(known - effect.values.begin());
    column.values.push_back(known == effect.values.end() ? std::nullopt : std::optional(place));
  }
  return column;
}

ChartAxis axis_of(const Column& column, const plot::Range& range, double width) {
  if (!column.ticks.empty()) {
    return {{shortened(column.target.name, width), plot::AxisScale::Fitted, column.ticks}};
  }
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const Quantity quantity = quantity_of(column.target, largest);
  const bool is_log = range.low > 0 && (range.high / range.low >= kWideRange ||
                                        (column.is_log && range.low < range.high));
  const std::string label = quantity.label + (is_log ? ", log scale" : "");
  return {{shortened(label, width), is_log ? plot::AxisScale::Log : plot::AxisScale::Fitted},
          quantity.unit};
}

void shorten_ticks(plot::AxisSpec& axis, double width) {
  for (plot::Tick& tick : axis.ticks) {
    const double pitch = width / static_cast<double>(axis.ticks.size());
    tick.text = shortened(tick.text, std::max(pitch, 40.0) - 8);
  }
}

std::string shortened(const std::string& text, double width) {
  if (plot::text_width(text, plot::kTextPx) <= width) return text;
  std::vector<std::string> characters;
  for (const char c : text) {
    if (common::begins_character(c) || characters.empty()) characters.emplace_back();
    characters.back() += c;
  }
  for (std::size_t kept = characters.size() - 1; kept > 0; --kept) {
    std::string shorter;
    for (std::size_t i = 0; i < characters.size(); ++i) {
      if (i == kept / 2) shorter += "\u2026";
      if (i < kept / 2 || i >= characters.size() - (kept - kept / 2)) shorter += characters[i];
    }
    if (plot::text_width(shorter, plot::kTextPx) <= width) return shorter;
  }
  return "\u2026";
}

}  // namespace kernbench::farm
