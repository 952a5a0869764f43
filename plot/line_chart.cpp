#include "plot/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "plot/path_data.hpp"
#include "plot/text_width.hpp"

namespace kernbench::plot {

namespace {

constexpr double kTextPx = 12;
constexpr double kTitlePx = 17;
constexpr double kMargin = 24;
constexpr double kPlotTop = 122;
constexpr double kPlotHeight = 340;
constexpr double kAxisWidth = 56;  ///< left of a panel's plot, for its values
constexpr double kPanelGap = 24;
constexpr double kLegendTop = kPlotTop + kPlotHeight + 78;
constexpr double kLegendRow = 21;
constexpr double kSample = 38;  ///< length of a legend's line sample
constexpr double kMarker = 4.2;
constexpr double kPad = 1.25;  ///< between the outermost values and the frame, as a factor

// Colours of Okabe and Ito's scheme, which all kinds of colour vision tell apart, made darker for a
// white ground and lighter for a black one: contrast is 3 or more.
constexpr std::string_view kStyleSheet = R"css(
svg { --ground: #ffffff; --ink: #1c2733; --soft: #52606d; --grid: #e1e6eb; --c0: #0b6aa8;
  --c1: #c2500a; --c2: #0b8a68; --c3: #a2478a; background: var(--ground);
  font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; }
text { fill: var(--ink); font-size: 12px; }
text.title { font-size: 17px; font-weight: 600; }
text.heading { font-weight: 600; }
text.soft { fill: var(--soft); }
text.guide { stroke: var(--ground); stroke-width: 4px; paint-order: stroke; }
.ground { fill: var(--ground); }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1.2; fill: none; }
path.guide { stroke: var(--ink); stroke-width: 2; fill: none; stroke-linejoin: round; }
path.knee { stroke-width: 1.4; stroke-dasharray: 5 4; }
.curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.dashed { stroke-dasharray: 6 4; }
.marker { stroke-width: 1.8; stroke-linejoin: round; }
.s0 { stroke: var(--c0); } .marker.s0 { fill: var(--c0); }
.s1 { stroke: var(--c1); } .marker.s1 { fill: var(--c1); }
.s2 { stroke: var(--c2); } .marker.s2 { fill: var(--c2); }
.s3 { stroke: var(--c3); } .marker.s3 { fill: var(--c3); }
.marker.hollow { fill: var(--ground); }
g.case:hover .curve { stroke-width: 4; }
@media (prefers-color-scheme: dark) {
svg { --ground: #11161c; --ink: #e8edf2; --soft: #a9b4bf; --grid: #2a333d; --c0: #58b4ec;
  --c1: #f0924e; --c2: #3fc79f; --c3: #dd8fc8; }
}
)css";

/// By the style of a curve.
constexpr std::array kMarkerShapes = {MarkerShape::Square, MarkerShape::Diamond,
                                      MarkerShape::TriangleUp, MarkerShape::TriangleDown};

std::string marker(unsigned style, PointPx at) {
  const std::size_t index = std::min<std::size_t>(style, kMarkerShapes.size() - 1);
  return marker_outline(kMarkerShapes[index], at, kMarker);
}

/// The range of values of a logarithmic axis.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void add(double value) {
    if (!(value > 0)) throw std::invalid_argument("a value of a chart is not above 0");
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void pad() {
    low /= kPad;
    high *= kPad;
  }
  /// 0 at the low end, 1 at the high one.
  [[nodiscard]] double share(double value) const {
    return std::log(value / low) / std::log(high / low);
  }
  /// The decades; their 2 and 5 as well where there are few.
  [[nodiscard]] std::vector<double> ticks() const {
    const bool few = high / low < 2000;
    std::vector<double> ticks;
    const auto first = static_cast<int>(std::floor(std::log10(low)));
    const auto last = static_cast<int>(std::floor(std::log10(high)));
    for (int exponent = first; exponent <= last; ++exponent) {
      const double decade = std::pow(10.0, exponent);
      for (const double part : {1.0, 2.0, 5.0}) {
        const double tick = decade * part;
        if ((part == 1.0 || few) && tick >= low && tick <= high) ticks.push_back(tick);
      }
    }
    return ticks;
  }
};

struct Ranges {
  Range x;
  Range y;

