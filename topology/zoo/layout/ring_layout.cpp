// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/layout/ring_layout.hpp"

#include <cmath>
#include <numbers>

namespace kernbench::topology::zoo {

Plot ring_layout(std::uint32_t nodes, double spacing) {
  const double step = 2.0 * std::numbers::pi / nodes;
  const double radius = nodes < 2 ? 0.0 : 0.5 * spacing / std::sin(0.5 * step);
  constexpr double kPortSpread = 0.45;  // radians to each side of the outward direction
  Plot plot;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const double angle = step * node - 0.5 * std::numbers::pi;
    PlotNode drawn;
    drawn.at = Point{std::cos(angle), std::sin(angle)} * radius;
    drawn.towards_ingress = {std::cos(angle - kPortSpread), std::sin(angle - kPortSpread)};
    drawn.towards_egress = {std::cos(angle + kPortSpread), std::sin(angle + kPortSpread)};
    plot.nodes.push_back(drawn);
  }
  return plot;
}

}  // namespace kernbench::topology::zoo
