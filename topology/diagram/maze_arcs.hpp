#pragma once

#include <vector>

#include "plot/geometry.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::topology {

struct EdgeRoute;
struct PlacedNode;

/// Draws the links of a MAZE, which joins all nodes of a row and all of a column: arcs from centre
/// to centre, those of rows above it and those of columns to its left, so that the lower right
/// quarter around each node stays free. Arcs of one length are equally far out.
class MazeArcs {
 public:
  MazeArcs(const View& view, const std::vector<PlacedNode>& nodes);

  [[nodiscard]] EdgeRoute route(const ViewEdge& edge) const;

 private:
  const std::vector<PlacedNode>& nodes_;
  double column_pitch_ = 0;  ///< px between neighbouring columns; 0: there is only one
  double row_pitch_ = 0;
  double widest_ = 0;  ///< the longest link of a row, px
  double tallest_ = 0;
};

}  // namespace kernbench::topology
