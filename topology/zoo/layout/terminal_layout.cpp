// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/layout/terminal_layout.hpp"

#include <utility>

#include "topology/zoo/layout/free_space.hpp"
#include "topology/zoo/layout/place_ports.hpp"
#include "topology/zoo/layout/transform.hpp"

namespace kernbench::topology::zoo {
namespace {

constexpr double kBaseWidening = 1.5;
constexpr double kTerminalDistance = 0.62;
constexpr double kTerminalRoom = 0.38;
constexpr double kPortTurn = 0.6;  // tangent of the angle by which ports lean to the sides

}  // namespace

Plot terminal_layout(Plot base, std::span<const Channel> base_channels) {
  transform(base, {.scale = kBaseWidening, .quarter_turns = 0, .shift = {}});
  FreeSpace space(1.0);
  for (const PlotNode& router : base.nodes) space.add_disc(router.at, kNodeRadius);
  for (const Channel& channel : base_channels) space.add_channel(base, channel);

  Plot plot;
  for (PlotNode& router : base.nodes) {
    // Prefer the direction halfway between the two ports that the router no longer has.
    const Point ports = direction(router.towards_ingress) + direction(router.towards_egress);
    const Point wanted = length(ports) > 0.5 ? ports : router.towards_ingress;
    PlotNode terminal;
    terminal.at = free_point(space, router.at, kTerminalDistance, wanted, kTerminalRoom);
    terminal.role = NodeRole::Terminal;
    const Point out = terminal.at - router.at;
    const Point side{-out.y, out.x};
    terminal.towards_ingress = out - side * kPortTurn;
    terminal.towards_egress = out + side * kPortTurn;
    space.add_line(router.at, terminal.at, 0);
    space.add_disc(terminal.at, kNodeRadius);
    plot.nodes.push_back(terminal);
    router.has_ingress = false;
    router.has_egress = false;
  }
  append(plot, base);
  return plot;
}

}  // namespace kernbench::topology::zoo
