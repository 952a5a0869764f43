// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "maze/packet_layout.hpp"
#include "maze/topo_model.hpp"
#include "sim/cover/deep_coverage.hpp"
#include "sim/cover/functional_coverage.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// The cycle reference with functional coverage attached as in the harness. Tests set the inputs of
/// a cycle, then call cycle().
class CoverBench {
 public:
  explicit CoverBench(const maze::Shape& size, std::uint64_t at_least = 0,
                      BackPressure kind = BackPressure::None, bool with_reference = true)
      : shape(size),
        links(size.nx, size.ny),
        layout(size),
        model(size),
        inputs(size),
        outputs(size),
        source_fired(size),
        sink_fired(size),
        coverage(size, links, kind, with_reference ? &model : nullptr, at_least),
        deep(size, links, with_reference ? &model : nullptr) {
    release();
  }

  /// Offers no packets, with every receiver ready.
  void release() {
    inputs.out_valid.clear();
    for (unsigned port = 0; port < shape.ports(); ++port) {
      for (unsigned node = 0; node < shape.nodes(); ++node) inputs.in_ready.set(port, node);
    }
  }
  void offer(const topology::MazeLink& link, maze::Payload packet) {
    inputs.out_valid.set(link.from.port, link.from.node);
    inputs.out_payload.at(link.from.port, link.from.node) = packet;
  }
  void withdraw(const topology::MazeLink& link) {
    inputs.out_valid.set(link.from.port, link.from.node, false);
  }
  void set_ready(const topology::MazeLink& link, bool ready) {
    inputs.in_ready.set(link.to.port, link.to.node, ready);
  }

  void cycle(bool in_reset = false, ResetCycle part = {}) {
    if (in_reset) model.reset();
    model.evaluate(inputs, outputs);
    for (std::size_t i = 0; i < sink_fired.size(); ++i) {
      const std::uint64_t running = in_reset ? 0 : ~std::uint64_t{0};
      source_fired.data()[i] = inputs.out_valid.data()[i] & outputs.out_ready.data()[i] & running;
      sink_fired.data()[i] = outputs.in_valid.data()[i] & inputs.in_ready.data()[i] & running;
    }
    if (!in_reset) model.clock(inputs);
    const CycleView view{now++,    in_reset,      false,       &inputs, &inputs,
                         &outputs, &source_fired, &sink_fired, part};
    coverage.on_cycle(view);
    deep.on_cycle(view);
  }
  void cycles(unsigned count) {
    for (unsigned i = 0; i < count; ++i) cycle();
  }
  void reset() {
    release();
    cycle(true);
  }
  /// Sends one packet and runs until it is delivered.
  void send(const topology::MazeLink& link, maze::Payload packet) {
    offer(link, packet);
    cycle();
    withdraw(link);
    cycles(link.depth + 1);
  }

  /// Returns the bins of one link that were hit, by the text of a missed bin.
  [[nodiscard]] std::vector<std::string> hit(const topology::MazeLink& link) {
    const std::string prefix = links.link_name(link) + ": ";
    const std::vector<std::string> missed = coverage.data().missed();
    std::vector<std::string> names;
    auto next = missed.begin();
    for (const std::string& name :
         CoverageData(shape, links, coverage.data().at_least()).missed()) {
      if (next != missed.end() && *next == name) {
        ++next;
      } else if (name.starts_with(prefix)) {
        names.push_back(name.substr(prefix.size()));
      }
    }
    return names;
  }
  [[nodiscard]] bool hit(LinkBin bin, const topology::MazeLink& link) {
    return coverage.data().link(bin).test(link.to.port, link.to.node);
  }
  [[nodiscard]] bool hit(FabricBin bin) { return coverage.data().fabric(bin); }

  maze::Shape shape;
  topology::MazeLinks links;
  maze::PacketLayout layout;
  maze::TopoModel model;
  maze::TopoInputs inputs;
  maze::TopoOutputs outputs;
  maze::BitPlane source_fired, sink_fired;
  FunctionalCoverage coverage;
  DeepCoverage deep;
  std::uint64_t now = 0;
};

}  // namespace kernbench::sim
