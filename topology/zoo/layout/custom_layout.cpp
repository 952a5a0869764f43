// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/layout/custom_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "topology/zoo/layout/free_space.hpp"
#include "topology/zoo/layout/grid_layout.hpp"
#include "topology/zoo/layout/ring_layout.hpp"
#include "topology/zoo/layout/transform.hpp"

namespace kernbench::topology::zoo {
namespace {

constexpr double kEdgeLength = 1.25;
constexpr double kLeastDistance = 0.8;  // between two nodes
constexpr double kPassingRoom = 0.3;    // between a channel and a node that it passes
constexpr double kMostWidening = 1.6;   // limit of widening; the rest is left to push_apart()
constexpr int kPushes = 100;
constexpr int kRounds = 300;
constexpr double kLevel = 0.06;  // sine of the largest angle of a channel that counts as level
constexpr std::size_t kAxesTried = 64;

using Matrix = std::vector<std::vector<double>>;

/// Returns the hops between all nodes, with one-way channels used in both directions. Unconnected
/// nodes are slightly farther apart than any connected pair.
Matrix hops(std::uint32_t nodes, std::span<const Channel> channels) {
  std::vector<std::vector<std::uint32_t>> neighbours(nodes);
  for (const Channel& channel : channels) {
    neighbours[channel.src].push_back(channel.dst);
    neighbours[channel.dst].push_back(channel.src);
  }
  Matrix distance(nodes, std::vector<double>(nodes, -1));
  double longest = 1;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    std::vector<double>& row = distance[from];
    std::vector<std::uint32_t> reached{from};
    row[from] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::uint32_t next : neighbours[reached[i]]) {
        if (row[next] >= 0) continue;
        row[next] = row[reached[i]] + 1;
        longest = std::max(longest, row[next]);
        reached.push_back(next);
      }
    }
  }
  for (std::vector<double>& row : distance) {
    for (double& d : row) {
      if (d < 0) d = longest + 1;
    }
  }
  return distance;
}

/// Returns the mean of the places at which each other node would put this node, weighted by
/// 1/distance^2.
Point pulled(const std::vector<PlotNode>& nodes, const Matrix& distance, std::size_t node) {
  Point sum;
  double weights = 0;
  for (std::size_t other = 0; other < nodes.size(); ++other) {
    if (other == node) continue;
    const double wanted = kEdgeLength * distance[node][other];
    const Point away = nodes[node].at - nodes[other].at;
    const double is = std::max(length(away), 1e-6);
    const double weight = 1 / (wanted * wanted);
    sum = sum + (nodes[other].at + away * (wanted / is)) * weight;
    weights += weight;
  }
  return sum * (1 / weights);
}

/// Returns the distance of the two nearest nodes, at most kLeastDistance.
double least_distance(const std::vector<PlotNode>& nodes) {
  double least = kLeastDistance;
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      least = std::min(least, length(nodes[a].at - nodes[b].at));
    }
  }
  return least;
}

/// Pushes nodes apart that are too close to each other; stops after kPushes rounds at most.
void push_apart(std::vector<PlotNode>& nodes) {
  for (int round = 0; round < kPushes && least_distance(nodes) < kLeastDistance; ++round) {
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Point between = nodes[b].at - nodes[a].at;
        const double missing = 1.05 * kLeastDistance - length(between);
        if (missing <= 0) continue;
        const Point push = direction(between) * (0.5 * missing);
        nodes[a].at = nodes[a].at - push;
        nodes[b].at = nodes[b].at + push;
      }
    }
  }
}

/// Returns how many channels would be level or upright if the picture were turned to `axis`.
int aligned_with(const Plot& plot, std::span<const Channel> channels, Point axis) {
  int aligned = 0;
  for (const Channel& channel : channels) {
    const Point along = direction(plot.nodes[channel.dst].at - plot.nodes[channel.src].at);
    const double cosine = std::abs(along.x * axis.x + along.y * axis.y);
    if (cosine < kLevel || cosine > 1 - 0.5 * kLevel * kLevel) ++aligned;
  }
  return aligned;
}

/// Turns the picture for as many level or upright channels as possible, with node 0 at the upper
/// left.
void straighten(Plot& plot, std::span<const Channel> channels) {
  Point axis{1, 0};
  int most = 0;
  for (std::size_t i = 0; i < channels.size() && i < kAxesTried; ++i) {
    const Channel& channel = channels[i];
    const Point along = direction(plot.nodes[channel.dst].at - plot.nodes[channel.src].at);
    const int aligned = aligned_with(plot, channels, along);
    if (aligned <= most) continue;
    most = aligned;
    axis = along;
  }
  for (PlotNode& node : plot.nodes) {
    node.at = {node.at.x * axis.x + node.at.y * axis.y, node.at.y * axis.x - node.at.x * axis.y};
  }
  const Point first = plot.nodes[0].at - bounds(plot).centre();
  int quarter_turns = 0;
  double highest = 0;
  for (int turns = 0; turns < 4; ++turns) {
    const Point turned = transformed(first, {.scale = 1, .quarter_turns = turns, .shift = {}});
    if (turned.x + turned.y > highest - 1e-6) continue;
    highest = turned.x + turned.y;
    quarter_turns = turns;
  }
  transform(plot, {.scale = 1, .quarter_turns = quarter_turns, .shift = {}});
}

/// Bends a channel that runs into a node, towards the side away from the node.
void bend_around(Plot& plot, const Channel& channel) {
  const Point from = plot.nodes[channel.src].at;
  const Point to = plot.nodes[channel.dst].at;
  const Point along = direction(to - from);
  const Point side{-along.y, along.x};
  double nearest = kPassingRoom;
  double offset = 0;  // offset of the nearest node from the channel, to one side
  for (std::size_t i = 0; i < plot.nodes.size(); ++i) {
    if (i == channel.src || i == channel.dst) continue;
    const Point at = plot.nodes[i].at;
    const double distance = distance_to_line(at, from, to);
    if (distance >= nearest) continue;
    nearest = distance;
    offset = (at.x - from.x) * side.x + (at.y - from.y) * side.y;
  }
  if (nearest >= kPassingRoom) return;
  const double by = kPassingRoom + 0.15 - nearest;
  bend(plot, channel.src, channel.dst, side * (offset > 0 ? -by : by));
}

}  // namespace

Plot custom_layout(std::uint32_t nodes, std::span<const Channel> channels) {
  Plot plot = ring_layout(nodes, 1.0);
  if (nodes < 3 || nodes > kMaxStressNodes) return plot;
  const Matrix distance = hops(nodes, channels);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t node = 0; node < nodes; ++node) {
      plot.nodes[node].at = pulled(plot.nodes, distance, node);
    }
  }
  straighten(plot, channels);
  const double scale = std::min(kLeastDistance / least_distance(plot.nodes), kMostWidening);
  transform(plot, {.scale = scale, .quarter_turns = 0, .shift = {}});
  push_apart(plot.nodes);
  for (const Channel& channel : channels) {
    if (channel.src < channel.dst ||
        !std::binary_search(channels.begin(), channels.end(), Channel{channel.dst, channel.src})) {
      bend_around(plot, channel);
    }
  }
  const Point centre = bounds(plot).centre();
  for (PlotNode& node : plot.nodes) {
    node.towards_ingress = node.at - centre;
    node.towards_egress = node.at - centre;
  }
  return plot;
}

}  // namespace kernbench::topology::zoo
