// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// The vertices of route searches. A node is one stop, but a UCIe PHY is as many as it has
/// connections: its lanes. Connection k joins lane k, and lane k of a PHY joins lane k of the
/// facing PHY, so a route leaves a cube and enters the next one by connections of the same number.
/// Everything else that is joined to a PHY reaches all of its lanes.
class Stops {
 public:
  explicit Stops(const TopologyGraph& graph);

  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(first_extra_.size()) - 1 + first_extra_.back();
  }
  [[nodiscard]] std::uint32_t lanes(NodeId node) const {
    return 1 + first_extra_[node.value() + 1] - first_extra_[node.value()];
  }
  /// Returns the stop of a lane of a node. Lane 0 has the number of the node.
  [[nodiscard]] std::uint32_t stop(NodeId node, std::uint32_t lane) const {
    if (lane == 0) return node.value();
    return static_cast<std::uint32_t>(first_extra_.size() - 1) + first_extra_[node.value()] + lane -
           1;
  }

  /// Calls `visit(from, to)` with the stops of each way along an edge.
  template <typename Visit>
  void for_each_way(const TopologyGraph& graph, const Edge& edge, const Visit& visit) const {
    const std::uint32_t from_lanes = lanes(edge.from);
    const std::uint32_t to_lanes = lanes(edge.to);
    if (edge.kind == EdgeKind::UcieInternal) {
      visit(stop(edge.from, from_lanes == 1 ? 0U : graph.node(edge.to).lane),
            stop(edge.to, to_lanes == 1 ? 0U : graph.node(edge.from).lane));
      return;
    }
    const std::uint32_t ways = from_lanes == 1 || to_lanes == 1 ? std::max(from_lanes, to_lanes)
                                                                : std::min(from_lanes, to_lanes);
    for (std::uint32_t lane = 0; lane < ways; ++lane) {
      visit(stop(edge.from, from_lanes == 1 ? 0 : lane), stop(edge.to, to_lanes == 1 ? 0 : lane));
    }
  }

 private:
  /// Node i's lanes from 1 on are the stops nodes + first_extra_[i] to nodes + first_extra_[i + 1].
  std::vector<std::uint32_t> first_extra_;
};

}  // namespace kernbench::topology
