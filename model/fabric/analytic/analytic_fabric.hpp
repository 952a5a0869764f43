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
#include "model/fabric/analytic/link_server.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// What an analytic fabric is made of, besides topology and relation.
struct AnalyticSettings {
  common::SimTime period;                    ///< of the clock
  std::uint32_t packet_bits = 8;             ///< of data in a packet
  std::vector<std::uint32_t> link_stages{};  ///< cycles in each channel; empty: none in any
  /// Where at its end a channel comes in the turns of inputs; a node's own packets come last.
  /// Empty: in the order of the channels.
  std::vector<std::uint32_t> link_turns{};
  /// In which dimension a broadcast goes first.
  topology::DimensionOrder broadcast_order = topology::DimensionOrder::XY;
  /// Packets that go on from a node wait in one finite queue for each input and QoS, and only the
  /// first of a queue may go. For a FlattenedButterfly whose packets take at most two channels.
  /// Without it queues are endless, and one for each output too.
  bool finite_queues = false;
  AnalyticParameters parameters{};
};

/// What a channel carried up to now.
struct LinkUse {
  std::uint64_t transfers = 0;  ///< that began to wait for it
  std::uint64_t packets = 0;    ///< that moved into it, which are also its busy cycles
};

/// Works the way of each transfer out hop by hop instead of moving its packets: exact as long as
/// transfers do not meet, an estimate where they do ("Fabrics" in docs/model.md). Over any base
/// topology, by the first choice of a routing relation; multicasts on a FlattenedButterfly. A
/// unicast costs a few events for each hop, whatever its size.
class AnalyticFabric : public Fabric, private engine::EventHandler {
 public:
  /// `simulation` must outlive the fabric. Throws std::invalid_argument for a relation over another
  /// topology, stages or turns of another number of channels, and settings out of range.
  AnalyticFabric(engine::Simulation& simulation, topology::zoo::TopologyPtr topology,
                 std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                 AnalyticSettings settings);

  /// Of a channel by its index. Throws std::out_of_range.
  [[nodiscard]] LinkUse use(std::uint32_t channel) const;

 private:
  using LegId = std::uint32_t;
  using FlowId = LinkServer::FlowId;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr LinkServer::Input kOwn = 0xFFFFFFFF;  ///< a node's own packets
  static constexpr Edge kNever = ~Edge{0};

  /// A transfer under way.
  struct Flight {
    Transfer transfer;
    std::uint64_t packets = 0;
    std::uint32_t legs = 0;  ///< of it that are not done
    Edge last = 0;           ///< at which the last packet moved, as far as known
  };
  /// What is to do for a transfer at one node: to send all copies that leave it.
  struct Leg {
    std::uint32_t flight = 0;
    std::uint32_t node = 0;
    std::optional<topology::zoo::Hop> in;  ///< by which it came; none at the source
    FlowId upstream = kNone;               ///< that brings its packets, while it does
    bool sending = false;                  ///< it is its turn
    std::vector<FlowId> flows;             ///< one for each output, once it was its turn
    std::uint32_t unfinished = 0;          ///< of the flows
    std::uint32_t abreast = 0;             ///< flows that wait for the slowest
    std::uint64_t supplied = 0;    ///< packets that are here, or come as fast as they can leave
    std::uint64_t allowed = 0;     ///< packets that may leave before the slowest copy has to follow
    std::uint64_t mark = 0;        ///< packets whose leaving somebody waits for; 0: none
    std::uint64_t ticket = 0;      ///< its place in the order in which legs begin
    std::uint32_t generation = 0;  ///< which use of this place it is
  };
  /// The packets of a leg that leave by one output.
  struct Flow {
    LegId leg = kNone;
    std::uint32_t link = 0;
    std::uint32_t vc = 0;
    std::uint64_t moved = 0;  ///< when it last joined its link, or was through
    std::uint64_t goal = 0;   ///< to which it has joined the link
    bool joined = false;
    bool held = false;        ///< its last packet waits for room further on
    bool leads_on = false;    ///< what leaves goes on from the next node
    bool has_led_on = false;  ///< the first packet has left
    LegId next = kNone;       ///< which it supplies
  };
  /// A channel, or what a node sends to itself.
  struct Link {
    LinkServer server;
    std::uint32_t stages = 0;
    std::uint32_t turn = 0;  ///< at its end, of what comes by it
    std::uint32_t end = 0;   ///< node
    Edge planned = kNever;   ///< edge of the next event
    std::uint64_t transfers = 0;
  };
  /// Legs that have come by one channel and QoS and go on, in that order.
  struct Queue {
    engine::RingQueue<LegId> legs;
    std::uint64_t entered = 0;  ///< packets of all that began to cross the channel
    std::uint64_t left = 0;     ///< packets of those that are done here
    FlowId waits = kNone;       ///< flow over the channel that waits for room
    std::uint64_t wanted = 0;   ///< packets that have to leave before
    Edge delay = 0;             ///< until it sees that they have
  };
  struct Source {
    std::array<engine::RingQueue<LegId>, 2> legs;  ///< by QoS
    LegId sending = kNone;
  };
  enum class Happening : std::uint8_t {
    Through,
    Arrived,
    Released,
    StrideSupplied,
    Supplied,
    Done
  };

