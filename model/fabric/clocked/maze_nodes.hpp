// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/hash.hpp"
#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "model/fabric/clocked/maze_routes.hpp"
#include "model/fabric/clocked/open_transfers.hpp"
#include "model/fabric/clocked/packet_observer.hpp"
#include "model/fabric/clocked/packet_paths.hpp"
#include "model/fabric/clocked/reassembly.hpp"

namespace kernbench::model::fabric {

/// Capacity, in packets, of a node's queue. There is one queue for each input port and QoS.
inline constexpr unsigned kNodeQueueDepth = 16;

struct MazeNodeSettings {
  topology::DimensionOrder order = topology::DimensionOrder::XY;
  /// Probability (0..1) with which an input port is not ready in a cycle, independently of others.
  double receiver_stalls = 0.0;
  std::uint64_t seed = 1;              ///< random seed of the stalls
  PacketObserver* observer = nullptr;  ///< must outlive the nodes
};

/// All nodes of a MAZE, above any implementation of the links (DESIGN section 6).
///
/// Source: a node sends its own transfers one at a time, high QoS first, with at most one new
/// packet per cycle. Sink: a packet for the node leaves the fabric on arrival, at any port. Corner:
/// a packet that turns waits in the queue of its input port and QoS, and can leave one cycle after
/// arrival. Output: high QoS goes first; within a level inputs are served round-robin, with the
/// node's own packets as one more input. An offered packet stays offered until it is accepted. An
/// input port is ready while both of its queues have room.
///
/// A cycle consists of drive(), a step of the links, and settle().
class MazeNodes {
 public:
  MazeNodes(const maze::Shape& shape, const MazeNodeSettings& settings);
  MazeNodes(const MazeNodes&) = delete;
  MazeNodes& operator=(const MazeNodes&) = delete;

  /// Registers a transfer of `packets` packets, to be started by begin().
  [[nodiscard]] Slot accept(const Transfer& transfer, std::uint64_t packets);
  /// Starts a transfer: the next drive() may send its first packet.
  void begin(Slot slot);
  /// Returns a transfer that is not complete.
  [[nodiscard]] const OpenTransfer& transfer(Slot slot) const { return transfers_[slot]; }

  /// Returns the packets and ready signals that the nodes drive in this cycle.
  const maze::TopoInputs& drive();
  /// Applies the edge at the end of the cycle, given the `outputs` of the links. Appends the ids of
  /// transfers that complete to `done`. Throws FabricFailure for an unexpected packet, and when
  /// nothing has moved for many cycles.
  void settle(const maze::TopoOutputs& outputs, Edge edge, std::vector<std::uint64_t>& done);

  /// Returns true when no transfer is in progress: cycles have no effect until the next begin().
  [[nodiscard]] bool idle() const { return under_way_ == 0; }
  /// Returns the number of packets that entered the link at output `port` of `node`.
  [[nodiscard]] std::uint64_t entered(unsigned node, unsigned port) const {
    return outputs_[place(node, port)].link.entered;
  }
  /// Returns a hash over the edge, link and contents of every packet that left a link.
  [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }
  [[nodiscard]] const maze::Shape& shape() const { return shape_; }

 private:
  /// The own packet that a node is sending.
  struct Injection {
    maze::Payload packet = 0;
    Slot slot = kNoSlot;  ///< kNoSlot: no packet
    PortMask ports = 0;   ///< outputs that have not sent it
    Qos qos = Qos::Low;
    bool in_service = false;  ///< offered by an output, so it cannot be withdrawn
  };
  /// Transfers of one QoS that a node has not sent completely, in order
  /// (OpenTransfer::next_at_source).
  struct Source {
    Slot first = kNoSlot;
    Slot last = kNoSlot;
  };
  struct Node {
    PortMask wanted = 0;   ///< outputs with requests
    PortMask offered = 0;  ///< outputs that offer a packet
    Injection injection;
    std::array<Source, 2> sources;  ///< by QoS
  };
  // No char-sized members below: stores through char types may alias anything, which blocks
  // optimisation.
  /// Packets of one input port and QoS that are forwarded from here.
  struct Queue {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    PortMask ports = 0;  ///< outputs that have not sent the first packet
    std::array<maze::Payload, kNodeQueueDepth> packets{};
  };
  /// Checks that a link delivers the packets that entered it, in the same order.
  struct Link {
    std::uint64_t entered = 0;
    std::uint64_t left = 0;
    std::uint64_t balance = 0;  ///< sum of packets entered minus left, weighted by position
  };
  /// An output port with its arbiter. Input p is port p; input ports() is the node itself.
  struct Output {
    std::array<std::uint32_t, 2> requests{};     ///< requesting inputs, by QoS
    std::array<std::uint32_t, 2> last_winner{};  ///< by QoS
    std::uint32_t input = 0;                     ///< input of the offered packet
    Qos qos = Qos::Low;                          ///< QoS of the offered packet
    Link link;                                   ///< link at this output
  };
  /// The (port, node) pairs at which a packet moves.
  struct Moves {
    PortMask ports = 0;  ///< ports with at least one node
    maze::BitPlane nodes;
  };

