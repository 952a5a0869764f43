// SPDX-License-Identifier: Apache-2.0
#include "model/transport/network.hpp"
#include "topology/spec/topology_spec.hpp"

#include <algorithm>
#include <stdexcept>

namespace kernbench::model::transport {

using common::SimTime;

Network::Network(engine::Simulation& simulation, const topology::TopologyGraph& graph,
                 trace::HopTrace* trace, const FabricFactory& make_fabric)
    : simulation_(simulation),
      flit_bytes_(graph.spec().system.flit_bytes),
      wire_table_(graph),
      routes_(wire_table_),
      fabrics_(simulation, wire_table_, routes_, make_fabric, *this) {
  wires_.reserve(graph.edges().size());
  for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
    wires_.emplace_back(wire_table_, topology::EdgeId(i));
  }
  if (trace != nullptr) recorder_.emplace(graph, *trace);
  if (simulation.records_causes()) paths_.emplace(simulation, graph);
  is_recorded_ = recorder_ || paths_;
}

std::uint32_t Network::add_flow(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                                std::uint64_t message, const trace::Label& label, Notify notify) {
  if (bytes == 0) throw std::invalid_argument("a message needs at least one byte");
  const std::uint32_t id = flows_.take();
  if (id >= Flit::kMaxFlows) throw std::length_error("too many messages are in flight");
  const Flits flits{bytes, flit_bytes_};
  flows_[id] = {&route, flits, flits.count(), &receiver, message, notify, 0, 0, label};
  if (recorder_) recorder_->begin_message(id, route, label);
  if (paths_) paths_->begin_message(id, label);
  return id;
}

SimTime Network::send(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                      std::uint64_t message, const trace::Label& label, SourceOverhead overhead,
                      Notify notify) {
  const std::uint32_t id = add_flow(route, bytes, receiver, message, label, notify);
  const Flow& flow = flows_[id];
  Wire& first = wires_[route.edges.front().value()];
  if (first.handovers() != nullptr) take_handovers(*first.handovers());
  const SimTime now = simulation_.now();
  const SimTime ready = overhead == SourceOverhead::Added ? now + first.overhead() : now;
  if (moves_wholes()) {
    const std::uint32_t whole = wholes_.take();
    wholes_[whole] = {id, route.first_hop, route.first_hop, {ready, ready}, {}};
    return forward_first(whole);
  }
  if (routes_.is_follower(route.first_hop + 1)) {
    for (std::uint64_t i = 0; i < flow.flit_count; ++i) forward(make_flit(id, i, 0), now, ready);
    return first.free();
  }
  // All flits are ready now and occupy the wire one directly behind the other, so the wire is taken
  // for all of them at once. An event for each arrival schedules the next.
  const SimTime start = std::max(ready, first.free());
  const SimTime arrival = cross(make_flit(id, 0, 0), now, ready);
  const std::uint64_t others = flow.flit_count - 1;
  if (others > 0) {
    const SimTime first_end = first.free();
    first.carry_rest(others, flow.flits.size(others));
    flit_hops_ += others;
    if (paths_) {
      const SimTime last_start = first.free() - first.occupancy_of(flow.flits.size(others));
      paths_->record_rest(id, route.edges.front().value(), {now, ready, start, first_end},
                          {now, ready, last_start, first.free()}, first.last_arrival());
    }
    if (recorder_) recorder_->record_departure(id, first.free());
  }
  schedule(Due::SourceArrival, id, arrival);
  return first.free();
}

void Network::set_fidelity(Fidelity fidelity) {
  if (fidelity == Fidelity::Message && wire_table_.has_fabric()) {
    throw std::invalid_argument("fabrics carry flits, not whole messages");
  }
  if (fidelity == Fidelity::Message && is_recorded_) {
    throw std::invalid_argument("whole messages have no hops to record");
  }
  fidelity_ = fidelity;
}