  void carry(const Transfer& transfer) override;
  void on_event(engine::EventArgument argument) override;
  void schedule(Edge edge, Happening what, std::uint32_t index, std::uint32_t generation = 0);
  [[nodiscard]] Edge now() const;

  void send_next(std::uint32_t node);
  void suspend(Leg& leg);
  void resume(Leg& leg);

  void begin(LegId id);
  void choose_outputs(LegId id);
  void add_flow(LegId id, const topology::zoo::Hop& hop, bool leads_on);
  void finish(LegId id);
  void supply(Leg& leg, std::uint64_t packets);
  [[nodiscard]] std::uint64_t supplied_by(FlowId upstream, const Leg& leg) const;
  void go_on_together(Leg& leg);

  void go(FlowId id);
  void pause(FlowId id);
  [[nodiscard]] std::uint64_t goal_of(const Flow& flow) const;
  void plan(std::uint32_t link);
  void on_through(FlowId id);
  void lead_on(FlowId id);
  void on_arrived(LegId id);
  void finish_flow(FlowId id);

  void enter_queue(FlowId id);
  void watch(Queue& queue);
  void release(Queue& queue);
  [[nodiscard]] Queue& queue_at(std::uint32_t channel, Qos qos) {
    return queues_[std::size_t{channel} * 2 + static_cast<std::size_t>(qos)];
  }
  [[nodiscard]] Queue& queue_before(const Leg& leg) {
    return queue_at(leg.in->channel, qos_of(leg));
  }
  [[nodiscard]] std::uint64_t moved_by_all(const Leg& leg) const;

  [[nodiscard]] LinkServer::Input input_of(const Leg& leg) const {
    return leg.in ? links_[leg.in->channel].turn : kOwn;
  }
  [[nodiscard]] const Flight& flight_of(const Leg& leg) const { return flights_[leg.flight]; }
  [[nodiscard]] Qos qos_of(const Leg& leg) const { return flight_of(leg).transfer.qos; }

  topology::zoo::TopologyPtr topology_;
  std::shared_ptr<const topology::zoo::RoutingRelation> relation_;
  const topology::zoo::FlattenedButterfly* rows_and_columns_;  ///< null: no multicasts
  AnalyticSettings settings_;
  std::uint32_t channels_;
  std::vector<Link> links_;      ///< by channel, then by node
  std::vector<Queue> queues_;    ///< by channel and QoS
  std::vector<Source> sources_;  ///< by node
  engine::SlotPool<Flight> flights_;
  engine::SlotPool<Leg> legs_;
  engine::SlotPool<Flow> flows_;
  std::uint64_t tickets_ = 0;  ///< given out
};

}  // namespace kernbench::model::fabric
