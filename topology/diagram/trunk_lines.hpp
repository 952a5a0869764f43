// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "plot/geometry.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::topology {

struct PlacedNode;

/// Lines that fan out of a hub, such as from the switch to its SIPs or from a PHY to its
/// connections. They leave the hub, follow a trunk before the nearest target, and enter each target
/// at a right angle.
class TrunkLines {
 public:
  TrunkLines(const View& view, const std::vector<PlacedNode>& nodes);

  /// Returns the corners of the line from edge.from to edge.to, `lane` px beside its middle, or
  /// nothing for edges that do not fan out.
  [[nodiscard]] std::optional<std::vector<plot::PointPx>> route(const ViewEdge& edge,
                                                                double lane) const;

 private:
  using HubKey = std::pair<std::size_t, EdgeKind>;
  struct Hub {
    std::vector<std::size_t> targets;
    bool across = false;  ///< the trunk runs from left to right
  };

  [[nodiscard]] const Hub* hub_at(std::size_t node, EdgeKind kind) const;
  [[nodiscard]] std::vector<plot::PointPx> corners(std::size_t hub_node, const Hub& hub,
                                                   std::size_t target, double lane) const;
  [[nodiscard]] plot::BoxPx box(std::size_t node, bool across) const;

  const std::vector<PlacedNode>& nodes_;
  std::map<HubKey, Hub> hubs_;
};

}  // namespace kernbench::topology
