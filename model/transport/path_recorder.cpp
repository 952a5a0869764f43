// SPDX-License-Identifier: Apache-2.0
#include "model/transport/path_recorder.hpp"

#include <utility>

namespace kernbench::model::transport {

using common::SimTime;
using trace::TimeUse;

namespace {

/// Adds the time on a wire, from the start of the crossing to the arrival at `next`.
void add_way(trace::PathStep& step, std::uint32_t wire, const Crossing& crossing, SimTime next) {
  step.add(TimeUse::Wire, wire, crossing.end - crossing.start);
  step.add(TimeUse::Travel, wire, next - crossing.end);
}

}  // namespace

void PathRecorder::begin_message(std::uint32_t flow, const trace::Label& label) {
  if (flow >= steps_.size()) {
    steps_.resize(flow + 1);
    labels_.resize(flow + 1);
    fabric_entries_.resize(flow + 1);
  }
  labels_[flow] = label;
  steps_[flow] = std::make_shared<trace::PathStep>(simulation_, SimTime(), label);
}

void PathRecorder::record_last(std::uint32_t flow, std::uint32_t wire, const Crossing& crossing,
                               SimTime next) {
  trace::PathStep& step = *steps_[flow];
  step.add(TimeUse::Overhead, begin_of(wire), crossing.ready - crossing.arrival);
  step.add(TimeUse::WireWait, wire, crossing.start - crossing.ready, before_);
  add_way(step, wire, crossing, next);
}

void PathRecorder::record_rest(std::uint32_t flow, std::uint32_t wire, const Crossing& first,
                               const Crossing& last, SimTime next) {
  trace::PathStep& step = *steps_[flow];
  step.add(TimeUse::Overhead, begin_of(wire), first.ready - first.arrival);
  step.add(TimeUse::WireWait, wire, first.start - first.ready, before_);
  step.add(TimeUse::WireWait, wire, last.start - first.start, step.label());
  add_way(step, wire, last, next);
}

void PathRecorder::record_fabric_entry(const Flit& flit) {
  if (flit.is_last) fabric_entries_[flit.flow] = simulation_.now();
}

void PathRecorder::record_fabric_exit(const Flit& flit, topology::NodeId from) {
  if (!flit.is_last) return;
  steps_[flit.flow]->add(TimeUse::Fabric, from.value(),
                         simulation_.now() - fabric_entries_[flit.flow]);
}

void PathRecorder::end_message(std::uint32_t flow, SimTime time) {
  steps_[flow]->end = time;
  simulation_.set_cause(std::move(steps_[flow]));
}

std::uint32_t PathRecorder::begin_of(std::uint32_t wire) const {
  return graph_.edge(topology::EdgeId(wire)).from.value();
}

}  // namespace kernbench::model::transport
