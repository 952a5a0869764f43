// SPDX-License-Identifier: Apache-2.0
#include "farm/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "farm/chart_axes.hpp"
#include "farm/csv.hpp"
#include "farm/heat_map.hpp"
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

const plot::SeriesStyle kPointStyle = {
    .css_class = "point", .marker = plot::MarkerShape::Circle, .marker_radius = 3, .joined = false};
const plot::SeriesStyle kFrontStyle = {.css_class = "front",
                                       .marker = plot::MarkerShape::Diamond,

                                       .marker_radius = 4.5,
                                       .joined = false};
const plot::SeriesStyle kMeanStyle = {
    .css_class = "mean", .marker = plot::MarkerShape::Square, .marker_radius = 3, .hollow = true};

/// Values of the second parameter for which a chart has lines.
constexpr std::size_t kMostLines = std::size_t{2} * plot::kPaletteSize;
constexpr plot::SizePx kNumberRoom = {20, 14};  // of the number of a point on the front

std::vector<plot::SeriesColour> colours() {
  std::vector<plot::SeriesColour> all = plot::palette();
  all.push_back({"point", all[0].light, all[0].dark});
  all.push_back({"front", all[1].light, all[1].dark});
  all.push_back({"mean", all[2].light, all[2].dark});
  return all;
}

/// Returns the rules of heat maps, whose cells have no edge.
std::string heat_rules() {
  std::string light;
  std::string dark;
  for (const plot::SeriesColour& colour : heat_colours()) {
    light += fmt::format(".cell.{} {{ fill: #{:06x}; }}\n", colour.css_class, colour.light);
    dark += fmt::format(".cell.{} {{ fill: #{:06x}; }}\n", colour.css_class, colour.dark);
  }
  return fmt::format(
      ".best {{ fill: none; stroke: var(--ink); stroke-width: 2.5; }}\n"
      "text.strong {{ fill: var(--ground); }}\n{}@media (prefers-color-scheme: dark) {{\n{}}}\n",
      light, dark);
}

