// SPDX-License-Identifier: Apache-2.0
#include "plot/path_data.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "plot/svg_canvas.hpp"

namespace kernbench::plot {

std::string polyline_path(const std::vector<PointPx>& points) {
  std::string d;
  for (const PointPx& point : points) {
    d += fmt::format("{}{} {}", d.empty() ? "M" : " L", svg_number(point.x), svg_number(point.y));
  }
  return d;
}

std::string polygon(PointPx center, double scale, std::vector<PointPx> corners) {
  for (PointPx& corner : corners) {
    corner = {center.x + scale * corner.x, center.y + scale * corner.y};
  }
  return polyline_path(corners) + " Z";
}

std::string marker_outline(MarkerShape shape, PointPx center, double radius) {
  switch (shape) {
    case MarkerShape::Circle:
      return fmt::format("M{0} {1} A{2} {2} 0 1 1 {3} {1} A{2} {2} 0 1 1 {0} {1} Z",
                         svg_number(center.x - radius), svg_number(center.y), svg_number(radius),
                         svg_number(center.x + radius));
    case MarkerShape::Square:
      return polygon(center, radius, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case MarkerShape::Diamond:
      return polygon(center, radius, {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
    case MarkerShape::TriangleUp:
      return polygon(center, radius, {{0, -1.2}, {1.15, 0.9}, {-1.15, 0.9}});
    case MarkerShape::TriangleDown:
      return polygon(center, radius, {{0, 1.2}, {1.15, -0.9}, {-1.15, -0.9}});
  }
  throw std::logic_error("a marker without a shape");
}

std::string arrow_head(PointPx tip, PointPx from, double length) {
  constexpr double kHalfWidth = 0.45;  // in lengths
  const double way = distance(from, tip);
  if (way == 0) return {};
  const PointPx back = between(tip, from, length / way);
  const double side_x = kHalfWidth * (back.y - tip.y);
  const double side_y = kHalfWidth * (tip.x - back.x);
  return polyline_path(
             {tip, {back.x + side_x, back.y + side_y}, {back.x - side_x, back.y - side_y}}) +
         " Z";
}

}  // namespace kernbench::plot
