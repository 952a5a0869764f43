#pragma once

#include <string>
#include <vector>

#include "topology/diagram/view_placement.hpp"

namespace kernbench::topology {

/// How one edge of a view is drawn.
struct EdgeRoute {
  std::string d;  ///< SVG path
  std::vector<plot::PointPx>
      points;  ///< from `from` to `to`: its corners, or points that lead along a curve
};

/// Lines of all edges, in the order of view.edges; several between the same nodes run side by side.
/// What fans out of a hub (PCIe, UCIe connections) does so along a trunk. MAZE links are arcs. All
/// others are straight from border to border, or bowed where they would run behind a box that they
/// have nothing to do with. `inside` is where curves should stay.
[[nodiscard]] std::vector<EdgeRoute> route_edges(const View& view,
                                                 const std::vector<PlacedNode>& nodes,
                                                 const plot::BoxPx& inside);

/// An SVG path along straight lines.
[[nodiscard]] EdgeRoute polyline(std::vector<plot::PointPx> points);

}  // namespace kernbench::topology
