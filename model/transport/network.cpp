#include "model/transport/network.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "model/fabric/maze_fabric.hpp"
#include "model/transport/wire_time.hpp"

namespace kernbench::model::transport {

using common::SimTime;
using topology::Edge;
using topology::EdgeId;

namespace {

/// Nodes that pass flits on and are no end of any message.
bool only_passes_on(topology::NodeKind kind) {
  using topology::NodeKind;
  return kind == NodeKind::UcieConn || kind == NodeKind::UciePhy || kind == NodeKind::IoConn ||
         kind == NodeKind::IoUcie;
}

bool is_memory(topology::NodeKind kind) {
  using topology::NodeKind;
  return kind == NodeKind::HbmCtrl || kind == NodeKind::Sram || kind == NodeKind::PeTcm;
}

}  // namespace

Network::Network(engine::Simulation& simulation, const topology::TopologyGraph& graph,
                 trace::HopTrace* trace, const FabricFactory& make_fabric)
    : simulation_(simulation),
      graph_(graph),
      trace_(trace),
      flit_bytes_(graph.spec().system.flit_bytes) {
  using Ends = std::tuple<std::uint32_t, std::uint32_t, topology::EdgeKind, std::uint32_t>;
  std::vector<Ends> by_ends;
  wires_.reserve(graph.edges().size());
  by_ends.reserve(graph.edges().size());
  for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
    const Edge& edge = graph.edges()[i];
    Wire wire;
    wire.travel = propagation(edge.length_nm, graph.spec().system.wire_ns_per_mm);
    wire.overhead = graph.node(edge.from).overhead;
    wire.full_flit = occupancy(flit_bytes_, edge.bw_gbs);
    if (edge.kind == topology::EdgeKind::MazeLink) {
      wire.travel = kMazeLink;
      maze_links_.try_emplace(edge.from, i);
    }
    wires_.push_back(std::move(wire));
    by_ends.emplace_back(edge.from.value(), edge.to.value(), edge.kind, i);
  }
  std::sort(by_ends.begin(), by_ends.end());
  for (const Edge& edge : graph.edges()) {
    const Ends wanted{edge.to.value(), edge.from.value(), opposite(edge.kind), 0};
    const auto found = std::lower_bound(by_ends.begin(), by_ends.end(), wanted);
    back_.emplace_back(found == by_ends.end() ? 0 : std::get<3>(*found));
  }
  find_followers();
  find_lateness();
  wire_handovers_.assign(wires_.size(), kNone);
  if (maze_links_.empty()) return;
  for (std::uint32_t sip = 0; sip < graph.spec().system.sips; ++sip) {
    fabrics_.push_back(make_fabric ? make_fabric(simulation, graph.spec().sip)
                                   : fabric::make_analytic_maze(simulation, graph.spec().sip));
  }
}

/// A flit does not turn back, so what leaves a node of two neighbours came from the other one.
void Network::find_followers() {
  std::vector<std::vector<EdgeId>> coming(graph_.nodes().size());
  for (std::uint32_t i = 0; i < wires_.size(); ++i) {
    const topology::NodeId to = graph_.edges()[i].to;
    if (only_passes_on(graph_.node(to).kind)) coming[to.value()].emplace_back(i);
  }
  for (const Edge& edge : graph_.edges()) {
    std::uint32_t leader = kNone;
    std::size_t leaders = 0;
    for (const EdgeId before : coming[edge.from.value()]) {
      if (graph_.edge(before).from == edge.to) continue;
      leader = before.value();
      ++leaders;
    }
    leaders_.push_back(leaders == 1 ? leader : kNone);
  }
}

/// No route passes through a memory, so all that comes by its only wire is for itself, in order.
void Network::find_lateness() {
  std::vector<std::uint32_t> wires_to(graph_.nodes().size());
  for (const Edge& edge : graph_.edges()) ++wires_to[edge.to.value()];
  for (std::uint32_t i = 0; i < wires_.size(); ++i) {
    const topology::NodeId end = graph_.edges()[i].to;
    const topology::Node& node = graph_.node(end);
    if (is_memory(node.kind) && wires_to[end.value()] == 1) wires_[i].lateness = node.overhead;
  }
}

