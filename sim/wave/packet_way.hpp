// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "maze/network_frame.hpp"

namespace kernbench::sim {

/// A node on the way of a packet. Ports are numbered as those of links, X ports first; the number
/// after the last is port A where the packet arrives, port B where it leaves.
struct WayNode {
  unsigned node = 0;
  unsigned arrives = 0;
  unsigned leaves = 0;
  friend bool operator==(const WayNode&, const WayNode&) = default;
};

/// Returns the way of a packet from A of its source to B of node `to`: three nodes at most.
/// Returns nothing for a packet that does not go there, or whose source is outside the network.
[[nodiscard]] std::vector<WayNode> way_of(const maze::NetworkConfig& config, maze::Payload packet,
                                          unsigned to);

}  // namespace kernbench::sim
