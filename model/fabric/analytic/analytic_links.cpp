// SPDX-License-Identifier: Apache-2.0
// Links of an AnalyticFabric: which queue sends by a link, and how many packets at once.
#include <algorithm>

#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {
namespace {

/// Turns that a transfer takes at least where it shares a link.
constexpr std::uint64_t kTurnsOfATransfer = 256;

}  // namespace

/// Lets a link choose one of its contenders at an edge, unless it does earlier.
void AnalyticFabric::wake(std::uint32_t index, Edge edge) {
  Link& link = links_[index];
  if (link.contenders[0].empty() && link.contenders[1].empty()) return;
  edge = std::max({edge, link.free_at, now() + 1});
  if (edge >= link.next_event) return;
  link.next_event = edge;
  schedule(edge, EventKind::LinkDue, index);
}

/// Returns the first edge at which a packet can leave.
Edge AnalyticFabric::ready_at(const Contender& contender) const {
  const PacketQueue& queue = queues_[contender.queue];
  const Segment& head = queue.segments.front();
  const Leg& leg = legs_[head.leg];
  const Output& output = leg.outputs[contender.output];
  return std::max({head.first + (output.sent - leg.left) + 1, output.free_at, queue.head_from});
}

/// Returns the packets that a queue can send at once from edge `at` on, 0 if it has to wait.
std::uint64_t AnalyticFabric::quantum(std::uint32_t index, const Contender& contender,
                                      Edge at) const {
  const PacketQueue& queue = queues_[contender.queue];
  const Segment& head = queue.segments.front();
  const Leg& leg = legs_[head.leg];
  const Output& output = leg.outputs[contender.output];
  std::uint64_t most = leg.left + head.packets - output.sent;
  if (leg.outputs.size() > 1) {
    most = std::min(most, leg.left + settings_.parameters.multicast_stride - output.sent);
  }
  const std::uint64_t turn = std::clamp<std::uint64_t>(packets_in(leg) / kTurnsOfATransfer, 1,
                                                       settings_.parameters.quantum_packets);
  most = std::min(most, turn);
  if (!settings_.finite_queues || output.ends || index >= channels_) return most;
  const PacketQueue& behind = queues_[queue_at(index, queue.qos)];
  const std::uint64_t room =
      settings_.parameters.queue_packets +
      std::uint64_t{settings_.parameters.stage_packets} * links_[index].stages;
  while (most > 0 && behind.held + most > room + behind.released_by(at + most - 1)) --most;
  return most;
}

/// Lets the next contender in the round-robin send, if it can.
void AnalyticFabric::on_link_due(std::uint32_t index) {
  Link& link = links_[index];
  const Edge at = now();
  if (link.next_event <= at) link.next_event = kNever;
  if (link.free_at > at) return wake(index, link.free_at);
  Edge next = kNever;
  for (const std::size_t qos : {std::size_t{1}, std::size_t{0}}) {
    const std::vector<Contender>& contenders = link.contenders.at(qos);
    const std::size_t count = contenders.size();
    std::size_t place = 0;
    while (place < count && contenders[place].turn <= link.last_turn.at(qos)) ++place;
    for (std::size_t i = 0; i < count; ++i, ++place) {
      if (place >= count) place -= count;
      const Contender& contender = contenders[place];
      if (waits_for_high(queues_[contender.queue])) continue;
      const Edge ready = ready_at(contender);
      if (ready > at) {
        next = std::min(next, ready);
        continue;
      }
      if (start_express(contender, at)) return;
      const std::uint64_t packets = quantum(index, contender, at);
      if (packets > 0) return serve(index, Contender(contender), packets, at);
      if (index >= channels_ || !settings_.finite_queues) continue;
      for (const PacketQueue::Release& release : queues_[queue_at(index, Qos(qos))].releases) {
        if (release.start > at) next = std::min(next, release.start);
      }
    }
  }
  if (next != kNever) wake(index, next);
}

/// Adds packets to the queue of a leg. The first arrives at edge `first`.
void AnalyticFabric::arrive(const NextLeg& next, std::uint64_t packets, Edge first) {
  if (settings_.finite_queues) {
    queues_[next.queue].settle(now());
    queues_[next.queue].held += packets;
  }
  push(next.queue, next.leg, packets, first);
}

/// Moves packets by a link from edge `at` on.
void AnalyticFabric::serve(std::uint32_t index, const Contender& contender, std::uint64_t packets,
                           Edge at) {
  Link& link = links_[index];
  PacketQueue& queue = queues_[contender.queue];
  const LegId id = queue.segments.front().leg;
  Leg& leg = legs_[id];
  Output& output = leg.outputs[contender.output];
  link.last_turn.at(static_cast<std::size_t>(queue.qos)) = contender.turn;
  link.free_at = output.free_at = at + packets;
  link.packets += packets;
  if (!output.ends) {
    if (!output.is_begun) add_legs(output, leg);
    arrive(output.next, packets, at + link.stages);
    for (const NextLeg& next : output.more) arrive(next, packets, at + link.stages);
  }
  output.sent += packets;
  Flight& flight = flights_[leg.flight];
  flight.last_move = std::max(flight.last_move, at + packets - 1 + link.stages);
  leave(contender.queue, at);
  wake(index, link.free_at);
}

/// Removes the packets from the head of a queue that have left by all outputs, from edge `at` on.
void AnalyticFabric::leave(QueueId id, Edge at) {
  PacketQueue& queue = queues_[id];
  Segment& head = queue.segments.front();
  Leg& leg = legs_[head.leg];
  delist(id);
  std::uint64_t least = packets_in(leg);
  Edge last = 0;
  for (const Output& output : leg.outputs) {
    least = std::min(least, output.sent);
    last = std::max(last, output.free_at);
  }
  const std::uint64_t packets = least - leg.left;
  if (packets == 0) return;
  leg.left = least;
  head.packets -= packets;
  head.first += packets;
  if (settings_.finite_queues && !queue.is_source) {
    const Link& before = links_[queue.before];
    const Edge seen = at + before.stages + settings_.parameters.restart_cycles;
    queue.releases.push_back({seen, packets});
    wake(queue.before, seen);
  }
  if (head.packets == 0) {
    const LegId leg_id = head.leg;
    queue.segments.pop_front();
    queue.head_from = last;
    if (least == packets_in(leg)) finish_leg(leg_id);
  }
  start_next(id);
}

}  // namespace kernbench::model::fabric
