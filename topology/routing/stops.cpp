// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/stops.hpp"

namespace kernbench::topology {

Stops::Stops(const TopologyGraph& graph) : first_extra_(graph.nodes().size() + 1, 0) {
  // The highest lane of each PHY first, at the place after its own; then the sums.
  for (const Edge& edge : graph.edges()) {
    if (edge.kind != EdgeKind::UcieInternal) continue;
    const Node& from = graph.node(edge.from);
    if (from.kind != NodeKind::UcieConn) continue;
    std::uint32_t& lanes = first_extra_[edge.to.value() + 1];
    lanes = std::max<std::uint32_t>(lanes, from.lane);
  }
  for (std::size_t i = 1; i < first_extra_.size(); ++i) first_extra_[i] += first_extra_[i - 1];
}

}  // namespace kernbench::topology
