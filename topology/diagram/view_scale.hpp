// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plot/geometry.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::topology {

/// Gap between two boxes side by side.
inline constexpr double kBoxGapPx = 3;

/// Returns the size of each node: for a small box the size of its label, for an area the least size
/// that holds its label (ADR-0053 D7).
[[nodiscard]] std::vector<plot::SizePx> compute_node_sizes(const View& view, bool crowded);

/// Returns the scale in px per mm, the same in both directions. The drawing gets a comfortable
/// size, or a larger one, up to a limit, if boxes would touch. Every area always holds its label.
[[nodiscard]] double pick_scale(const View& view, const std::vector<plot::SizePx>& sizes);

/// Returns true if boxes would be too close even at the largest scale. They are then drawn with
/// less room around smaller labels.
[[nodiscard]] bool is_crowded(const View& view);

/// Returns true if the view has links of a MAZE. Their arcs take the upper left of the cubes, so
/// labels have only the lower right quarter.
[[nodiscard]] bool has_maze_links(const View& view);

}  // namespace kernbench::topology
