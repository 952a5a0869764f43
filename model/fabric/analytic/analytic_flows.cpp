// SPDX-License-Identifier: Apache-2.0
// Flows of an AnalyticFabric: when a link serves them, and how far.
#include <algorithm>

#include "model/engine/simulation.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {

using topology::zoo::Hop;

void AnalyticFabric::add_flow(LegId id, const Hop& hop, NextLeg next_leg) {
  const FlowId flow = flows_.take();
  flows_[flow] = {.leg = id, .link = hop.channel, .vc = hop.vc, .next_leg = next_leg};
  legs_[id].flows.push_back(flow);
  ++links_[hop.channel].transfers;
}

/// Returns the number of packets that a flow may have sent by now: the smallest of four limits.
std::uint64_t AnalyticFabric::send_limit(const Flow& flow) const {
  const Leg& leg = legs_[flow.leg];
  std::uint64_t limit = std::min(leg.supplied, leg.window_end);
  // The last packet stays until it has room.
  if (flow.room != LastPacketRoom::Available) limit = std::min(limit, packets_in(leg) - 1);
  // The first packet starts the next leg.
  if (flow.next_leg == NextLeg::Pending) limit = std::min<std::uint64_t>(limit, 1);
  // Room for another flow is granted at the mark.
  if (leg.room_mark > flow.sent) limit = std::min(limit, leg.room_mark);
  return limit;
}

// Stopped and Served.

/// Puts a stopped flow to its link, if its leg is sending and it has something to send.
void AnalyticFabric::start_flow(FlowId id) {
  Flow& flow = flows_[id];
  const Leg& leg = legs_[flow.leg];
  if (flow.state != FlowState::Stopped || leg.state != LegState::Sending) return;
  flow.target = send_limit(flow);
  if (flow.target <= flow.sent) return;
  links_[flow.link].server.add(id, qos_of(leg), input_of(leg), leg.ticket, flow.target - flow.sent,
                               now());
  flow.state = FlowState::Served;
  schedule_link(flow.link);
}

/// Takes a flow from its link. A flow that completes at this edge stays Served: on_flow_served() is
/// about to be called.
void AnalyticFabric::stop_flow(FlowId id) {
  Flow& flow = flows_[id];
  if (flow.state != FlowState::Served) return;
  const Leg& leg = legs_[flow.leg];
  const std::uint64_t left = links_[flow.link].server.remove(id, qos_of(leg), input_of(leg), now());
  flow.sent = flow.target - left;
  if (left != 0) flow.state = FlowState::Stopped;
  schedule_link(flow.link);  // other flows may complete earlier
}

/// Applies a changed send_limit().
void AnalyticFabric::restart_flow(FlowId id) {
  stop_flow(id);
  start_flow(id);
}

std::uint64_t AnalyticFabric::packets_sent(FlowId id) {
  const Flow& flow = flows_[id];
  if (flow.state != FlowState::Served) return flow.sent;
  const Leg& leg = legs_[flow.leg];
  return flow.target - links_[flow.link].server.remaining(id, qos_of(leg), input_of(leg), now());
}

std::uint64_t AnalyticFabric::packets_sent_by_all(const Leg& leg) {
  std::uint64_t least = packets_in(leg);
  for (const FlowId id : leg.flows) least = std::min(least, packets_sent(id));
  return least;
}

// Served by the link.

/// Schedules LinkDue for the next completion at a link, unless an earlier one is scheduled.
void AnalyticFabric::schedule_link(std::uint32_t link) {
  const std::optional<Edge> next = links_[link].server.next_completion();
  if (!next || *next >= links_[link].next_event) return;
  links_[link].next_event = *next;
  schedule(*next, EventKind::LinkDue, link);
}

/// Runs at the edge of a completion, or at one that a later change has made obsolete.
void AnalyticFabric::on_link_due(std::uint32_t index) {
  Link& link = links_[index];
  if (link.next_event <= now()) link.next_event = kNever;
  if (const auto flow = link.server.take_completed(now())) on_flow_served(*flow);
  schedule_link(index);
}

void AnalyticFabric::on_flow_served(FlowId id) {
  Flow& flow = flows_[id];
  flow.sent = flow.target;
  flow.state = FlowState::Stopped;
  Leg& leg = legs_[flow.leg];
  if (flow.next_leg == NextLeg::Pending) start_next_leg_of(id);
  if (leg.room_mark != 0 && packets_sent_by_all(leg) >= leg.room_mark) {
    leg.room_mark = 0;
    grant_room(queue_before(leg));
  }
  if (flow.sent == packets_in(leg)) {
    finish_flow(id);
  } else if (flow.sent == leg.window_end) {
    if (++leg.flows_at_window_end == leg.flows.size()) open_next_window(leg);
  } else {
    start_flow(id);
  }
}

/// Creates the leg at the next node when the first packet has been sent there.
void AnalyticFabric::start_next_leg_of(FlowId id) {
  Flow& flow = flows_[id];
  flow.next_leg = NextLeg::Started;
  const Leg& from = legs_[flow.leg];
  const Link& link = links_[flow.link];
  flow.supplies = add_leg(from.flight, link.end, from.target, LegState::Arriving);
  Leg& leg = legs_[flow.supplies];
  leg.in = Hop{flow.link, flow.vc};
  leg.supplier = id;
  // Packets of the window arrive as fast as they can leave, with one exception: with endless queues
  // the link of a unicast may be shared, so finish_flow() supplies its last packet.
  const bool may_arrive_late =
      !settings_.finite_queues && from.flows.size() == 1 && flow.sent < packets_in(from);
  leg.supplied = may_arrive_late ? packets_in(from) - 1 : from.window_end;
  if (link.stages == 0) {
    on_leg_arrived(flow.supplies);
  } else {
    schedule(now() + link.stages, EventKind::LegArrived, flow.supplies);
  }
}

/// Lets the copies of a multicast send more when the slowest has sent the current window.
void AnalyticFabric::open_next_window(Leg& leg) {
  leg.flows_at_window_end = 0;
  leg.window_end =
      std::min(packets_in(leg), leg.window_end + settings_.parameters.multicast_stride);
  for (const FlowId id : leg.flows) {
    start_flow(id);
    schedule_supply(flows_[id], EventKind::WindowSupplied);
  }
}

void AnalyticFabric::finish_flow(FlowId id) {
  Flow& flow = flows_[id];
  flow.state = FlowState::Finished;
  const LegId leg = flow.leg;
  Flight& flight = flights_[legs_[leg].flight];
  const Edge delivered = now() + links_[flow.link].stages;
  flight.last_move = std::max(flight.last_move, delivered);
  if (flow.supplies != kNoId) {
    Leg& next = legs_[flow.supplies];
    next.supplier = kNoId;
    if (!settings_.finite_queues && next.supplied < flight.packets) {
      schedule(delivered, EventKind::Supplied, flow.supplies, next.generation);
    }
    flow.supplies = kNoId;
  }
  if (--legs_[leg].unfinished_flows == 0) finish_leg(leg);
}

}  // namespace kernbench::model::fabric
