// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/engine/event_handler.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/fabric/analytic/analytic_parameters.hpp"
#include "model/fabric/analytic/leg.hpp"
#include "model/fabric/analytic/link_queue.hpp"
#include "model/fabric/analytic/link_server.hpp"
#include "model/fabric/analytic/transfer_outputs.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "topology/spec/spec_values.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// Properties of an analytic fabric besides topology and routing relation.
struct AnalyticSettings {
  common::SimTime period;                    ///< clock period
  std::uint32_t packet_bits = 8;             ///< data bits in a packet
  std::vector<std::uint32_t> link_stages{};  ///< cycles in each channel; empty: 0 in all
  /// Position of each channel in the round-robin of the node where it ends; the node's own packets
  /// come last. Empty: in the order of the channels.
  std::vector<std::uint32_t> link_turns{};
  /// Dimension in which a multicast goes first.
  topology::DimensionOrder multicast_order = topology::DimensionOrder::XY;
  /// true: packets that a node forwards wait in one finite queue for each input and QoS, and only
  /// the first of a queue may leave. Only a source waits for room in a queue. Needs a
  /// FlattenedButterfly whose packets take at most two channels. false: queues are endless, with
  /// one for each output.
  bool finite_queues = false;
  /// Nodes take a cycle to pass a packet on from port A and from each link, and all their packets
  /// leave by one port B, which takes another. Otherwise a source sends into a link at once, and a
  /// packet ends when it leaves a link.
  bool staged_nodes = false;
  std::optional<std::uint32_t> failed = {};  ///< node that has failed, with staged nodes
  AnalyticParameters parameters{};
};

/// Load of a channel up to now.
struct LinkUse {
  std::uint64_t transfers = 0;  ///< transfers that started to wait for the channel
  std::uint64_t packets = 0;    ///< packets that entered the channel, which are its busy cycles
};

/// Calculates the completion of transfers hop by hop instead of moving their packets: exactly while
/// transfers do not share anything, approximately under load. A unicast costs a few events per hop,
/// whatever its size. Works over any base topology by the first choice of a routing relation;
/// multicasts need a FlattenedButterfly.
///
/// Zero load, exact. A transfer of N = ceil(8 * bytes / packet_bits) packets is submitted at time t
/// and crosses h links of D_1..D_h stages. Packet j enters link i at edge
///
///     enter[1][0] = floor(t / period) + 1
///     enter[i][j] = max(enter[i-1][j] + D_(i-1) + 1, enter[i][j-1] + 1)
///
/// and leaves it D_i edges later, so that the transfer is done at edge
///
///     done = floor(t / period) + N + (D_1 + ... + D_h) + (h - 1)
///
/// With staged nodes D_i counts the output stage before the link, packet j enters link 1 one edge
/// later, and port B is one more link of one stage (MAZE network, requirement 3).
///
/// Under load, an estimate: each link and the source add the cycles for which the flow waits.
///
///   source     one transfer at a time, in the order of submission; high QoS interrupts low
///   link       round-robin over inputs, high QoS first: LinkServer, exact for its inputs
///   queue      only the first leg of a finite queue sends; the last packet of a source waits for
///              room: LinkQueue
///   multicast  no copy is more than AnalyticParameters::multicast_stride packets ahead of the
///              slowest
///
/// Sources: DESIGN section 6 (clock, seam, waiting terms); docs/developer/model.md (derivation,
/// table of zero-load cycles, what the estimate leaves out).
///
/// A transfer (Flight) visits nodes as legs (Leg), a leg sends flows (Flow), one for each output;
/// leg.hpp and flow.hpp draw their states. A flow supplies the leg at the next node:
///
///     Source --> Leg --> Flow --> Link --> LinkQueue --> Leg --> Flow --> Link --> ...
///
/// Events, all at clock edges:
///
///     LegSubmitted    a staged source has its packets     Leg: created -> Queued, Sending
///     LinkDue         a link may have served a flow       Flow: Served -> Stopped, Finished
///     LegArrived      a first packet has crossed a link   Leg: Arriving -> Queued, Sending
///     RoomSeen        a source sees the room it awaited   LastPacketRoom: Granted -> Available
///     WindowSupplied  a window of packets reaches a leg   Leg::supplied grows by a window
///     Supplied        all packets sent reach a leg        Leg::supplied grows
///     TransferDone    the last packet has moved           the listener is told
class AnalyticFabric : public Fabric, private engine::EventHandler {
 public:
  /// `simulation` must outlive the fabric. Throws std::invalid_argument for a relation over another
  /// topology, stages or turns whose number is not that of the channels, and settings out of range.
  AnalyticFabric(engine::Simulation& simulation, topology::zoo::TopologyPtr topology,
                 std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                 AnalyticSettings settings);

