// SPDX-License-Identifier: Apache-2.0
#include "farm/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "common/numbers.hpp"
#include "farm/csv.hpp"
#include "farm/quantity.hpp"
#include "plot/chart_panel.hpp"
#include "plot/palette.hpp"
#include "plot/style.hpp"
#include "plot/text_width.hpp"

namespace kernbench::farm {
namespace {

constexpr plot::SizePx kSmall = {384, 290};  // three fit into the page
constexpr plot::SizePx kLarge = {720, 420};
constexpr double kAbove = 30;        // from the edge to the plot
constexpr double kBelow = 78;        // from the plot to the edge
constexpr double kRight = 16;        // from the plot to the edge
constexpr double kBesideTicks = 14;  // from the edge to the ticks of the y axis, and to the plot
constexpr std::size_t kMostDrawn = 1000;
constexpr std::size_t kMostTicks = 8;  // values of a parameter with a tick each
constexpr double kWideRange = 50;      // ratio of the ends from which an axis is logarithmic

const plot::SeriesStyle kPointStyle = {
    .css_class = "point", .marker = plot::MarkerShape::Circle, .marker_radius = 3, .joined = false};
const plot::SeriesStyle kFrontStyle = {.css_class = "front",
                                       .marker = plot::MarkerShape::Diamond,

                                       .marker_radius = 4.5,
                                       .joined = false};
const plot::SeriesStyle kMeanStyle = {
    .css_class = "mean", .marker = plot::MarkerShape::Square, .marker_radius = 3, .hollow = true};

std::vector<plot::SeriesColour> colours() {
  const std::vector<plot::SeriesColour> palette = plot::palette();
  return {{"point", palette[0].light, palette[0].dark},
          {"front", palette[1].light, palette[1].dark},
          {"mean", palette[2].light, palette[2].dark}};
}

/// A value of each row on one axis; absent where the row has none.
struct Column {
  std::string name;
  std::vector<std::optional<double>> values{};
  std::vector<plot::Tick> ticks{};  ///< places and texts of values that are not numbers
};

Column target_column(const Table& table, std::size_t target) {
  Column column{table.targets[target].path};
  for (const Row& row : table.rows) {
    const bool passed = row.outcome == common::Outcome::Pass;
    column.values.push_back(passed ? number_of(row.targets[target]) : std::nullopt);
  }
  return column;
}

/// Numbers the values of an effect from 0 on if some are not numbers.
Column parameter_column(const Table& table, const Effect& effect) {
  Column column{table.parameters[effect.parameter]};
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

/// Returns `text` with an ellipsis in its middle if it needs more than `width` px.
std::string shortened(const std::string& text, double width) {
  if (plot::text_width(text, plot::kTextPx) <= width) return text;
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
  std::vector<std::string> characters;
  for (const char c : text) {
    if (is_start(c) || characters.empty()) characters.emplace_back();
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

/// Draws one chart from the columns of its axes.
class SweepChart {
 public:
  SweepChart(const Table& table, const std::vector<std::size_t>& front, const Column& x,
             const Column& y)
      : table_(table), front_(front), x_(x), y_(y) {
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      if (!has(r)) continue;
      rows_.push_back(r);
      x_range_.add(*x.values[r]);
      y_range_.add(*y.values[r]);
    }
  }

  [[nodiscard]] bool empty() const { return rows_.empty(); }

  [[nodiscard]] std::string svg(const Effect* effect, plot::SizePx size, ChartUse use) const {
    const double room = size.w - 2 * kBesideTicks;
    ChartAxis x = axis_of(x_, x_range_, room - 40);
    const ChartAxis y_axis = axis_of(y_, y_range_, room);
    if (effect != nullptr && x_.ticks.empty()) x.spec.ticks = ticks_at_values(x);
    const plot::Axis y(y_axis.spec, {y_range_.low / y_axis.unit, y_range_.high / y_axis.unit});
    double ticks = 0;
    for (const plot::Tick& tick : y.ticks()) {
      ticks = std::max(ticks, plot::text_width(tick.text, plot::kTextPx));
    }
    const plot::BoxPx box = {2 * kBesideTicks + ticks, kAbove,
                             size.w - 2 * kBesideTicks - ticks - kRight, size.h - kAbove - kBelow};
    if (!x_.ticks.empty()) shorten_names(x.spec, box.w);

    plot::ChartPanel panel{.heading = "", .x = x.spec};
    const auto place = [&](double at, double value) {
      return plot::PointPx{at / x.unit, value / y_axis.unit};
    };
    plot::ChartSeries points{"point", kPointStyle};
    plot::ChartSeries best{"Pareto front", kFrontStyle};
    const std::size_t step = (rows_.size() + kMostDrawn - 1) / kMostDrawn;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t r = rows_[i];
      const bool on_front = std::binary_search(front_.begin(), front_.end(), r);
      if (!on_front && i % step != 0) continue;
      plot::ChartSeries& series = on_front ? best : points;
      series.points.push_back(place(*x_.values[r], *y_.values[r]));
      series.point_tooltips.push_back(tooltip(r));
    }
    plot::ChartSeries means{"mean", kMeanStyle};
    if (effect != nullptr) add_means(*effect, means, place);
    for (plot::ChartSeries* const series : {&means, &best, &points}) {
      if (!series->points.empty()) panel.series.push_back(std::move(*series));
    }

    plot::SvgCanvas canvas(size.w, size.h, fmt::format("{} over {}", y_.name, x_.name),
                           use == ChartUse::File ? plot::chart_style_sheet(colours()) : "");
    if (use == ChartUse::File) canvas.rect(0, 0, size.w, size.h, {"ground"});
    plot::draw_panel(canvas, panel, y, box);
    double left = box.x;
    for (const plot::ChartSeries& series : panel.series) {
      plot::draw_sample(canvas, series.style, {left, size.h - 14});
      canvas.text(left + plot::kSampleWidth + 6, size.h - 10, series.name, {"soft"},
                  plot::TextAnchor::Start);
      left += plot::kSampleWidth + plot::text_width(series.name, plot::kTextPx) + 10;
    }
    return std::move(canvas).finish();
  }

 private:
  [[nodiscard]] bool has(std::size_t row) const {
    return x_.values[row].has_value() && y_.values[row].has_value();
  }

  struct ChartAxis {
    plot::AxisSpec spec;
    double unit = 1;  ///< the axis shows a value divided by this
  };

  [[nodiscard]] static ChartAxis axis_of(const Column& column, const plot::Range& range,
                                         double width) {
    if (!column.ticks.empty()) {
      return {{shortened(column.name, width), plot::AxisScale::Fitted, column.ticks}};
    }
    const double largest = std::max(std::abs(range.low), std::abs(range.high));
    const Quantity quantity = quantity_of(column.name, largest);
    const bool is_wide = range.low > 0 && range.high / range.low >= kWideRange;
    const std::string label = quantity.label + (is_wide ? ", log scale" : "");
    return {{shortened(label, width), is_wide ? plot::AxisScale::Log : plot::AxisScale::Fitted},
            quantity.unit};
  }

  /// Returns a tick at each value if there are few.
  [[nodiscard]] std::vector<plot::Tick> ticks_at_values(const ChartAxis& x) const {
    std::set<double> values;
    for (const std::size_t row : rows_) values.insert(*x_.values[row] / x.unit);
    if (values.size() > kMostTicks) return {};
    std::vector<plot::Tick> ticks;
    ticks.reserve(values.size());
    for (const double value : values) ticks.push_back({value});
    return ticks;
  }

  static void shorten_names(plot::AxisSpec& axis, double width) {
    for (plot::Tick& tick : axis.ticks) {
      const double pitch = width / static_cast<double>(axis.ticks.size());
      tick.text = shortened(tick.text, std::max(pitch, 40.0) - 8);
    }
  }

  [[nodiscard]] std::string tooltip(std::size_t row) const {
    const Row& one = table_.rows[row];
    std::string text = text_of_point(table_.parameters, one.parameters);
    for (std::size_t t = 0; t < table_.targets.size(); ++t) {
      const std::string& path = table_.targets[t].path;
      if (path != y_.name && path != x_.name) continue;
      text += fmt::format("\n{}: {}", path, text_of(one.targets[t]));
    }
    return text;
  }

  template <typename Place>
  void add_means(const Effect& effect, plot::ChartSeries& means, const Place& place) const {
    std::vector<std::size_t> order(effect.means.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto at = [&](std::size_t i) {
      return effect.places.empty() ? static_cast<double>(i) : effect.places[i];
    };
    std::stable_sort(order.begin(), order.end(),
                     [&at](std::size_t a, std::size_t b) { return at(a) < at(b); });
    for (const std::size_t i : order) {
      means.points.push_back(place(at(i), effect.means[i]));
      means.point_tooltips.push_back(
          fmt::format("{}={}: mean {}", x_.name, effect.values[i], plain_number(effect.means[i])));
    }
  }

  const Table& table_;
  const std::vector<std::size_t>& front_;
  const Column& x_;
  const Column& y_;
  std::vector<std::size_t> rows_;
  plot::Range x_range_;
  plot::Range y_range_;
};

/// Returns a name of a file for the fields of a chart.
std::string file_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("._-").find(c) != std::string_view::npos;
    name += plain ? c : '_';
  }
  return name;
}

}  // namespace

std::string sweep_chart_style() {
  return plot::page_chart_style() + plot::colour_rules(colours()) +
         "path.point { fill-opacity: 0.45; stroke-width: 1; }\n";
}

std::vector<Chart> charts_of(const Table& table, const std::vector<std::size_t>& front,
                             const std::vector<Effect>& effects, ChartUse use) {
  std::vector<Chart> charts;
  std::set<std::string> names;
  std::vector<std::size_t> directed;
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    if (table.targets[t].direction != Direction::None) directed.push_back(t);
  }
  if (directed.size() >= 2) {
    const Column x = target_column(table, directed[0]);
    const Column y = target_column(table, directed[1]);
    const SweepChart chart(table, front, x, y);
    if (!chart.empty()) charts.push_back({"front", directed[1], chart.svg(nullptr, kLarge, use)});
  }
  for (const Effect& effect : effects) {
    const Column x = parameter_column(table, effect);
    const Column y = target_column(table, effect.target);
    const SweepChart chart(table, front, x, y);
    const std::string plain = file_name(fmt::format("{}-over-{}", y.name, x.name));
    std::string name = plain;
    for (unsigned number = 2; !names.insert(name).second; ++number) {
      name = fmt::format("{}-{}", plain, number);
    }
    charts.push_back({name, effect.target, chart.svg(&effect, kSmall, use)});
  }
  return charts;
}

}  // namespace kernbench::farm
