// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/gemm_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include "plot/line_chart.hpp"

namespace kernbench::model::bench {

using plot::AxisScale;
using plot::PointPx;
using plot::TextAnchor;

namespace {

/// Returns the place of a point in a chart.
using Place = std::function<PointPx(const GemmPoint&)>;

std::vector<std::string> series_names(const GemmSweep& sweep) {
  std::vector<std::string> names;
  for (const GemmPoint& point : sweep.points) {
    if (std::find(names.begin(), names.end(), point.gemm.series) == names.end()) {
      names.push_back(point.gemm.series);
    }
  }
  if (names.empty()) throw std::invalid_argument("a figure needs points");
  return names;
}

/// Returns the points of a series, sorted by m.
std::vector<GemmPoint> points_of(const GemmSweep& sweep, const std::string& series) {
  std::vector<GemmPoint> points;
  for (const GemmPoint& point : sweep.points) {
    if (point.gemm.series == series) points.push_back(point);
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const GemmPoint& a, const GemmPoint& b) { return a.gemm.m < b.gemm.m; });
  return points;
}

std::string tooltip(const GemmSweep& sweep, const GemmPoint& point) {
  return fmt::format(
      "{}\n{:.3f} us, {:.1f} GMAC/s, {:.2f} % of the peak, {:.2f} MACs/byte\nlimited by {}",
      text_of(point.gemm), point.took.ns() / 1000.0, point.gmacs(),
      100.0 * sweep.roofline.utilization(point), point.macs_per_byte(), limits_of(point));
}

/// Returns a curve for each variant of the series.
std::vector<plot::ChartSeries> curves(const GemmSweep& sweep, const std::string& series,
                                      const Place& place) {
  std::vector<plot::ChartSeries> all;
  for (const GemmPoint& point : points_of(sweep, series)) {
    const std::string name = variant_of(point.gemm);
    auto curve = std::find_if(all.begin(), all.end(),
                              [&](const plot::ChartSeries& one) { return one.name == name; });
    if (curve == all.end()) {
      all.push_back({name, plot::palette_style(static_cast<unsigned>(all.size()))});
      curve = std::prev(all.end());
    }
    curve->points.push_back(place(point));
    curve->point_tooltips.push_back(tooltip(sweep, point));
  }
  return all;
}

/// Returns the name of a series with the sizes that its points share: "square: m = k = n" or
/// "tall: k = 512, n = 512".
std::string heading(const std::string& series, const std::vector<GemmPoint>& points) {
  const auto all = [&](const auto& holds) {
    return std::all_of(points.begin(), points.end(),
                       [&](const GemmPoint& point) { return holds(point.gemm); });
  };
  const GemmCase& first = points.front().gemm;
  if (points.size() > 1 && all([](const GemmCase& g) { return g.m == g.k && g.m == g.n; })) {
    return fmt::format("{}: m = k = n", series);
  }
  if (all([&](const GemmCase& g) { return g.k == first.k && g.n == first.n; })) {
    return fmt::format("{}: k = {}, n = {}", series, first.k, first.n);
  }
  return series;
}

/// Returns a chart with m as x axis and a panel for each series.
plot::LineChart by_size(const GemmSweep& sweep, const std::string& y_label, const Place& place) {
  plot::LineChart chart;
  chart.y = {y_label, AxisScale::Log};
  chart.subtitle = fmt::format(
      "C (m x n) = A (m x k) B (k x n) in f16 on {} PEs. Streamed operands come from HBM tile by "
      "tile, resident ones were loaded into TCM before; auto streams.",
      sweep.roofline.programs);
  for (const std::string& series : series_names(sweep)) {
    const std::vector<GemmPoint> points = points_of(sweep, series);
    plot::ChartPanel panel{heading(series, points), {"m (log scale)", AxisScale::Log}};
    std::vector<plot::Tick>& ticks = panel.x.ticks;
    for (const GemmPoint& point : points) {
      const auto m = static_cast<double>(point.gemm.m);
      if (ticks.empty() || ticks.back().value != m) ticks.push_back({m});
    }
    panel.series = curves(sweep, series, place);
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

}  // namespace

std::string gemm_latency_svg(const GemmSweep& sweep) {
  plot::LineChart chart =
      by_size(sweep, "latency of the launch, us (log scale)", [](const GemmPoint& point) {
        return PointPx{static_cast<double>(point.gemm.m), point.took.ns() / 1000.0};
      });
  chart.title = "GEMM: latency by size";
  return plot::line_chart_svg(chart);
}

std::string gemm_utilization_svg(const GemmSweep& sweep) {
  plot::LineChart chart =
      by_size(sweep, "utilization of the matrix engines, % (log scale)", [&](const GemmPoint& p) {
        return PointPx{static_cast<double>(p.gemm.m), 100.0 * sweep.roofline.utilization(p)};
      });
  chart.title = "GEMM: utilization by size";
  for (plot::ChartPanel& panel : chart.panels) {
    const PointPx left{panel.x.ticks.front().value, 100.0};
    const PointPx right{panel.x.ticks.back().value, 100.0};
    panel.guides.push_back({fmt::format("peak: {:.4g} TMAC/s", sweep.roofline.peak_gmacs / 1000.0),
                            {left, right},
                            right});
  }
  return plot::line_chart_svg(chart);
}

std::string gemm_roofline_svg(const GemmSweep& sweep) {
  const Roofline& roofline = sweep.roofline;
  const double knee = roofline.knee();
  const double peak = roofline.peak_gmacs / 1000.0;
  const auto bound = [&](double intensity) { return roofline.bound(intensity) / 1000.0; };
  const std::vector<std::string> names = series_names(sweep);
  plot::LineChart chart;
  chart.title = "GEMM: roofline";
  chart.subtitle = fmt::format(
      "f16 on {} PEs. Each curve follows one variant from small matrices to large ones; bytes are "
      "those that HBM read and wrote.",
      roofline.programs);
  chart.y = {"multiply-adds a second, 10^12 (log scale)", AxisScale::Log};
  chart.panel_size.w = 800;
  plot::ChartPanel panel{
      "", {"arithmetic intensity, multiply-adds per byte of HBM (log scale)", AxisScale::Log}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (plot::ChartSeries& curve : curves(sweep, names[i], [](const GemmPoint& point) {
           return PointPx{point.macs_per_byte(), point.gmacs() / 1000.0};
         })) {
      curve.name = fmt::format("{}: {}", names[i], curve.name);
      curve.style.dashed = curve.style.hollow = i % 2 == 0;
      panel.series.push_back(std::move(curve));
    }
  }
  double low = knee;
  double high = knee;
  double bottom = peak;
  for (const GemmPoint& point : sweep.points) {
    low = std::min(low, point.macs_per_byte());
    high = std::max(high, point.macs_per_byte());
    bottom = std::min(bottom, point.gmacs() / 1000.0);
  }
  low /= 1.5;
  high *= 4;
  bottom = std::min(bottom, bound(low));
  const PointPx ridge{knee, peak};
  panel.guides.push_back({fmt::format("knee: {:.4g} MACs/byte", knee),
                          {{knee, bottom}, ridge},
                          PointPx{knee, bottom},
                          TextAnchor::Start,
                          true});
  const double halfway = std::sqrt(low * knee);
  panel.guides.push_back({fmt::format("HBM: {:.4g} TB/s", roofline.hbm_gbs / 1000.0),
                          {{low, bound(low)}, ridge},
                          PointPx{halfway, bound(halfway)}});
  const PointPx right{high, peak};
  panel.guides.push_back({fmt::format("peak: {:.4g} TMAC/s", peak), {ridge, right}, right});
  chart.panels.push_back(std::move(panel));
  return plot::line_chart_svg(chart);
}

}  // namespace kernbench::model::bench
