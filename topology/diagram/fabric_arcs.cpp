// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/fabric_arcs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plot/svg_canvas.hpp"
#include "topology/diagram/edge_routes.hpp"

namespace kernbench::topology {

namespace {

// Bulge of the longest arcs, as a part of the pitch to the next row or column.
constexpr double kBulge = 0.46;
// Height of the control points of a cubic curve that bulges by 1: its peak is at 3/4 of theirs.
constexpr double kControl = 4.0 / 3.0;
constexpr double kShoulder = 0.12;  // place of the control points, as a part of the length

/// Returns the lesser of two pitches, where 0 stands for an unknown one.
double lesser(double pitch, double candidate) {
  return pitch == 0 || candidate < pitch ? candidate : pitch;
}

/// Returns whether a link runs along a row or a column.
bool is_along_grid(double dx, double dy) {
  return std::min(dx, dy) < 0.5;
}

/// Returns the bulge of a link: 0 for the shortest, the largest for the longest.
double bulge(double length, double shortest, double longest, double room) {
  if (longest <= shortest) return 0;
  return kBulge * room * (length - shortest) / (longest - shortest);
}

}  // namespace

FabricArcs::FabricArcs(const View& view, const std::vector<PlacedNode>& nodes) : nodes_(nodes) {
  for (const ViewEdge& edge : view.edges) {
    if (!is_carried(edge.kind)) continue;
    const plot::PointPx a = nodes[edge.from].anchor;
    const plot::PointPx b = nodes[edge.to].anchor;
    const double dx = std::abs(a.x - b.x);
    const double dy = std::abs(a.y - b.y);
    if (!is_along_grid(dx, dy)) continue;
    if (dx > dy) {
      column_pitch_ = lesser(column_pitch_, dx);
      widest_ = std::max(widest_, dx);
    } else {
      row_pitch_ = lesser(row_pitch_, dy);
      tallest_ = std::max(tallest_, dy);
    }
  }
}

EdgeRoute FabricArcs::route(const ViewEdge& edge) const {
  const plot::PointPx a = nodes_[edge.from].anchor;
  const plot::PointPx b = nodes_[edge.to].anchor;
  const double dx = std::abs(a.x - b.x);
  const double dy = std::abs(a.y - b.y);
  plot::PointPx control_a = between(a, b, kShoulder);
  plot::PointPx control_b = between(b, a, kShoulder);
  if (!is_along_grid(dx, dy)) {
    // A straight line.
  } else if (dx > dy) {
    const double room = row_pitch_ > 0 ? row_pitch_ : column_pitch_;
    const double up = kControl * bulge(dx, column_pitch_, widest_, room);
    control_a.y -= up;
    control_b.y -= up;
  } else {
    const double room = column_pitch_ > 0 ? column_pitch_ : row_pitch_;
    const double left = kControl * bulge(dy, row_pitch_, tallest_, room);
    control_a.x -= left;
    control_b.x -= left;
  }
  const std::string d = fmt::format(
      "M{} {}C{} {} {} {} {} {}", plot::svg_number(a.x), plot::svg_number(a.y),
      plot::svg_number(control_a.x), plot::svg_number(control_a.y), plot::svg_number(control_b.x),
      plot::svg_number(control_b.y), plot::svg_number(b.x), plot::svg_number(b.y));
  // The point halfway along the curve.
  const plot::PointPx peak = between(between(a, b, 0.5), between(control_a, control_b, 0.5), 0.75);
  return {d, {a, peak, b}};
}

}  // namespace kernbench::topology
