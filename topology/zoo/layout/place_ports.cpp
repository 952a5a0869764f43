// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/layout/place_ports.hpp"

#include "topology/zoo/layout/free_space.hpp"

namespace kernbench::topology::zoo {
namespace {

constexpr double kPortDistance = 0.38;  // from the node's centre to the outer end of a port
constexpr double kPortRoom = 0.13;

void place_port(FreeSpace& space, Point centre, Point wanted, bool drawn, Point& port) {
  port = free_point(space, centre, kPortDistance, wanted, kPortRoom);
  if (drawn) space.add_line(centre, port, 0.04);
}

}  // namespace

void place_ports(Plot& plot, std::span<const Channel> channels) {
  FreeSpace space(0.4);
  for (const PlotNode& node : plot.nodes) space.add_disc(node.at, kNodeRadius);
  for (const Channel& channel : channels) space.add_channel(plot, channel);
  for (PlotNode& node : plot.nodes) {
    place_port(space, node.at, node.towards_ingress, node.has_ingress, node.ingress);
    place_port(space, node.at, node.towards_egress, node.has_egress, node.egress);
  }
}

}  // namespace kernbench::topology::zoo
