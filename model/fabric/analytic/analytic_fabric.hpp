// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/engine/event_handler.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/fabric/analytic/analytic_parameters.hpp"
#include "model/fabric/analytic/packet_queue.hpp"
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
  /// the first of a queue may leave. Needs a FlattenedButterfly whose packets take at most two
  /// channels. false: queues are endless, with one for each output.
  bool finite_queues = false;
  /// Nodes take a cycle to pass a packet on from port A and from each link, and all their packets
  /// leave by one port B, which takes another. Otherwise a source sends into a link at once, and a
  /// packet ends when it leaves a link.
  bool staged_nodes = false;
  std::uint32_t source_stages = 1;  ///< with staged nodes: cycles from port A to the first output
  std::optional<std::uint32_t> failed = {};  ///< node that has failed, with staged nodes
  AnalyticParameters parameters{};
};

/// Load of a channel up to now.
struct LinkUse {
  std::uint64_t transfers = 0;  ///< transfers that started to wait for the channel
  std::uint64_t packets = 0;    ///< packets that entered the channel, which are its busy cycles
};

/// Calculates the completion of transfers hop by hop, in quanta of packets: exactly while transfers
/// do not share anything, approximately under load. Works over any base topology by the first
/// choice of a routing relation; multicasts need a FlattenedButterfly.
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
/// With staged nodes D_i counts the output stage before the link, packet j enters link 1
/// `source_stages` edges later, and port B is one more link of one stage (MAZE network, requirement
/// 3).
///
/// Under load, an estimate: packets go by links in quanta, which are one packet for transfers of
/// less than 512, and at most AnalyticParameters::quantum_packets.
///
///   source   one transfer at a time, in the order of submission; high QoS interrupts low
///   queue    packets in the order of their arrival; only those of the first transfer may leave
///   link     round-robin over inputs, high QoS first; a quantum is as long as the queue at the end
///            of the link is known to have room, from the quanta that have begun to leave it
///   copies   no copy of a multicast is more than AnalyticParameters::multicast_stride packets
///            ahead of the slowest
///
/// So a queue that cannot send fills, then the link before it, and then the queues that feed it. A
/// unicast whose links and queues are idle is an Express, which takes no event until something else
/// needs one of its links, or its source has sent all.
///
/// Sources: DESIGN section 6 (clock, seam, waiting terms); docs/developer/model.md (derivation,
/// table of zero-load cycles, what the estimate leaves out).
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
  static constexpr std::uint32_t kOwnPackets = 0xFFFFFFFF;  ///< turn of a node's own packets
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;        ///< no express

  /// A queue that has packets for a link at its head.
  struct Contender {
    std::uint32_t turn = 0;
    QueueId queue = 0;
    std::size_t output = 0;  ///< index in the outputs of the leg at the head
  };
  /// A channel, or port B of a node. Without staged nodes the latter is the path from a node to
  /// itself.
  struct Link {
    std::uint32_t stages = 0;
    std::uint32_t turn = 0;  ///< position in the round-robin of the node where the link ends
    std::uint32_t end = 0;   ///< node where the link ends
    Edge free_at = 0;        ///< first edge at which no quantum moves
    Edge next_event = kNever;
    std::uint64_t transfers = 0;  ///< transfers that started to wait for the link
    std::uint64_t packets = 0;    ///< packets that have entered, or enter until `free_at`
    std::array<std::vector<Contender>, 2> contenders;  ///< by QoS, in ascending order of turns
    std::array<std::uint32_t, 2> last_turn{};          ///< turn served last, by QoS
    std::uint32_t express = kNone;
  };
  /// A unicast that meets nothing: packet j enters link i of its way at edge steps[i].enter + j.
  struct Express {
    struct Step {
      std::uint32_t link = 0;
      std::uint32_t vc = 0;
      bool ends = false;
      Edge enter = 0;
      LegId leg = 0;      ///< leg at the node where the link begins
      QueueId queue = 0;  ///< queue there
    };
    std::vector<Step> steps;  ///< empty after its end
    std::uint64_t packets = 0;

    /// Returns the packets that have entered a link at edges up to and including `at`.
    [[nodiscard]] std::uint64_t entered(const Step& step, Edge at) const {
      return at < step.enter ? 0 : std::min<std::uint64_t>(at - step.enter + 1, packets);
    }
  };
  enum class EventKind : std::uint8_t { Submitted, LinkDue, ExpressDue, TransferDone };

  void carry(const Transfer& transfer) override;
  void on_event(engine::EventArgument argument) override;
  void schedule(Edge edge, EventKind kind, std::uint32_t index);
  [[nodiscard]] Edge now() const;

  // Legs and queues: analytic_queues.cpp.
  void start_at_source(LegId id);
  void add_legs(Output& output, const Leg& from);
  [[nodiscard]] LegId add_leg(std::uint32_t flight, std::uint32_t node, std::uint32_t target,
                              const std::optional<topology::zoo::Hop>& in,
                              std::span<const TransferOutput> outputs);
  [[nodiscard]] Transfer transfer_to(std::uint32_t flight, std::uint32_t target) const;
  [[nodiscard]] bool waits_for_high(const PacketQueue& queue) const;
  [[nodiscard]] QueueId queue_for(std::uint32_t channel, Qos qos, std::uint32_t link);
  void push(QueueId queue, LegId leg, std::uint64_t packets, Edge first);
  void enlist(QueueId id);
  void start_next(QueueId id);
  void delist(QueueId id);
  void finish_leg(LegId id);

  // Links: analytic_links.cpp.
  void wake(std::uint32_t link, Edge edge);
  void on_link_due(std::uint32_t link);
  [[nodiscard]] Edge ready_at(const Contender& contender) const;
  [[nodiscard]] std::uint64_t quantum(std::uint32_t link, const Contender& contender,
                                      Edge at) const;
  void serve(std::uint32_t link, const Contender& contender, std::uint64_t packets, Edge at);
  void arrive(const NextLeg& next, std::uint64_t packets, Edge first);
  void leave(QueueId id, Edge at);

  // Transfers that meet nothing: analytic_express.cpp.
  [[nodiscard]] bool start_express(const Contender& contender, Edge at);
  [[nodiscard]] bool find_free_way(const Leg& leg, Edge at, std::vector<Express::Step>& steps);
  void end_express(std::uint32_t id);

  [[nodiscard]] Qos qos_of(const Leg& leg) const { return flights_[leg.flight].transfer.qos; }
  [[nodiscard]] std::uint64_t packets_in(const Leg& leg) const {
    return flights_[leg.flight].packets;
  }
  /// Returns the finite queue behind a channel, or with `place` = channels + node that of a source.
  [[nodiscard]] QueueId queue_at(std::uint32_t place, Qos qos) const {
    return place * 2 + static_cast<std::uint32_t>(qos);
  }

  AnalyticSettings settings_;
  TransferOutputs outputs_;
  std::uint32_t channels_;          ///< number of channels
  std::vector<Link> links_;         ///< by channel, then by node
  std::deque<PacketQueue> queues_;  ///< two for each channel and source, then endless ones
  /// Endless queues, by the channel before them, the link by which packets leave, and QoS.
  std::map<std::array<std::uint32_t, 3>, QueueId> endless_;
  engine::SlotPool<Flight> flights_;
  engine::SlotPool<Leg> legs_;
  engine::SlotPool<Express> expresses_;
};

}  // namespace kernbench::model::fabric
