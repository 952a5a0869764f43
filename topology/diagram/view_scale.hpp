#pragma once

#include <vector>

#include "plot/geometry.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::topology {

/// Empty room between two boxes that stand side by side.
inline constexpr double kBoxGapPx = 3;

/// Size of each node: of a small box what its label needs; of an area the least that holds its
/// label (ADR-0053 D7).
[[nodiscard]] std::vector<plot::SizePx> compute_node_sizes(const View& view, bool crowded);

/// Pixels per mm, the same in both directions: at a comfortable size of the whole if that keeps
/// neighbouring boxes apart; larger, within limits, where it does not; and always so large that
/// every area holds its label.
[[nodiscard]] double pick_scale(const View& view, const std::vector<plot::SizePx>& sizes);

/// Whether boxes would come too near to one another even at the largest scale: then they are drawn
/// with less room around smaller labels.
[[nodiscard]] bool is_crowded(const View& view);

/// Whether links of a MAZE are drawn: they are arcs in the upper left of the cubes, so that labels
/// have only the lower right quarter.
[[nodiscard]] bool has_maze_links(const View& view);

}  // namespace kernbench::topology