  /// Returns the load of a channel, given by its index. Throws std::out_of_range.
  [[nodiscard]] LinkUse use(std::uint32_t channel) const;

 private:
  static constexpr Edge kNever = ~Edge{0};

  /// A channel, or port B of a node. Without staged nodes the latter is the path from a node to
  /// itself.
  struct Link {
    LinkServer server;
    std::uint32_t stages = 0;
    std::uint32_t turn = 0;  ///< position in the round-robin of the node where the link ends
    std::uint32_t end = 0;   ///< node where the link ends
    Edge next_event = kNever;
    std::uint64_t transfers = 0;  ///< transfers that started to wait for the link
  };
  /// The transfers that a node sends.
  struct Source {
    std::array<engine::RingQueue<LegId>, 2> legs;  ///< by QoS
    LegId sending = kNoId;
  };
  enum class EventKind : std::uint8_t {
    LegSubmitted,
    LinkDue,
    LegArrived,
    RoomSeen,
    WindowSupplied,
    Supplied,
    TransferDone
  };
  static constexpr LinkServer::Input kOwnPackets = 0xFFFFFFFF;  ///< input of a node's own packets

  void carry(const Transfer& transfer) override;
  void on_event(engine::EventArgument argument) override;
  void schedule(Edge edge, EventKind kind, std::uint32_t index, std::uint32_t generation = 0);
  [[nodiscard]] Edge now() const;

  // Sources and legs: analytic_legs.cpp.
  void submit_leg(LegId id);
  void start_next_leg(Source& source);
  void preempt_leg(Leg& leg);
  void resume_leg(Leg& leg);
  [[nodiscard]] LegId add_leg(std::uint32_t flight, std::uint32_t node, std::uint32_t target,
                              LegState state);
  void on_leg_arrived(LegId id);
  void start_leg(LegId id);
  void finish_leg(LegId id);
  void on_supplied(EventKind kind, LegId id, std::uint32_t generation);
  void set_supply(Leg& leg, std::uint64_t packets);
  void schedule_supply(const Flow& flow, EventKind kind);
  [[nodiscard]] std::uint64_t supply_from(FlowId supplier, const Leg& leg) const;

  // Flows: analytic_flows.cpp.
  void add_flow(LegId id, const topology::zoo::Hop& hop, NextLeg next_leg);
  void start_flow(FlowId id);
  void stop_flow(FlowId id);
  void restart_flow(FlowId id);
  void on_link_due(std::uint32_t link);
  void schedule_link(std::uint32_t link);
  void on_flow_served(FlowId id);
  void start_next_leg_of(FlowId id);
  void open_next_window(Leg& leg);
  void finish_flow(FlowId id);
  [[nodiscard]] std::uint64_t send_limit(const Flow& flow) const;
  [[nodiscard]] std::uint64_t packets_sent(FlowId id);
  [[nodiscard]] std::uint64_t packets_sent_by_all(const Leg& leg);

  // Room in finite queues: analytic_rooms.cpp.
  void reserve_room(FlowId id);
  void enter_queue(const Flow& flow);
  void check_room(LinkQueue& queue);
  void grant_room(LinkQueue& queue);
  void on_room_seen(FlowId id);
  [[nodiscard]] LinkQueue& queue_at(std::uint32_t channel, Qos qos) {
    return queues_[std::size_t{channel} * 2 + static_cast<std::size_t>(qos)];
  }
  [[nodiscard]] LinkQueue& queue_before(const Leg& leg) {
    return queue_at(leg.in->channel, qos_of(leg));
  }

  [[nodiscard]] LinkServer::Input input_of(const Leg& leg) const {
    return leg.in ? links_[leg.in->channel].turn : kOwnPackets;
  }
  [[nodiscard]] Qos qos_of(const Leg& leg) const { return flights_[leg.flight].transfer.qos; }
  [[nodiscard]] std::uint64_t packets_in(const Leg& leg) const {
    return flights_[leg.flight].packets;
  }

  AnalyticSettings settings_;
  TransferOutputs outputs_;
  std::uint32_t channels_;         ///< number of channels
  std::vector<Link> links_;        ///< by channel, then by node
  std::vector<LinkQueue> queues_;  ///< by channel and QoS; empty with endless queues
  std::vector<Source> sources_;    ///< by node
  engine::SlotPool<Flight> flights_;
  engine::SlotPool<Leg> legs_;
  engine::SlotPool<Flow> flows_;
  std::uint64_t legs_started_ = 0;
};

}  // namespace kernbench::model::fabric
