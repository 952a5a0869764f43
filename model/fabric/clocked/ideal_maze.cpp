// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/ideal_maze.hpp"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "maze/plane_bits.hpp"
#include "model/fabric/clocked/fabric_failure.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {
namespace {

using maze::for_each_bit;

constexpr PortMask bit(unsigned port) {
  return PortMask{1} << port;
}

}  // namespace

IdealMaze::IdealMaze(std::unique_ptr<LinkArray> links, const MazeSettings& settings)
    : CycleMaze(links->shape(), std::nullopt, settings),
      links_(std::move(links)),
      layout_(shape()),
      node_count_(shape().nodes()),
      own_input_(shape().ports()),
      paths_(shape(), settings.order),
      nodes_(shape().nodes()),
      outputs_(shape().links()),
      queues_(std::size_t{2} * shape().links()),
      awake_(shape().words()),
      inputs_(shape()),
      link_outputs_(shape()),
      room_(shape()),
      departures_{0, maze::BitPlane(shape())},
      arrivals_{0, maze::BitPlane(shape())} {
  for (unsigned port = 0; port < shape().ports(); ++port) {
    for (unsigned node = 0; node < shape().nodes(); ++node) room_.set(port, node);
  }
  inputs_.in_ready = room_;
}

void IdealMaze::prepare(OpenTransfer& open) const {
  const Transfer& transfer = open.transfer;
  if (transfer.type == TransferType::Unicast) {
    const std::uint8_t port = routes().port_from(transfer.src, transfer.dst);
    open.ports = port == MazeRoutes::kHere ? 0 : bit(port);
    return;
  }
  open.ports = routes().fork(transfer.type, transfer.src, MazeRoutes::kHere, transfer.dst).ports;
}

/// Sets what the nodes drive in this cycle.
void IdealMaze::drive() {
  to_itself_.clear();
  for (std::size_t w = 0; w < awake_.size(); ++w) {
    for_each_bit(awake_[w], [&](unsigned lane) {
      const auto number = static_cast<unsigned>(w * 64 + lane);
      prepare_injection(number);
      const Node& node = nodes_[number];
      for_each_bit(node.wanted & ~node.offered, [&](unsigned port) { arbitrate(number, port); });
      if (node.wanted == 0 && node.injection.slot == kNoSlot) {
        awake_[w] &= ~(std::uint64_t{1} << lane);
      }
    });
  }
  if (stalls_receivers()) {
    // Idle cycles draw no random numbers, since they may be skipped.
    if (idle()) {
      inputs_.in_ready = room_;
    } else {
      stall_receivers();
    }
  }
}

/// Makes the node's next own packet request its outputs, unless one is in service.
inline void IdealMaze::prepare_injection(unsigned number) {
  Node& node = nodes_[number];
  Injection& injection = node.injection;
  const Slot high = endpoints().next(number, Qos::High);
  if (injection.slot != kNoSlot) {
    if (injection.in_service || injection.qos == Qos::High || high == kNoSlot) return;
    withdraw(number, injection.ports);
  }
  const Qos qos = high != kNoSlot ? Qos::High : Qos::Low;
  const Slot slot = endpoints().next(number, qos);
  if (slot == kNoSlot) return;
  injection = {endpoints().packet(slot), slot, transfer(slot).ports, qos, false};
  if (injection.ports != 0) {
    request(number, injection.ports, own_input_, qos);
  } else {
    injection.in_service = true;
    to_itself_.push_back(number);
  }
}

inline void IdealMaze::request(unsigned node, PortMask ports, unsigned input, Qos qos) {
  nodes_[node].wanted |= ports;
  for_each_bit(ports, [&](unsigned port) {
    outputs_[place(node, port)].requests[static_cast<unsigned>(qos)] |= bit(input);
  });
}

/// Withdraws the requests of an own packet of low QoS that is not in service.
void IdealMaze::withdraw(unsigned node, PortMask ports) {
  for_each_bit(ports, [&](unsigned port) {
    Output& out = outputs_[place(node, port)];
    out.requests[static_cast<unsigned>(Qos::Low)] &= ~bit(own_input_);
    if ((out.requests[0] | out.requests[1]) == 0) nodes_[node].wanted &= ~bit(port);
  });
}

