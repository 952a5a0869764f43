#include "model/fabric/maze_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "model/fabric/fabric_failure.hpp"
#include "model/fabric/transfer_data.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {
namespace {

/// Cycles without any move that show that nothing will ever move again, however often receivers
/// stall. A packet crosses the deepest link, of 7 stages, in far fewer.
constexpr std::uint64_t kStillLimit = 4096;

template <typename Action>
void for_each_bit(std::uint64_t bits, Action action) {
  for (; bits != 0; bits &= bits - 1) action(static_cast<unsigned>(std::countr_zero(bits)));
}

constexpr PortMask bit(unsigned port) {
  return PortMask{1} << port;
}

}  // namespace

MazeNodes::MazeNodes(const maze::Shape& shape, const MazeNodeSettings& settings)
    : shape_(shape),
      settings_(settings),
      routes_(shape, settings.order),
      paths_(shape, settings.order),
      reassembly_(shape, transfers_),
      sources_(shape.nodes()),
      injections_(shape.nodes()),
      outputs_(shape.links()),
      queues_(std::size_t{2} * shape.links()),
      wanted_(shape.nodes()),
      offered_(shape.nodes()),
      awake_(shape.words()),
      inputs_(shape),
      room_(shape),
      taken_(shape),
      stall_threshold_(common::probability_threshold(settings.receiver_stalls)),
      stalls_(common::Rng::stream(settings.seed, "receiver stalls")),
      links_(shape.links()) {
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    addresses_.push_back(reassembly_.layout().address(node));
  }
  for (unsigned port = 0; port < shape.ports(); ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) room_.set(port, node);
  }
  inputs_.in_ready = room_;
}

PortMask MazeNodes::ports_of(const Transfer& transfer) const {
  switch (transfer.type) {
    case TransferType::XMulticast:
      return routes_.x_ports();
    case TransferType::YMulticast:
      return routes_.y_ports();
    case TransferType::Broadcast:
      return routes_.x_ports() | routes_.y_ports();
    case TransferType::Unicast:
      break;
  }
  const std::uint8_t port = routes_.port(transfer.src, transfer.dst);
  return port == MazeRoutes::kHere ? 0 : bit(port);
}

void MazeNodes::begin(const Transfer& transfer, std::uint64_t packets) {
  const Slot slot = transfers_.add(transfer, packets);
  OpenTransfer& open = transfers_[slot];
  switch (transfer.type) {
    case TransferType::Unicast:
      break;
    case TransferType::XMulticast:
      open.nodes_left = shape_.nx;
      break;
    case TransferType::YMulticast:
      open.nodes_left = shape_.ny;
      break;
    case TransferType::Broadcast:
      open.nodes_left = shape_.nodes();
      break;
  }
  if (transfer.type != TransferType::Unicast) {
    open.transfer.dst = transfer.src;  // ignored; something has to stand in the packets
    open.copies.assign(shape_.nodes(), 0);
  }
  const maze::PacketLayout& layout = reassembly_.layout();
  open.header = maze::Payload{static_cast<unsigned>(transfer.type)} << layout.type_shift() |
                maze::Payload{static_cast<unsigned>(transfer.qos)} << layout.qos_shift() |
                maze::Payload{addresses_[transfer.src]} << layout.src_shift() |
                maze::Payload{addresses_[open.transfer.dst]} << layout.tgt_shift();
  reassembly_.expect(slot);
  sources_[transfer.src][static_cast<unsigned>(transfer.qos)].push(slot);
  wake(transfer.src);
}

const maze::TopoInputs& MazeNodes::drive() {
  to_itself_.clear();
  for (std::size_t w = 0; w < awake_.size(); ++w) {
    for_each_bit(awake_[w], [&](unsigned lane) {
      const auto node = static_cast<unsigned>(w * 64 + lane);
      prepare_injection(node);
      for_each_bit(wanted_[node] & ~offered_[node], [&](unsigned port) { arbitrate(node, port); });
      if (wanted_[node] == 0 && injections_[node].slot == kNoSlot) {
        awake_[w] &= ~(std::uint64_t{1} << lane);
      }
    });
  }
  if (stall_threshold_ != 0) {
    // An idle cycle draws nothing: it may as well be left out.
    if (idle()) {
      inputs_.in_ready = room_;
    } else {
      stall_receivers();
    }
  }
  return inputs_;
}

