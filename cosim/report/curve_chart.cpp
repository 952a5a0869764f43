#include "cosim/report/curve_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "plot/path_data.hpp"
#include "plot/svg_canvas.hpp"

namespace kernbench::cosim {

using plot::BoxPx;
using plot::PointPx;
using plot::svg_number;
using plot::SvgCanvas;
using plot::TextAnchor;

namespace {

constexpr double kWidth = 384;  // three fit into the page
constexpr double kHeight = 300;
constexpr BoxPx kPlot = {52, 48, 318, 202};
constexpr std::size_t kMostMarks = 24;  // more of them hide the curve

/// Rings of growing size, so that all are seen where curves meet: the last one drawn is smallest.
std::string marker(unsigned fabric, PointPx at) {
  switch (fabric) {
    case 0:
      return plot::polygon(at, 1.0, {{0, -6.5}, {6.5, 0}, {0, 6.5}, {-6.5, 0}});
    case 1:
      return plot::polygon(at, 1.0, {{-4.2, -4.2}, {4.2, -4.2}, {4.2, 4.2}, {-4.2, 4.2}});
    default:
      return plot::polygon(at, 1.0, {{-1.8, -1.8}, {1.8, -1.8}, {1.8, 1.8}, {-1.8, 1.8}});
  }
}

/// A scale from values to pixels, and the values that it is labelled with.
class Axis {
 public:
  /// From 0 to at least `high`, in steps of 1, 2 or 5.
  static Axis linear(double high) {
    Axis axis;
    if (high <= 0) high = 1;
    const double decade = std::pow(10.0, std::floor(std::log10(high)));
    double step = decade;
    for (const double part : {0.1, 0.2, 0.5}) {
      if (high / (decade * part) <= 6.0001) {
        step = decade * part;
        break;
      }
    }
    const auto steps = static_cast<int>(std::ceil(high / step - 1e-9));
    for (int i = 0; i <= steps; ++i) axis.ticks_.push_back(step * i);
    return axis;
  }
  /// From a decade's 1, 2 or 5 at most `low` to one at least `high`.
  static Axis logarithmic(double low, double high) {
    Axis axis;
    axis.is_log_ = true;
    for (double decade = std::pow(10.0, std::floor(std::log10(low)));; decade *= 10) {
      for (const double part : {1.0, 2.0, 5.0}) {
        const double tick = decade * part;
        if (tick <= low) axis.ticks_.clear();
        axis.ticks_.push_back(tick);
        if (tick >= high) return axis;
      }
    }
  }

  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
  [[nodiscard]] bool is_log() const { return is_log_; }
  /// 0 at the first tick, 1 at the last.
  [[nodiscard]] double share(double value) const {
    const double from = scaled(ticks_.front());
    return (scaled(value) - from) / (scaled(ticks_.back()) - from);
  }

 private:
  [[nodiscard]] double scaled(double value) const { return is_log_ ? std::log10(value) : value; }

  bool is_log_ = false;
  std::vector<double> ticks_;
};

struct Scale {
  Axis x;
  Axis y;
  [[nodiscard]] PointPx place(PointPx value) const {
    return {kPlot.x + x.share(value.x) * kPlot.w, kPlot.bottom() - y.share(value.y) * kPlot.h};
  }
};

Scale scale_of(const CurveChart& chart) {
  double right = 0;
  double low = 0;
  double high = 0;
  for (const FabricCurve& curve : chart.curves) {
    for (const PointPx& point : curve.points) {
      right = std::max(right, point.x);
      low = low == 0 ? point.y : std::min(low, point.y);
      high = std::max(high, point.y);
    }
  }
  if (chart.axis == ValueAxis::AsX) {
    const Axis both = Axis::linear(std::max(right, high));
    return {both, both};
  }
  return {Axis::linear(right), chart.axis == ValueAxis::Fitting && high > 10 * low
                                   ? Axis::logarithmic(low, high)
                                   : Axis::linear(high)};
}

void draw_axes(SvgCanvas& canvas, const CurveChart& chart, const Scale& scale) {
  canvas.text(kPlot.x - 50, 16, chart.title, {"heading"}, TextAnchor::Start);
  canvas.text(kPlot.x - 50, 32, chart.unit + (scale.y.is_log() ? ", log scale" : ""), {"soft"},
              TextAnchor::Start);
  for (const double tick : scale.y.ticks()) {
    const double y = kPlot.bottom() - scale.y.share(tick) * kPlot.h;
    canvas.line(kPlot.x, y, kPlot.right(), y, {"grid"});
    canvas.text(kPlot.x - 7, y + 4, fmt::format("{:.4g}", tick), {"soft"}, TextAnchor::End);
  }
  for (const double tick : scale.x.ticks()) {
    const double x = kPlot.x + scale.x.share(tick) * kPlot.w;
    canvas.line(x, kPlot.y, x, kPlot.bottom(), {"grid"});
    canvas.text(x, kPlot.bottom() + 18, fmt::format("{:.4g}", tick), {"soft"});
  }
  canvas.path(plot::polyline_path(
                  {{kPlot.x, kPlot.y}, {kPlot.x, kPlot.bottom()}, {kPlot.right(), kPlot.bottom()}}),
              {"axis"});
  canvas.text(kPlot.x + kPlot.w / 2, kPlot.bottom() + 38, chart.x_label, {"soft"});
}

void draw_curve(SvgCanvas& canvas, const FabricCurve& curve, const Scale& scale,
                const std::string& unit) {
  std::vector<PointPx> places;
  for (const PointPx& point : curve.points) places.push_back(scale.place(point));
  const std::string css = fmt::format("curve f{}", curve.fabric);
  canvas.path(plot::polyline_path(places), {css, curve.name});
  if (places.size() > kMostMarks) return;
  for (std::size_t i = 0; i < places.size(); ++i) {
    canvas.path(marker(curve.fabric, places[i]),
                {fmt::format("mark f{}", curve.fabric),
                 fmt::format("{}: {:.4g} {} at {:.4g}", curve.name, curve.points[i].y, unit,
                             curve.points[i].x)});
  }
}

}  // namespace

std::string curve_chart_svg(const CurveChart& chart) {
  const Scale scale = scale_of(chart);
  SvgCanvas canvas(kWidth, kHeight, chart.title, "");
  draw_axes(canvas, chart, scale);
  if (chart.axis == ValueAxis::AsX) {
    canvas.line(kPlot.x, kPlot.bottom(), kPlot.right(), kPlot.y,
                {"ideal", "all that is offered is accepted"});
  }
  for (const FabricCurve& curve : chart.curves) draw_curve(canvas, curve, scale, chart.unit);
  return std::move(canvas).finish();
}

std::string curve_sample_svg(const std::string& name, unsigned fabric) {
  SvgCanvas canvas(46, 16, name, "");
  canvas.line(1, 8, 45, 8, {fmt::format("curve f{}", fabric)});
  canvas.path(marker(fabric, {23, 8}), {fmt::format("mark f{}", fabric)});
  return std::move(canvas).finish();
}

}  // namespace kernbench::cosim
