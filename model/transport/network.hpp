// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "common/api.hpp"
#include "common/units.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/simulation.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/trace/hop_trace.hpp"
#include "model/transport/fabric_gateway.hpp"
#include "model/transport/flit_receiver.hpp"
#include "model/transport/flow.hpp"
#include "model/transport/hop_recorder.hpp"
#include "model/transport/path_recorder.hpp"
#include "model/transport/route_table.hpp"
#include "model/transport/wire.hpp"
#include "model/transport/wire_table.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::transport {

/// Selects whether send() adds the overhead of the source node to each flit. A controller that paid
/// its overhead before it served a request does not pay it again for the response.
enum class SourceOverhead : std::uint8_t { Added, Paid };

/// How messages move. Flit: flit by flit, as DESIGN section 5 says. Message: messages of several
/// flits as wholes, which is faster and not exact (Wire::carry_whole()).
enum class Fidelity : std::uint8_t { Flit, Message };

/// Carries messages, cut into flits, over the wires of a topology (DESIGN section 5). A flit that
/// arrives at a node pays the node's overhead, waits until its next wire is free, occupies the
/// wire, and travels along it. Flits share a wire in the order in which they arrived at its node;
/// queues are unbounded. Flits that arrive at the same picosecond are forwarded in an order that is
/// deterministic and has no meaning.
///
/// Between ports a fabric carries the flits (FabricGateway).
///
/// Some events are left out without changing any time: at followers and at memories (explained in
/// WireTable), at the end of the route of unreported flits (Notify), and of deferrable hand-overs
/// (HandoverQueue).
class KERNBENCH_API Network : public engine::EventHandler, private FabricExitListener {
 public:
  /// All references must outlive the network. Records the ways of messages if the simulation
  /// records causes. Without `trace`, nothing is recorded; without
  /// `make_fabric`, fabrics are as the spec says.
  Network(engine::Simulation& simulation, const topology::TopologyGraph& graph,
          trace::HopTrace* trace = nullptr, const FabricFactory& make_fabric = {});

  /// Returns the route over `edges`, valid as long as the network. Throws as RouteTable::find().
  const Route& route(std::span<const topology::EdgeId> edges) { return routes_.find(edges); }
  /// Returns the route in the opposite direction, which responses take.
  const Route& reversed(const Route& route) { return routes_.reversed(route); }
  [[nodiscard]] const std::vector<topology::EdgeId>& reversed(
      std::span<const topology::EdgeId> edges) {
    return reversed(route(edges)).edges;
  }

  /// Sends a message of `bytes` along `route`; all of it is ready at the source now. `receiver`,
  /// which must outlive the message, gets its flits with the number `message`. Returns when the
  /// last flit will have left the source. Throws std::invalid_argument for no bytes.
  common::SimTime send(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                       std::uint64_t message, const trace::Label& label = {},
                       SourceOverhead overhead = SourceOverhead::Added,
                       Notify notify = Notify::EachFlit);
  common::SimTime send(std::span<const topology::EdgeId> edges, std::uint64_t bytes,
                       FlitReceiver& receiver, std::uint64_t message,
                       const trace::Label& label = {},
                       SourceOverhead overhead = SourceOverhead::Added,
                       Notify notify = Notify::EachFlit) {
    return send(route(edges), bytes, receiver, message, label, overhead, notify);
  }

  /// Opens a flow: a message whose flits become ready one by one, at a source that has paid its
  /// overhead. deliver_flit() hands each of them over. Throws std::invalid_argument for no bytes.
  [[nodiscard]] std::uint32_t open(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                                   std::uint64_t message, const trace::Label& label = {},
                                   Notify notify = Notify::EachFlit);
  /// Hands over the next flit of an opened flow. It will be ready at `ready`, now or later.
  void deliver_flit(std::uint32_t flow, common::SimTime ready);
  /// Sets the cause of an opened flow, in place of that of the call of open().
  void set_cause(std::uint32_t flow, engine::Cause cause) {
    if (paths_) paths_->set_cause(flow, std::move(cause));
  }

  /// Sets how messages that begin from now on move. Throws std::invalid_argument for whole messages
  /// if the topology has a fabric, which carries flits, or if the run is recorded.
  void set_fidelity(Fidelity fidelity);
  [[nodiscard]] bool moves_wholes() const { return fidelity_ == Fidelity::Message; }
  /// Sends a message that is ready at a source that has paid its overhead, its flits at even times
  /// from `ready.first`, now or later, to `ready.last`. It moves as a whole.
  void send_whole(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                  std::uint64_t message, const FlitTimes& ready);

