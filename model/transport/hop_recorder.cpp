// SPDX-License-Identifier: Apache-2.0
#include "model/transport/hop_recorder.hpp"

namespace kernbench::model::transport {

using common::SimTime;

HopRecorder::HopRecorder(const topology::TopologyGraph& graph, trace::HopTrace& trace)
    : graph_(graph), trace_(trace), last_occupant_(graph.edges().size()) {}

void HopRecorder::begin_message(std::uint32_t flow, const Route& route, const trace::Label& label) {
  if (flow >= messages_.size()) messages_.resize(flow + 1);
  Message& message = messages_[flow];
  message.route = &route;
  message.label = label;
  message.stays.assign(route.edges.size() + 1, {});
}

void HopRecorder::record_crossing(const Flit& flit, std::uint32_t wire, const Crossing& crossing) {
  const std::uint64_t transaction = messages_[flit.flow].label.transaction;
  trace::HopRecord& stay = stay_of(flit);
  if (flit.is_first) stay.arrive = crossing.arrival;
  stay.depart = crossing.end;
  // Flits of a message that queue behind each other are its normal flow, not a wait.
  std::uint64_t& occupant = last_occupant_[wire];
  const SimTime wait = crossing.start - crossing.ready;
  if (occupant != transaction && wait > stay.wait) {
    stay.wait = wait;
    stay.behind = occupant;
    stay.why = trace::WaitReason::WireBusy;
  }
  occupant = transaction;
}

void HopRecorder::record_departure(std::uint32_t flow, SimTime time) {
  messages_[flow].stays.front().depart = time;
}

void HopRecorder::record_fabric_entry(const Flit& flit, SimTime time) {
  if (flit.is_first) stay_of(flit).arrive = time;
}

void HopRecorder::record_fabric_exit(const Flit& flit, SimTime time) {
  stay_of(flit).depart = time;
}

void HopRecorder::record_first_arrival(std::uint32_t flow, SimTime time) {
  messages_[flow].stays.back().arrive = time;
}

void HopRecorder::end_message(std::uint32_t flow, SimTime time) {
  Message& message = messages_[flow];
  message.stays.back().depart = time;
  const std::vector<topology::EdgeId>& edges = message.route->edges;
  for (std::size_t hop = 0; hop < message.stays.size(); ++hop) {
    trace::HopRecord& stay = message.stays[hop];
    stay.label = message.label;
    stay.node = hop < edges.size() ? graph_.edge(edges[hop]).from : graph_.edge(edges.back()).to;
    trace_.add(stay);
  }
}

trace::HopRecord& HopRecorder::stay_of(const Flit& flit) {
  Message& message = messages_[flit.flow];
  return message.stays[flit.hop - message.route->first_hop];
}

}  // namespace kernbench::model::transport
