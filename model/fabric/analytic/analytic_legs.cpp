// SPDX-License-Identifier: Apache-2.0
// Legs of an AnalyticFabric: which leg sends at a node, and how many packets it is supplied with.
#include <algorithm>

#include "model/engine/simulation.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {

// A source sends one transfer at a time, high QoS first.

void AnalyticFabric::submit_leg(LegId id) {
  const Qos qos = qos_of(legs_[id]);
  Source& source = sources_[legs_[id].node];
  source.legs[static_cast<std::size_t>(qos)].push(id);
  if (source.sending == kNoId) {
    start_next_leg(source);
  } else if (qos == Qos::High && qos_of(legs_[source.sending]) == Qos::Low) {
    preempt_leg(legs_[source.sending]);
    start_next_leg(source);
  }
}

void AnalyticFabric::start_next_leg(Source& source) {
  source.sending = kNoId;
  for (const Qos qos : {Qos::High, Qos::Low}) {
    const auto& legs = source.legs[static_cast<std::size_t>(qos)];
    if (legs.empty()) continue;
    source.sending = legs.front();
    Leg& leg = legs_[source.sending];
    if (leg.state == LegState::Preempted) {
      resume_leg(leg);
    } else {
      start_leg(source.sending);
    }
    return;
  }
}

/// Stops the flows of a leg. The legs that they supply get no more than has been sent.
void AnalyticFabric::preempt_leg(Leg& leg) {
  leg.state = LegState::Preempted;
  for (const FlowId id : leg.flows) {
    stop_flow(id);
    const LegId next = flows_[id].supplies;
    if (next == kNoId) continue;
    set_supply(legs_[next], std::min(legs_[next].supplied, supply_from(id, legs_[next])));
  }
}

void AnalyticFabric::resume_leg(Leg& leg) {
  leg.state = LegState::Sending;
  for (const FlowId id : leg.flows) {
    start_flow(id);
    schedule_supply(flows_[id], EventKind::Supplied);
  }
}

// The life of a leg.

LegId AnalyticFabric::add_leg(std::uint32_t flight, std::uint32_t node, std::uint32_t target,
                              LegState state) {
  const LegId id = legs_.take();
  Leg& leg = legs_[id];
  leg.flight = flight;
  leg.node = node;
  leg.target = target;
  leg.in.reset();
  leg.supplier = kNoId;
  leg.state = state;
  ++flights_[flight].unfinished_legs;
  return id;
}

void AnalyticFabric::on_leg_arrived(LegId id) {
  if (!settings_.finite_queues) {
    start_leg(id);
    return;
  }
  LinkQueue& queue = queue_before(legs_[id]);
  queue.legs.push(id);
  if (queue.legs.size() > 1) {
    legs_[id].state = LegState::Queued;
    return;
  }
  start_leg(id);
  check_room(queue);
}

void AnalyticFabric::start_leg(LegId id) {
  Leg& leg = legs_[id];
  const Flight& flight = flights_[leg.flight];
  Transfer transfer = flight.transfer;
  transfer.dst = leg.target;
  if (failed()) transfer.type = TransferType::Unicast;
  for (const TransferOutput& output : outputs_.find(transfer, leg.node, leg.in)) {
    add_flow(id, output.hop, output.ends ? NextLeg::None : NextLeg::Pending);
  }
  if (leg.flows.empty()) add_flow(id, {channels_ + leg.node, 0}, NextLeg::None);
  leg.state = LegState::Sending;
  leg.ticket = ++legs_started_;
  leg.unfinished_flows = static_cast<std::uint32_t>(leg.flows.size());
  leg.window_end =
      leg.flows.size() == 1
          ? flight.packets
          : std::min<std::uint64_t>(flight.packets, settings_.parameters.multicast_stride);
  leg.flows_at_window_end = 0;
  leg.room_mark = 0;
  for (const FlowId flow : leg.flows) {
    if (settings_.finite_queues && !leg.in) reserve_room(flow);
    if (settings_.finite_queues && leg.in) enter_queue(flows_[flow]);  // forwarded without a limit
    start_flow(flow);
  }
}

/// Frees a leg whose flows have finished, and starts the next one of its queue.
void AnalyticFabric::finish_leg(LegId id) {
  Leg& leg = legs_[id];
  for (const FlowId flow : leg.flows) flows_.release(flow);
  leg.flows.clear();
  if (leg.supplier != kNoId) flows_[leg.supplier].supplies = kNoId;
  leg.generation = (leg.generation + 1) % engine::EventArgument::kGenerations;
  legs_.release(id);

  Flight& flight = flights_[leg.flight];
  flight.last_move = std::max(flight.last_move, now());  // the copy that stays at the source
  if (--flight.unfinished_legs == 0) {
    schedule(flight.last_move, EventKind::TransferDone, leg.flight);
  }
  if (!leg.in) {
    Source& source = sources_[leg.node];
    source.legs[static_cast<std::size_t>(flight.transfer.qos)].pop();
    if (source.sending == id) start_next_leg(source);
  } else if (settings_.finite_queues) {
    LinkQueue& queue = queue_before(leg);
    queue.legs.pop();
    queue.forwarded += flight.packets;
    if (!queue.legs.empty()) start_leg(queue.legs.front());
    check_room(queue);
  }
}

// The supply of a leg.

/// Supplies a leg with all that its supplier has sent or is sending, or with one window of that.
void AnalyticFabric::on_supplied(EventKind kind, LegId id, std::uint32_t generation) {
  Leg& leg = legs_[id];
  if (leg.generation != generation) return;  // the leg has finished
  std::uint64_t packets = supply_from(leg.supplier, leg);
  if (kind == EventKind::WindowSupplied) {
    packets = std::min(packets, leg.supplied + settings_.parameters.multicast_stride);
  }
  set_supply(leg, packets);
}

void AnalyticFabric::set_supply(Leg& leg, std::uint64_t packets) {
  leg.supplied = packets;
  for (const FlowId id : leg.flows) restart_flow(id);
}

/// Supplies the leg after `flow` when a packet that is sent at the next edge has crossed the link.
void AnalyticFabric::schedule_supply(const Flow& flow, EventKind kind) {
  if (flow.supplies == kNoId) return;
  schedule(now() + 1 + links_[flow.link].stages, kind, flow.supplies,
           legs_[flow.supplies].generation);
}

/// Returns the packets that `leg` has when all that `supplier` has sent or is sending have arrived.
std::uint64_t AnalyticFabric::supply_from(FlowId supplier, const Leg& leg) const {
  if (supplier == kNoId) return packets_in(leg);
  const Flow& flow = flows_[supplier];
  const Leg& from = legs_[flow.leg];
  return from.state == LegState::Sending ? from.window_end : flow.sent;
}

}  // namespace kernbench::model::fabric