void Network::send_whole(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                         std::uint64_t message, const FlitTimes& ready) {
  const std::uint32_t whole = wholes_.take();
  wholes_[whole] = {add_flow(route, bytes, receiver, message, {}, Notify::FirstAndLast),
                    route.first_hop,
                    route.first_hop,
                    ready,
                    {}};
  schedule(Due::WholeFirst, whole, ready.first);
}

SimTime Network::forward_first(std::uint32_t id) {
  Whole& whole = wholes_[id];
  const Flow& flow = flows_[whole.flow];
  const std::uint32_t last_bytes = flow.flits.size(flow.flit_count - 1);
  const std::uint32_t first_hop = whole.hop;
  const FlitTimes source = whole.ready;
  FlitTimes arrival;
  SimTime last_came;  // at the end of the first of these wires
  for (; whole.hop == first_hop || routes_.is_follower(whole.hop); ++whole.hop) {
    Wire& wire = wires_[routes_.hop(whole.hop).wire()];
    if (whole.hop != first_hop) {
      whole.ready = {arrival.first + wire.overhead(), arrival.last + wire.overhead()};
    }
    arrival = wire.carry_whole(whole.flow, whole.ready, flow.flit_count, last_bytes);
    if (whole.hop == first_hop) last_came = arrival.last;
    flit_hops_ += flow.flit_count;
  }
  whole.first_came = arrival.first;
  const bool at_end = routes_.is_end(whole.hop);
  if (!at_end) {
    const SimTime overhead = wires_[routes_.hop(whole.hop).wire()].overhead();
    whole.ready = {arrival.first + overhead, arrival.last + overhead};
    schedule(Due::WholeFirst, id, arrival.first);
  } else if (flow.flit_count > 1) {
    flow.receiver->on_whole_begin(flow.message, arrival);
  }
  if (flow.flit_count == 1) {  // the first flit is the last one
    whole.last_hop = whole.hop;
    if (at_end) schedule(Due::WholeLast, id, arrival.last);
  } else if (first_hop == flow.route->first_hop) {
    const bool at_once = source.first == source.last;  // then nothing comes between the flits
    whole.last_hop = at_once ? first_hop + 1 : first_hop;
    schedule(Due::WholeLast, id, at_once ? last_came : source.last);
  }
  return last_came - wires_[routes_.hop(first_hop).wire()].travel();
}

void Network::on_whole_last(std::uint32_t id) {
  Whole& whole = wholes_[id];
  if (routes_.is_end(whole.last_hop)) return deliver_whole(id);
  const std::uint32_t source = flows_[whole.flow].route->first_hop;  // which has paid its overhead
  SimTime arrival = simulation_.now();
  do {
    Wire& wire = wires_[routes_.hop(whole.last_hop).wire()];
    const SimTime overhead = whole.last_hop == source ? SimTime() : wire.overhead();
    arrival = wire.finish_whole(whole.flow, arrival + overhead);
    ++whole.last_hop;
  } while (routes_.is_follower(whole.last_hop));
  if (whole.last_hop == whole.hop) arrival = std::max(arrival, whole.first_came);
  schedule(Due::WholeLast, id, arrival);
}

void Network::deliver_whole(std::uint32_t id) {
  const FlitTimes came{wholes_[id].first_came, simulation_.now()};
  const std::uint32_t number = wholes_[id].flow;
  const Flow& flow = flows_[number];
  FlitReceiver& receiver = *flow.receiver;
  const std::uint64_t message = flow.message;
  const std::uint64_t flits = flow.flit_count;
  flows_.release(number);
  wholes_.release(id);
  receiver.on_whole(message, flits, came);
}

std::uint32_t Network::open(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                            std::uint64_t message, const trace::Label& label, Notify notify) {
  const topology::EdgeId first = route.edges.front();
  const topology::NodeId source = wire_table_.graph().edge(first).from;
  wires_[first.value()].open_handovers(routes_, wire_table_.is_memory(source));
  return add_flow(route, bytes, receiver, message, label, notify);
}

