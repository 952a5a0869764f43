// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/curve_chart.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "plot/chart_panel.hpp"

namespace kernbench::cosim {

namespace {

constexpr plot::SizePx kSize = {384, 300};  // three fit into the page
constexpr plot::BoxPx kPlot = {52, 48, 318, 202};
constexpr std::size_t kMostMarkers = 24;  // more would hide the curve

/// Returns the look of a fabric's curve. Where curves meet, the marker of each is seen around the
/// smaller one of the next.
plot::SeriesStyle style_of(unsigned fabric) {
  using plot::MarkerShape;
  static const std::array<plot::SeriesStyle, 3> styles = {
      {{.css_class = "f0", .marker = MarkerShape::Diamond, .marker_radius = 5, .hollow = true},
       {.css_class = "f1", .marker = MarkerShape::Square, .marker_radius = 4.7, .hollow = true},
       {.css_class = "f2", .marker = MarkerShape::Square, .marker_radius = 2}}};
  return styles.at(fabric);
}

plot::ChartSeries series_of(const FabricCurve& curve, const std::string& unit) {
  plot::ChartSeries series{
      .name = curve.name, .style = style_of(curve.fabric), .points = curve.points};
  series.markers = curve.points.size() <= kMostMarkers;
  for (const plot::PointPx& point : curve.points) {
    series.point_tooltips.push_back(
        fmt::format("{}: {:.4g} {} at {:.4g}", curve.name, point.y, unit, point.x));
  }
  return series;
}

}  // namespace

std::string curve_chart_svg(const CurveChart& chart) {
  plot::ChartPanel panel{.heading = chart.title, .x = {.label = chart.x_label}};
  for (auto curve = chart.curves.rbegin(); curve != chart.curves.rend(); ++curve) {
    panel.series.push_back(series_of(*curve, chart.unit));
  }
  plot::DataRange range = data_range(panel);
  plot::AxisSpec y{.label = chart.unit};
  if (chart.axis == ValueAxis::AsX) {
    range.x.add(range.y);
    const double end = plot::Axis({}, range.x).ticks().back().value;
    panel.x.high = y.high = end;
    panel.guides.push_back({.label = "all that is offered is accepted",
                            .points = {{0, 0}, {end, end}},
                            .dashed = true});
  } else if (chart.axis == ValueAxis::Fitting && range.y.high > 10 * range.y.low) {
    y.label += ", log scale";
    y.scale = plot::AxisScale::Log;
  }
  plot::SvgCanvas canvas(kSize.w, kSize.h, chart.title, "");
  draw_panel(canvas, panel, plot::Axis(y, range.y), kPlot);
  return std::move(canvas).finish();
}

std::string curve_sample_svg(const std::string& name, unsigned fabric) {
  plot::SvgCanvas canvas(plot::kSampleWidth + 8, 16, name, "");
  draw_sample(canvas, style_of(fabric), {4, 8});
  return std::move(canvas).finish();
}

}  // namespace kernbench::cosim
