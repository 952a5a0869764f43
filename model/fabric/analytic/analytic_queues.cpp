// SPDX-License-Identifier: Apache-2.0
// Legs and queues of an AnalyticFabric.
#include <algorithm>

#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {

using topology::zoo::Hop;

/// Puts a transfer into the queue of its source. High QoS follows what low QoS is sending.
void AnalyticFabric::start_at_source(LegId id) {
  const Leg& leg = legs_[id];
  const QueueId queue = queue_at(channels_ + leg.node, qos_of(leg));
  const PacketQueue& low = queues_[queue_at(channels_ + leg.node, Qos::Low)];
  if (qos_of(leg) == Qos::High && !low.segments.empty()) {
    const Output& sending = legs_[low.segments.front().leg].outputs.front();
    if (links_[sending.link].express != kNone) end_express(links_[sending.link].express);
    if (!low.segments.empty()) {
      for (const Output& output : legs_[low.segments.front().leg].outputs) {
        queues_[queue].head_from = std::max(queues_[queue].head_from, output.free_at);
      }
    }
  }
  push(queue, id, packets_in(leg), now());
}

/// Returns whether a source has to send high QoS before the packets of this queue.
bool AnalyticFabric::waits_for_high(const PacketQueue& queue) const {
  return queue.is_source && queue.qos == Qos::Low &&
         !queues_[queue_at(queue.before, Qos::High)].segments.empty();
}

/// Lets the packets at the head of a queue leave after others, or those of low QoS at a source
/// whose high QoS has been sent.
void AnalyticFabric::start_next(QueueId id) {
  const PacketQueue& queue = queues_[id];
  if (!queue.segments.empty()) return enlist(id);
  if (!queue.is_source || queue.qos == Qos::Low) return;
  const QueueId low = queue_at(queue.before, Qos::Low);
  if (queues_[low].segments.empty()) return;
  queues_[low].head_from = std::max(queues_[low].head_from, queue.head_from);
  enlist(low);
}

/// Returns the queue behind a channel for packets that leave by `link`.
QueueId AnalyticFabric::queue_for(std::uint32_t channel, Qos qos, std::uint32_t link) {
  if (settings_.finite_queues) return queue_at(channel, qos);
  const auto [known, is_new] = endless_.try_emplace(
      {channel, link, static_cast<std::uint32_t>(qos)}, static_cast<QueueId>(queues_.size()));
  if (is_new) queues_.push_back({.turn = links_[channel].turn, .before = channel, .qos = qos});
  return known->second;
}

/// Adds the legs of a flight at the node where it arrives by `in`, and tells the output that they
/// follow: one leg with all outputs, or with endless queues one for each.
void AnalyticFabric::add_legs(Output& output, const Leg& from) {
  const Hop hop{output.link, output.vc};
  const std::uint32_t node = links_[output.link].end;
  output.is_begun = true;
  const std::vector<TransferOutput>& found =
      outputs_.find(transfer_to(from.flight, from.target), node, hop);
  if (settings_.finite_queues || found.size() < 2) {
    const LegId id = add_leg(from.flight, node, from.target, hop, found);
    output.next = {id, queue_for(hop.channel, qos_of(from), legs_[id].outputs.front().link)};
    return;
  }
  const std::vector<TransferOutput> outputs = found;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const LegId id = add_leg(from.flight, node, from.target, hop, {&outputs[i], 1});
    const NextLeg next{id, queue_for(hop.channel, qos_of(from), outputs[i].hop.channel)};
    if (i == 0) {
      output.next = next;
    } else {
      output.more.push_back(next);
    }
  }
}

/// Adds a leg with these outputs, or with port B of its node.
LegId AnalyticFabric::add_leg(std::uint32_t flight, std::uint32_t node, std::uint32_t target,
                              const std::optional<Hop>& in,
                              std::span<const TransferOutput> outputs) {
  const LegId id = legs_.take();
  Leg& leg = legs_[id];
  leg.flight = flight;
  leg.node = node;
  leg.target = target;
  leg.in = in;
  leg.left = 0;
  for (const TransferOutput& output : outputs) {
    leg.outputs.push_back({output.hop.channel, output.hop.vc, output.ends});
  }
  if (outputs.empty()) leg.outputs.push_back({channels_ + node, 0, true});
  for (const Output& output : leg.outputs) ++links_[output.link].transfers;
  ++flights_[flight].unfinished_legs;
  return id;
}

/// Returns the transfer of a flight as its packets to one of its targets travel.
Transfer AnalyticFabric::transfer_to(std::uint32_t flight, std::uint32_t target) const {
  Transfer transfer = flights_[flight].transfer;
  transfer.dst = target;
  if (failed()) transfer.type = TransferType::Unicast;
  return transfer;
}

/// Adds packets to a queue. The first arrives at edge `first`.
void AnalyticFabric::push(QueueId id, LegId leg, std::uint64_t packets, Edge first) {
  PacketQueue& queue = queues_[id];
  if (!queue.segments.empty()) {
    Segment& last = queue.segments.back();
    if (last.leg == leg && last.first + last.packets == first) {
      last.packets += packets;
      if (queue.segments.size() == 1) enlist(id);
      return;
    }
  }
  queue.segments.push_back({leg, packets, first});
  if (queue.segments.size() == 1) enlist(id);
}

/// Makes a queue a contender for the links by which packets of its first segment can leave.
void AnalyticFabric::enlist(QueueId id) {
  PacketQueue& queue = queues_[id];
  const Segment& head = queue.segments.front();
  const Leg& leg = legs_[head.leg];
  for (std::size_t i = 0; i < leg.outputs.size(); ++i) {
    if (leg.outputs[i].sent >= leg.left + head.packets) continue;
    const std::uint32_t express = links_[leg.outputs[i].link].express;
    if (express != kNone) end_express(express);
    auto& contenders = links_[leg.outputs[i].link].contenders[static_cast<std::size_t>(queue.qos)];
    const auto place = std::lower_bound(
        contenders.begin(), contenders.end(), queue.turn,
        [](const Contender& contender, std::uint32_t turn) { return contender.turn < turn; });
    if (place == contenders.end() || place->queue != id) {
      contenders.insert(place, {queue.turn, id, i});
    }
    wake(leg.outputs[i].link, ready_at({queue.turn, id, i}));
  }
}

/// Takes a queue whose first segment has left, or has been sent by an output, from links.
void AnalyticFabric::delist(QueueId id) {
  const PacketQueue& queue = queues_[id];
  const Segment& head = queue.segments.front();
  const Leg& leg = legs_[head.leg];
  for (const Output& output : leg.outputs) {
    if (output.sent < leg.left + head.packets) continue;
    auto& contenders = links_[output.link].contenders[static_cast<std::size_t>(queue.qos)];
    std::erase_if(contenders, [id](const Contender& contender) { return contender.queue == id; });
  }
}

void AnalyticFabric::finish_leg(LegId id) {
  Leg& leg = legs_[id];
  Flight& flight = flights_[leg.flight];
  if (--flight.unfinished_legs == 0) {
    schedule(flight.last_move, EventKind::TransferDone, leg.flight);
  }
  leg.outputs.clear();
  legs_.release(id);
}

}  // namespace kernbench::model::fabric
