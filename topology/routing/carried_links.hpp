// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Returns the number of the fabric that a port belongs to: that of its SIP, or kNoIndex between
/// SIPs.
[[nodiscard]] constexpr std::uint16_t fabric_of(const Node& port) {
  return port.cube == kNoIndex ? kNoIndex : port.sip;
}
/// Returns the number of a port in its fabric: that of its cube, or of its SIP.
[[nodiscard]] constexpr std::uint16_t endpoint_of(const Node& port) {
  return port.cube == kNoIndex ? port.sip : port.cube;
}

/// The links of a graph that fabrics carry (is_carried()), and the ways through them.
class CarriedLinks {
 public:
  /// `graph` must outlive the object.
  explicit CarriedLinks(const TopologyGraph& graph);

  /// Returns the links that a packet takes from port to port of a fabric: in a MAZE one or two in
  /// its dimension order; in another network the link from the port, the channels of the route, and
  /// the link to the other port. Empty if the fabric has no way.
  [[nodiscard]] std::vector<EdgeId> between(NodeId from, NodeId to) const;

  /// Returns the link of the first channel of a network; the others follow in their order.
  [[nodiscard]] EdgeId first_channel(std::uint16_t fabric) const { return channels_.at(fabric); }

 private:
  [[nodiscard]] std::vector<EdgeId> through_maze(NodeId from, NodeId to) const;
  [[nodiscard]] std::vector<EdgeId> through_noc(NodeId from, NodeId to) const;
  [[nodiscard]] EdgeId link(NodeId from, std::uint32_t cube) const;

  const TopologyGraph& graph_;
  std::map<NodeId, std::vector<EdgeId>> leaving_;  ///< links by the port where they begin
  std::map<NodeId, EdgeId> arriving_;         ///< links of networks, by the port where they end
  std::map<std::uint16_t, EdgeId> channels_;  ///< first of each network
};

}  // namespace kernbench::topology
