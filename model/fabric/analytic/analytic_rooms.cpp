// SPDX-License-Identifier: Apache-2.0
// Room in the finite queues of an AnalyticFabric, for the last packet that a source sends by a
// channel.
#include <utility>

#include "model/engine/simulation.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {

/// Counts the packets of a flow that starts at its source, and holds its last packet back when it
/// has no room. A flow that continues from the next node needs room in the link and its queue. A
/// flow that ends there needs the packets ahead of it to be in the queue, that is out of the link.
void AnalyticFabric::reserve_room(FlowId id) {
  Flow& flow = flows_[id];
  if (flow.link >= channels_) return;
  const Leg& leg = legs_[flow.leg];
  const AnalyticParameters& parameters = settings_.parameters;
  const std::uint64_t packets = packets_in(leg);
  const std::uint64_t stages = links_[flow.link].stages;
  LinkQueue& queue = queue_at(flow.link, qos_of(leg));
  std::uint64_t room = parameters.queue_packets;
  Edge delay = packets > stages ? packets - stages : 0;
  if (flow.next_leg != NextLeg::None) {
    enter_queue(flow);
    room += parameters.stage_packets * stages;
    delay = stages + parameters.restart_cycles;
  }
  if (queue.entered <= queue.forwarded + room) return;
  flow.room = LastPacketRoom::Awaited;
  queue.waiter = {.flow = id, .forwarded = queue.entered - room, .delay = delay};
  check_room(queue);
}

/// Counts the packets of a flow whose packets continue from the next node.
void AnalyticFabric::enter_queue(const Flow& flow) {
  if (flow.next_leg == NextLeg::None) return;
  const Leg& leg = legs_[flow.leg];
  queue_at(flow.link, qos_of(leg)).entered += packets_in(leg);
}

/// Grants the waiter room if enough packets have been forwarded, or marks where in the first leg
/// that will be. Called whenever there is a new waiter or a new first leg.
void AnalyticFabric::check_room(LinkQueue& queue) {
  if (!queue.waiter) return;
  if (queue.waiter->forwarded <= queue.forwarded) {
    grant_room(queue);
    return;
  }
  if (queue.legs.empty()) return;
  Leg& first = legs_[queue.legs.front()];
  const std::uint64_t awaited = queue.waiter->forwarded - queue.forwarded;
  if (awaited > packets_in(first)) return;
  if (packets_sent_by_all(first) >= awaited) {
    grant_room(queue);
  } else {
    first.room_mark = awaited;
  }
  // The mark limits the flows. After a grant the restart changes no limit, but it may reorder the
  // events of a later edge, and results depend on their order.
  for (const FlowId id : first.flows) restart_flow(id);
}

void AnalyticFabric::grant_room(LinkQueue& queue) {
  const LinkQueue::Waiter waiter = *std::exchange(queue.waiter, std::nullopt);
  Flow& flow = flows_[waiter.flow];
  const std::uint64_t unsent = packets_in(legs_[flow.leg]) - packets_sent(waiter.flow);
  if (unsent > waiter.delay) {  // the last packet is sent after the delay anyway
    flow.room = LastPacketRoom::Available;
  } else {
    flow.room = LastPacketRoom::Granted;
    schedule(now() + waiter.delay, EventKind::RoomSeen, waiter.flow);
  }
  restart_flow(waiter.flow);
}

void AnalyticFabric::on_room_seen(FlowId id) {
  flows_[id].room = LastPacketRoom::Available;
  restart_flow(id);
}

}  // namespace kernbench::model::fabric
