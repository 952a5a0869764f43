#pragma once

#include <string>
#include <vector>

#include "plot/geometry.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::topology {

/// Where one node of a view is drawn.
struct PlacedNode {
  plot::PointPx anchor;              ///< its coordinates in mm, scaled: exactly
  plot::BoxPx box;                   ///< around the anchor, or beside it
  bool displaced = false;            ///< beside it: something else stands at the anchor
  plot::PointPx label;               ///< centre of the label
  std::vector<std::string> details;  ///< of an area, below the label
};

/// Places all nodes: areas and, as far as there is room, small boxes around their anchors, routers
/// first; the others beside them on the nearest free spot, off the lines of the router mesh where
/// possible. Neither boxes nor labels overlap. (0, 0) mm is at (0, 0) px. In view.nodes' order.
[[nodiscard]] std::vector<PlacedNode> place_nodes(const View& view,
                                                  const std::vector<plot::SizePx>& sizes,
                                                  double px_per_mm);

/// The room that the view's extent and everything placed take together.
[[nodiscard]] plot::BoxPx extent_of(const View& view, const std::vector<PlacedNode>& nodes,
                                    double px_per_mm);

}  // namespace kernbench::topology