void Network::deliver_flit(std::uint32_t flow, SimTime ready) {
  const Flit flit = make_flit(flow, flows_[flow].departed++, 0);
  const std::uint32_t wire = routes_.hop(flit.hop).wire();
  HandoverQueue& handovers = *wires_[wire].handovers();
  handovers.push(ready, flit);
  if (!handovers.is_deferrable(flit)) schedule_handover(wire, ready);
}

void Network::on_event(engine::EventArgument argument) {
  switch (argument.tag<Due>()) {
    case Due::Arrival:
      on_wire_arrival(argument.index());
      break;
    case Due::SourceArrival:
      on_source_arrival(argument.index());
      break;
    case Due::Handover:
      on_handover(argument.index());
      break;
    case Due::WholeFirst:
      forward_first(argument.index());
      break;
    case Due::WholeLast:
      on_whole_last(argument.index());
      break;
  }
}

void Network::schedule_arrival(std::uint32_t wire, const Wire::Arrival& next) {
  const bool at_end = routes_.is_end(next.flit.hop);
  schedule(Due::Arrival, wire, at_end ? next.time + wires_[wire].notice_delay() : next.time);
}

void Network::on_wire_arrival(std::uint32_t wire) {
  engine::RingQueue<Wire::Arrival>& arrivals = wires_[wire].arrivals();
  for (bool has_due = true; has_due;) {
    const Wire::Arrival next = arrivals.pop();
    has_due = !arrivals.empty() && arrivals.front().time <= simulation_.now();
    if (!has_due && !arrivals.empty()) schedule_arrival(wire, arrivals.front());
    arrive(next.flit, next.time);
  }
}

void Network::on_source_arrival(std::uint32_t id) {
  Flow& flow = flows_[id];
  const std::uint64_t index = flow.departed++;
  if (flow.departed < flow.flit_count) {
    const Wire& wire = wires_[flow.route->edges.front().value()];
    schedule(Due::SourceArrival, id,
             simulation_.now() + wire.occupancy_of(flow.flits.size(flow.departed)));
  }
  arrive(make_flit(id, index, 1), simulation_.now());
}

void Network::schedule_handover(std::uint32_t wire, SimTime time) {
  if (wires_[wire].handovers()->plan_event(time)) schedule(Due::Handover, wire, time);
}

void Network::on_handover(std::uint32_t wire) {
  HandoverQueue& handovers = *wires_[wire].handovers();
  if (!handovers.begin_event(simulation_.now())) return;
  take_handovers(handovers);
  schedule_handover(wire, handovers.next_event());
}

void Network::take_handovers(HandoverQueue& handovers) {
  while (handovers.has_ready(simulation_.now())) {
    const SimTime ready = handovers.ready();
    forward(handovers.pop(), ready, ready);
  }
}

void Network::arrive(const Flit& flit, SimTime arrival) {
  const Hop hop = routes_.hop(flit.hop);
  if (hop.kind() == Hop::Kind::End) {
    report(flit, arrival);
  } else if (hop.kind() == Hop::Kind::Carried) {
    enter_fabric(flit);
  } else {
    forward(flit, arrival, arrival + wires_[hop.wire()].overhead());
  }
}

void Network::forward(Flit flit, SimTime arrival, SimTime ready) {
  SimTime next_arrival = cross(flit, arrival, ready);
  ++flit.hop;
  while (routes_.is_follower(flit.hop)) {
    const SimTime overhead = wires_[routes_.hop(flit.hop).wire()].overhead();
    next_arrival = cross(flit, next_arrival, next_arrival + overhead);
    ++flit.hop;
  }
  if (flit.is_unreported && routes_.is_end(flit.hop)) return;  // nothing happens when it arrives
  const std::uint32_t wire = routes_.hop(flit.hop - 1).wire();
  engine::RingQueue<Wire::Arrival>& arrivals = wires_[wire].arrivals();
  arrivals.push({flit, next_arrival});
  if (arrivals.size() == 1) schedule_arrival(wire, {flit, next_arrival});
}

