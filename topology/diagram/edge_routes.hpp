// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topology/diagram/view_placement.hpp"

namespace kernbench::topology {

/// The line of one edge of a view.
struct EdgeRoute {
  std::string d;                      ///< SVG path
  std::vector<plot::PointPx> points;  ///< corners, or points along a curve, from `from` to `to`
};

/// Returns the lines of all edges, in the order of view.edges. Lines between the same nodes run
/// side by side. Edges that fan out of a hub (PCIe, UCIe connections) follow a trunk. MAZE links
/// are arcs. All other lines are straight from border to border, or bowed if they would run behind
/// a box of other nodes. Curves stay within `inside` where possible.
[[nodiscard]] std::vector<EdgeRoute> route_edges(const View& view,
                                                 const std::vector<PlacedNode>& nodes,
                                                 const plot::BoxPx& inside);

/// Returns a route along straight lines.
[[nodiscard]] EdgeRoute polyline(std::vector<plot::PointPx> points);

}  // namespace kernbench::topology
