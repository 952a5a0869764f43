// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/fabric/analytic/flow.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// A transfer that is not complete.
struct Flight {
  Transfer transfer;
  std::uint64_t packets = 0;
  std::uint32_t unfinished_legs = 0;
  Edge last_move = 0;  ///< latest edge known at which a packet moves
};

/// Progress of a leg. A leg is created at its source by carry(), and at a later node when the first
/// packet is sent there.
///
///      carry()                            first packet sent by the previous node
///         |                                                  |
///         v                                                  v
///     +--------+    LegArrived, other legs ahead       +----------+
///     | Queued | <------------------------------------ | Arriving |
///     +--------+      (finite queues only)             +----------+
///         | first in its queue                               | LegArrived, none ahead
///         |                  +---------+                     |
///         +----------------> | Sending | <-------------------+
///                            +---------+ ---- all flows finished ----> freed
///     high QoS submitted at    |     ^
///     the same source          v     | high QoS has finished
///                           +-----------+
///                           | Preempted |
///                           +-----------+
enum class LegState : std::uint8_t {
  Arriving,   ///< its first packet is in the stages of the link to the node
  Queued,     ///< behind other legs in the source's queue or in the LinkQueue before the node
  Sending,    ///< its flows are served
  Preempted,  ///< started, and interrupted at the source by high QoS
};

/// The part of a transfer that one node carries out: it sends all copies that leave the node.
struct Leg {
  std::uint32_t flight = 0;
  std::uint32_t node = 0;
  std::uint32_t target = 0;              ///< destination of these packets; see Transfer::dst
  std::optional<topology::zoo::Hop> in;  ///< channel from the previous node; none at the source
  LegState state = LegState::Queued;
  std::uint64_t ticket = 0;   ///< place in the order in which legs started sending
  std::vector<FlowId> flows;  ///< one for each output, from the start of sending on
  std::uint32_t unfinished_flows = 0;

  // Limits on the packets sent by each output (AnalyticFabric::send_limit).
  FlowId supplier = kNoId;  ///< flow at the previous node, while it supplies the leg
  /// Packets that are at the node, or arrive as fast as they can leave.
  std::uint64_t supplied = 0;
  std::uint64_t window_end = 0;  ///< packets that copies may send before the slowest must follow
  std::uint32_t flows_at_window_end = 0;
  std::uint64_t room_mark = 0;  ///< packets sent that make room for LinkQueue::waiter; 0: none

  /// Number of earlier legs in the same slot, modulo EventArgument::kGenerations.
  std::uint32_t generation = 0;
};

}  // namespace kernbench::model::fabric