/// Selects the packet that an idle output offers from now on.
inline void IdealMaze::arbitrate(unsigned number, unsigned port) {
  Node& node = nodes_[number];
  const std::size_t at = place(number, port);
  Output& out = outputs_[at];
  const unsigned level = out.requests[static_cast<unsigned>(Qos::High)] != 0 ? 1 : 0;
  const std::uint32_t requests = out.requests[level];
  // Round-robin: the first input after the last winner, wrapping around.
  const std::uint32_t after = requests & ~((std::uint32_t{2} << out.last_winner[level]) - 1);
  const auto input = static_cast<unsigned>(std::countr_zero(after != 0 ? after : requests));
  out.input = input;
  out.qos = static_cast<Qos>(level);
  out.last_winner[level] = out.input;
  out.requests[level] = requests & ~bit(input);
  if ((out.requests[0] | out.requests[1]) == 0) node.wanted &= ~bit(port);
  node.offered |= bit(port);

  maze::Payload packet = 0;
  if (input == own_input_) {
    node.injection.in_service = true;
    packet = node.injection.packet;
  } else {
    const Queue& waiting = queue(place(number, input), static_cast<Qos>(level));
    packet = waiting.packets[waiting.first];
  }
  inputs_.out_valid.set(port, number);
  inputs_.out_payload.data()[at] = packet;
}

void IdealMaze::stall_receivers() {
  for (std::size_t i = 0; i < room_.size(); ++i) {
    inputs_.in_ready.data()[i] = room_.data()[i] & ~draw_stalls();
  }
}

bool IdealMaze::move(Edge edge) {
  drive();
  links_->step(edge, inputs_, link_outputs_);
  find_moves();
  const bool moved = (departures_.ports | arrivals_.ports) != 0 || !to_itself_.empty();
  for_each_move(departures_, [&](const PortAt& at) { depart(at, edge); });
  for (const unsigned node : to_itself_) finish_injection(node, edge);
  const maze::Payload* const packets = link_outputs_.in_payload.data();
  for_each_move(arrivals_, [&](const PortAt& at) { arrive(at, packets[at.place], edge); });
  if (room_changed_ && !stalls_receivers()) inputs_.in_ready = room_;
  room_changed_ = false;
  return moved;
}

/// Finds the packets that enter and leave links at this edge.
void IdealMaze::find_moves() {
  const maze::TopoOutputs& outputs = link_outputs_;
  const unsigned words = shape().words();
  departures_.ports = 0;
  arrivals_.ports = 0;
  for (unsigned port = 0; port < shape().ports(); ++port) {
    std::uint64_t* const valid = inputs_.out_valid.port(port);
    std::uint64_t any_departs = 0;
    std::uint64_t any_arrives = 0;
    for (unsigned w = 0; w < words; ++w) {
      const std::uint64_t departs = valid[w] & outputs.out_ready.port(port)[w];
      const std::uint64_t arrives = outputs.in_valid.port(port)[w] & inputs_.in_ready.port(port)[w];
      valid[w] ^= departs;
      departures_.nodes.port(port)[w] = departs;
      arrivals_.nodes.port(port)[w] = arrives;
      any_departs |= departs;
      any_arrives |= arrives;
    }
    if (any_departs != 0) departures_.ports |= bit(port);
    if (any_arrives != 0) arrivals_.ports |= bit(port);
  }
}

template <typename Action>
void IdealMaze::for_each_move(const Moves& moves, Action action) const {
  const unsigned words = shape().words();
  for_each_bit(moves.ports, [&](unsigned port) {
    const std::uint64_t* const nodes = moves.nodes.port(port);
    const std::size_t first = place(0, port);
    for (unsigned w = 0; w < words; ++w) {
      for_each_bit(nodes[w], [&](unsigned lane) {
        const unsigned node = w * 64 + lane;
        action(PortAt{node, port, first + node});
      });
    }
  });
}

/// Handles a packet that entered the link at an output.
inline void IdealMaze::depart(const PortAt& at, Edge edge) {
  Node& node = nodes_[at.node];
  Output& out = outputs_[at.place];
  node.offered &= ~bit(at.port);
  out.link.balance += inputs_.out_payload.data()[at.place] * (2 * out.link.entered++ + 1);
  if (out.input == own_input_) {
    Injection& injection = node.injection;
    injection.ports &= ~bit(at.port);
    if (observer() != nullptr) {
      const OpenTransfer& own = transfer(injection.slot);
      observer()->on_injected(edge, at.node, at.port, own.transfer.id, own.sent);
    }
    if (injection.ports == 0) finish_injection(at.node, edge);
    return;
  }
  Queue& waiting = queue(place(at.node, out.input), out.qos);
  waiting.ports &= ~bit(at.port);
  if (observer() != nullptr) {
    observer()->on_forwarded(edge, at.node, out.input, out.qos, at.port, waiting.ports == 0);
  }
  if (waiting.ports == 0) dequeue(at.node, out.input, out.qos);
}

