// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/trunk_lines.hpp"

#include <algorithm>

#include "topology/diagram/view_placement.hpp"

namespace kernbench::topology {

namespace {

constexpr double kLeastRoomPx = 3;  // least gap between hub and targets for a trunk
constexpr double kBackPx = 8;       // gap between the hub and a trunk on its far side
constexpr double kGapPx = 4;        // gap between a line and a block that it passes

bool fans_out(EdgeKind kind) {
  return kind == EdgeKind::Pcie || kind == EdgeKind::UcieInternal ||
         kind == EdgeKind::NocToUcieConn || kind == EdgeKind::UcieConnToNoc ||
         kind == EdgeKind::MazeAttach || kind == EdgeKind::NocAttach;
}

}  // namespace

TrunkLines::TrunkLines(const View& view, const std::vector<PlacedNode>& nodes) : nodes_(nodes) {
  for (const ViewEdge& edge : view.edges) {
    if (!fans_out(edge.kind)) continue;
    hubs_[{edge.from, edge.kind}].targets.push_back(edge.to);
    hubs_[{edge.to, edge.kind}].targets.push_back(edge.from);
  }
  for (auto& [key, hub] : hubs_) {
    plot::BoxPx spread{nodes[hub.targets[0]].box.center().x, nodes[hub.targets[0]].box.center().y,
                       0, 0};
    for (const std::size_t target : hub.targets) {
      const plot::PointPx center = nodes[target].box.center();
      spread = united(spread, {center.x, center.y, 0, 0});
    }
    hub.across = spread.w >= spread.h || key.second == EdgeKind::Pcie;
  }
}

const TrunkLines::Hub* TrunkLines::hub_at(std::size_t node, EdgeKind kind) const {
  const auto found = hubs_.find({node, kind});
  return found == hubs_.end() || found->second.targets.size() < 2 ? nullptr : &found->second;
}

/// Returns the box, with x and y swapped for vertical trunks: corners() handles one orientation.
plot::BoxPx TrunkLines::box(std::size_t node, bool across) const {
  const plot::BoxPx& b = nodes_[node].box;
  return across ? b : plot::BoxPx{b.y, b.x, b.h, b.w};
}

std::vector<plot::PointPx> TrunkLines::corners(std::size_t hub_node, const Hub& hub,
                                               std::size_t target, double lane) const {
  plot::BoxPx from = box(hub_node, hub.across);
  plot::BoxPx to = box(target, hub.across);
  // Targets above the hub are mirrored, so that lines always run down.
  const bool up = to.center().y < from.center().y;
  if (up) from.y = -from.bottom();
  if (up) to.y = -to.bottom();
  double nearest = to.y;
  double farthest_out = from.y;
  for (const std::size_t other : hub.targets) {
    plot::BoxPx b = box(other, hub.across);
    if (up) b.y = -b.bottom();
    if (b.center().y < from.center().y) continue;
    nearest = std::min(nearest, b.y);
    farthest_out = std::min(farthest_out, b.y);
  }
  const double out_x = from.center().x + lane;
  const double in_x = to.center().x + lane;
  std::vector<plot::PointPx> points;
  if (nearest - from.bottom() < kLeastRoomPx) {
    // Without room in between, the trunk runs on the far side of the hub.
    const double trunk = farthest_out - kBackPx;
    points = {{out_x, from.y}, {out_x, trunk}, {in_x, trunk}};
  } else if (to.y - nearest > to.h / 2) {
    // A target behind another row of targets: the line runs down between the columns.
    const double trunk = (from.bottom() + nearest) / 2;
    const double gap_x = to.x - kGapPx;
    points = {{out_x, from.bottom()},
              {out_x, trunk},
              {gap_x, trunk},
              {gap_x, to.y - kGapPx},
              {in_x, to.y - kGapPx}};
  } else {
    const double trunk = (from.bottom() + nearest) / 2;
    points = {{out_x, from.bottom()}, {out_x, trunk}, {in_x, trunk}};
  }
  points.push_back({in_x, to.y});
  for (plot::PointPx& p : points) {
    if (up) p.y = -p.y;
    if (!hub.across) std::swap(p.x, p.y);
  }
  return points;
}

std::optional<std::vector<plot::PointPx>> TrunkLines::route(const ViewEdge& edge,
                                                            double lane) const {
  const Hub* from = hub_at(edge.from, edge.kind);
  const Hub* to = hub_at(edge.to, edge.kind);
  if (from != nullptr && (to == nullptr || from->targets.size() >= to->targets.size())) {
    return corners(edge.from, *from, edge.to, lane);
  }
  if (to == nullptr) return std::nullopt;
  std::vector<plot::PointPx> points = corners(edge.to, *to, edge.from, lane);
  std::reverse(points.begin(), points.end());
  return points;
}

}  // namespace kernbench::topology
