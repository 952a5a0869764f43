#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/units.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/trace/hop_trace.hpp"
#include "model/transport/flits.hpp"
#include "model/transport/ready_queue.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::transport {

/// Hears of the flits of a message as they arrive, each in full, at the end of its route.
class FlitReceiver {
 public:
  virtual ~FlitReceiver() = default;
  /// Flit `index` of `message`, which came at `came`. That is now, except at a memory to which one
  /// wire leads: what it has to do begins when its overhead is paid, and it hears of flits by then.
  virtual void on_flit(std::uint64_t message, std::uint64_t index, common::SimTime came) = 0;
};

/// Of which flits of a message its receiver hears. Those of which it does not cost less.
enum class Heard : std::uint8_t { EachFlit, FirstAndLast };

/// Whether the overhead of a message's source is still to be added to its flits, or has been paid
/// by what made the message: a controller pays it before it serves what it then answers.
enum class SourceOverhead : std::uint8_t { Added, Paid };

/// What a wire carried.
struct WireUse {
  std::uint64_t flits = 0;
  std::uint64_t bytes = 0;
  common::SimTime busy;          ///< occupied
  common::SimTime longest_wait;  ///< of a flit that was ready to go
};

/// A way over the wires, one edge at least, that Network::route() has checked and keeps.
struct Route {
  std::vector<topology::EdgeId> edges;
  std::uint32_t first_hop = 0;  ///< where Network::hops_ has it
  const Route* back = nullptr;  ///< when it was asked for
};

/// Makes the fabric that carries flits between the MAZE nodes of a SIP; its nodes are cubes.
using FabricFactory =
    std::function<std::unique_ptr<fabric::Fabric>(engine::Simulation&, const topology::SipSpec&)>;

/// The wires of a topology (DESIGN section 5). A node adds its overhead to every flit that goes
/// through it; then the flit waits until the wire is free, occupies it for bytes over bandwidth,
/// and travels its length. Flits share a wire in the order in which they came to its node; queues
/// are unbounded. For flit j that leaves node i of its route:
///   start = max(arrive + overhead, free); free = start + occupancy; next arrive = free + travel
/// Flits that come to a node together, to the picosecond, go on in an order that is always the same
/// and means nothing.
///
/// A wire that gets all its flits from one other wire ("follower") has them in that one's order, so
/// it is taken for a flit as soon as the other has been: the times are the same, and no event is
/// needed between the two.
///
/// From MAZE node to MAZE node a flit is a transfer of the SIP's fabric (DESIGN section 6), which
/// it is given to when it comes there.
class Network : public engine::EventHandler, private fabric::TransferListener {
 public:
  /// All must outlive it. Nothing is recorded without a `trace`; without `make_fabric` MAZE fabrics
  /// are analytic.
  Network(engine::Simulation& simulation, const topology::TopologyGraph& graph,
          trace::HopTrace* trace = nullptr, const FabricFactory& make_fabric = {});

  /// The route of these edges, which is kept as long as the network. Throws std::invalid_argument
  /// for none, edges that do not follow each other, a MAZE node at either end, a follower that is
  /// not behind the wire that it follows, or a memory on the way.
  const Route& route(std::span<const topology::EdgeId> edges) const;
  /// The reverse path, which responses take.
  const Route& reversed(const Route& route) const;
  [[nodiscard]] const std::vector<topology::EdgeId>& reversed(
      std::span<const topology::EdgeId> edges) const {
    return reversed(route(edges)).edges;
  }

  /// Sends a message along `route`, all of it ready at its source now. `receiver` is told of each
  /// flit with `message`, a number of its own, and must outlive the message. Returns when its last
  /// flit will have left the source. Throws std::invalid_argument for no bytes.
  common::SimTime send(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                       std::uint64_t message, const trace::Label& label = {},
                       SourceOverhead overhead = SourceOverhead::Added,
                       Heard heard = Heard::EachFlit);
  common::SimTime send(std::span<const topology::EdgeId> edges, std::uint64_t bytes,
                       FlitReceiver& receiver, std::uint64_t message,
                       const trace::Label& label = {},
                       SourceOverhead overhead = SourceOverhead::Added,
                       Heard heard = Heard::EachFlit) {
    return send(route(edges), bytes, receiver, message, label, overhead, heard);
  }

