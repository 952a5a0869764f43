// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topology/diagram/edge_routes.hpp"
#include "topology/diagram/view_placement.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::cli::web {

/// A view with the layout of its drawing, identical to that of `kernbench topology build`. All
/// coordinates are non-negative.
struct PlacedView {
  const topology::View* view = nullptr;
  std::vector<topology::PlacedNode> nodes;  ///< placed nodes in the order of view->nodes
  std::vector<std::string> paths;           ///< SVG paths in the order of view->edges
  std::vector<double> fonts;                ///< font sizes of the node labels in px
  plot::PointPx origin;                     ///< position of (0, 0) mm
  plot::SizePx size;                        ///< size of the drawing
  double px_per_mm = 1;
};

/// Lays out a view, which must outlive the result.
[[nodiscard]] PlacedView place_view(const topology::View& view);

}  // namespace kernbench::cli::web
