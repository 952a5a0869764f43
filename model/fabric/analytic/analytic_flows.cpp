// The flows of an AnalyticFabric: packets of a transfer that leave a node by one output, and what
// holds them back.
#include <algorithm>

#include "model/engine/simulation.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {

using topology::zoo::Hop;

/// Joins its link for all that it may send now.
void AnalyticFabric::go(FlowId id) {
  Flow& flow = flows_[id];
  const Leg& leg = legs_[flow.leg];
  if (flow.joined || !leg.sending) return;
  flow.goal = goal_of(flow);
  if (flow.goal <= flow.moved) return;
  links_[flow.link].server.join(id, qos_of(leg), input_of(leg), leg.ticket, flow.goal - flow.moved,
                                now());
  flow.joined = true;
  plan(flow.link);
}

/// Leaves its link; one that is through at this edge stays until it hears of that.
void AnalyticFabric::pause(FlowId id) {
  Flow& flow = flows_[id];
  if (!flow.joined) return;
  const Leg& leg = legs_[flow.leg];
  const std::uint64_t left = links_[flow.link].server.leave(id, qos_of(leg), input_of(leg), now());
  flow.moved = flow.goal - left;
  flow.joined = left == 0;
  plan(flow.link);  // others may be through earlier
}

std::uint64_t AnalyticFabric::goal_of(const Flow& flow) const {
  const Leg& leg = legs_[flow.leg];
  std::uint64_t goal = std::min(leg.supplied, leg.allowed);
  if (flow.held) goal = std::min(goal, flight_of(leg).packets - 1);
  if (!flow.has_led_on && flow.leads_on) goal = std::min<std::uint64_t>(goal, 1);
  if (leg.mark > flow.moved) goal = std::min(goal, leg.mark);
  return goal;
}

/// Sees to it that there is an event when the next flow is through.
void AnalyticFabric::plan(std::uint32_t link) {
  const std::optional<Edge> next = links_[link].server.next();
  if (!next || *next >= links_[link].planned) return;
  links_[link].planned = *next;
  schedule(*next, Happening::Through, link);
}

void AnalyticFabric::on_through(FlowId id) {
  Flow& flow = flows_[id];
  flow.moved = flow.goal;
  flow.joined = false;
  Leg& leg = legs_[flow.leg];
  const std::uint64_t packets = flight_of(leg).packets;
  if (!flow.has_led_on && flow.leads_on) lead_on(id);
  if (leg.mark != 0 && moved_by_all(leg) >= leg.mark) {
    leg.mark = 0;
    release(queue_before(leg));
  }
  if (flow.moved == packets) {
    finish_flow(id);
  } else if (flow.moved == leg.allowed) {
    if (++leg.abreast == leg.flows.size()) go_on_together(leg);
  } else {
    go(id);
  }
}

/// The slowest copy has left: the next packets may.
void AnalyticFabric::go_on_together(Leg& leg) {
  leg.abreast = 0;
  leg.allowed =
      std::min(flight_of(leg).packets, leg.allowed + settings_.parameters.multicast_stride);
  for (const FlowId id : leg.flows) {
    go(id);
    const LegId next = flows_[id].next;
    if (next == kNone) continue;
    schedule(now() + 1 + links_[flows_[id].link].stages, Happening::StrideSupplied, next,
             legs_[next].generation);
  }
}

/// The first packet has left for a node from where it goes on.
void AnalyticFabric::lead_on(FlowId id) {
  Flow& flow = flows_[id];
  flow.has_led_on = true;
  const Leg& from = legs_[flow.leg];
  const Link& link = links_[flow.link];
  const LegId next = legs_.take();
  Leg& leg = legs_[next];
  leg.flight = from.flight;
  leg.node = link.end;
  leg.in = Hop{flow.link, flow.vc};
  leg.upstream = id;
  leg.sending = false;
  flow.next = next;
  Flight& flight = flights_[leg.flight];
  ++flight.legs;
  // Where queues are endless, the way here may be shared, and its packets come slower than they
  // could leave: the last may not leave before it came.
  leg.supplied = settings_.finite_queues || from.flows.size() > 1 || flow.moved == flight.packets
                     ? from.allowed
                     : flight.packets - 1;
  if (link.stages == 0) {
    on_arrived(next);
  } else {
    schedule(now() + link.stages, Happening::Arrived, next);
  }
}

