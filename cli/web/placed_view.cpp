// SPDX-License-Identifier: Apache-2.0
#include "cli/web/placed_view.hpp"

#include "topology/diagram/view_scale.hpp"
#include "topology/diagram/view_style.hpp"

namespace kernbench::cli::web {

using plot::BoxPx;
using plot::PointPx;
using plot::SizePx;
using topology::EdgeRoute;
using topology::PlacedNode;

namespace {

void move(plot::PointPx& p, plot::PointPx by) {
  p.x += by.x;
  p.y += by.y;
}

}  // namespace

PlacedView place_view(const topology::View& view) {
  const bool crowded = topology::is_crowded(view);
  const std::vector<plot::SizePx> sizes = topology::compute_node_sizes(view, crowded);
  PlacedView placed;
  placed.view = &view;
  placed.px_per_mm = topology::pick_scale(view, sizes);
  placed.nodes = topology::place_nodes(view, sizes, placed.px_per_mm);
  plot::BoxPx extent = topology::extent_of(view, placed.nodes, placed.px_per_mm);
  for (const EdgeRoute& route : topology::route_edges(view, placed.nodes, extent)) {
    for (const plot::PointPx p : route.points) extent = plot::united(extent, {p.x, p.y, 0, 0});
  }
  placed.size = {extent.w, extent.h};
  placed.origin = {-extent.x, -extent.y};
  for (PlacedNode& node : placed.nodes) {
    move(node.anchor, placed.origin);
    move(node.label, placed.origin);
    node.box.x += placed.origin.x;
    node.box.y += placed.origin.y;
  }
  const plot::BoxPx whole{0, 0, extent.w, extent.h};
  for (EdgeRoute& route : topology::route_edges(view, placed.nodes, whole)) {
    placed.paths.push_back(std::move(route.d));
  }
  placed.fonts.reserve(view.nodes.size());
  for (const topology::ViewNode& node : view.nodes) {
    placed.fonts.push_back(topology::label_font(node, crowded));
  }
  return placed;
}

}  // namespace kernbench::cli::web