/// Makes the next packet of the node's own ready, if there is one and none is in service.
void MazeNodes::prepare_injection(unsigned node) {
  Injection& injection = injections_[node];
  auto& sources = sources_[node];
  const bool high_waits = !sources[static_cast<unsigned>(Qos::High)].empty();
  if (injection.slot != kNoSlot) {
    if (injection.in_service || injection.qos == Qos::High || !high_waits) return;
    withdraw(node, injection.ports);
    injection.slot = kNoSlot;
  }
  const Qos qos = high_waits ? Qos::High : Qos::Low;
  const auto& source = sources[static_cast<unsigned>(qos)];
  if (source.empty()) return;
  const Slot slot = source.front();
  const OpenTransfer& transfer = transfers_[slot];
  injection = {slot, qos, false, ports_of(transfer.transfer),
               transfer.header | packet_data(transfer.transfer.id, transfer.sent, shape_.flit_w)};
  if (injection.ports != 0) {
    request(node, injection.ports, shape_.ports(), qos);
  } else {
    injection.in_service = true;
    to_itself_.push_back(node);
  }
}

void MazeNodes::request(unsigned node, PortMask ports, unsigned input, Qos qos) {
  wanted_[node] |= ports;
  for_each_bit(ports, [&](unsigned port) {
    output(node, port).requests[static_cast<unsigned>(qos)] |= bit(input);
  });
}

/// Takes back the requests of a packet of low QoS that the node wanted to send.
void MazeNodes::withdraw(unsigned node, PortMask ports) {
  for_each_bit(ports, [&](unsigned port) {
    Output& out = output(node, port);
    out.requests[static_cast<unsigned>(Qos::Low)] &= ~bit(shape_.ports());
    if ((out.requests[0] | out.requests[1]) == 0) wanted_[node] &= ~bit(port);
  });
}

/// Decides which packet an output that offers none offers from now on.
void MazeNodes::arbitrate(unsigned node, unsigned port) {
  Output& out = output(node, port);
  const unsigned level = out.requests[static_cast<unsigned>(Qos::High)] != 0 ? 1 : 0;
  std::uint32_t& requests = out.requests[level];
  // The first after the last winner, and then from the start.
  const std::uint32_t after = requests & ~((std::uint32_t{2} << out.last_winner[level]) - 1);
  out.input = static_cast<std::uint8_t>(std::countr_zero(after != 0 ? after : requests));
  out.qos = static_cast<Qos>(level);
  out.last_winner[level] = out.input;
  requests &= ~bit(out.input);
  if ((out.requests[0] | out.requests[1]) == 0) wanted_[node] &= ~bit(port);
  offered_[node] |= bit(port);

  maze::Payload packet = 0;
  if (out.input == shape_.ports()) {
    injections_[node].in_service = true;
    packet = injections_[node].packet;
  } else {
    const Queue& waiting = queue(node, out.input, out.qos);
    packet = waiting.packets[waiting.first];
  }
  inputs_.out_valid.set(port, node);
  inputs_.out_payload.at(port, node) = packet;
}

void MazeNodes::stall_receivers() {
  for (std::size_t i = 0; i < room_.size(); ++i) {
    inputs_.in_ready.data()[i] = room_.data()[i] & ~stalls_.bernoulli_word(stall_threshold_);
  }
}