  /// Returns the use of a wire, or of a link of a fabric by the packets that were submitted.
  [[nodiscard]] WireUse use(topology::EdgeId wire) const {
    return wire_table_.is_carried(wire) ? fabrics_.use(wire) : wires_[wire.value()].use();
  }
  /// Returns the use of all wires and links, by edge.
  [[nodiscard]] std::vector<WireUse> uses() const;
  /// Returns how long the busiest wire of each kind has carried flits since uses() was `before`.
  [[nodiscard]] std::map<topology::EdgeKind, common::SimTime> busiest_since(
      const std::vector<WireUse>& before) const;
  /// Forgets the longest waits for wires.
  void forget_waits() {
    for (Wire& wire : wires_) wire.forget_waits();
  }
  /// Returns the crossings of a wire or fabric by a flit so far, the unit of simulation speed.
  [[nodiscard]] std::uint64_t flit_hops() const { return flit_hops_; }

  void on_event(engine::EventArgument argument) override;

 private:
  /// Kinds of events: the tag of their argument. The index is that of a wire or a flow.
  enum class Due : std::uint8_t {
    Arrival,        ///< the first flit on a wire arrives
    SourceArrival,  ///< the next flit of a sent message arrives at the end of its first wire
    Handover,       ///< a flit that was handed over to a wire is ready
    WholeFirst,     ///< the first flit of a whole message arrives at the next node
    WholeLast,      ///< its last flit arrives at the next node, or at the end
  };

  void schedule(Due due, std::uint32_t index, common::SimTime time) {
    simulation_.schedule(time, *this, {due, index});
  }
  void schedule_arrival(std::uint32_t wire, const Wire::Arrival& next);
  void schedule_handover(std::uint32_t wire, common::SimTime time);
  void on_wire_arrival(std::uint32_t wire);
  void on_source_arrival(std::uint32_t flow);
  void on_handover(std::uint32_t wire);
  void on_fabric_exit(const Flit& flit) override;

  /// A message that moves as a whole. Its first flit books the time of all its flits on each wire,
  /// and its last flit waits for what has been booked by then.
  struct Whole {
    std::uint32_t flow = 0;
    std::uint32_t hop = 0;       ///< next hop of its first flit, an index in the RouteTable
    std::uint32_t last_hop = 0;  ///< next hop of its last flit
    FlitTimes ready;             ///< for `hop`; expected for the last flit
    common::SimTime first_came;  ///< when the first flit comes to `hop`, or to the end
  };
  /// Sends the first flit of a whole message over its next wire and the followers behind it.
  /// Returns when the last flit leaves the node before them if no other message comes.
  common::SimTime forward_first(std::uint32_t id);
  /// Sends the last flit of a whole message over the same wires, or reports the message.
  void on_whole_last(std::uint32_t id);
  void deliver_whole(std::uint32_t id);

  std::uint32_t add_flow(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                         std::uint64_t message, const trace::Label& label, Notify notify);
  /// Returns flit `index` of a flow, before hop `hop` of its route.
  [[nodiscard]] Flit make_flit(std::uint32_t flow, std::uint64_t index, std::uint32_t hop) const;
  [[nodiscard]] std::uint32_t bytes_of(const Flit& flit) const;

  /// Handles a flit that arrived at a node of its route, or at the end, at `arrival`.
  void arrive(const Flit& flit, common::SimTime arrival);
  void record_crossing(const Flit& flit, std::uint32_t id, const Crossing& crossing);
  void enter_fabric(const Flit& flit);
  /// Sends the flit over its wire and over the followers behind it.
  void forward(Flit flit, common::SimTime arrival, common::SimTime ready);
  /// Sends the flit over its wire; returns when it arrives at the end.
  common::SimTime cross(const Flit& flit, common::SimTime arrival, common::SimTime ready);
  /// Forwards all hand-overs that are ready.
  void take_handovers(HandoverQueue& handovers);
  /// Reports a flit at the end of its route to the receiver.
  void report(const Flit& flit, common::SimTime arrival);

  engine::Simulation& simulation_;
  std::uint32_t flit_bytes_;
  WireTable wire_table_;
  RouteTable routes_;
  std::vector<Wire> wires_;  ///< by edge
  FabricGateway fabrics_;
  engine::SlotPool<Flow> flows_;
  std::optional<HopRecorder> recorder_;  ///< with a trace
  bool is_recorded_ = false;             ///< there is a recorder
  std::optional<PathRecorder> paths_;    ///< if the simulation records causes
  std::uint64_t flit_hops_ = 0;
  Fidelity fidelity_ = Fidelity::Flit;
  engine::SlotPool<Whole> wholes_;
};

}  // namespace kernbench::model::transport
