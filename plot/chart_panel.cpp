// SPDX-License-Identifier: Apache-2.0
#include "plot/chart_panel.hpp"

#include <fmt/format.h>

#include "plot/style.hpp"
#include "plot/text_width.hpp"

namespace kernbench::plot {

namespace {

constexpr double kBesideGuide = 8;  // from the end of a guide to its label

std::string line_class(const SeriesStyle& style) {
  return fmt::format("curve {}{}", style.css_class, style.dashed ? " dashed" : "");
}

std::string marker_class(const SeriesStyle& style) {
  return fmt::format("marker {}{}", style.css_class, style.hollow ? " hollow" : "");
}

void draw_marker(SvgCanvas& canvas, const SeriesStyle& style, PointPx at,
                 std::string_view tooltip = {}) {
  canvas.path(marker_outline(style.marker, at, style.marker_radius),
              {marker_class(style), tooltip});
}

class PanelDrawing {
 public:
  PanelDrawing(SvgCanvas& canvas, const ChartPanel& panel, const Axis& y, const BoxPx& plot)
      : canvas_(canvas), panel_(panel), x_(panel.x, data_range(panel).x), y_(y), plot_(plot) {}

  void draw() {
    if (!panel_.heading.empty()) {
      canvas_.text(plot_.x, plot_.y - 36, panel_.heading, {"heading"}, TextAnchor::Start);
    }
    canvas_.text(plot_.x, plot_.y - 14, y_.label(), {"soft"}, TextAnchor::Start);
    canvas_.text(plot_.x + plot_.w / 2, plot_.bottom() + 42, x_.label(), {"soft"});
    draw_y_ticks();
    draw_x_ticks();
    canvas_.path(
        polyline_path(
            {{plot_.x, plot_.y}, {plot_.x, plot_.bottom()}, {plot_.right(), plot_.bottom()}}),
        {"axis"});
    for (const ChartGuide& guide : panel_.guides) draw_guide(guide);
    // The first curve lies on top.
    for (std::size_t i = panel_.series.size(); i-- > 0;) draw_series(panel_.series[i]);
    for (const ChartGuide& guide : panel_.guides) label_guide(guide);
  }

 private:
  [[nodiscard]] double x_of(double value) const { return plot_.x + x_.share(value) * plot_.w; }
  [[nodiscard]] double y_of(double value) const {
    return plot_.bottom() - y_.share(value) * plot_.h;
  }
  [[nodiscard]] PointPx place(PointPx value) const { return {x_of(value.x), y_of(value.y)}; }
  [[nodiscard]] std::string path_along(const std::vector<PointPx>& values) const {
    std::vector<PointPx> points;
    points.reserve(values.size());
    for (const PointPx& value : values) points.push_back(place(value));
    return polyline_path(points);
  }

  void draw_y_ticks() {
    for (const Tick& tick : y_.ticks()) {
      const double y = y_of(tick.value);
      canvas_.line(plot_.x, y, plot_.right(), y, {"grid"});
      canvas_.text(plot_.x - 8, y + 4, tick.text, {"soft"}, TextAnchor::End);
    }
  }

  void draw_x_ticks() {
    double label_end = 0;
    for (const Tick& tick : x_.ticks()) {
      const double x = x_of(tick.value);
      canvas_.line(x, plot_.y, x, plot_.bottom(), {"grid"});
      canvas_.line(x, plot_.bottom(), x, plot_.bottom() + 5, {"axis"});
      const double half = text_width(tick.text, kTextPx) / 2;
      if (x - half < label_end) continue;  // no room beside the previous label
      canvas_.text(x, plot_.bottom() + 20, tick.text, {"soft"});
      label_end = x + half + 6;
    }
  }

  void draw_guide(const ChartGuide& guide) {
    if (guide.points.empty()) return;
    canvas_.path(path_along(guide.points), {guide.dashed ? "guide dashed" : "guide", guide.label});
  }

  void label_guide(const ChartGuide& guide) {
    if (!guide.label_at) return;
    const PointPx at = place(*guide.label_at);
    const double beside = guide.anchor == TextAnchor::Start ? kBesideGuide : -kBesideGuide;
    canvas_.text(at.x + beside, at.y - kBesideGuide, guide.label, {"guide"}, guide.anchor);
  }

  void draw_series(const ChartSeries& series) {
    canvas_.begin_group(
        {"case", series.tooltip.empty() ? series.name : series.tooltip, series.style.css_class});
    if (series.style.joined) {
      canvas_.path(path_along(series.points), {line_class(series.style)});
    }
    for (std::size_t i = 0; i < series.points.size() && series.markers; ++i) {
      draw_marker(canvas_, series.style, place(series.points[i]),
                  series.point_tooltips.empty() ? "" : series.point_tooltips[i]);
    }
    canvas_.end_group();
  }

  SvgCanvas& canvas_;
  const ChartPanel& panel_;
  Axis x_;
  const Axis& y_;
  BoxPx plot_;
};

}  // namespace

DataRange data_range(const ChartPanel& panel) {
  DataRange range;
  const auto add = [&range](const std::vector<PointPx>& points) {
    for (const PointPx& point : points) {
      range.x.add(point.x);
      range.y.add(point.y);
    }
  };
  for (const ChartSeries& series : panel.series) add(series.points);
  for (const ChartGuide& guide : panel.guides) add(guide.points);
  return range;
}

void draw_panel(SvgCanvas& canvas, const ChartPanel& panel, const Axis& y, const BoxPx& plot) {
  PanelDrawing(canvas, panel, y, plot).draw();
}

void draw_sample(SvgCanvas& canvas, const SeriesStyle& style, PointPx left) {
  if (style.joined) {
    canvas.line(left.x, left.y, left.x + kSampleWidth, left.y, {line_class(style)});
  }
  draw_marker(canvas, style, {left.x + kSampleWidth / 2, left.y});
}

}  // namespace kernbench::plot
