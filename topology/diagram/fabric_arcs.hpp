// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plot/geometry.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::topology {

struct EdgeRoute;
struct PlacedNode;

/// Draws the links of a MAZE or another network from centre to centre. Those along a row or a
/// column are arcs, the longer the higher: arcs of rows run above the row and arcs of columns left
/// of the column, so the lower right quarter around each node stays free. Others are straight.
class FabricArcs {
 public:
  FabricArcs(const View& view, const std::vector<PlacedNode>& nodes);

  [[nodiscard]] EdgeRoute route(const ViewEdge& edge) const;

 private:
  const std::vector<PlacedNode>& nodes_;
  double column_pitch_ = 0;  ///< px between adjacent columns; 0 with one column
  double row_pitch_ = 0;
  double widest_ = 0;  ///< length of the longest link of a row, px
  double tallest_ = 0;
};

}  // namespace kernbench::topology
