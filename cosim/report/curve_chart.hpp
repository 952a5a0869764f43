// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plot/geometry.hpp"

namespace kernbench::cosim {

/// A curve of one fabric.
struct FabricCurve {
  std::string name;
  unsigned fabric = 0;  ///< 0, 1 or 2: its colours are the CSS classes f0, f1 and f2
  std::vector<plot::PointPx> points{};  ///< in units of the axes, by x
};

/// Chooses the axis of a chart's values.
enum class ValueAxis {
  Linear,   ///< from 0
  Fitting,  ///< logarithmic when the values spread over more than a decade, else linear
  AsX,      ///< the same as the other axis; the diagonal is drawn
};

/// A chart of the fabrics, whose curves can be told apart where they coincide.
struct CurveChart {
  std::string title;
  std::string x_label;
  std::string unit;                   ///< unit of the values
  std::vector<FabricCurve> curves{};  ///< later ones lie on top
  ValueAxis axis = ValueAxis::Linear;
};

/// Returns the chart as an SVG element for a page with cosim_style(). Throws std::invalid_argument
/// for a value of 0 on a logarithmic axis.
[[nodiscard]] std::string curve_chart_svg(const CurveChart& chart);

/// Returns line and marker of a fabric's curve, for a legend.
[[nodiscard]] std::string curve_sample_svg(const std::string& name, unsigned fabric);

}  // namespace kernbench::cosim
