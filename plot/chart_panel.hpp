// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/axis.hpp"
#include "plot/geometry.hpp"
#include "plot/path_data.hpp"
#include "plot/svg_canvas.hpp"

namespace kernbench::plot {

/// The look of a curve. `css_class` gives its colour.
struct SeriesStyle {
  std::string css_class;
  MarkerShape marker = MarkerShape::Circle;
  double marker_radius = 4;
  bool dashed = false;
  bool hollow = false;  ///< markers without fill
  bool joined = true;   ///< a line from marker to marker
};

/// A curve with a marker at each of its points.
struct ChartSeries {
  std::string name;  ///< in the legend
  SeriesStyle style{};
  std::vector<PointPx> points{};              ///< in units of the axes
  std::vector<std::string> point_tooltips{};  ///< one for each point, or none
  std::string tooltip{};                      ///< the curve's; its name if empty
  bool markers = true;
};

/// A reference line, or without points a label alone.
struct ChartGuide {
  std::string label;                    ///< tooltip, and text at `label_at`
  std::vector<PointPx> points;          ///< in units of the axes
  std::optional<PointPx> label_at{};    ///< in units of the axes; the text stands above this point
  TextAnchor anchor = TextAnchor::End;  ///< the side of `label_at` on which the text stands
  bool dashed = false;
};

/// A plot with its x axis. The panels of a chart share their y axis.
struct ChartPanel {
  std::string heading;
  AxisSpec x;
  std::vector<ChartSeries> series{};  ///< in the order of the legend; the first lies on top
  std::vector<ChartGuide> guides{};
};

struct DataRange {
  Range x;
  Range y;
};

/// Returns the range of all points of a panel, guides included.
[[nodiscard]] DataRange data_range(const ChartPanel& panel);

/// Draws a panel into `plot`. Heading and label of the y axis take 48 px above it (28 px without a
/// heading), ticks and label
/// of the x axis 46 px below it, ticks of the y axis kTickRoom px left of it. Throws
/// std::invalid_argument when the x axis does not fit its data, see Axis.
void draw_panel(SvgCanvas& canvas, const ChartPanel& panel, const Axis& y, const BoxPx& plot);

inline constexpr double kTickRoom = 44;

/// Draws the line and the marker of a curve, for a legend. `left` is the middle of the left edge.
void draw_sample(SvgCanvas& canvas, const SeriesStyle& style, PointPx left);

inline constexpr double kSampleWidth = 38;

}  // namespace kernbench::plot
