// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plot/geometry.hpp"

namespace kernbench::plot {

// Functions that return the `d` of SVG paths.

/// Joins the points by straight lines. The path is open.
[[nodiscard]] std::string polyline_path(const std::vector<PointPx>& points);

/// Joins `corners`, scaled by `scale` and moved to `center`. The path is closed.
[[nodiscard]] std::string polygon(PointPx center, double scale, std::vector<PointPx> corners);

/// Markers on curves, of about the same weight.
enum class MarkerShape { Circle, Square, Diamond, TriangleUp, TriangleDown };

[[nodiscard]] std::string marker_outline(MarkerShape shape, PointPx center, double radius);

/// Returns a triangle of this length with its tip at `tip`, pointing away from `from`; an empty
/// path if the two are the same point.
[[nodiscard]] std::string arrow_head(PointPx tip, PointPx from, double length);

}  // namespace kernbench::plot
