// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/view_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/text_width.hpp"
#include "topology/diagram/view_style.hpp"

namespace kernbench::topology {

namespace {

constexpr plot::SizePx kComfortable{900, 700};   // size that fits a window beside the legend
constexpr plot::SizePx kLargest{1700, 1300};     // in larger drawings boxes move aside instead
constexpr plot::SizePx kPadding{8, 6};           // around a label in its box
constexpr plot::SizePx kTightPadding{4, 2};      // around a label in a crowded view
constexpr plot::SizePx kBlockPadding{22, 14};    // around the label of a block
constexpr plot::SizePx kComfortableGap{70, 44};  // between boxes of a small view

/// Returns the scale at which two boxes just stay apart; 0 for boxes at the same place.
double separating_scale(const ViewNode& a, const ViewNode& b, plot::SizePx size_a,
                        plot::SizePx size_b, plot::SizePx gap) {
  const double dx = std::abs(a.center.x - b.center.x);
  const double dy = std::abs(a.center.y - b.center.y);
  double scale = std::numeric_limits<double>::infinity();
  if (dx > 0) scale = std::min(scale, ((size_a.w + size_b.w) / 2 + gap.w) / dx);
  if (dy > 0) scale = std::min(scale, ((size_a.h + size_b.h) / 2 + gap.h) / dy);
  return std::isfinite(scale) ? scale : 0;
}

bool same_place(PositionMm a, PositionMm b) {
  constexpr double kToleranceMm = 1e-6;  // rounding of sums that are equal in exact arithmetic
  return std::abs(a.x - b.x) < kToleranceMm && std::abs(a.y - b.y) < kToleranceMm;
}

/// Returns routers and the small boxes that share their place with no other. Boxes that share a
/// place move aside at any scale.
std::vector<std::size_t> lone_boxes(const View& view) {
  std::vector<std::size_t> boxes;
  for (std::size_t i = 0; i < view.nodes.size(); ++i) {
    const ViewNode& node = view.nodes[i];
    if (node.shape != ViewShape::Node) continue;
    const auto shared =
        std::count_if(view.nodes.begin(), view.nodes.end(),
                      [&](const ViewNode& other) { return same_place(node.center, other.center); });
    if (shared == 1 || node.kind == NodeKind::Router) boxes.push_back(i);
  }
  return boxes;
}

/// Returns the scale at which small boxes are at least `gap` apart.
double separating_scale(const View& view, const std::vector<plot::SizePx>& sizes,
                        plot::SizePx gap) {
  double scale = 0;
  const std::vector<std::size_t> boxes = lone_boxes(view);
  for (const std::size_t i : boxes) {
    for (const std::size_t j : boxes) {
      if (j <= i) continue;
      scale =
          std::max(scale, separating_scale(view.nodes[i], view.nodes[j], sizes[i], sizes[j], gap));
    }
  }
  return scale;
}

/// Returns the scale at which the view's extent just fits into `size`.
double fitting_scale(const View& view, plot::SizePx size) {
  constexpr double kLeastExtentMm = 1e-3;
  return std::min(size.w / std::max(view.w_mm, kLeastExtentMm),
                  size.h / std::max(view.h_mm, kLeastExtentMm));
}

bool has_areas(const View& view) {
  return std::any_of(view.nodes.begin(), view.nodes.end(), is_area);
}

}  // namespace

bool has_maze_links(const View& view) {
  return std::any_of(view.edges.begin(), view.edges.end(),
                     [](const ViewEdge& edge) { return edge.kind == EdgeKind::MazeLink; });
}

std::vector<plot::SizePx> compute_node_sizes(const View& view, bool crowded) {
  std::vector<plot::SizePx> sizes;
  sizes.reserve(view.nodes.size());
  for (const ViewNode& node : view.nodes) {
    const double font = label_font(node, crowded);
    const plot::SizePx padding = node.shape == ViewShape::PeBlock ? kBlockPadding
                                 : crowded && !is_area(node)      ? kTightPadding
                                                                  : kPadding;
    sizes.push_back({plot::text_width(node.label, font) + padding.w, font + padding.h});
  }
  return sizes;
}

bool is_crowded(const View& view) {
  return separating_scale(view, compute_node_sizes(view, false), {kBoxGapPx, kBoxGapPx}) >
         fitting_scale(view, kLargest);
}

double pick_scale(const View& view, const std::vector<plot::SizePx>& sizes) {
  double scale = fitting_scale(view, kComfortable);
  if (!has_areas(view)) {
    scale = std::min(scale, separating_scale(view, sizes, kComfortableGap));
  }
  const double apart = separating_scale(view, sizes, {kBoxGapPx, kBoxGapPx});
  scale = std::max(scale, std::min(apart, fitting_scale(view, kLargest)));
  const double part = has_maze_links(view) ? 2 : 1;  // a label has one part of the area
  for (std::size_t i = 0; i < view.nodes.size(); ++i) {
    const ViewNode& node = view.nodes[i];
    if (!is_area(node) || node.shape == ViewShape::IoBlock) continue;
    scale = std::max({scale, part * sizes[i].w / node.w_mm, part * sizes[i].h / node.h_mm});
  }
  return scale > 0 ? scale : 1;
}

}  // namespace kernbench::topology
