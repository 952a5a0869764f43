#pragma once

#include <string>
#include <vector>

#include "plot/geometry.hpp"

namespace kernbench::plot {

// The `d` of SVG paths.

/// From point to point, not closed.
[[nodiscard]] std::string polyline_path(const std::vector<PointPx>& points);

/// Closed, through `corners` times `scale` around `center`.
[[nodiscard]] std::string polygon(PointPx center, double scale, std::vector<PointPx> corners);

/// Marks on curves, of about the same weight.
enum class MarkerShape { Circle, Square, Diamond, TriangleUp, TriangleDown };

[[nodiscard]] std::string marker_outline(MarkerShape shape, PointPx center, double radius);

}  // namespace kernbench::plot
