// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/maze_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "maze/plane_bits.hpp"
#include "model/fabric/clocked/fabric_failure.hpp"
#include "model/fabric/clocked/transfer_data.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {
namespace {

/// Cycles without a move after which the fabric is taken to be stuck, even with stalling receivers.
/// The deepest link has only 7 stages.
constexpr std::uint64_t kStillLimit = 4096;

using maze::for_each_bit;

constexpr PortMask bit(unsigned port) {
  return PortMask{1} << port;
}

}  // namespace

MazeNodes::MazeNodes(const maze::Shape& shape, const MazeNodeSettings& settings)
    : shape_(shape),
      node_count_(shape.nodes()),
      own_input_(shape.ports()),
      routes_(shape, settings.order),
      paths_(shape, settings.order),
      reassembly_(shape, transfers_),
      observer_(settings.observer),
      nodes_(shape.nodes()),
      outputs_(shape.links()),
      queues_(std::size_t{2} * shape.links()),
      awake_(shape.words()),
      inputs_(shape),
      room_(shape),
      departures_{0, maze::BitPlane(shape)},
      arrivals_{0, maze::BitPlane(shape)},
      stall_threshold_(common::probability_threshold(settings.receiver_stalls)),
      stalls_(common::Rng::stream(settings.seed, "receiver stalls")) {
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    addresses_.push_back(reassembly_.layout().address(node));
  }
  for (unsigned port = 0; port < shape.ports(); ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) room_.set(port, node);
  }
  inputs_.in_ready = room_;
}

void MazeNodes::prepare_multicast(OpenTransfer& open) const {
  switch (open.transfer.type) {
    case TransferType::Unicast:
      break;
    case TransferType::XMulticast:
      open.ports = routes_.x_ports();
      open.nodes_left = shape_.nx;
      break;
    case TransferType::YMulticast:
      open.ports = routes_.y_ports();
      open.nodes_left = shape_.ny;
      break;
    case TransferType::Broadcast:
      open.ports = routes_.x_ports() | routes_.y_ports();
      open.nodes_left = shape_.nodes();
      break;
  }
  open.copies.assign(shape_.nodes(), 0);
}

const maze::TopoInputs& MazeNodes::drive() {
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
  if (stall_threshold_ != 0) {
    // Idle cycles draw no random numbers, since they may be skipped.
    if (idle()) {
      inputs_.in_ready = room_;
    } else {
      stall_receivers();
    }
  }
  return inputs_;
}

/// Makes the node's next own packet request its outputs, unless one is in service.
inline void MazeNodes::prepare_injection(unsigned number) {
  Node& node = nodes_[number];
  Injection& injection = node.injection;
  const Slot high = node.sources[static_cast<unsigned>(Qos::High)].first;
  if (injection.slot != kNoSlot) {
    if (injection.in_service || injection.qos == Qos::High || high == kNoSlot) return;
    withdraw(number, injection.ports);
  }
  const Qos qos = high != kNoSlot ? Qos::High : Qos::Low;
  const Slot slot = node.sources[static_cast<unsigned>(qos)].first;
  if (slot == kNoSlot) return;
  const OpenTransfer& transfer = transfers_[slot];
  injection = {transfer.header | packet_data(transfer.transfer.id, transfer.sent, shape_.flit_w),
               slot, transfer.ports, qos, false};
  if (injection.ports != 0) {
    request(number, injection.ports, own_input_, qos);
  } else {
    injection.in_service = true;
    to_itself_.push_back(number);
  }
}

inline void MazeNodes::request(unsigned node, PortMask ports, unsigned input, Qos qos) {
  nodes_[node].wanted |= ports;
  for_each_bit(ports, [&](unsigned port) {
    outputs_[place(node, port)].requests[static_cast<unsigned>(qos)] |= bit(input);
  });
}

