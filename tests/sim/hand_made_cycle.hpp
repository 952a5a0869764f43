// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/harness/cycle_view.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// A cycle that a test fills in by hand and shows to an extension.
class HandMadeCycle {
 public:
  explicit HandMadeCycle(const maze::Shape& shape)
      : inputs(shape), outputs(shape), source_fired(shape), sink_fired(shape) {}

  /// A packet enters the link.
  void send(const topology::MazeLink& link, maze::Payload packet) {
    inputs.out_valid.set(link.from.port, link.from.node);
    inputs.out_payload.at(link.from.port, link.from.node) = packet;
    source_fired.set(link.from.port, link.from.node);
  }
  /// A packet is offered at the end of the link.
  void offer(const topology::MazeLink& link, maze::Payload packet) {
    outputs.in_valid.set(link.to.port, link.to.node);
    outputs.in_payload.at(link.to.port, link.to.node) = packet;
  }
  /// A packet leaves the link.
  void receive(const topology::MazeLink& link, maze::Payload packet) {
    offer(link, packet);
    sink_fired.set(link.to.port, link.to.node);
  }
  [[nodiscard]] CycleView view(std::uint64_t cycle) const {
    CycleView view;
    view.cycle = cycle;
    view.intended = &inputs;
    view.driven = &inputs;
    view.observed = &outputs;
    view.source_fired = &source_fired;
    view.sink_fired = &sink_fired;
    return view;
  }

  maze::TopoInputs inputs;
  maze::TopoOutputs outputs;
  maze::BitPlane source_fired;
  maze::BitPlane sink_fired;
};

}  // namespace kernbench::sim
