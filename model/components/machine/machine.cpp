// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/transport/flits.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using topology::NodeId;
using topology::NodeKind;

Machine::Machine(engine::Simulation& simulation, const topology::TopologyGraph& graph,
                 const MachineOptions& options)
    : simulation_(simulation),
      graph_(graph),
      options_(options),
      resolver_(graph),
      network_(simulation, graph, options.trace, options.make_fabric),
      accesses_(*this),
      components_(graph.nodes().size()) {
  if (simulation.records_causes()) meters_.emplace(graph.nodes().size());
}

MachineUse Machine::use() const {
  return {network_.uses(), meters_ ? meters_->parts() : std::vector<PartMeter>()};
}

void Machine::forget_waits() {
  network_.forget_waits();
  if (meters_) meters_->forget_waits();
}

const topology::PathRouter& Machine::router() {
  if (options_.router != nullptr) return *options_.router;
  if (own_router_ == nullptr) own_router_ = std::make_unique<topology::PathRouter>(graph_);
  return *own_router_;
}

Component& Machine::component(NodeId node) {
  std::unique_ptr<Component>& component = components_[node.value()];
  if (component == nullptr) {
    component = options_.components->make(component_name(graph_.node(node).kind), *this, node);
  }
  return *component;
}

MemoryComponent& Machine::memory(NodeId node) {
  auto* const memory = dynamic_cast<MemoryComponent*>(&component(node));
  if (memory == nullptr) {
    throw std::invalid_argument(
        fmt::format("the route of an access ends at a memory, not at {}", graph_.name(node)));
  }
  return *memory;
}

void Machine::reject_component(NodeId node) {
  throw std::logic_error(fmt::format("{}: component has an unexpected type", graph_.name(node)));
}

NodeId Machine::sibling(NodeId part, NodeKind kind) const {
  // Node ids of the parts of a PE are consecutive, in the order of kPeParts.
  const auto place = [](NodeKind wanted) {
    return static_cast<std::uint32_t>(
        std::find(topology::kPeParts.begin(), topology::kPeParts.end(), wanted) -
        topology::kPeParts.begin());
  };
  return NodeId(part.value() - place(graph_.node(part).kind) + place(kind));
}

NodeId Machine::pe_part(const memory::PeLocation& pe, NodeKind kind) const {
  return resolver_.find_pe_part(pe.sip, pe.cube, pe.pe, kind);
}

common::SimTime Machine::send(const transport::Route& route, std::uint64_t bytes,
                              const trace::Label& label, Payload payload,
                              transport::SourceOverhead overhead) {
  const std::uint32_t slot = messages_.take();
  Message& message = messages_[slot];
  message.from = graph_.edge(route.edges.front()).from;
  message.to = graph_.edge(route.edges.back()).to;
  message.route = &route;
  message.bytes = bytes;
  message.label = label;
  message.payload = std::move(payload);
  return network_.send(route, bytes, *this, slot, label, overhead, transport::Notify::FirstAndLast);
}

void Machine::reply(const Message& request, std::string_view what, Payload payload) {
  (void)send(network_.reversed(*request.route), spec().system.request_bytes,
             {request.label.transaction, what}, std::move(payload));
}

void Machine::on_flit(std::uint64_t slot, std::uint64_t index, common::SimTime came) {
  const Message& message = messages_[static_cast<std::uint32_t>(slot)];
  if (!transport::Flits{message.bytes, spec().system.flit_bytes}.is_last(index)) return;
  const common::SimTime overhead = graph_.node(message.to).overhead;
  if (simulation_.records_causes()) {
    // The last flit has made the step of the message.
    auto step = std::static_pointer_cast<trace::PathStep>(simulation_.cause());
    step->add(trace::TimeUse::Overhead, message.to.value(), overhead);
    step->end = came + overhead;
    if (causes_.size() <= slot) causes_.resize(slot + 1);
    causes_[slot] = std::move(step);
  }
  simulation_.schedule(came + overhead, *this, slot);
}

engine::Cause Machine::step_of(const Service& service, common::SimTime ready, NodeId node,
                               const trace::Label& label, trace::TimeUse wait,
                               trace::TimeUse work) {
  const auto step = step_to(service.end, label);
  if (step == nullptr) return nullptr;
  step->add_wait(wait, node.value(), service.start - ready, label_of(service.behind));
  step->add(work, node.value(), service.end - service.start);
  return step;
}

void Machine::on_event(engine::EventArgument argument) {
  const auto slot = static_cast<std::uint32_t>(argument.number());
  Message message = std::move(messages_[slot]);
  messages_.release(slot);
  if (simulation_.records_causes()) simulation_.set_cause(std::move(causes_[slot]));
  Component& receiver = component(message.to);
  receiver.on_message(std::move(message));
}

}  // namespace kernbench::model::components