void AnalyticFabric::on_arrived(LegId id) {
  if (!settings_.finite_queues) {
    begin(id);
    return;
  }
  Queue& queue = queue_before(legs_[id]);
  queue.legs.push(id);
  if (queue.legs.size() > 1) return;
  begin(id);
  watch(queue);
}

/// All its packets have left by its output.
void AnalyticFabric::finish_flow(FlowId id) {
  Flow& flow = flows_[id];
  const LegId leg = flow.leg;
  const Edge stages = links_[flow.link].stages;
  Flight& flight = flights_[legs_[leg].flight];
  flight.last = std::max(flight.last, now() + stages);
  if (flow.next != kNone) {
    Leg& next = legs_[flow.next];
    next.upstream = kNone;
    if (!settings_.finite_queues && next.supplied < flight.packets) {
      schedule(now() + stages, Happening::Supplied, flow.next, next.generation);
    }
    flow.next = kNone;
  }
  if (--legs_[leg].unfinished == 0) finish(leg);
}

// Finite queues: a link that stalls.

/// A transfer begins to leave its source by a channel. Its last packet needs room: in the queue at
/// the end of the channel if it goes on from there; and if not, those before it that wait for that
/// queue have to be in it.
void AnalyticFabric::enter_queue(FlowId id) {
  Flow& flow = flows_[id];
  if (flow.link >= channels_) return;
  const Leg& leg = legs_[flow.leg];
  const AnalyticParameters& parameters = settings_.parameters;
  const std::uint64_t packets = flight_of(leg).packets;
  const std::uint64_t stages = links_[flow.link].stages;
  Queue& queue = queue_at(flow.link, qos_of(leg));
  std::uint64_t room = parameters.queue_packets;
  Edge delay = packets > stages ? packets - stages : 0;
  if (flow.leads_on) {
    queue.entered += packets;
    room += parameters.stage_packets * stages;
    delay = stages + parameters.restart_cycles;
  }
  if (queue.entered <= queue.left + room) return;
  flow.held = true;
  queue.waits = id;
  queue.wanted = queue.entered - room;
  queue.delay = delay;
  watch(queue);
}

/// Finds out when the packets have left that somebody waits for.
void AnalyticFabric::watch(Queue& queue) {
  if (queue.waits == kNone) return;
  if (queue.wanted <= queue.left) {
    release(queue);
    return;
  }
  if (queue.legs.empty()) return;
  Leg& leg = legs_[queue.legs.front()];
  const std::uint64_t wanted = queue.wanted - queue.left;
  if (wanted > flight_of(leg).packets) return;
  for (const FlowId flow : leg.flows) pause(flow);
  if (moved_by_all(leg) < wanted) {
    leg.mark = wanted;
  } else {
    release(queue);
  }
  for (const FlowId flow : leg.flows) go(flow);
}

void AnalyticFabric::release(Queue& queue) {
  const FlowId id = queue.waits;
  queue.waits = kNone;
  Flow& flow = flows_[id];
  pause(id);
  // One that has more than `delay` packets to send sends the last after it anyway.
  if (flight_of(legs_[flow.leg]).packets - flow.moved > queue.delay) {
    flow.held = false;
  } else {
    schedule(now() + queue.delay, Happening::Released, id);
  }
  go(id);
}

std::uint64_t AnalyticFabric::moved_by_all(const Leg& leg) const {
  std::uint64_t least = flight_of(leg).packets;
  for (const FlowId flow : leg.flows) least = std::min(least, flows_[flow].moved);
  return least;
}

}  // namespace kernbench::model::fabric
