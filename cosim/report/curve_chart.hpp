#pragma once

#include <string>
#include <vector>

#include "plot/geometry.hpp"

namespace kernbench::cosim {

/// A curve of a chart. `fabric` gives its colour, dash and marker.
struct FabricCurve {
  std::string name;
  unsigned fabric = 0;                  ///< 0, 1 or 2: the CSS classes f0, f1 and f2
  std::vector<plot::PointPx> points{};  ///< in units of the axes, by x
};

/// Of the values of a chart.
enum class ValueAxis {
  Linear,   ///< from 0
  Fitting,  ///< logarithmic when the values spread over more than a decade, else linear
  AsX,      ///< the same as the other axis; the diagonal is drawn
};

/// Curves of the fabrics that can be told apart where they coincide.
struct CurveChart {
  std::string title;
  std::string x_label;
  std::string unit;                   ///< of the values
  std::vector<FabricCurve> curves{};  ///< later ones lie on top
  ValueAxis axis = ValueAxis::Linear;
};

/// The chart as an SVG element; its classes are those of cosim_style(). Values on a logarithmic
/// axis must be above 0.
[[nodiscard]] std::string curve_chart_svg(const CurveChart& chart);

/// Line and marker of a curve, for a legend.
[[nodiscard]] std::string curve_sample_svg(const std::string& name, unsigned fabric);

}  // namespace kernbench::cosim
