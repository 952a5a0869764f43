#pragma once

#include <string>
#include <vector>

#include "plot/geometry.hpp"
#include "plot/svg_canvas.hpp"

namespace kernbench::plot {

/// A curve with a mark at each of its points. Curves of one style look the same in all panels.
struct ChartSeries {
  std::string name;                        ///< for the legend, which has each name once
  unsigned style = 0;                      ///< 0 to 3: colour and marker
  bool hollow = false;                     ///< marks, and a dashed line
  std::vector<PointPx> points;             ///< in units of the axes
  std::vector<std::string> tooltips = {};  ///< of the points; none, or as many as there are
};

/// A line that is no measurement.
struct ChartGuide {
  std::string label;
  std::vector<PointPx> points;          ///< in units of the axes
  PointPx label_at;                     ///< likewise; the label stands above it
  TextAnchor anchor = TextAnchor::End;  ///< before or behind that point
  bool dashed = false;
};

/// One pair of axes, both logarithmic: values are above 0.
struct ChartPanel {
  std::string heading;
  std::string x_label;
  std::string y_label;
  std::vector<double> x_ticks{};  ///< whole numbers; decades without
  std::vector<ChartSeries> series{};
  std::vector<ChartGuide> guides{};
};

struct LineChart {
  std::string title;
  std::string subtitle;
  std::vector<ChartPanel> panels{};  ///< from left to right
  double panel_width = 380;
  bool legend_of_each_panel = false;  ///< instead of one for all
};

/// The chart as a self-contained SVG document. Colours follow the
/// viewer's light or dark scheme. Throws std::invalid_argument for a chart without points or with a
/// value that is not above 0.
[[nodiscard]] std::string line_chart_svg(const LineChart& chart);

}  // namespace kernbench::plot
