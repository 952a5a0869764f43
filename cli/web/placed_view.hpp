#pragma once

#include <string>
#include <vector>

#include "topology/diagram/edge_routes.hpp"
#include "topology/diagram/view_placement.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::cli::web {

/// A view with the places of everything in it, the same as in the pictures that `kernbench
/// topology build` draws. Everything is at or right of and below (0, 0).
struct PlacedView {
  const topology::View* view = nullptr;
  std::vector<topology::PlacedNode> nodes;  ///< in the order of view->nodes
  std::vector<std::string> paths;           ///< SVG paths, in the order of view->edges
  std::vector<double> fonts;                ///< px, of the nodes' labels
  plot::PointPx origin;                     ///< where (0, 0) mm is
  plot::SizePx size;                        ///< of the drawing
  double px_per_mm = 1;
};

/// The view must outlive it.
[[nodiscard]] PlacedView place_view(const topology::View& view);

}  // namespace kernbench::cli::web
