#include "model/transport/network.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/transport/wire_time.hpp"

namespace kernbench::model::transport {

using common::SimTime;
using topology::EdgeId;

std::uint32_t Network::add_flow(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                                std::uint64_t message, const trace::Label& label, Heard heard) {
  if (bytes == 0) throw std::invalid_argument("a message has at least one byte");
  std::uint32_t flow = 0;
  if (free_flows_.empty()) {
    flow = static_cast<std::uint32_t>(flows_.size());
    if (flow == kMaxFlows) throw std::length_error("too many messages are on their way");
    flows_.emplace_back();
  } else {
    flow = free_flows_.back();
    free_flows_.pop_back();
  }
  Flow& added = flows_[flow];
  added.route = &route;
  added.flits = {bytes, flit_bytes_};
  added.count = added.flits.count();
  added.receiver = &receiver;
  added.message = message;
  added.heard = heard;
  added.arrived = 0;
  added.gone = 0;
  added.label = label;
  if (trace_ != nullptr) added.hops.assign(route.edges.size() + 1, {});
  return flow;
}

SimTime Network::send(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                      std::uint64_t message, const trace::Label& label, SourceOverhead overhead,
                      Heard heard) {
  const std::uint32_t id = add_flow(route, bytes, receiver, message, label, heard);
  Flow& flow = flows_[id];
  Wire& first = wires_[route.edges.front().value()];
  if (first.handovers != kNone) hand_over(handovers_[first.handovers]);
  // All flits come to the first wire now, so it is taken for all of them now; each then sets the
  // next one going.
  const SimTime now = simulation_.now();
  const SimTime ready = overhead == SourceOverhead::Added ? now + first.overhead : now;
  if ((hops_[route.first_hop + 1] & kFollower) != 0) {
    // A follower is taken in the same order.
    for (std::uint64_t i = 0; i < flow.count; ++i) take_wire(flit_of(id, i, 0), now, ready);
    return first.free;
  }
  const SimTime arrives = cross(flit_of(id, 0, 0), now, ready);
  const std::uint64_t others = flow.count - 1;
  if (others > 0) {
    const std::uint32_t last_bytes = flow.flits.size(others);
    const SimTime last = occupancy_of(last_bytes, route.first_hop);
    first.free += first.full_flit * static_cast<std::int64_t>(others - 1) + last;
    first.flits += others;
    first.missing_bytes += flit_bytes_ - last_bytes;
    first.missing_busy += first.full_flit - last;
    flit_hops_ += others;
    if (trace_ != nullptr) flow.hops.front().depart = first.free;
  }
  schedule(Due::Source, id, arrives);
  return first.free;
}

std::uint32_t Network::open(const Route& route, std::uint64_t bytes, FlitReceiver& receiver,
                            std::uint64_t message, const trace::Label& label, Heard heard) {
  Wire& first = wires_[route.edges.front().value()];
  if (first.handovers == kNone) {
    first.handovers = static_cast<std::uint32_t>(handovers_.size());
    handovers_.emplace_back().alone = is_memory(graph_.edge(route.edges.front()).from);
  }
  return add_flow(route, bytes, receiver, message, label, heard);
}

void Network::deliver_flit(std::uint32_t flow, SimTime ready) {
  Flow& of = flows_[flow];
  const Flit flit = flit_of(flow, of.gone++, 0);
  const std::uint32_t id = wires_[wire_of(flit.hop)].handovers;
  Handovers& handovers = handovers_[id];
  handovers.flits.push(ready, flit);
  if (is_noticed(handovers, flit)) plan(id, ready);
}

void Network::plan(std::uint32_t handovers, SimTime at) {
  SimTime& planned = handovers_[handovers].planned;
  if (at >= planned) return;
  planned = at;
  schedule(Due::Handover, handovers, at);
}

void Network::hand_over(Handovers& handovers) {
  ReadyQueue<Flit>& flits = handovers.flits;
  while (!flits.empty() && flits.ready() <= simulation_.now()) {
    // A source that hands over flit by flit has paid its overhead already.
    const SimTime ready = flits.ready();
    take_wire(flits.pop(), ready, ready);
  }
}

void Network::on_handover(std::uint32_t handovers) {
  Handovers& due = handovers_[handovers];
  if (due.planned != simulation_.now()) return;  // an earlier one was planned after it
  due.planned = kNever;
  hand_over(due);
  const auto noticed = [&](const Flit& flit) { return is_noticed(due, flit); };
  plan(handovers, due.flits.ready_of_first(noticed));
}

WireUse Network::use(EdgeId wire) const {
  const Wire& used = wires_[wire.value()];
  WireUse use;
  use.flits = used.flits;
  use.bytes = used.flits * flit_bytes_ - used.missing_bytes;
  use.busy = used.full_flit * static_cast<std::int64_t>(used.flits) - used.missing_busy;
  use.longest_wait = used.longest_wait;
  return use;
}

Network::Flit Network::flit_of(std::uint32_t flow, std::uint64_t index, std::uint32_t hop) const {
  const Flow& of = flows_[flow];
  const bool quiet = of.heard == Heard::FirstAndLast && index > 0 && index + 1 < of.count;
  return {of.route->first_hop + hop, flow & (kMaxFlows - 1), index == 0,
          of.flits.size(index) == flit_bytes_, quiet};
}

std::uint32_t Network::bytes_of(const Flit& flit) const {
  if (flit.whole) return flit_bytes_;
  const Flow& flow = flows_[flit.flow];
  return flow.flits.size(flow.count - 1);
}

SimTime Network::occupancy_of(std::uint32_t bytes, std::uint32_t hop) const {
  const std::uint32_t edge = wire_of(hop);
  return bytes == flit_bytes_ ? wires_[edge].full_flit
                              : occupancy(bytes, graph_.edge(EdgeId(edge)).bw_gbs);
}

SimTime Network::cross(const Flit& flit, SimTime came, SimTime ready) {
  Wire& wire = wires_[wire_of(flit.hop)];
  SimTime taken = wire.full_flit;
  if (!flit.whole) {
    const std::uint32_t bytes = bytes_of(flit);
    taken = occupancy_of(bytes, flit.hop);
    wire.missing_bytes += flit_bytes_ - bytes;
    wire.missing_busy += wire.full_flit - taken;
  }
  SimTime start = ready;
  if (wire.free > ready) {
    start = wire.free;
    wire.longest_wait = std::max(wire.longest_wait, start - ready);
  }
  wire.free = start + taken;
  if (trace_ != nullptr) record_crossing(flit, came, ready, start);
  ++wire.flits;
  ++flit_hops_;
  return wire.free + wire.travel;
}

// Of a wire, a source or a controller only the next flit is scheduled: what is behind it comes no
// earlier, and queues of many flits are walked through in order.
void Network::on_event(engine::EventArgument argument) {
  const std::uint32_t id = argument.index();
  switch (argument.tag<Due>()) {
    case Due::Wire:
      on_wire(id);
      break;
    case Due::Source: {
      Flow& flow = flows_[id];
      const std::uint64_t index = flow.gone++;
      if (flow.gone < flow.count) {
        schedule(
            Due::Source, id,
            simulation_.now() + occupancy_of(flow.flits.size(flow.gone), flow.route->first_hop));
      }
      arrive(flit_of(id, index, 1), simulation_.now());
      break;
    }
    case Due::Handover:
      on_handover(id);
      break;
  }
}

void Network::enter_maze(const Flit& flit) {
  const Flow& flow = flows_[flit.flow];
  const topology::Node& from = graph_.node(graph_.edge(EdgeId(wire_of(flit.hop))).from);
  const topology::Node& to = graph_.node(graph_.edge(EdgeId(wire_of(flit.hop + 1))).from);
  if (trace_ != nullptr && flit.first) hop_record(flit).arrive = simulation_.now();
  ++flit_hops_;
  fabric::Transfer transfer;
  transfer.id = in_maze_.size();
  if (!free_in_maze_.empty()) {
    transfer.id = free_in_maze_.back();
    free_in_maze_.pop_back();
    in_maze_[transfer.id] = flit;
  } else {
    in_maze_.push_back(flit);
  }
  transfer.src = from.cube;
  transfer.dst = to.cube;
  transfer.bytes = bytes_of(flit);
  transfer.transaction = flow.label.transaction;
  fabrics_[from.sip]->submit(transfer, *this);
}

void Network::on_transfer_done(std::uint64_t id) {
  Flit flit = in_maze_[id];
  free_in_maze_.push_back(static_cast<std::uint32_t>(id));
  if (trace_ != nullptr) hop_record(flit).depart = simulation_.now();
  ++flit.hop;
  arrive(flit, simulation_.now());
}

void Network::expect(std::uint32_t wire, const InFlight& next) {
  const bool ends = hops_[next.flit.hop] == kEnd;
  schedule(Due::Wire, wire, ends ? next.at + wires_[wire].lateness : next.at);
}

void Network::on_wire(std::uint32_t wire) {
  engine::RingQueue<InFlight>& in_flight = wires_[wire].in_flight;
  for (bool more = true; more;) {
    const InFlight next = in_flight.pop();
    more = !in_flight.empty() && in_flight.front().at <= simulation_.now();
    if (!more && !in_flight.empty()) expect(wire, in_flight.front());
    arrive(next.flit, next.at);
  }
}

void Network::arrive(const Flit& flit, SimTime came) {
  if (hops_[flit.hop] == kEnd) {
    finish(flit, came);
    return;
  }
  const Wire& wire = wires_[wire_of(flit.hop)];
  if (wire.is_maze_link()) {
    enter_maze(flit);
    return;
  }
  take_wire(flit, came, came + wire.overhead);
}

void Network::take_wire(const Flit& flit, SimTime came, SimTime ready) {
  Flit next = flit;
  SimTime at = cross(next, came, ready);
  while ((hops_[++next.hop] & kFollower) != 0) {
    at = cross(next, at, at + wires_[wire_of(next.hop)].overhead);
  }
  if (hops_[next.hop] == kEnd && next.quiet) return;
  const std::uint32_t id = wire_of(next.hop - 1);
  engine::RingQueue<InFlight>& in_flight = wires_[id].in_flight;
  in_flight.push({next, at});
  if (in_flight.size() == 1) expect(id, {next, at});
}

void Network::finish(const Flit& flit, SimTime came) {
  if (flit.quiet) return;
  Flow& flow = flows_[flit.flow];
  FlitReceiver& receiver = *flow.receiver;
  const std::uint64_t message = flow.message;
  if (trace_ != nullptr && flit.first) flow.hops.back().arrive = came;
  // Without the quiet ones, the first is followed by the last.
  const bool skips = flow.heard == Heard::FirstAndLast && !flit.first;
  const std::uint64_t index = skips ? flow.count - 1 : flow.arrived;
  flow.arrived = index + 1;
  if (flow.arrived == flow.count) {
    if (trace_ != nullptr) record_end(flow, came);
    free_flows_.push_back(flit.flow);
  }
  receiver.on_flit(message, index, came);
}

trace::HopRecord& Network::hop_record(const Flit& flit) {
  Flow& flow = flows_[flit.flow];
  return flow.hops[flit.hop - flow.route->first_hop];
}

void Network::record_crossing(const Flit& flit, SimTime came, SimTime ready, SimTime start) {
  const Flow& flow = flows_[flit.flow];
  Wire& wire = wires_[wire_of(flit.hop)];
  trace::HopRecord& hop = hop_record(flit);
  if (flit.first) hop.arrive = came;
  hop.depart = wire.free;
  // Standing behind flits of its own is how a message flows, and no wait.
  if (wire.holder != flow.label.transaction && start - ready > hop.wait) {
    hop.wait = start - ready;
    hop.behind = wire.holder;
    hop.why = trace::WaitReason::WireBusy;
  }
  wire.holder = flow.label.transaction;
}

void Network::record_end(Flow& flow, SimTime came) {
  flow.hops.back().depart = came;
  for (std::size_t hop = 0; hop < flow.hops.size(); ++hop) {
    trace::HopRecord& record = flow.hops[hop];
    record.label = flow.label;
    const std::vector<EdgeId>& edges = flow.route->edges;
    record.node = hop < edges.size() ? graph_.edge(edges[hop]).from : graph_.edge(edges.back()).to;
    trace_->add(record);
  }
}

}  // namespace kernbench::model::transport