  /// A port of a node, and its index in vectors by port and node.
  struct PortAt {
    unsigned node;
    unsigned port;
    std::size_t place;
  };
  [[nodiscard]] std::size_t place(unsigned node, unsigned port) const {
    return std::size_t{port} * node_count_ + node;
  }
  [[nodiscard]] Queue& queue(std::size_t place, Qos qos) {
    return queues_[place * 2 + static_cast<unsigned>(qos)];
  }
  void prepare_multicast(OpenTransfer& open) const;

  void prepare_injection(unsigned node);
  void request(unsigned node, PortMask ports, unsigned input, Qos qos);
  void withdraw(unsigned node, PortMask ports);
  void arbitrate(unsigned node, unsigned port);
  void stall_receivers();

  void find_moves(const maze::TopoOutputs& outputs);
  template <typename Action>
  void for_each_move(const Moves& moves, Action action) const;
  void depart(const PortAt& at, Edge edge);
  void finish_injection(unsigned node, Edge edge);
  void arrive(const PortAt& at, maze::Payload packet, Edge edge);
  void check_arrival(const PortAt& at, maze::Payload packet, Edge edge);
  void enqueue(const PortAt& at, maze::Payload packet, PortMask ports);
  void dequeue(unsigned node, unsigned port, Qos qos);
  void deliver(unsigned node, unsigned port, maze::Payload packet, Edge edge);
  void check_progress(bool moved, Edge edge);
  [[nodiscard]] std::string what_waits() const;
  void set_room(unsigned node, unsigned port, bool room) {
    room_.set(port, node, room);
    room_changed_ = true;
  }
  void wake(unsigned node) { awake_[node / 64] |= std::uint64_t{1} << (node % 64); }
  [[nodiscard]] Qos qos_of(maze::Payload packet) const {
    return static_cast<Qos>(reassembly_.layout().qos(packet));
  }

  maze::Shape shape_;
  unsigned node_count_;
  unsigned own_input_;  ///< input number of a node's own packets
  MazeRoutes routes_;
  PacketPaths paths_;
  OpenTransfers transfers_;
  std::size_t under_way_ = 0;  ///< open transfers that have begun
  Reassembly reassembly_;
  PacketObserver* observer_;
  std::vector<unsigned> addresses_;  ///< by node

  std::vector<Node> nodes_;
  std::vector<Output> outputs_;       ///< by port and node
  std::vector<Queue> queues_;         ///< by port, node and QoS
  std::vector<std::uint64_t> awake_;  ///< one bit per node: may have a packet to arbitrate
  std::vector<unsigned> to_itself_;   ///< nodes that send a packet to themselves in this cycle

  maze::TopoInputs inputs_;
  maze::BitPlane room_;  ///< input ports whose queues have room
  bool room_changed_ = false;
  Moves departures_;  ///< outputs whose packet enters the link at this edge
  Moves arrivals_;    ///< input ports that take a packet at this edge
  std::uint64_t stall_threshold_;
  common::Rng stalls_;
  std::vector<std::uint64_t>* done_ = nullptr;
  std::uint64_t stuck_cycles_ = 0;  ///< cycles since the last move
  common::RunHash hash_;
};

inline Slot MazeNodes::accept(const Transfer& transfer, std::uint64_t packets) {
  const Slot slot = transfers_.add(transfer, packets);
  OpenTransfer& open = transfers_[slot];
  std::uint32_t dst = transfer.dst;
  if (transfer.type == TransferType::Unicast) {
    const std::uint8_t port = routes_.port_to(transfer.src, addresses_[dst]);
    open.ports = port == MazeRoutes::kHere ? 0 : PortMask{1} << port;
  } else {
    dst = transfer.src;  // a multicast has none; the field needs a value
    prepare_multicast(open);
  }
  const maze::PacketLayout& layout = reassembly_.layout();
  open.header = maze::Payload{static_cast<unsigned>(transfer.type)} << layout.type_shift() |
                maze::Payload{static_cast<unsigned>(transfer.qos)} << layout.qos_shift() |
                maze::Payload{addresses_[transfer.src]} << layout.src_shift() |
                maze::Payload{addresses_[dst]} << layout.tgt_shift();
  return slot;
}

inline void MazeNodes::begin(Slot slot) {
  ++under_way_;
  reassembly_.expect(slot);
  const Transfer& transfer = transfers_[slot].transfer;
  Source& source = nodes_[transfer.src].sources[static_cast<unsigned>(transfer.qos)];
  (source.first == kNoSlot ? source.first : transfers_[source.last].next_at_source) = slot;
  source.last = slot;
  wake(transfer.src);
}

}  // namespace kernbench::model::fabric
