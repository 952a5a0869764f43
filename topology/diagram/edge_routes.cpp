// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/edge_routes.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "plot/path_data.hpp"
#include "plot/svg_canvas.hpp"
#include "topology/diagram/fabric_arcs.hpp"
#include "topology/diagram/trunk_lines.hpp"
#include "topology/diagram/view_style.hpp"

namespace kernbench::topology {

namespace {

constexpr double kParallelPx = 5;      // between parallel lines of the same two boxes
constexpr double kBridgePx = 24;       // closer areas are joined by a short bridge
constexpr double kBridgeEndPx = 7;     // overlap of a bridge with each area
constexpr double kCrossingCost = 100;  // cost of a line behind a box, in px of bow
constexpr double kPxOutsideCost = 1;   // cost of a sample outside the drawing, per px
constexpr int kSamples = 24;           // points of a curve tested against boxes
constexpr std::array<double, 13> kBows = {0,  16,  -16, 32,   -32, 50,  -50,
                                          75, -75, 105, -105, 150, -150};

/// Returns `p` moved by `away` px to the left of the direction from `a` to `b`.
plot::PointPx shifted(plot::PointPx p, plot::PointPx a, plot::PointPx b, double away) {
  const double length = distance(a, b);
  if (length == 0) return p;
  return {p.x + (b.y - a.y) / length * away, p.y - (b.x - a.x) / length * away};
}

/// A quadratic curve; a straight line when `control` is halfway between its ends.
struct Curve {
  plot::PointPx a;
  plot::PointPx control;
  plot::PointPx b;

  [[nodiscard]] plot::PointPx at(double t) const {
    return between(between(a, control, t), between(control, b, t), t);
  }
  [[nodiscard]] EdgeRoute route() const {
    EdgeRoute route;
    route.d = fmt::format("M{} {}Q{} {} {} {}", plot::svg_number(a.x), plot::svg_number(a.y),
                          plot::svg_number(control.x), plot::svg_number(control.y),
                          plot::svg_number(b.x), plot::svg_number(b.y));
    for (int i = 0; i <= kSamples; ++i) {
      route.points.push_back(at(static_cast<double>(i) / kSamples));
    }
    return route;
  }
};

class Router {
 public:
  Router(const View& view, const std::vector<PlacedNode>& nodes, const plot::BoxPx& inside)
      : view_(view), nodes_(nodes), inside_(inside), arcs_(view, nodes), trunks_(view, nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const ViewShape shape = view.nodes[i].shape;
      // Lines may run behind outlines, such as that of an IO chiplet.
      const bool outline = shape == ViewShape::IoBlock || shape == ViewShape::HbmZone;
      if (!outline || !is_area(view.nodes[i])) obstacles_.push_back({i, grown(nodes[i].box, 1)});
    }
    for (const ViewEdge& edge : view.edges) ++lines_of_[ends_of(edge)].total;
  }

  EdgeRoute route(const ViewEdge& edge) {
    if (is_carried(edge.kind) && !is_at_sip(edge)) return arcs_.route(edge);
    const double lane = next_lane(edge);
    if (is_bridge(edge)) return bridge(edge, lane);
    // Mesh lines stay straight: boxes are placed beside them where possible.
    if (edge.kind == EdgeKind::RouterMesh) return straight(edge, lane);
    EdgeRoute best;
    double best_cost = std::numeric_limits<double>::infinity();
    if (std::optional<std::vector<plot::PointPx>> trunk = trunks_.route(edge, lane)) {
      best = polyline(std::move(*trunk));
      best_cost = cost_of(edge, best);
    }
    for (const double bow : kBows) {
      if (std::abs(bow) >= best_cost) continue;
      EdgeRoute candidate = bow == 0 ? straight(edge, lane) : bowed(edge, lane, bow).route();
      const double cost = std::abs(bow) + cost_of(edge, candidate);
      if (cost >= best_cost) continue;
      best_cost = cost;
      best = std::move(candidate);
    }
    return best;
  }

 private:
  struct Obstacle {
    std::size_t node;
    plot::BoxPx box;
  };
  struct Parallel {
    std::size_t total = 0;
    std::size_t next = 0;
  };

  [[nodiscard]] bool is_at_sip(const ViewEdge& edge) const {
    return view_.nodes[edge.from].shape == ViewShape::SipBlock ||
           view_.nodes[edge.to].shape == ViewShape::SipBlock;
  }