std::string file_style() {
  return plot::chart_style_sheet(colours()) + heat_rules();
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

  /// `effect` is that of the parameter on the x axis, if it is one. With `second`, the means are
  /// drawn for each of its values.
  [[nodiscard]] std::string svg(const Effect* effect, const Effect* second, plot::SizePx size,
                                ChartUse use) const {
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
    if (!x_.ticks.empty()) shorten_ticks(x.spec, box.w);

    plot::ChartPanel panel{.heading = "", .x = x.spec};
    const auto place = [&](double at, double value) {
      return plot::PointPx{at / x.unit, value / y_axis.unit};
    };
    plot::ChartSeries points{"point", kPointStyle};
    plot::ChartSeries best{"Pareto front", kFrontStyle};
    std::vector<plot::PointPx> numbered;
    std::vector<plot::ChartSeries> lines;
    if (second != nullptr) lines = lines_by(*effect, *second, place);
    const std::size_t step = (rows_.size() + kMostDrawn - 1) / kMostDrawn;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t r = rows_[i];
      const bool on_front = std::binary_search(front_.begin(), front_.end(), r);
      if (!on_front && i % step != 0) continue;
      plot::ChartSeries& series = on_front ? best : points;
      series.points.push_back(place(*x_.values[r], *y_.values[r]));
      series.point_tooltips.push_back(tooltip(r));
      if (on_front && effect == nullptr) {
        const auto number = std::lower_bound(front_.begin(), front_.end(), r) - front_.begin() + 1;
        const plot::PointPx at = {(*x_.values[r] - x_range_.low) / x_range_.width() * box.w,
                                  (*y_.values[r] - y_range_.low) / y_range_.width() * box.h};
        const bool has_room =
            std::none_of(numbered.begin(), numbered.end(), [&](const auto& other) {
              return std::abs(at.x - other.x) < kNumberRoom.w &&
                     std::abs(at.y - other.y) < kNumberRoom.h;
            });
        if (!has_room) continue;
        numbered.push_back(at);
        panel.guides.push_back({.label = std::to_string(number),
                                .points = {},
                                .label_at = series.points.back(),
                                .anchor = plot::TextAnchor::Start});
      }
    }
    plot::ChartSeries means{"mean", kMeanStyle};
    if (effect != nullptr && second == nullptr) add_means(*effect, means, place);
    for (plot::ChartSeries* const series : {&means, &best, &points}) {
      if (second == nullptr && !series->points.empty()) panel.series.push_back(std::move(*series));
    }
    for (plot::ChartSeries& line : lines) panel.series.push_back(std::move(line));

    plot::SvgCanvas canvas(size.w, size.h,
                           fmt::format("{} over {}", y_.target.name, x_.target.name),
                           use == ChartUse::File ? file_style() : "");
    plot::draw_panel(canvas, panel, y, box);
    double left = box.x;
    if (second != nullptr) {
      const std::string name = shortened(table_.parameters[second->parameter], box.w);
      canvas.text(box.right(), kAbove - 14, name, {"soft"}, plot::TextAnchor::End);
      left = 2 * kBesideTicks;
    }
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

  [[nodiscard]] std::string tooltip(std::size_t row) const {
    const Row& one = table_.rows[row];
    std::string text = text_of_point(table_.parameters, one.parameters);
    for (std::size_t t = 0; t < table_.targets.size(); ++t) {
      const std::string& path = table_.targets[t].name;
      if (path != y_.target.name && path != x_.target.name) continue;
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
      means.point_tooltips.push_back(fmt::format("{}={}: mean {}", x_.target.name, effect.values[i],
                                                 plain_number(effect.means[i])));
    }
  }

  /// Returns the means over the x axis for each value of another parameter.
  template <typename Place>
  [[nodiscard]] std::vector<plot::ChartSeries> lines_by(const Effect& effect, const Effect& second,
                                                        const Place& place) const {
    std::vector<plot::ChartSeries> lines;
    for (std::size_t v = 0; v < second.values.size(); ++v) {
      std::map<double, std::pair<double, std::size_t>> sums;  // by the place on the x axis
      for (const std::size_t r : rows_) {
        if (table_.rows[r].parameters[second.parameter] != second.values[v]) continue;
        auto& [sum, count] = sums[*x_.values[r]];
        sum += *y_.values[r];
        ++count;
      }
      const auto index = static_cast<unsigned>(v);
      plot::ChartSeries& line = lines.emplace_back(plot::ChartSeries{
          second.values[v], plot::palette_style(index, index >= plot::kPaletteSize)});
      line.tooltip = fmt::format("{}={}", table_.parameters[second.parameter], second.values[v]);
      for (const auto& [at, sum] : sums) {
        const double mean = sum.first / static_cast<double>(sum.second);
        line.points.push_back(place(at, mean));
        line.point_tooltips.push_back(
            fmt::format("{}, {}={}: {}{}", line.tooltip, table_.parameters[effect.parameter],
                        plain_number(at), sum.second == 1 ? "" : "mean ", plain_number(mean)));
      }
    }
    return lines;
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
  return plot::page_chart_style() + plot::colour_rules(colours()) + heat_rules() +
         "path.point { fill-opacity: 0.45; stroke-width: 1; }\n";
}

std::vector<Chart> charts_of(const Table& table, const std::vector<std::size_t>& front,
                             const std::vector<Effect>& effects, ChartUse use) {
  std::vector<Chart> charts;
  std::set<std::string> names;
  const auto add = [&](const std::string& text, std::size_t target, std::string svg) {
    const std::string plain = file_name(text);
    std::string name = plain;
    for (unsigned number = 2; !names.insert(name).second; ++number) {
      name = fmt::format("{}-{}", plain, number);
    }
    charts.push_back({name, target, std::move(svg)});
  };
  std::vector<std::size_t> directed;
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    const bool has_direction = table.targets[t].direction != Direction::None;
    if (has_direction && !is_constant(table, t)) directed.push_back(t);
  }
  if (directed.size() >= 2) {
    const Column x = target_column(table, directed[0]);
    const Column y = target_column(table, directed[1]);
    const SweepChart chart(table, front, x, y);
    if (!chart.empty()) add("front", directed[1], chart.svg(nullptr, nullptr, kLarge, use));
  }
  const std::string style = use == ChartUse::File ? file_style() : "";
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    if (is_constant(table, t)) continue;
    const Column y = target_column(table, t);
    std::vector<const Effect*> own;
    for (const Effect& effect : effects) {
      if (effect.target == t) own.push_back(&effect);
    }
    if (own.size() >= 2) {
      const Effect& first = *own[0];
      const Effect& second = *own[1];
      const std::string& by = table.parameters[second.parameter];
      const std::string over =
          fmt::format("{}-over-{}", y.target.name, table.parameters[first.parameter]);
      const std::optional<std::size_t> best =
          y.target.direction == Direction::None ? std::nullopt : best_row(table, t);
      std::string map = heat_map(table, first, second, best, style);
      if (!map.empty()) add(fmt::format("{}-and-{}", over, by), t, std::move(map));
      const Column x = parameter_column(table, first);
      const SweepChart chart(table, front, x, y);
      const bool has_room = second.values.size() <= kMostLines && !chart.empty();
      if (has_room)
        add(fmt::format("{}-by-{}", over, by), t, chart.svg(&first, &second, kSmall, use));
    }
    for (const Effect* effect : own) {
      const Column x = parameter_column(table, *effect);
      const SweepChart chart(table, front, x, y);
      add(fmt::format("{}-over-{}", y.target.name, x.target.name), t,
          chart.svg(effect, nullptr, kSmall, use));
    }
  }
  return charts;
}

}  // namespace kernbench::farm
