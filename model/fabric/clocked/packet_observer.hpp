// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/fabric/seam/fabric.hpp"

namespace kernbench::model::fabric {

/// Is notified of every packet that moves through the nodes of a MAZE. Moves of one edge are
/// reported in the order of ports and nodes, departures first. Links and queues are FIFOs, so the
/// observer can tell which packet moves.
class PacketObserver {
 public:
  virtual ~PacketObserver() = default;

  /// A transfer begins: edge `seen` is the first at which its source may send a packet. Called
  /// before any move of that edge.
  virtual void on_begun(common::SimTime /*submitted*/, Edge /*seen*/, const Transfer& /*transfer*/,
                        std::uint64_t /*packets*/) {}
  /// A source sends a packet of transfer `id`, or one copy of it, by output `port`.
  virtual void on_injected(Edge edge, unsigned node, unsigned port, std::uint64_t id,
                           std::uint64_t packet) = 0;
  /// The head of the queue of input `from` leaves by output `port`. It stays the head unless this
  /// is its `last` copy.
  virtual void on_forwarded(Edge edge, unsigned node, unsigned from, Qos qos, unsigned port,
                            bool last) = 0;
  /// A packet arrives at input `port`; `queued` is true when the node will forward it.
  virtual void on_arrived(Edge edge, unsigned node, unsigned port, Qos qos, bool queued) = 0;
  /// A packet of transfer `id` reaches a destination: after its arrival, or at its own source.
  virtual void on_delivered(Edge edge, unsigned node, std::uint64_t id, std::uint64_t packet) = 0;
};

}  // namespace kernbench::model::fabric