std::size_t Network::EdgesHash::operator()(std::span<const EdgeId> edges) const {
  std::uint64_t hash = edges.size();
  for (const EdgeId edge : edges) hash = (hash ^ edge.value()) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 32U;
}

bool Network::SameEdges::operator()(std::span<const EdgeId> a, std::span<const EdgeId> b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

const Route& Network::route(std::span<const EdgeId> edges) const {
  const auto known = routes_.find(edges);
  if (known != routes_.end()) return known->second;
  if (edges.empty()) throw std::invalid_argument("a message takes at least one wire");
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (!follows(edges[i - 1], edges[i])) {
      throw std::invalid_argument("the wires of a route follow each other");
    }
    if (is_memory(graph_.node(graph_.edge(edges[i]).from).kind)) {
      throw std::invalid_argument("a route does not pass through a memory");
    }
  }
  if (wires_[edges.front().value()].is_maze_link() || wires_[edges.back().value()].is_maze_link()) {
    throw std::invalid_argument("a route neither begins nor ends at a MAZE node");
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint32_t leader = leaders_[edges[i].value()];
    if (leader != kNone && (i == 0 || edges[i - 1].value() != leader)) {
      throw std::invalid_argument(
          "a route neither begins nor turns back at a node that only passes flits on");
    }
  }
  const std::vector<EdgeId> copy(edges.begin(), edges.end());
  const auto first_hop = static_cast<std::uint32_t>(hops_.size());
  for (const EdgeId edge : copy) {
    hops_.push_back(edge.value() | (leaders_[edge.value()] == kNone ? 0 : kFollower));
  }
  hops_.push_back(kEnd);
  return routes_.emplace(copy, Route{copy, first_hop, nullptr}).first->second;
}

const Route& Network::reversed(const Route& route) const {
  if (route.back != nullptr) return *route.back;
  const std::vector<EdgeId>& edges = route.edges;
  std::vector<EdgeId> back;
  for (std::size_t i = edges.size(); i-- > 0;) {
    // A MAZE hop ends where the next wire begins, whatever links carry it.
    back.push_back(wires_[edges[i].value()].is_maze_link()
                       ? maze_links_.at(graph_.edge(edges[i + 1]).from)
                       : back_[edges[i].value()]);
  }
  Route& kept = routes_.find(edges)->second;
  kept.back = &this->route(back);
  return *kept.back;
}

bool Network::follows(EdgeId before, EdgeId next) const {
  const topology::NodeId begins = graph_.edge(next).from;
  if (!wires_[before.value()].is_maze_link()) return graph_.edge(before).to == begins;
  const topology::Node& end = graph_.node(begins);
  return end.kind == topology::NodeKind::Maze &&
         end.sip == graph_.node(graph_.edge(before).from).sip;
}

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
  // All flits come to the first wire now, so it is taken for all of them now; each then sets the
  // next one going.
  const std::uint32_t handovers = wire_handovers_[route.edges.front().value()];
  if (handovers != kNone) hand_over(handovers_[handovers]);
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
  const std::uint32_t id = add_flow(route, bytes, receiver, message, label, heard);
  std::uint32_t& handovers = wire_handovers_[route.edges.front().value()];
  if (handovers == kNone) {
    handovers = static_cast<std::uint32_t>(handovers_.size());
    const topology::NodeId source = graph_.edge(route.edges.front()).from;
    handovers_.emplace_back().alone = is_memory(graph_.node(source).kind);
  }
  flows_[id].handovers = handovers;
  return id;
}

void Network::deliver_flit(std::uint32_t flow, SimTime ready) {
  Flow& of = flows_[flow];
  const Flit flit = flit_of(flow, of.gone++, 0);
  Handovers& handovers = handovers_[of.handovers];
  handovers.flits.push(ready, flit);
  if (is_noticed(handovers, flit)) plan(of.handovers, ready);
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
void Network::on_event(std::uint64_t argument) {
  const auto id = static_cast<std::uint32_t>(argument >> kDueBits);
  switch (static_cast<Due>(argument & ((1U << kDueBits) - 1))) {
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