  static std::pair<std::size_t, std::size_t> ends_of(const ViewEdge& edge) {
    return std::minmax(edge.from, edge.to);
  }

  /// Returns the offset of this line from the middle of the lines between the same nodes, to the
  /// left of its own direction.
  double next_lane(const ViewEdge& edge) {
    Parallel& parallel = lines_of_[ends_of(edge)];
    const double lane =
        static_cast<double>(parallel.next) - static_cast<double>(parallel.total - 1) / 2;
    ++parallel.next;
    return (edge.from < edge.to ? lane : -lane) * kParallelPx;
  }

  /// Returns a curve between the boxes' borders whose middle is `bow` px off the straight line.
  [[nodiscard]] Curve bowed(const ViewEdge& edge, double lane, double bow) const {
    const plot::PointPx center_a = nodes_[edge.from].box.center();
    const plot::PointPx center_b = nodes_[edge.to].box.center();
    const plot::PointPx a = shifted(center_a, center_a, center_b, lane);
    const plot::PointPx b = shifted(center_b, center_a, center_b, lane);
    const plot::PointPx control = shifted(between(a, b, 0.5), center_a, center_b, 2 * bow);
    return {leave(nodes_[edge.from].box, a, control), control,
            leave(nodes_[edge.to].box, b, control)};
  }

  [[nodiscard]] EdgeRoute straight(const ViewEdge& edge, double lane) const {
    const plot::PointPx center_a = nodes_[edge.from].box.center();
    const plot::PointPx center_b = nodes_[edge.to].box.center();
    const plot::PointPx a = shifted(center_a, center_a, center_b, lane);
    const plot::PointPx b = shifted(center_b, center_a, center_b, lane);
    return polyline({leave(nodes_[edge.from].box, a, b), leave(nodes_[edge.to].box, b, a)});
  }

  /// Returns the cost of a line: boxes that it runs behind, and its distance outside the drawing.
  [[nodiscard]] double cost_of(const ViewEdge& edge, const EdgeRoute& route) const {
    double cost = 0;
    for (const Obstacle& obstacle : obstacles_) {
      if (obstacle.node == edge.from || obstacle.node == edge.to) continue;
      if (runs_behind(route, obstacle.box)) cost += kCrossingCost;
    }
    for (const plot::PointPx p : route.points) {
      const double outside = std::max(
          {inside_.x - p.x, p.x - inside_.right(), inside_.y - p.y, p.y - inside_.bottom()});
      cost += kPxOutsideCost * std::max(outside, 0.0);
    }
    return cost;
  }

  static bool runs_behind(const EdgeRoute& route, const plot::BoxPx& box) {
    for (std::size_t i = 1; i < route.points.size(); ++i) {
      if (crosses(route.points[i - 1], route.points[i], box)) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_bridge(const ViewEdge& edge) const {
    if (!is_area(view_.nodes[edge.from]) || !is_area(view_.nodes[edge.to])) return false;
    const EdgeRoute route = straight(edge, 0);
    return distance(route.points.front(), route.points.back()) < kBridgePx;
  }

  [[nodiscard]] EdgeRoute bridge(const ViewEdge& edge, double lane) const {
    EdgeRoute route = straight(edge, lane);
    const plot::PointPx a = route.points.front();
    const plot::PointPx b = route.points.back();
    const double length = distance(a, b);
    if (length == 0) return route;
    const double more = kBridgeEndPx / length;
    return polyline({between(a, b, -more), between(a, b, 1 + more)});
  }

  const View& view_;
  const std::vector<PlacedNode>& nodes_;
  plot::BoxPx inside_;
  FabricArcs arcs_;
  TrunkLines trunks_;
  std::vector<Obstacle> obstacles_;
  std::map<std::pair<std::size_t, std::size_t>, Parallel> lines_of_;
};

}  // namespace

EdgeRoute polyline(std::vector<plot::PointPx> points) {
  return {plot::polyline_path(points), std::move(points)};
}

std::vector<EdgeRoute> route_edges(const View& view, const std::vector<PlacedNode>& nodes,
                                   const plot::BoxPx& inside) {
  Router router(view, nodes, inside);
  std::vector<EdgeRoute> routes;
  routes.reserve(view.edges.size());
  for (const ViewEdge& edge : view.edges) routes.push_back(router.route(edge));
  return routes;
}

}  // namespace kernbench::topology
