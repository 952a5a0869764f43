#pragma once

#include <cstdint>

#include "model/fabric/seam/fabric.hpp"

namespace kernbench::model::fabric {

/// Sees every packet that moves through the nodes of a MAZE. All moves of an edge are told in the
/// order of ports and nodes, departures first. Links and queues keep the order of packets, so who
/// looks on knows which packet it is.
class PacketObserver {
 public:
  virtual ~PacketObserver() = default;

  /// A transfer of so many packets, submitted then, is seen at an edge, at which its source may
  /// send the first packet. Nothing of that edge has been told yet.
  virtual void on_begun(common::SimTime /*submitted*/, Edge /*seen*/, const Transfer& /*transfer*/,
                        std::uint64_t /*packets*/) {}
  /// A source puts a packet of transfer `id` (or one copy of a multicast) on output `port`.
  virtual void on_injected(Edge edge, unsigned node, unsigned port, std::uint64_t id,
                           std::uint64_t packet) = 0;
  /// The head of the queue of input `from` leaves over output `port`; it stays the head unless this
  /// was its `last` copy.
  virtual void on_forwarded(Edge edge, unsigned node, unsigned from, Qos qos, unsigned port,
                            bool last) = 0;
  /// A packet comes to input `port`; `queued` tells that it will go on from there.
  virtual void on_arrived(Edge edge, unsigned node, unsigned port, Qos qos, bool queued) = 0;
  /// A packet of transfer `id` is where it should be: after its arrival, or at its own source.
  virtual void on_delivered(Edge edge, unsigned node, std::uint64_t id, std::uint64_t packet) = 0;
};

}  // namespace kernbench::model::fabric
