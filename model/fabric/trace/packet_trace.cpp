// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/trace/packet_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kernbench::model::fabric {

namespace {

template <typename... Args>
[[noreturn]] void reject(Edge edge, unsigned node, fmt::format_string<Args...> what,
                         Args&&... args) {
  throw std::logic_error(fmt::format("packet trace: edge {}, node {}: {}", edge, node,
                                     fmt::format(what, std::forward<Args>(args)...)));
}

}  // namespace

PacketTrace::PacketTrace(const maze::Shape& shape, Detail detail)
    : links_(shape.nx, shape.ny),
      detail_(detail),
      ports_(shape.ports() + 1),
      in_links_(std::size_t{ports_} * shape.nodes()),
      queues_(std::size_t{2} * ports_ * shape.nodes()),
      source_free_(shape.nodes()) {}

PacketTrace::PacketTrace(const maze::Shape& shape, std::vector<TracedTransfer> transfers,
                         Edge last_edge)
    : PacketTrace(shape) {
  transfers_ = std::move(transfers);
  last_edge_ = last_edge;
}

void PacketTrace::on_begun(common::SimTime submitted, Edge seen, const Transfer& transfer,
                           std::uint64_t packets, unsigned destinations) {
  if (packets > kMaxPackets) {
    throw std::length_error(fmt::format("packet trace: transfer {} has {} packets; the limit is {}",
                                        transfer.id, packets, kMaxPackets));
  }
  const auto place = static_cast<std::uint32_t>(transfers_.size());
  if (std::uint32_t* const earlier = latest_.find(transfer.id); earlier == nullptr) {
    latest_.insert(transfer.id, place);
  } else if (transfers_[*earlier].missing == 0) {
    *earlier = place;
  } else {
    reject(seen, transfer.src, "transfer {} begins but is already in flight", transfer.id);
  }
  TracedTransfer& added = transfers_.emplace_back();
  added.transfer = transfer;
  added.submitted = submitted;
  added.seen = seen;
  added.packets = packets;
  added.missing = packets * destinations;
  added.ready = seen;
  last_edge_ = seen;
}

std::uint32_t PacketTrace::find(Edge edge, unsigned node, std::uint64_t id) {
  const std::uint32_t* const found = latest_.find(id);
  if (found == nullptr || transfers_[*found].missing == 0)
    reject(edge, node, "transfer {} is not in flight", id);
  return *found;
}

/// Finds the transfer whose packet `packet` its source `node` sends.
std::uint32_t PacketTrace::find_own(Edge edge, unsigned node, std::uint64_t id,
                                    std::uint64_t packet) {
  const std::uint32_t place = find(edge, node, id);
  const TracedTransfer& transfer = transfers_[place];
  if (transfer.transfer.src != node || packet >= transfer.packets) {
    reject(edge, node, "sends packet {} of transfer {}, which has {} from node {}", packet, id,
           transfer.packets, transfer.transfer.src);
  }
  return place;
}

/// Records a step of a copy if steps of its packet are kept. Returns the copy with its last step.
PacketTrace::Copy PacketTrace::moved(Copy copy, Edge edge, unsigned node, unsigned port,
                                     PacketStep::Kind kind) {
  if (to_deliver_ && kind != PacketStep::Kind::Delivered) {
    reject(edge, node, "packet {} of transfer {} reached its destination but was not delivered",
           arrived_.packet, transfers_[arrived_.transfer].transfer.id);
  }
  last_edge_ = edge;
  TracedTransfer& transfer = transfers_[copy.transfer];
  if (detail_ == Detail::LastPackets && copy.packet + 1 != transfer.packets) return copy;
  transfer.steps.push_back({edge, copy.packet, copy.step, static_cast<std::uint16_t>(node),
                            static_cast<std::uint8_t>(port), kind, 0});
  copy.step = static_cast<std::uint32_t>(transfer.steps.size() - 1);
  return copy;
}