void MazeNodes::settle(const maze::TopoOutputs& outputs, Edge edge,
                       std::vector<std::uint64_t>& done) {
  done_ = &done;
  const unsigned words = shape_.words();
  bool moved = !to_itself_.empty();
  // Planes are a word after the other: of one port all its nodes, then the next port.
  std::uint64_t* const valid = inputs_.out_valid.data();
  const std::uint64_t* const ready = outputs.out_ready.data();
  const std::uint64_t* const came = outputs.in_valid.data();
  const std::uint64_t* const takes = inputs_.in_ready.data();
  std::uint64_t* const taken = taken_.data();
  for (unsigned port = 0, i = 0; port < shape_.ports(); ++port) {
    for (unsigned w = 0; w < words; ++w, ++i) {
      taken[i] = came[i] & takes[i];
      const std::uint64_t fired = valid[i] & ready[i];
      if (fired == 0) continue;
      moved = true;
      valid[i] &= ~fired;
      for_each_bit(fired, [&](unsigned lane) { depart(w * 64 + lane, port, edge); });
    }
  }
  for (const unsigned node : to_itself_) finish_injection(node, edge);
  for (unsigned port = 0, i = 0; port < shape_.ports(); ++port) {
    for (unsigned w = 0; w < words; ++w, ++i) {
      if (taken[i] == 0) continue;
      moved = true;
      const maze::Payload* packets = outputs.in_payload.port(port) + w * 64;
      for_each_bit(taken[i],
                   [&](unsigned lane) { arrive(w * 64 + lane, port, packets[lane], edge); });
    }
  }
  if (room_changed_ && stall_threshold_ == 0) inputs_.in_ready = room_;
  room_changed_ = false;
  check_progress(moved, edge);
}

/// The packet that an output offered was taken.
void MazeNodes::depart(unsigned node, unsigned port, Edge edge) {
  Output& out = output(node, port);
  offered_[node] &= ~bit(port);
  Link& link = links_[std::size_t{port} * shape_.nodes() + node];
  link.balance += inputs_.out_payload.at(port, node) * (2 * link.entered++ + 1);
  if (out.input == shape_.ports()) {
    Injection& injection = injections_[node];
    injection.ports &= ~bit(port);
    if (settings_.observer != nullptr) {
      const OpenTransfer& transfer = transfers_[injection.slot];
      settings_.observer->on_injected(edge, node, port, transfer.transfer.id, transfer.sent);
    }
    if (injection.ports == 0) finish_injection(node, edge);
    return;
  }
  Queue& waiting = queue(node, out.input, out.qos);
  waiting.ports &= ~bit(port);
  if (settings_.observer != nullptr) {
    settings_.observer->on_forwarded(edge, node, out.input, out.qos, port, waiting.ports == 0);
  }
  if (waiting.ports == 0) dequeue(node, out.input, out.qos);
}

/// The packet of the node's own has left by all its ports.
void MazeNodes::finish_injection(unsigned node, Edge edge) {
  Injection& injection = injections_[node];
  OpenTransfer& transfer = transfers_[injection.slot];
  const maze::Payload packet = injection.packet;
  if (++transfer.sent == transfer.packets) {
    sources_[node][static_cast<unsigned>(injection.qos)].pop();
  }
  injection.slot = kNoSlot;
  wake(node);
  if (transfer.transfer.type != TransferType::Unicast || transfer.transfer.dst == node) {
    deliver(node, MazeRoutes::kHere, packet, edge);
  }
}

/// Throws unless the link may bring that packet. Its data is looked at where it is delivered.
void MazeNodes::check_arrival(unsigned node, unsigned port, maze::Payload packet, Edge edge) {
  const std::size_t link = std::size_t{port} * shape_.nodes() + node;
  if (!paths_.lead_over(link, packet)) {
    reassembly_.reject(node, port, packet, edge, "its way does not lead there");
  }
  Link& state = links_[std::size_t{port} * shape_.nodes() + paths_.sender(link)];
  if (state.left == state.entered) {
    reassembly_.reject(node, port, packet, edge, "nothing was in that link");
  }
  state.balance -= packet * (2 * state.left++ + 1);
  if (state.left == state.entered && state.balance != 0) {
    reassembly_.reject(node, port, packet, edge, "it or one before it is not what entered");
  }
}

