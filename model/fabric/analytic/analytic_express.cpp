// SPDX-License-Identifier: Apache-2.0
// Transfers of an AnalyticFabric that meet nothing.
#include <algorithm>

#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {

using topology::zoo::Hop;

namespace {

/// Shorter transfers have few events anyway.
constexpr std::uint64_t kLeastPackets = 8;

}  // namespace

/// Finds the links and queues of a unicast that is about to enter its first link at edge `at`.
/// Returns whether nothing else uses them.
bool AnalyticFabric::find_free_way(const Leg& leg, Edge at, std::vector<Express::Step>& steps) {
  const Transfer transfer = transfer_to(leg.flight, leg.target);
  Edge enter = at;
  const Output& first = leg.outputs.front();
  Express::Step step{first.link, first.vc, first.ends, enter};
  for (;;) {
    const Link& link = links_[step.link];
    const std::size_t own = steps.empty() ? 1 : 0;
    if (link.express != kNone || link.free_at > enter ||
        link.contenders[0].size() + link.contenders[1].size() != own) {
      return false;
    }
    steps.push_back(step);
    if (step.ends) return true;
    const Hop hop{step.link, step.vc};
    const auto& outputs = outputs_.find(transfer, link.end, hop);
    enter += link.stages + 1;
    const Express::Step before = step;
    step = outputs.empty()
               ? Express::Step{channels_ + link.end, 0, true, enter}
               : Express::Step{outputs[0].hop.channel, outputs[0].hop.vc, outputs[0].ends, enter};
    PacketQueue& queue = queues_[queue_for(hop.channel, qos_of(leg), step.link)];
    queue.settle(before.enter);
    if (!queue.segments.empty() || queue.held != 0) return false;
  }
}

/// Makes the transfer at the head of a queue an express, if it can be one.
bool AnalyticFabric::start_express(const Contender& contender, Edge at) {
  const PacketQueue& queue = queues_[contender.queue];
  const Segment& head = queue.segments.front();
  const Leg& leg = legs_[head.leg];
  const bool is_new = queue.is_source && leg.outputs.size() == 1 && leg.outputs[0].sent == 0;
  if (!is_new || packets_in(leg) < kLeastPackets) return false;
  if (transfer_to(leg.flight, leg.target).type != TransferType::Unicast) return false;
  std::vector<Express::Step> steps;
  if (!find_free_way(leg, at, steps)) return false;
  const std::uint32_t id = expresses_.take();
  std::erase_if(links_[steps.front().link].contenders[static_cast<std::size_t>(queue.qos)],
                [&](const Contender& each) { return each.queue == contender.queue; });
  NextLeg next{head.leg, contender.queue};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Express::Step& step = steps[i];
    step.leg = next.leg;
    step.queue = next.queue;
    links_[step.link].express = id;
    if (step.ends) break;
    Output& output = legs_[step.leg].outputs.front();
    add_legs(output, legs_[step.leg]);
    next = output.next;
  }
  expresses_[id] = {std::move(steps), packets_in(leg)};
  schedule(at + packets_in(leg) - 1, EventKind::ExpressDue, id);
  return true;
}

/// Turns an express into packets that are where they are at this edge.
void AnalyticFabric::end_express(std::uint32_t id) {
  const Express express = std::exchange(expresses_[id], {});
  expresses_.release(id);
  const Edge at = now();
  const std::vector<Express::Step>& steps = express.steps;
  for (const Express::Step& step : steps) links_[step.link].express = kNone;
  Flight& flight = flights_[legs_[steps.front().leg].flight];
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Express::Step& step = steps[i];
    const std::uint64_t entered = express.entered(step, at);
    Link& link = links_[step.link];
    Leg& leg = legs_[step.leg];
    PacketQueue& queue = queues_[step.queue];
    Output& output = leg.outputs.front();
    output.sent = leg.left = entered;
    if (entered > 0) {
      output.free_at = at + 1;
      link.free_at = std::max(link.free_at, step.enter + entered);
      link.packets += entered;
      link.last_turn[static_cast<std::size_t>(queue.qos)] = queue.turn;
      flight.last_move = std::max(flight.last_move, step.enter + entered - 1 + link.stages);
    }
    if (i == 0) {
      Segment& head = queue.segments.front();
      head.packets -= entered;
      head.first += entered;
      if (head.packets == 0) {
        queue.segments.pop_front();
        queue.head_from = step.enter + entered;
      }
    } else {
      const Express::Step& before = steps[i - 1];
      const Edge delay = links_[before.link].stages;
      const std::uint64_t here = express.entered(before, at) - entered;
      if (here > 0) {
        queue.segments.push_back({step.leg, here, before.enter + entered + delay});
      }
      if (settings_.finite_queues) {
        // Packet j left the queue at edge step.enter + j, which is seen later.
        const Edge seen = step.enter + delay + settings_.parameters.restart_cycles;
        const std::uint64_t over = std::min<std::uint64_t>(at < seen ? 0 : at - seen + 1, entered);
        if (entered > over) queue.releases.push_back({seen + over, entered - over});
        queue.held += here + entered - over;
      }
    }
  }
  for (const Express::Step& step : steps) {
    if (legs_[step.leg].left == express.packets) finish_leg(step.leg);
  }
  for (const Express::Step& step : steps) start_next(step.queue);
}

}  // namespace kernbench::model::fabric
