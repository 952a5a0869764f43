#include "topology/diagram/maze_arcs.hpp"

#include <fmt/format.h>

#include "plot/svg_canvas.hpp"
#include "topology/diagram/edge_routes.hpp"

namespace kernbench::topology {

namespace {

// Of the pitch to the next row or column, for the longest arcs: they end just short of it.
constexpr double kBulge = 0.46;
// Control points of a cubic curve that bulges by 1: it peaks at 3/4 of their height.
constexpr double kControl = 4.0 / 3.0;
constexpr double kShoulder = 0.12;  // how soon an arc has risen, as part of its length

/// The lesser of two pitches, of which 0 means none.
double lesser(double pitch, double candidate) {
  return pitch == 0 || candidate < pitch ? candidate : pitch;
}

/// How far a link bulges: none for neighbours, most for the longest.
double bulge(double length, double shortest, double longest, double room) {
  if (longest <= shortest) return 0;
  return kBulge * room * (length - shortest) / (longest - shortest);
}

}  // namespace

MazeArcs::MazeArcs(const View& view, const std::vector<PlacedNode>& nodes) : nodes_(nodes) {
  for (const ViewEdge& edge : view.edges) {
    if (edge.kind != EdgeKind::MazeLink) continue;
    const plot::PointPx a = nodes[edge.from].anchor;
    const plot::PointPx b = nodes[edge.to].anchor;
    const double dx = std::abs(a.x - b.x);
    const double dy = std::abs(a.y - b.y);
    if (dx > dy) {
      column_pitch_ = lesser(column_pitch_, dx);
      widest_ = std::max(widest_, dx);
    } else {
      row_pitch_ = lesser(row_pitch_, dy);
      tallest_ = std::max(tallest_, dy);
    }
  }
}

EdgeRoute MazeArcs::route(const ViewEdge& edge) const {
  const plot::PointPx a = nodes_[edge.from].anchor;
  const plot::PointPx b = nodes_[edge.to].anchor;
  const double dx = std::abs(a.x - b.x);
  const double dy = std::abs(a.y - b.y);
  plot::PointPx control_a = between(a, b, kShoulder);
  plot::PointPx control_b = between(b, a, kShoulder);
  if (dx > dy) {
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
  // Halfway along the curve.
  const plot::PointPx peak = between(between(a, b, 0.5), between(control_a, control_b, 0.5), 0.75);
  return {d, {a, peak, b}};
}

}  // namespace kernbench::topology
