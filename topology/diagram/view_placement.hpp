// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plot/geometry.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::topology {

/// The place of one node of a view.
struct PlacedNode {
  plot::PointPx anchor;              ///< exact coordinates of the node, scaled
  plot::BoxPx box;                   ///< box around the anchor or beside it
  bool displaced = false;            ///< true if the box is beside the anchor
  plot::PointPx label;               ///< centre of the label
  std::vector<std::string> details;  ///< lines below the label of an area
};

/// Places all nodes, in the order of view.nodes. Areas and, as far as there is room, small boxes
/// are centred on their anchors, routers first. Other boxes take the nearest free spot, off the
/// lines of the router mesh where possible. Neither boxes nor labels overlap. (0, 0) mm is at (0,
/// 0) px.
[[nodiscard]] std::vector<PlacedNode> place_nodes(const View& view,
                                                  const std::vector<plot::SizePx>& sizes,
                                                  double px_per_mm);

/// Returns the smallest box around the view's extent and all placed nodes.
[[nodiscard]] plot::BoxPx extent_of(const View& view, const std::vector<PlacedNode>& nodes,
                                    double px_per_mm);

}  // namespace kernbench::topology