  void add(const std::vector<PointPx>& points) {
    for (const PointPx& point : points) {
      x.add(point.x);
      y.add(point.y);
    }
  }
};

class Chart {
 public:
  explicit Chart(const LineChart& chart) : chart_(chart) {
    for (const ChartPanel& panel : chart.panels) {
      Ranges ranges;
      for (const ChartSeries& series : panel.series) {
        ranges.add(series.points);
        add_to_legend(series);
      }
      for (const ChartGuide& guide : panel.guides) ranges.add(guide.points);
      if (ranges.y.high == 0) throw std::invalid_argument("a panel of a chart has no points");
      ranges.x.pad();
      x_.push_back(ranges.x);
      y_.add(ranges.y.low);
      y_.add(ranges.y.high);
    }
    if (chart.panels.empty()) throw std::invalid_argument("a chart has no panels");
    y_.pad();
  }

  std::string draw() {
    const auto count = static_cast<double>(chart_.panels.size());
    const double panels =
        count * (kAxisWidth + chart_.panel_width) + (count - 1) * kPanelGap + 3 * kMargin;
    const double width = std::max({panels, 2 * kMargin + text_width(chart_.title, kTitlePx),
                                   2 * kMargin + text_width(chart_.subtitle, kTextPx)});
    const auto [columns, column_width] = legend_columns(width);
    const std::size_t rows = legend_rows(columns);
    const double height = kLegendTop + kLegendRow * static_cast<double>(rows) + kMargin / 2;

    SvgCanvas canvas(width, height, chart_.title, kStyleSheet);
    canvas.rect(0, 0, width, height, {"ground"});
    canvas.text(kMargin, 34, chart_.title, {"title"}, TextAnchor::Start);
    canvas.text(kMargin, 55, chart_.subtitle, {"soft"}, TextAnchor::Start);
    double left = kMargin + kAxisWidth;
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      draw_panel(canvas, chart_.panels[i], x_[i],
                 {left, kPlotTop, chart_.panel_width, kPlotHeight});
      if (chart_.legend_of_each_panel) draw_legend(canvas, chart_.panels[i], left);
      left += chart_.panel_width + kPanelGap + kAxisWidth;
    }
    for (std::size_t i = 0; i < legend_.size() && !chart_.legend_of_each_panel; ++i) {
      const std::size_t column = i / rows;
      // Down the columns: what belongs together stands below each other.
      draw_sample(canvas, *legend_[i],
                  {kMargin + kAxisWidth + column_width * static_cast<double>(column),
                   kLegendTop + kLegendRow * static_cast<double>(i % rows)});
    }
    return std::move(canvas).finish();
  }

 private:
  void add_to_legend(const ChartSeries& series) {
    const auto same = [&](const ChartSeries* other) { return other->name == series.name; };
    if (std::none_of(legend_.begin(), legend_.end(), same)) legend_.push_back(&series);
  }

  /// How many columns of which width the legend has on a page of this width.
  [[nodiscard]] std::pair<std::size_t, double> legend_columns(double width) const {
    double widest = 0;
    for (const ChartSeries* series : legend_) {
      widest = std::max(widest, kSample + 34 + text_width(series->name, kTextPx));
    }
    const double room = width - 2 * kMargin - kAxisWidth;
    return {std::max<std::size_t>(1, static_cast<std::size_t>(room / widest)), widest};
  }

  [[nodiscard]] std::size_t legend_rows(std::size_t columns) const {
    if (!chart_.legend_of_each_panel) return (legend_.size() + columns - 1) / columns;
    std::size_t rows = 0;
    for (const ChartPanel& panel : chart_.panels) rows = std::max(rows, panel.series.size());
    return rows;
  }
  static void draw_legend(SvgCanvas& canvas, const ChartPanel& panel, double left) {
    double y = kLegendTop;
    for (const ChartSeries& series : panel.series) {
      draw_sample(canvas, series, {left, y});
      y += kLegendRow;
    }
  }

  [[nodiscard]] PointPx place(const Range& x, const BoxPx& plot, PointPx value) const {
    return {plot.x + x.share(value.x) * plot.w, plot.bottom() - y_.share(value.y) * plot.h};
  }
  [[nodiscard]] std::vector<PointPx> places(const Range& x, const BoxPx& plot,
                                            const std::vector<PointPx>& values) const {
    std::vector<PointPx> points;
    points.reserve(values.size());
    for (const PointPx& value : values) points.push_back(place(x, plot, value));
    return points;
  }

  void draw_panel(SvgCanvas& canvas, const ChartPanel& panel, const Range& x,
                  const BoxPx& plot) const {
    draw_axes(canvas, panel, x, plot);
    for (const ChartGuide& guide : panel.guides) {
      canvas.path(polyline_path(places(x, plot, guide.points)),
                  {guide.dashed ? "guide knee" : "guide", guide.label});
    }
    for (const ChartSeries& series : panel.series) draw_series(canvas, series, x, plot);
    for (const ChartGuide& guide : panel.guides) {
      const PointPx at = place(x, plot, guide.label_at);
      const double beside = guide.anchor == TextAnchor::Start ? 8 : -8;
      canvas.text(at.x + beside, at.y - 8, guide.label, {"guide"}, guide.anchor);
    }
  }

  void draw_axes(SvgCanvas& canvas, const ChartPanel& panel, const Range& x,
                 const BoxPx& plot) const {
    canvas.text(plot.x, plot.y - 36, panel.heading, {"heading"}, TextAnchor::Start);
    canvas.text(plot.x, plot.y - 14, panel.y_label, {"soft"}, TextAnchor::Start);
    for (const double tick : y_.ticks()) {
      const double y = plot.bottom() - y_.share(tick) * plot.h;
      canvas.line(plot.x, y, plot.right(), y, {"grid"});
      canvas.text(plot.x - 8, y + 4, tick_text(tick), {"soft"}, TextAnchor::End);
    }
    double label_end = 0;
    for (const double tick : panel.x_ticks.empty() ? x.ticks() : panel.x_ticks) {
      const double at = plot.x + x.share(tick) * plot.w;
      canvas.line(at, plot.y, at, plot.bottom(), {"grid"});
      canvas.line(at, plot.bottom(), at, plot.bottom() + 5, {"axis"});
      // A label wherever the one before leaves room.
      const double half = text_width(tick_text(tick), kTextPx) / 2;
      if (at - half < label_end) continue;
      canvas.text(at, plot.bottom() + 20, tick_text(tick), {"soft"});
      label_end = at + half + 6;
    }
    canvas.path(
        polyline_path({{plot.x, plot.y}, {plot.x, plot.bottom()}, {plot.right(), plot.bottom()}}),
        {"axis"});
    canvas.text(plot.x + plot.w / 2, plot.bottom() + 42, panel.x_label, {"soft"});
  }

  static std::string tick_text(double value) { return fmt::format("{:.10g}", value); }

  void draw_series(SvgCanvas& canvas, const ChartSeries& series, const Range& x,
                   const BoxPx& plot) const {
    canvas.begin_group({"case", series.name});
    const std::vector<PointPx> points = places(x, plot, series.points);
    canvas.path(polyline_path(points), {line_class(series)});
    for (std::size_t i = 0; i < points.size(); ++i) {
      canvas.path(marker(series.style, points[i]),
                  {marker_class(series), series.tooltips.empty() ? "" : series.tooltips[i]});
    }
    canvas.end_group();
  }

  static void draw_sample(SvgCanvas& canvas, const ChartSeries& series, PointPx left) {
    const double y = left.y - kTextPx / 3;
    canvas.begin_group({"sample"});
    canvas.line(left.x, y, left.x + kSample, y, {line_class(series)});
    canvas.path(marker(series.style, {left.x + kSample / 2, y}), {marker_class(series)});
    canvas.text(left.x + kSample + 10, left.y, series.name, {"label"}, TextAnchor::Start);
    canvas.end_group();
  }

  static std::string line_class(const ChartSeries& series) {
    return fmt::format("curve s{}{}", series.style, series.hollow ? " dashed" : "");
  }
  static std::string marker_class(const ChartSeries& series) {
    return fmt::format("marker s{}{}", series.style, series.hollow ? " hollow" : "");
  }

  const LineChart& chart_;
  std::vector<Range> x_;  ///< of each panel
  Range y_;               ///< of all, so that they can be compared
  std::vector<const ChartSeries*> legend_;
};

}  // namespace

std::string line_chart_svg(const LineChart& chart) {
  return Chart(chart).draw();
}

}  // namespace kernbench::plot
