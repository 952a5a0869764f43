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

  /// A transfer begins: edge `seen` is the first at which its source may send a packet. Each packet
  /// has this number of destinations. Called before any move of that edge.
  virtual void on_begun(common::SimTime /*submitted*/, Edge /*seen*/, const Transfer& /*transfer*/,
                        std::uint64_t /*packets*/, unsigned /*destinations*/) {}
  /// A packet of transfer `id` enters its source by port A. It waits there to be forwarded. Ideal
  /// nodes have no port A.
  virtual void on_accepted(Edge /*edge*/, unsigned /*node*/, Qos /*qos*/, std::uint64_t /*id*/,
                           std::uint64_t /*packet*/) {}
  /// An ideal source sends a packet of transfer `id`, or one copy of it, by output `port`.
  virtual void on_injected(Edge edge, unsigned node, unsigned port, std::uint64_t id,
                           std::uint64_t packet) = 0;
  /// The head of the queue of input `from` leaves by output `port`. It stays the head unless this
  /// is its `last` copy. Port A and port B have the number behind that of the last link.
  virtual void on_forwarded(Edge edge, unsigned node, unsigned from, Qos qos, unsigned port,
                            bool last) = 0;
  /// A packet arrives at input `port`. `queued` is true when the node will forward it, `ends` when
  /// an ideal node delivers it at once.
  virtual void on_arrived(Edge edge, unsigned node, unsigned port, Qos qos, bool queued,
                          bool ends) = 0;
  /// A packet of transfer `id` reaches a destination: by port B, or, at an ideal node, after its
  /// arrival or from its own source.
  virtual void on_delivered(Edge edge, unsigned node, std::uint64_t id, std::uint64_t packet) = 0;
};

}  // namespace kernbench::model::fabric