void MazeNodes::arrive(unsigned node, unsigned port, maze::Payload packet, Edge edge) {
  check_arrival(node, port, packet, edge);
  const std::size_t link = std::size_t{port} * shape_.nodes() + node;
  hash_.add(edge << 16U | link);
  hash_.add(packet);
  const maze::PacketLayout& layout = reassembly_.layout();
  const auto type = static_cast<TransferType>(layout.type(packet));
  const auto qos = static_cast<Qos>(layout.qos(packet));
  PortMask onward = 0;
  if (type == TransferType::Unicast) {
    const unsigned target = reassembly_.node_of(layout.tgt(packet));
    if (target >= shape_.nodes()) {
      reassembly_.reject(node, port, packet, edge, "its target is no node");
    }
    const std::uint8_t next = routes_.port(node, target);
    if (next != MazeRoutes::kHere) onward = bit(next);
  } else if (type == TransferType::Broadcast && (bit(port) & routes_.first()) != 0) {
    onward = routes_.second();
  }
  if (settings_.observer != nullptr) {
    settings_.observer->on_arrived(edge, node, port, qos, onward != 0);
  }
  if (onward != 0) enqueue(node, port, qos, packet, onward);
  if (onward == 0 || type == TransferType::Broadcast) {
    deliver(node, static_cast<std::uint8_t>(port), packet, edge);
  }
}

void MazeNodes::enqueue(unsigned node, unsigned port, Qos qos, maze::Payload packet,
                        PortMask ports) {
  Queue& waiting = queue(node, port, qos);
  waiting.packets[(waiting.first + waiting.size) % kNodeQueueDepth] = packet;
  if (++waiting.size == 1) {
    waiting.ports = ports;
    request(node, ports, port, qos);
    wake(node);
  }
  if (waiting.size == kNodeQueueDepth) set_room(node, port, false);
}

void MazeNodes::dequeue(unsigned node, unsigned port, Qos qos) {
  Queue& waiting = queue(node, port, qos);
  if (waiting.size == kNodeQueueDepth) {
    const Qos other = qos == Qos::High ? Qos::Low : Qos::High;
    set_room(node, port, queue(node, port, other).size < kNodeQueueDepth);
  }
  waiting.first = static_cast<std::uint8_t>((waiting.first + 1U) % kNodeQueueDepth);
  if (--waiting.size == 0) return;
  const maze::PacketLayout& layout = reassembly_.layout();
  const maze::Payload packet = waiting.packets[waiting.first];
  if (static_cast<TransferType>(layout.type(packet)) == TransferType::Broadcast) {
    waiting.ports = routes_.second();
  } else {
    const unsigned target = reassembly_.node_of(layout.tgt(packet));
    waiting.ports = bit(routes_.port(node, target));
  }
  request(node, waiting.ports, port, qos);
  wake(node);
}

/// `port`: by which it came; kHere from the node itself.
void MazeNodes::deliver(unsigned node, std::uint8_t port, maze::Payload packet, Edge edge) {
  const Reassembly::Received received = reassembly_.receive(node, port, packet, edge);
  const std::uint64_t id = transfers_[received.slot].transfer.id;
  if (settings_.observer != nullptr) {
    settings_.observer->on_delivered(edge, node, id, received.packet);
  }
  if (!received.done) return;
  transfers_.remove(received.slot);
  done_->push_back(id);
}

void MazeNodes::check_progress(bool moved, Edge edge) {
  still_ = moved || idle() ? 0 : still_ + 1;
  if (still_ == kStillLimit) {
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
    text += fmt::format("{}transfer {} from [{},{}]: {} of {} packets sent, {} node{} without all",
                        shown++ == 0 ? "" : "; ", open.transfer.id, open.transfer.src / shape_.nx,
                        open.transfer.src % shape_.nx, open.sent, open.packets, open.nodes_left,
                        open.nodes_left == 1 ? "" : "s");
  }
  const topology::MazeLinks links(shape_.nx, shape_.ny);
  shown = 0;
  for (const topology::MazeLink& link : links.links()) {
    const Link& state = links_[link.from.port * std::size_t{shape_.nodes()} + link.from.node];
    const std::uint64_t inside = state.entered - state.left;
    const bool offered = inputs_.out_valid.test(link.from.port, link.from.node);
    if (inside == 0 && !offered) continue;
    if (shown++ == kShown) break;
    text += fmt::format("; {} holds {} packet{}{}", links.link_name(link), inside,
                        inside == 1 ? "" : "s", offered ? " and takes no more" : "");
  }
  return text;
}

}  // namespace kernbench::model::fabric
