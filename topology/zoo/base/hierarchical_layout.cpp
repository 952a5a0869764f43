// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/hierarchical_layout.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/layout/free_space.hpp"
#include "topology/zoo/layout/transform.hpp"

namespace kernbench::topology::zoo {
namespace {

constexpr double kApart = 0.85;        // free space around the nodes of a child
constexpr double kShortestLink = 1.1;  // least length of a link
constexpr double kLinkStep = 0.3;
constexpr int kLinkSteps = 12;  // link lengths to try before the base is widened
constexpr int kWidenings = 8;
constexpr double kWidening = 1.2;
constexpr double kLinkRoom = 0.45;  // between a link and a node that it passes
constexpr double kPassingCost = 4.0;

/// A child during the search for its place.
struct Child {
  Plot plot;
  std::span<const Channel> channels;
  std::uint32_t node = 0;  ///< end of its link
};

/// Returns the distance of the link from the nodes that it passes: the child's and those already
/// placed.
double link_room(const Child& child, const Transform& placement, Point from,
                 std::span<const Point> placed) {
  const Point to = transformed(child.plot.nodes[child.node].at, placement);
  double room = std::numeric_limits<double>::max();
  for (const Point& at : placed) {
    if (length(at - from) > kLinkRoom) room = std::min(room, distance_to_line(at, from, to));
  }
  for (std::size_t i = 0; i < child.plot.nodes.size(); ++i) {
    if (i == child.node) continue;
    const Point at = transformed(child.plot.nodes[i].at, placement);
    room = std::min(room, distance_to_line(at, from, to));
  }
  return room;
}

bool fits(const Child& child, const Transform& placement, const FreeSpace& space) {
  const auto has_room = [&](const Point& at) {
    return space.clearance(transformed(at, placement)) >= kApart;
  };
  for (const PlotNode& node : child.plot.nodes) {
    if (!has_room(node.at)) return false;
  }
  for (const Channel& channel : child.channels) {
    const std::vector<Point> line = drawn_points(child.plot, channel);
    // Test the middle of a straight channel and all points of a bent one.
    if (!has_room((line.front() + line.back()) * 0.5)) return false;
    if (!std::all_of(line.begin(), line.end(), has_room)) return false;
  }
  return true;
}

/// Returns the cheapest placement with a link of at most `most_steps` steps. Good links are short,
/// point away from the middle of the base, and keep clear of the child's other nodes.
std::optional<Transform> find_place(const Child& child, Point from, Point outward,
                                    const FreeSpace& space, std::span<const Point> placed,
                                    int most_steps) {
  std::optional<Transform> best;
  double least_cost = std::numeric_limits<double>::max();
  const Point attached = child.plot.nodes[child.node].at;
  for (int steps = 0; steps <= most_steps; ++steps) {
    const double link = kShortestLink + kLinkStep * steps;
    if (link >= least_cost) break;  // longer links cost more
    for (const Point& way : sixteen_directions()) {
      const double turn = 1 - (way.x * outward.x + way.y * outward.y);
      for (int quarter_turns = 0; quarter_turns < 4; ++quarter_turns) {
        Transform placement{.scale = 1, .quarter_turns = quarter_turns, .shift = {}};
        placement.shift = from + way * link - transformed(attached, placement);
        const bool passes = link_room(child, placement, from, placed) < kLinkRoom;
        const double cost = link + turn + (passes ? kPassingCost : 0) + 0.001 * quarter_turns;
        if (cost < least_cost && fits(child, placement, space)) {
          best = placement;
          least_cost = cost;
        }
      }
    }
  }
  return best;
}

FreeSpace space_around(const Plot& plot, std::span<const Channel> channels) {
  FreeSpace space(kApart + 0.15);
  for (const PlotNode& node : plot.nodes) space.add_disc(node.at, 0);
  for (const Channel& channel : channels) space.add_channel(plot, channel);
  return space;
}

/// Places all children around `base`; returns nothing if a child does not fit.
std::optional<std::vector<Plot>> place_children(const HierarchicalTopology& topology,
                                                const Plot& base, int most_steps) {
  FreeSpace space = space_around(base, topology.base().channels());
  const Point centre = bounds(base).centre();
  std::vector<Point> nodes;
  for (const PlotNode& node : base.nodes) nodes.push_back(node.at);
  std::vector<Plot> placed;
  for (const HierarchicalSubTopology& sub : topology.children()) {
    const Point from = base.nodes[sub.base_node].at;
    Child child{sub.topology->layout(), sub.topology->channels(), sub.child_node};
    const Point outward = direction(from - centre);
    const auto placement = find_place(child, from, outward, space, nodes, most_steps);
    if (!placement) return std::nullopt;
    transform(child.plot, *placement);
    for (const PlotNode& node : child.plot.nodes) {
      space.add_disc(node.at, 0);
      nodes.push_back(node.at);
    }
    for (const Channel& channel : child.channels) space.add_channel(child.plot, channel);
    space.add_line(from, child.plot.nodes[child.node].at, 0);
    placed.push_back(std::move(child.plot));
  }
  return placed;
}

}  // namespace

Plot hierarchical_layout(const HierarchicalTopology& topology) {
  Plot plot = topology.base().layout();
  auto children = place_children(topology, plot, kLinkSteps);
  for (int i = 0; i < kWidenings && !children; ++i) {
    transform(plot, {.scale = kWidening, .quarter_turns = 0, .shift = {}});
    children = place_children(topology, plot, kLinkSteps);
  }
  // A link that is long enough clears all other nodes.
  for (int steps = 2 * kLinkSteps; !children; steps *= 2) {
    children = place_children(topology, plot, steps);
  }
  for (Plot& child : *children) {
    for (PlotNode& node : child.nodes) {
      if (node.role == NodeRole::Router) node.role = NodeRole::Child;
    }
    append(plot, child);
  }
  return plot;
}

}  // namespace kernbench::topology::zoo
