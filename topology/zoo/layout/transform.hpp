// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// A transformation: scaling, then `quarter_turns` clockwise, then the shift.
struct Transform {
  double scale = 1;
  int quarter_turns = 0;
  Point shift;
};

void transform(Plot& plot, const Transform& placement);
[[nodiscard]] Point transformed(Point at, const Transform& placement);

/// Appends the nodes of `other` to those of `plot`.
void append(Plot& plot, const Plot& other);

struct Box {
  Point least;
  Point most;
  [[nodiscard]] Point centre() const { return (least + most) * 0.5; }
};

/// Returns the bounding box of the nodes and the bends of channels. There must be a node.
[[nodiscard]] Box bounds(const Plot& plot);

}  // namespace kernbench::topology::zoo