/// Updates the waiting time of a transfer when its source sends a packet, or one copy of it.
void PacketTrace::sent(TracedTransfer& transfer, Edge edge) {
  Edge& source_free = source_free_[transfer.transfer.src];
  transfer.behind_others += std::max(source_free, transfer.ready) - transfer.ready;
  transfer.ready = edge + 1;
  source_free = edge + 1;
}

void PacketTrace::on_accepted(Edge edge, unsigned node, Qos qos, std::uint64_t id,
                              std::uint64_t packet) {
  const std::uint32_t place = find_own(edge, node, id, packet);
  sent(transfers_[place], edge);
  const Copy copy{place, static_cast<std::uint32_t>(packet), PacketStep::kNone};
  const unsigned port = user_port();
  queue(node, port, qos).push(moved(copy, edge, node, port, PacketStep::Kind::Accepted));
}

void PacketTrace::on_injected(Edge edge, unsigned node, unsigned port, std::uint64_t id,
                              std::uint64_t packet) {
  const std::uint32_t place = find_own(edge, node, id, packet);
  sent(transfers_[place], edge);
  const Copy copy{place, static_cast<std::uint32_t>(packet), PacketStep::kNone};
  link_from(node, port).push(moved(copy, edge, node, port, PacketStep::Kind::Injected));
}

void PacketTrace::on_forwarded(Edge edge, unsigned node, unsigned from, Qos qos, unsigned port,
                               bool last) {
  Fifo& waiting = queue(node, from, qos);
  if (waiting.empty()) {
    reject(edge, node, "forwards a packet from {}, whose queue is empty", port_name(from));
  }
  const Copy copy = last ? waiting.pop() : waiting.front();
  link_from(node, port).push(moved(copy, edge, node, port, PacketStep::Kind::Forwarded));
}

std::string PacketTrace::port_name(unsigned port) const {
  return port == user_port() ? "port A" : links_.port_name(port);
}

void PacketTrace::on_arrived(Edge edge, unsigned node, unsigned port, Qos qos, bool queued,
                             bool ends) {
  const topology::MazePort& sender = links_.arriving(node, port).from;
  Fifo& link = link_from(sender.node, sender.port);
  if (link.empty()) {
    reject(edge, node, "a packet arrives by {}, whose link is empty", links_.port_name(port));
  }
  arrived_ = moved(link.pop(), edge, node, port,
                   queued ? PacketStep::Kind::Queued : PacketStep::Kind::Arrived);
  const Transfer& transfer = transfers_[arrived_.transfer].transfer;
  if (transfer.qos != qos) {
    reject(edge, node, "packet {} of transfer {} has changed its QoS", arrived_.packet,
           transfer.id);
  }
  if (queued) queue(node, port, qos).push(arrived_);
  to_deliver_ = ends;
}

void PacketTrace::on_delivered(Edge edge, unsigned node, std::uint64_t id, std::uint64_t packet) {
  const std::uint32_t place = find(edge, node, id);
  TracedTransfer& transfer = transfers_[place];
  Copy copy{place, static_cast<std::uint32_t>(packet), PacketStep::kNone};
  if (Fifo& to_b = link_from(node, user_port()); !to_b.empty()) {
    arrived_ = to_b.pop();
    to_deliver_ = true;
  }
  if (to_deliver_) {
    if (arrived_.transfer != place || arrived_.packet != packet) {
      reject(edge, node,
             "packet {} of transfer {} is delivered instead of packet {} of "
             "transfer {}",
             packet, id, arrived_.packet, transfers_[arrived_.transfer].transfer.id);
    }
    copy = arrived_;
  } else if (transfer.transfer.src != node) {
    reject(edge, node, "packet {} of transfer {} is delivered but has not arrived", packet, id);
  } else if (transfer.transfer.type == TransferType::Unicast) {
    sent(transfer, edge);
  }
  (void)moved(copy, edge, node, 0, PacketStep::Kind::Delivered);
  to_deliver_ = false;
  transfer.last = edge;
  --transfer.missing;
}

}  // namespace kernbench::model::fabric
