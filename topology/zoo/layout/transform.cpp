// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/layout/transform.hpp"

#include <algorithm>

#include "topology/zoo/layout/free_space.hpp"

namespace kernbench::topology::zoo {
namespace {

Point turned(Point at, int quarter_turns) {
  for (int i = 0; i < quarter_turns; ++i) at = {-at.y, at.x};
  return at;
}

void include(Box& box, Point at) {
  box.least = {std::min(box.least.x, at.x), std::min(box.least.y, at.y)};
  box.most = {std::max(box.most.x, at.x), std::max(box.most.y, at.y)};
}

}  // namespace

Point transformed(Point at, const Transform& placement) {
  return turned(at * placement.scale, placement.quarter_turns) + placement.shift;
}

void transform(Plot& plot, const Transform& placement) {
  for (PlotNode& node : plot.nodes) {
    node.at = transformed(node.at, placement);
    node.towards_ingress = turned(node.towards_ingress, placement.quarter_turns);
    node.towards_egress = turned(node.towards_egress, placement.quarter_turns);
  }
  for (auto& [channel, control] : plot.bends) control = transformed(control, placement);
}

void append(Plot& plot, const Plot& other) {
  const auto offset = static_cast<std::uint32_t>(plot.nodes.size());
  plot.nodes.insert(plot.nodes.end(), other.nodes.begin(), other.nodes.end());
  for (const auto& [channel, control] : other.bends) {
    plot.bends[{channel.src + offset, channel.dst + offset}] = control;
  }
}

Box bounds(const Plot& plot) {
  Box box{plot.nodes.front().at, plot.nodes.front().at};
  for (const PlotNode& node : plot.nodes) include(box, node.at);
  for (const auto& [channel, control] : plot.bends) {
    for (const Point& at : drawn_points(plot, channel)) include(box, at);
  }
  return box;
}

}  // namespace kernbench::topology::zoo
