#pragma once

#include <string>
#include <vector>

#include "topology/diagram/geometry.hpp"

namespace kernbench::sim {

/// A curve of a chart. `fabric` gives its colour, dash and marker.
struct LoadCurve {
  std::string name;
  unsigned fabric = 0;                      ///< 0, 1 or 2: the CSS classes f0, f1 and f2
  std::vector<topology::PointPx> points{};  ///< offered load and value, by load
};

/// Values against offered load.
struct LoadChart {
  std::string title;
  std::string unit;                 ///< of the values
  std::vector<LoadCurve> curves{};  ///< later ones lie on top
  bool diagonal = false;            ///< draw accepted = offered, with equal axes
};

/// The chart as an SVG element; its classes are those of cosim_style(). Values that spread over
/// more than a decade are drawn on a logarithmic axis.
[[nodiscard]] std::string load_chart_svg(const LoadChart& chart);

/// Line and marker of a curve, for a legend.
[[nodiscard]] std::string curve_sample_svg(const std::string& name, unsigned fabric);

}  // namespace kernbench::sim