/// Handles an own packet that has left by all its ports.
inline void IdealMaze::finish_injection(unsigned number, Edge edge) {
  Node& node = nodes_[number];
  Injection& injection = node.injection;
  const OpenTransfer& open = transfer(injection.slot);
  const bool unicast = open.transfer.type == TransferType::Unicast;
  const bool here =
      unicast ? open.ports == 0 : routes().names(open.transfer.type, number, open.transfer.dst);
  endpoints().sent(injection.slot);
  injection.slot = kNoSlot;
  wake(number);
  if (here) endpoints().deliver(number, MazeRoutes::kHere, injection.packet, edge);
}

/// Throws FabricFailure unless the link may carry the packet. Its data is checked at delivery.
inline void IdealMaze::check_arrival(const PortAt& at, maze::Payload packet, Edge edge) {
  if (!paths_.lead_over(at.place, at.port, packet)) {
    endpoints().reassembly().reject(at.node, at.port, packet, edge,
                                    "its route does not use this link");
  }
  Link& link = outputs_[paths_.output(at.place)].link;
  if (link.left == link.entered) {
    endpoints().reassembly().reject(at.node, at.port, packet, edge, "the link was empty");
  }
  link.balance -= packet * (2 * link.left++ + 1);
  if (link.left == link.entered && link.balance != 0) {
    endpoints().reassembly().reject(
        at.node, at.port, packet, edge,
        "this packet or an earlier one differs from what entered the link");
  }
}

/// Returns what a node does with a packet that has arrived by `port`.
MazeRoutes::Fork IdealMaze::fork(unsigned node, unsigned port, maze::Payload packet) const {
  const auto type = static_cast<TransferType>(layout_.type(packet));
  if (type != TransferType::Unicast) {
    return routes().fork(type, node, port, layout_.node(layout_.tgt(packet)));
  }
  const std::uint8_t next = routes().port_to(node, layout_.tgt(packet));
  if (next == MazeRoutes::kHere) return {0, true};
  return {next == MazeRoutes::kNowhere ? 0 : bit(next), false};
}

inline void IdealMaze::arrive(const PortAt& at, maze::Payload packet, Edge edge) {
  check_arrival(at, packet, edge);
  record(edge, at.place, packet);
  const auto [onward, here] = fork(at.node, at.port, packet);
  if (onward == 0 && !here) {
    endpoints().reassembly().reject(at.node, at.port, packet, edge, "its target is not a node");
  }
  if (observer() != nullptr) {
    observer()->on_arrived(edge, at.node, at.port, qos_of(packet), onward != 0, here);
  }
  if (onward != 0) enqueue(at, packet, onward);
  if (here) endpoints().deliver(at.node, at.port, packet, edge);
}

inline void IdealMaze::enqueue(const PortAt& at, maze::Payload packet, PortMask ports) {
  const Qos qos = qos_of(packet);
  Queue& waiting = queue(at.place, qos);
  waiting.packets[(waiting.first + waiting.size) % kNodeQueueDepth] = packet;
  if (++waiting.size == 1) {
    waiting.ports = ports;
    request(at.node, ports, at.port, qos);
    wake(at.node);
  }
  if (waiting.size == kNodeQueueDepth) set_room(at.node, at.port, false);
}

inline void IdealMaze::dequeue(unsigned node, unsigned port, Qos qos) {
  Queue& waiting = queue(place(node, port), qos);
  if (waiting.size == kNodeQueueDepth) {
    const Qos other = qos == Qos::High ? Qos::Low : Qos::High;
    set_room(node, port, queue(place(node, port), other).size < kNodeQueueDepth);
  }
  if (--waiting.size == 0) {
    waiting.first = 0;  // stays in the cache
    return;
  }
  waiting.first = (waiting.first + 1) % kNodeQueueDepth;
  waiting.ports = fork(node, port, waiting.packets[waiting.first]).ports;
  request(node, waiting.ports, port, qos);
  wake(node);
}

std::string IdealMaze::held_packets() const {
  constexpr unsigned kShown = 5;
  std::string text;
  const topology::MazeLinks links(shape().nx, shape().ny);
  unsigned shown = 0;
  for (const topology::MazeLink& link : links.links()) {
    const Link& state = outputs_[place(link.from.node, link.from.port)].link;
    const std::uint64_t inside = state.entered - state.left;
    const bool offered = inputs_.out_valid.test(link.from.port, link.from.node);
    if (inside == 0 && !offered) continue;
    if (shown++ == kShown) break;
    text += fmt::format("; {} holds {} packet{}{}", links.link_name(link), inside,
                        inside == 1 ? "" : "s", offered ? " and is stalled" : "");
  }
  return text;
}

}  // namespace kernbench::model::fabric