  /// As send(), for a source whose flits become ready one by one: deliver_flit() says when. The
  /// source has paid its overhead.
  [[nodiscard]] std::uint32_t open(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                                   std::uint64_t message, const trace::Label& label = {},
                                   Heard heard = Heard::EachFlit);
  /// The next flit of an open()ed flow will be ready at `ready`, not before now.
  void deliver_flit(std::uint32_t flow, common::SimTime ready);

  /// Nothing is counted on MAZE links: their fabric does.
  [[nodiscard]] WireUse use(topology::EdgeId wire) const;
  /// Flits that went over wires, in all: what the speed of a run is counted in.
  [[nodiscard]] std::uint64_t flit_hops() const { return flit_hops_; }

  void on_event(engine::EventArgument argument) override;

 private:
  /// A flit that comes to a node. Those of a message stay in order, so their number is not here,
  /// and all that most hops need is: queues hold very many of these. (No default values: the queue
  /// asks for these before the class is complete.)
  struct Flit {
    std::uint32_t hop;  ///< in hops_: the wire that it takes next, or kEnd
    std::uint32_t flow : 29;
    bool first : 1;  ///< of its message
    bool whole : 1;  ///< of flit_bytes
    bool quiet : 1;  ///< nobody hears of its end
  };
  struct InFlight {
    Flit flit;
    common::SimTime at;  ///< when it comes to the wire's end
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// What each flit that crosses a wire needs comes first, in one line of the cache: the time of a
  /// hop is mostly that of memory.
  struct alignas(64) Wire {
    engine::RingQueue<InFlight> in_flight;  ///< in the order of arrival; an event for the first
    common::SimTime free;
    common::SimTime travel;           ///< kMazeLink: its fabric carries it
    common::SimTime overhead;         ///< of the node that it leaves
    common::SimTime full_flit;        ///< occupancy of a whole flit
    std::uint64_t flits = 0;          ///< that went over it
    std::uint64_t missing_bytes = 0;  ///< in those that were not whole
    common::SimTime missing_busy;     ///< time that those were shorter
    common::SimTime longest_wait;     ///< of a flit that was ready to go
    common::SimTime lateness;         ///< with which its end hears of flits
    std::uint64_t holder = 0;         ///< the transaction that took it last; only with a trace
    std::uint32_t leader = kNone;     ///< the wire that it follows
    std::uint32_t handovers = kNone;  ///< in handovers_, of open()ed sources
    [[nodiscard]] bool is_maze_link() const { return travel == kMazeLink; }
  };
  static constexpr common::SimTime kMazeLink = common::SimTime::from_ps(-1);
  static constexpr common::SimTime kNever = common::SimTime::max();
  /// A message on its way.
  struct Flow {
    const Route* route = nullptr;
    Flits flits;
    std::uint64_t count = 0;  ///< flits.count(), which divides
    FlitReceiver* receiver = nullptr;
    std::uint64_t message = 0;
    Heard heard = Heard::EachFlit;
    std::uint64_t arrived = 0;  ///< flits that were told
    std::uint64_t gone = 0;     ///< flits that have left the source, or were handed over
    trace::Label label;
    std::vector<trace::HopRecord> hops;  ///< by hop, and the end; empty without a trace
  };
  /// What open()ed sources have handed over to a wire.
  struct Handovers {
    ReadyQueue<Flit> flits;
    bool alone = false;                ///< nothing else takes the wire, messages that begin aside
    common::SimTime planned = kNever;  ///< of the next event
  };
  void on_transfer_done(std::uint64_t slot) override;

  std::uint32_t add_flow(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                         std::uint64_t message, const trace::Label& label, Heard heard);
  /// Kinds of events: the tag of their argument, whose index is the id of the subject.
  enum class Due : std::uint8_t { Wire, Source, Handover };
  static constexpr std::uint32_t kMaxFlows = std::uint32_t{1} << 29U;
  // What hops_ holds: a wire, with a bit for a follower; or kEnd.
  static constexpr std::uint32_t kFollower = std::uint32_t{1} << 31U;
  static constexpr std::uint32_t kEnd = kFollower - 1;

