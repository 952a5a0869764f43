// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plot/chart_panel.hpp"
#include "plot/palette.hpp"

namespace kernbench::plot {

enum class LegendPlace { BelowChart, BelowEachPanel };

/// Panels side by side over one y axis, so that their curves can be compared.
struct LineChart {
  std::string title;
  std::string subtitle;
  AxisSpec y{};
  std::vector<ChartPanel> panels{};  ///< from left to right
  std::vector<SeriesColour> colours = palette();
  SizePx panel_size = {380, 340};
  LegendPlace legend = LegendPlace::BelowChart;  ///< below the chart, each name stands once
};

/// Returns the chart as an SVG document that needs no other file; it is light, or dark with
/// data-theme="dark". Throws std::invalid_argument for a chart without panels, a panel without
/// points, and data that does not fit its axis, see Axis.
[[nodiscard]] std::string line_chart_svg(const LineChart& chart);

}  // namespace kernbench::plot
