// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "maze/packet_layout.hpp"
#include "model/fabric/clocked/cycle_maze.hpp"
#include "model/fabric/clocked/link_array.hpp"
#include "model/fabric/clocked/packet_paths.hpp"

namespace kernbench::model::fabric {

/// Capacity, in packets, of a node's queue. There is one queue for each input port and QoS.
inline constexpr unsigned kNodeQueueDepth = 16;

/// A MAZE of ideal nodes over any implementation of the links (DESIGN section 6), for comparison
/// with the nodes that are built.
///
/// Source: a node sends its own transfers one at a time, high QoS first, with at most one new
/// packet per cycle. Sink: a packet for the node leaves the fabric on arrival, at any port. Corner:
/// a packet that turns waits in the queue of its input port and QoS, and can leave one cycle after
/// arrival. Output: high QoS goes first; within a level inputs are served round-robin, with the
/// node's own packets as one more input. An offered packet stays offered until it is accepted. An
/// input port is ready while both of its queues have room.
class IdealMaze final : public CycleMaze {
 public:
  IdealMaze(std::unique_ptr<LinkArray> links, const MazeSettings& settings);

  [[nodiscard]] std::uint64_t entered(unsigned node, unsigned port) const override {
    return outputs_[place(node, port)].link.entered;
  }

 private:
  /// The own packet that a node is sending.
  struct Injection {
    maze::Payload packet = 0;
    Slot slot = kNoSlot;  ///< kNoSlot: no packet
    PortMask ports = 0;   ///< outputs that have not sent it
    Qos qos = Qos::Low;
    bool in_service = false;  ///< offered by an output, so it cannot be withdrawn
  };
  struct Node {
    PortMask wanted = 0;   ///< outputs with requests
    PortMask offered = 0;  ///< outputs that offer a packet
    Injection injection;
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
  void prepare(OpenTransfer& transfer) const override;
  void wake(unsigned node) override { awake_[node / 64] |= std::uint64_t{1} << (node % 64); }
  bool move(Edge edge) override;
  [[nodiscard]] std::string held_packets() const override;

  void drive();

  void prepare_injection(unsigned node);
  void request(unsigned node, PortMask ports, unsigned input, Qos qos);
  void withdraw(unsigned node, PortMask ports);
  void arbitrate(unsigned node, unsigned port);
  void stall_receivers();

  void find_moves();
  template <typename Action>
  void for_each_move(const Moves& moves, Action action) const;
  void depart(const PortAt& at, Edge edge);
  void finish_injection(unsigned node, Edge edge);
  void arrive(const PortAt& at, maze::Payload packet, Edge edge);
  void check_arrival(const PortAt& at, maze::Payload packet, Edge edge);
  void enqueue(const PortAt& at, maze::Payload packet, PortMask ports);
  void dequeue(unsigned node, unsigned port, Qos qos);
  void set_room(unsigned node, unsigned port, bool room) {
    room_.set(port, node, room);
    room_changed_ = true;
  }
  [[nodiscard]] MazeRoutes::Fork fork(unsigned node, unsigned port, maze::Payload packet) const;
  [[nodiscard]] Qos qos_of(maze::Payload packet) const {
    return static_cast<Qos>(layout_.qos(packet));
  }

  std::unique_ptr<LinkArray> links_;
  maze::PacketLayout layout_;
  unsigned node_count_;
  unsigned own_input_;  ///< input number of a node's own packets
  PacketPaths paths_;

  std::vector<Node> nodes_;
  std::vector<Output> outputs_;       ///< by port and node
  std::vector<Queue> queues_;         ///< by port, node and QoS
  std::vector<std::uint64_t> awake_;  ///< one bit per node: may have a packet to arbitrate
  std::vector<unsigned> to_itself_;   ///< nodes that send a packet to themselves in this cycle

  maze::TopoInputs inputs_;
  maze::TopoOutputs link_outputs_;
  maze::BitPlane room_;  ///< input ports whose queues have room
  bool room_changed_ = false;
  Moves departures_;  ///< outputs whose packet enters the link at this edge
  Moves arrivals_;    ///< input ports that take a packet at this edge
};

}  // namespace kernbench::model::fabric