  /// Routes are found by their edges.
  struct EdgesHash {
    using is_transparent = void;
    std::size_t operator()(std::span<const topology::EdgeId> edges) const;
  };
  struct SameEdges {
    using is_transparent = void;
    bool operator()(std::span<const topology::EdgeId> a, std::span<const topology::EdgeId> b) const;
  };

  [[nodiscard]] bool follows(topology::EdgeId before, topology::EdgeId next) const;
  [[nodiscard]] bool is_memory(topology::NodeId node) const;
  using WiresTo = std::vector<std::vector<std::uint32_t>>;  ///< by node
  void find_followers(const WiresTo& wires_to);
  void find_lateness(const WiresTo& wires_to);
  [[nodiscard]] std::uint32_t wire_of(std::uint32_t hop) const { return hops_[hop] & ~kFollower; }
  void schedule(Due due, std::uint32_t id, common::SimTime at) {
    simulation_.schedule(at, *this, {due, id});
  }
  /// Flit `index` of the flow, before the given hop of its route.
  [[nodiscard]] Flit flit_of(std::uint32_t flow, std::uint64_t index, std::uint32_t hop) const;
  [[nodiscard]] std::uint32_t bytes_of(const Flit& flit) const;
  /// Whether anybody notices when a flit that is handed over takes its wire: if not, it may wait
  /// for the next of which somebody does.
  [[nodiscard]] bool is_noticed(const Handovers& handovers, const Flit& flit) const {
    return !handovers.alone || !flit.quiet || hops_[flit.hop + 1] != kEnd;
  }
  void plan(std::uint32_t handovers, common::SimTime at);
  /// Takes the wire for all that have become ready.
  void hand_over(Handovers& handovers);
  void on_handover(std::uint32_t handovers);
  /// Schedules the event for the next flit on a wire.
  void expect(std::uint32_t wire, const InFlight& next);
  void on_wire(std::uint32_t wire);
  /// A flit came to a node, or to its end.
  void arrive(const Flit& flit, common::SimTime came);
  /// For one that came to the wire's node at `came`.
  void take_wire(const Flit& flit, common::SimTime came, common::SimTime ready);
  void enter_maze(const Flit& flit);
  /// Takes the wire of the flit's hop, for one that came to its node at `came`; returns when the
  /// flit comes to the wire's end.
  common::SimTime cross(const Flit& flit, common::SimTime came, common::SimTime ready);
  void finish(const Flit& flit, common::SimTime came);
  /// How long a flit takes the wire of this hop.
  [[nodiscard]] common::SimTime occupancy_of(std::uint32_t bytes, std::uint32_t hop) const;
  /// Of the node that the flit is at.
  [[nodiscard]] trace::HopRecord& hop_record(const Flit& flit);
  /// Notes that a flit which came then is ready for its wire at `ready` and gets it at `start`.
  void record_crossing(const Flit& flit, common::SimTime came, common::SimTime ready,
                       common::SimTime start);
  /// Notes the end of a message, and gives what was noted to the trace.
  void record_end(Flow& flow, common::SimTime came);

  engine::Simulation& simulation_;
  const topology::TopologyGraph& graph_;
  trace::HopTrace* trace_;
  std::uint32_t flit_bytes_;
  std::vector<Wire> wires_;                  ///< by edge
  mutable std::vector<std::uint32_t> hops_;  ///< wires of all routes, kEnd after each
  std::vector<topology::EdgeId> back_;       ///< by edge; none of MAZE links
  std::vector<Handovers> handovers_;
  std::map<topology::NodeId, topology::EdgeId> maze_links_;  ///< a link that leaves each MAZE node
  std::vector<std::unique_ptr<fabric::Fabric>> fabrics_;     ///< by SIP; none without a MAZE
  /// By their edges; never walked through. Values keep their addresses.
  mutable std::unordered_map<std::vector<topology::EdgeId>, Route, EdgesHash, SameEdges> routes_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_flows_;
  std::vector<Flit> in_maze_;  ///< by the id of their transfer
  std::vector<std::uint32_t> free_in_maze_;
  std::uint64_t flit_hops_ = 0;
};

}  // namespace kernbench::model::transport