/// Withdraws the requests of an own packet of low QoS that is not in service.
void MazeNodes::withdraw(unsigned node, PortMask ports) {
  for_each_bit(ports, [&](unsigned port) {
    Output& out = outputs_[place(node, port)];
    out.requests[static_cast<unsigned>(Qos::Low)] &= ~bit(own_input_);
    if ((out.requests[0] | out.requests[1]) == 0) nodes_[node].wanted &= ~bit(port);
  });
}

/// Selects the packet that an idle output offers from now on.
inline void MazeNodes::arbitrate(unsigned number, unsigned port) {
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

void MazeNodes::stall_receivers() {
  for (std::size_t i = 0; i < room_.size(); ++i) {
    inputs_.in_ready.data()[i] = room_.data()[i] & ~stalls_.bernoulli_word(stall_threshold_);
  }
}

void MazeNodes::settle(const maze::TopoOutputs& outputs, Edge edge,
                       std::vector<std::uint64_t>& done) {
  done_ = &done;
  find_moves(outputs);
  const bool moved = (departures_.ports | arrivals_.ports) != 0 || !to_itself_.empty();
  for_each_move(departures_, [&](const PortAt& at) { depart(at, edge); });
  for (const unsigned node : to_itself_) finish_injection(node, edge);
  const maze::Payload* const packets = outputs.in_payload.data();
  for_each_move(arrivals_, [&](const PortAt& at) { arrive(at, packets[at.place], edge); });
  if (room_changed_ && stall_threshold_ == 0) inputs_.in_ready = room_;
  room_changed_ = false;
  check_progress(moved, edge);
}

/// Finds the packets that enter and leave links at this edge.
void MazeNodes::find_moves(const maze::TopoOutputs& outputs) {
  const unsigned words = shape_.words();
  departures_.ports = 0;
  arrivals_.ports = 0;
  for (unsigned port = 0; port < shape_.ports(); ++port) {
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
void MazeNodes::for_each_move(const Moves& moves, Action action) const {
  const unsigned words = shape_.words();
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
inline void MazeNodes::depart(const PortAt& at, Edge edge) {
  Node& node = nodes_[at.node];
  Output& out = outputs_[at.place];
  node.offered &= ~bit(at.port);
  out.link.balance += inputs_.out_payload.data()[at.place] * (2 * out.link.entered++ + 1);
  if (out.input == own_input_) {
    Injection& injection = node.injection;
    injection.ports &= ~bit(at.port);
    if (observer_ != nullptr) {
      const OpenTransfer& transfer = transfers_[injection.slot];
      observer_->on_injected(edge, at.node, at.port, transfer.transfer.id, transfer.sent);
    }
    if (injection.ports == 0) finish_injection(at.node, edge);
    return;
  }
  Queue& waiting = queue(place(at.node, out.input), out.qos);
  waiting.ports &= ~bit(at.port);
  if (observer_ != nullptr) {
    observer_->on_forwarded(edge, at.node, out.input, out.qos, at.port, waiting.ports == 0);
  }
  if (waiting.ports == 0) dequeue(at.node, out.input, out.qos);
}

/// Handles an own packet that has left by all its ports.
inline void MazeNodes::finish_injection(unsigned number, Edge edge) {
  Node& node = nodes_[number];
  Injection& injection = node.injection;
  OpenTransfer& transfer = transfers_[injection.slot];
  if (++transfer.sent == transfer.packets) {
    node.sources[static_cast<unsigned>(injection.qos)].first = transfer.next_at_source;
  }
  injection.slot = kNoSlot;
  wake(number);
  if (transfer.transfer.type != TransferType::Unicast || transfer.ports == 0) {
    deliver(number, MazeRoutes::kHere, injection.packet, edge);
  }
}

/// Throws FabricFailure unless the link may carry the packet. Its data is checked at delivery.
inline void MazeNodes::check_arrival(const PortAt& at, maze::Payload packet, Edge edge) {
  if (!paths_.lead_over(at.place, at.port, packet)) {
    reassembly_.reject(at.node, at.port, packet, edge, "its route does not use this link");
  }
  Link& link = outputs_[paths_.output(at.place)].link;
  if (link.left == link.entered) {
    reassembly_.reject(at.node, at.port, packet, edge, "the link was empty");
  }
  link.balance -= packet * (2 * link.left++ + 1);
  if (link.left == link.entered && link.balance != 0) {
    reassembly_.reject(at.node, at.port, packet, edge,
                       "this packet or an earlier one differs from what entered the link");
  }
}

inline void MazeNodes::arrive(const PortAt& at, maze::Payload packet, Edge edge) {
  check_arrival(at, packet, edge);
  hash_.add(edge << 16U | at.place);
  hash_.add(packet);
  const maze::PacketLayout& layout = reassembly_.layout();
  const auto type = static_cast<TransferType>(layout.type(packet));
  PortMask onward = 0;
  if (type == TransferType::Unicast) {
    const std::uint8_t next = routes_.port_to(at.node, layout.tgt(packet));
    if (next == MazeRoutes::kNowhere) {
      reassembly_.reject(at.node, at.port, packet, edge, "its target is not a node");
    }
    if (next != MazeRoutes::kHere) onward = bit(next);
  } else if (type == TransferType::Broadcast && (bit(at.port) & routes_.first()) != 0) {
    onward = routes_.second();
  }
  if (observer_ != nullptr) {
    observer_->on_arrived(edge, at.node, at.port, qos_of(packet), onward != 0);
  }
  if (onward != 0) enqueue(at, packet, onward);
  if (onward == 0 || type == TransferType::Broadcast) deliver(at.node, at.port, packet, edge);
}

inline void MazeNodes::enqueue(const PortAt& at, maze::Payload packet, PortMask ports) {
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

inline void MazeNodes::dequeue(unsigned node, unsigned port, Qos qos) {
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
  const maze::PacketLayout& layout = reassembly_.layout();
  const maze::Payload packet = waiting.packets[waiting.first];
  if (static_cast<TransferType>(layout.type(packet)) == TransferType::Broadcast) {
    waiting.ports = routes_.second();
  } else {
    waiting.ports = bit(routes_.port_to(node, layout.tgt(packet)));
  }
  request(node, waiting.ports, port, qos);
  wake(node);
}

/// `port` is the input by which the packet arrived, or kHere for the node's own packet.
inline void MazeNodes::deliver(unsigned node, unsigned port, maze::Payload packet, Edge edge) {
  const Reassembly::Received received = reassembly_.receive(node, port, packet, edge);
  const std::uint64_t id = transfers_[received.slot].transfer.id;
  if (observer_ != nullptr) observer_->on_delivered(edge, node, id, received.packet);
  if (!received.done) return;
  transfers_.remove(received.slot);
  --under_way_;
  done_->push_back(id);
}

void MazeNodes::check_progress(bool moved, Edge edge) {
  stuck_cycles_ = moved || idle() ? 0 : stuck_cycles_ + 1;
  if (stuck_cycles_ == kStillLimit) {
    throw FabricFailure(
        edge, fmt::format("nothing has moved for {} cycles; {}", kStillLimit, what_waits()));
  }
}

std::string MazeNodes::what_waits() const {
  constexpr unsigned kShown = 5;
  std::string text;
  unsigned shown = 0;
  for (Slot slot = 0; slot < transfers_.end() && shown < kShown; ++slot) {
    const OpenTransfer& open = transfers_[slot];
    if (open.packets == 0) continue;
    text += fmt::format("{}transfer {} from [{},{}]: {} of {} packets sent, {} node{} incomplete",
                        shown++ == 0 ? "" : "; ", open.transfer.id, open.transfer.src / shape_.nx,
                        open.transfer.src % shape_.nx, open.sent, open.packets, open.nodes_left,
                        open.nodes_left == 1 ? "" : "s");
  }
  const topology::MazeLinks links(shape_.nx, shape_.ny);
  shown = 0;
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
