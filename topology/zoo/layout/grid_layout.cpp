// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/layout/grid_layout.hpp"

#include <algorithm>

namespace kernbench::topology::zoo {
namespace {

// Height of an arc over one node.
constexpr double kLowestArc = 0.3;

/// Returns the height of an arc that spans `distance` nodes, on a side of `longest` + 1 nodes. It
/// grows with the distance, so that the arc clears the nodes below it and arcs of different lengths
/// stay apart.
double arc_height(std::uint32_t distance, std::uint32_t longest) {
  return kLowestArc + std::min(0.12, 0.9 / longest) * (distance - 2);
}

/// Arcs run above and to the left, so the space below and to the right of a node is free.
void place_ports_below(Plot& plot) {
  for (PlotNode& node : plot.nodes) {
    node.towards_ingress = {0.41, 1};
    node.towards_egress = {1, 0.41};
  }
}

}  // namespace

Plot grid_layout(const Grid& grid, double spacing) {
  Plot plot;
  for (std::uint32_t node = 0; node < grid.nodes(); ++node) {
    PlotNode drawn;
    drawn.at = {spacing * grid.x_of(node), spacing * grid.y_of(node)};
    if (grid.ny > 1) {
      drawn.towards_ingress = {-1, -1};
      drawn.towards_egress = {1, 1};
    }
    plot.nodes.push_back(drawn);
  }
  return plot;
}

void bend(Plot& plot, std::uint32_t a, std::uint32_t b, Point by) {
  const Point middle = (plot.nodes[a].at + plot.nodes[b].at) * 0.5;
  const Point control = middle + by * 2.0;  // a quadratic curve peaks halfway to its control point
  plot.bends[{a, b}] = control;
  plot.bends[{b, a}] = control;
}

Plot torus_layout(const Grid& grid) {
  const std::uint32_t longest = std::max(grid.nx, grid.ny) - 1;
  const double height = longest < 3 ? 0.4 : 0.7 * arc_height(longest, longest) + 0.12;
  Plot plot = grid_layout(grid, std::max(1.0, 0.7 + height));
  place_ports_below(plot);
  for (std::uint32_t y = 0; y < grid.ny && grid.nx > 2; ++y) {
    bend(plot, grid.at(0, y), grid.at(grid.nx - 1, y), {0, -height});
  }
  for (std::uint32_t x = 0; x < grid.nx && grid.ny > 2; ++x) {
    bend(plot, grid.at(x, 0), grid.at(x, grid.ny - 1), {-height, 0});
  }
  return plot;
}

Plot flattened_butterfly_layout(const Grid& grid) {
  const std::uint32_t longest = std::max(grid.nx, grid.ny) - 1;
  const double spacing = longest < 2 ? 1.0 : 0.75 + arc_height(longest, longest);
  Plot plot = grid_layout(grid, spacing);
  place_ports_below(plot);
  for (std::uint32_t node = 0; node < grid.nodes(); ++node) {
    const std::uint32_t x = grid.x_of(node);
    const std::uint32_t y = grid.y_of(node);
    for (std::uint32_t to = x + 2; to < grid.nx; ++to) {
      bend(plot, node, grid.at(to, y), {0, -arc_height(to - x, longest)});
    }
    for (std::uint32_t to = y + 2; to < grid.ny; ++to) {
      bend(plot, node, grid.at(x, to), {-arc_height(to - y, longest), 0});
    }
  }
  return plot;
}

}  // namespace kernbench::topology::zoo