SimTime Network::cross(const Flit& flit, SimTime arrival, SimTime ready) {
  const std::uint32_t id = routes_.hop(flit.hop).wire();
  Wire& wire = wires_[id];
  const SimTime start =
      flit.is_full ? wire.carry_full(ready) : wire.carry_short(ready, bytes_of(flit));
  if (is_recorded_) record_crossing(flit, id, {arrival, ready, start, wire.free()});
  ++flit_hops_;
  return wire.last_arrival();
}

std::vector<WireUse> Network::uses() const {
  std::vector<WireUse> all;
  all.reserve(wires_.size());
  for (std::uint32_t i = 0; i < wires_.size(); ++i) all.push_back(use(topology::EdgeId(i)));
  return all;
}

std::map<topology::EdgeKind, SimTime> Network::busiest_since(
    const std::vector<WireUse>& before) const {
  std::map<topology::EdgeKind, SimTime> busiest;
  for (std::uint32_t i = 0; i < wires_.size(); ++i) {
    const SimTime busy = use(topology::EdgeId(i)).busy - before[i].busy;
    if (busy == SimTime()) continue;
    SimTime& most = busiest[wire_table_.graph().edge(topology::EdgeId(i)).kind];
    most = std::max(most, busy);
  }
  return busiest;
}

void Network::record_crossing(const Flit& flit, std::uint32_t id, const Crossing& crossing) {
  if (recorder_) recorder_->record_crossing(flit, id, crossing);
  if (paths_) paths_->record_crossing(flit, id, crossing, wires_[id].last_arrival());
}

void Network::enter_fabric(const Flit& flit) {
  if (recorder_) recorder_->record_fabric_entry(flit, simulation_.now());
  if (paths_) paths_->record_fabric_entry(flit);
  ++flit_hops_;
  fabrics_.enter(flit, bytes_of(flit), flows_[flit.flow].label.transaction);
}

void Network::on_fabric_exit(const Flit& flit) {
  if (recorder_) recorder_->record_fabric_exit(flit, simulation_.now());
  if (paths_) {
    const topology::EdgeId link(routes_.hop(flit.hop).wire());
    paths_->record_fabric_exit(flit, wire_table_.graph().edge(link).from);
  }
  Flit next = flit;
  ++next.hop;
  arrive(next, simulation_.now());
}

void Network::report(const Flit& flit, SimTime arrival) {
  if (flit.is_unreported) return;
  Flow& flow = flows_[flit.flow];
  FlitReceiver& receiver = *flow.receiver;
  const std::uint64_t message = flow.message;
  const std::uint64_t index = flow.report_next();
  if (recorder_ && flit.is_first) recorder_->record_first_arrival(flit.flow, arrival);
  if (index + 1 == flow.flit_count) {
    if (recorder_) recorder_->end_message(flit.flow, arrival);
    if (paths_) paths_->end_message(flit.flow, arrival);
    flows_.release(flit.flow);
  }
  receiver.on_flit(message, index, arrival);
}

Flit Network::make_flit(std::uint32_t id, std::uint64_t index, std::uint32_t hop) const {
  const Flow& flow = flows_[id];
  return {flow.route->first_hop + hop,
          id & (Flit::kMaxFlows - 1),
          index == 0,
          index + 1 == flow.flit_count,
          flow.flits.size(index) == flit_bytes_,
          flow.is_unreported(index)};
}

std::uint32_t Network::bytes_of(const Flit& flit) const {
  if (flit.is_full) return flit_bytes_;
  const Flow& flow = flows_[flit.flow];
  return flow.flits.size(flow.flit_count - 1);
}

}  // namespace kernbench::model::transport
