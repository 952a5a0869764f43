// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/drawn_states.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "maze/network_model.hpp"
#include "sim/network/network_users.hpp"

namespace kernbench::sim {
namespace {

constexpr unsigned kNodes = 9;
constexpr std::uint64_t kCycles = 160;
constexpr std::uint64_t kSecondReset = 120;
constexpr std::uint64_t kResetCycles = 2;

/// A node of the reference, and what is recorded of it.
struct Watched {
  std::unique_ptr<UnitReference> reference;
  Recording recording;
};

Watched watch(unsigned node, const maze::NetworkConfig& config, const std::string& network) {
  Watched one;
  const Unit unit{Unit::Kind::Node, {node, 0}};
  one.reference = unit_reference(unit, config, true);
  one.recording = recording_of(unit, *one.reference, network + one.reference->instance());
  return one;
}

}  // namespace

std::vector<Recording> draw_states(const Recording& failed, const maze::NetworkConfig& config) {
  const maze::Shape& shape = config.shape;
  const std::string own = unit_reference(failed.unit, config, true)->instance();
  const std::string above = failed.instance.substr(0, failed.instance.size() - own.size());
  std::vector<Watched> nodes;
  const unsigned chosen = std::min(kNodes, shape.nodes());
  for (unsigned i = 0; i < chosen; ++i) {
    nodes.push_back(watch(i * (shape.nodes() - 1) / std::max(1U, chosen - 1), config, above));
  }
  NetworkCase traffic;
  traffic.cycles = kCycles;
  traffic.load = 0.9;
  traffic.multicasts = 0.3;
  traffic.back_pressure.kind = BackPressure::Random;
  traffic.failed = config.failed;
  NetworkUsers users(config, traffic);
  maze::NetworkModel network(config);
  maze::TopoInputs inputs(shape, 1);
  maze::TopoOutputs outputs(shape, 1);
  LinkSignals links(shape);
  maze::BitPlane fired(shape, 1);
  for (std::uint64_t cycle = 0; cycle < kCycles; ++cycle) {
    const std::uint64_t since = cycle < kSecondReset ? cycle : cycle - kSecondReset;
    const bool in_reset = since < kResetCycles;
    users.drive(cycle, in_reset ? Phase::Reset : Phase::Run, fired, inputs);
    if (in_reset) network.reset();
    network.evaluate(outputs);
    links.from_nodes = network.from_nodes();
    links.to_nodes = network.to_nodes();
    CycleView view;
    view.cycle = cycle;
    view.in_reset = in_reset;
    view.intended = view.driven = &inputs;
    view.observed = &outputs;
    view.links = &links;
    for (Watched& one : nodes) {
      UnitCycle& row = one.recording.cycles.emplace_back();
      row.cycle = cycle;
      row.in_reset = in_reset;
      row.seen.resize(one.recording.signals.size());
      row.expected.resize(row.seen.size());
      one.reference->step(view, row);
    }
    for (std::size_t word = 0; word < fired.size(); ++word) {
      fired[word] = in_reset ? 0 : inputs.out_valid[word] & outputs.out_ready[word];
    }
    if (!in_reset) network.clock(inputs);
  }
  std::vector<Recording> recordings;
  recordings.reserve(nodes.size());
  for (Watched& one : nodes) recordings.push_back(std::move(one.recording));
  return recordings;
}

}  // namespace kernbench::sim
