// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_drawn_states.hpp"

#include <memory>
#include <string>

#include "sim/debug/drawn_states.hpp"
#include "sim/noc/noc_node_reference.hpp"
#include "sim/noc/noc_users.hpp"

namespace kernbench::sim {
namespace {

/// Returns the nodes with as many ports as one of them, that one first.
std::vector<std::uint32_t> nodes_like(const noc::Network& network, std::uint32_t failed) {
  std::vector<std::uint32_t> nodes{failed};
  for (std::uint32_t node = 0; node < network.nodes() && nodes.size() < DrawnUnit::kMost; ++node) {
    if (node != failed && network.inputs(node) == network.inputs(failed) &&
        network.outputs(node) == network.outputs(failed)) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

}  // namespace

std::vector<Recording> draw_noc_states(const NocDevice& device, const Recording& failed) {
  const std::string own = NocNodeReference(device, failed.unit.at.node).instance();
  const std::string above = failed.instance.substr(0, failed.instance.size() - own.size());
  std::vector<DrawnUnit> nodes;
  for (const std::uint32_t node : nodes_like(device.network, failed.unit.at.node)) {
    auto reference = std::make_unique<NocNodeReference>(device, node);
    Recording recording =
        recording_of({Unit::Kind::Node, {node, 0}}, *reference, above + reference->instance());
    nodes.push_back({std::move(reference), std::move(recording)});
  }
  NocCase traffic;
  traffic.load = 0.9;
  traffic.longest = 4;
  traffic.gaps = 0.2;
  traffic.own_share = 0.2;
  traffic.back_pressure.kind = BackPressure::Random;
  NocUsers users(device, traffic);
  NocReference reference(device.network);
  NocInputs inputs(device.network.nodes());
  NocOutputs outputs(device.network.channels().size() + device.network.nodes());
  for (std::uint64_t cycle = 0; cycle < DrawnUnit::kCycles; ++cycle) {
    CycleView view;
    view.cycle = cycle;
    view.in_reset = DrawnUnit::in_reset_at(cycle);
    users.drive(cycle, view.in_reset ? Phase::Reset : Phase::Run, outputs, inputs);
    outputs = reference.expect(view);
    view.noc_inputs = &inputs;
    view.noc_outputs = &outputs;
    for (DrawnUnit& one : nodes) (void)one.step(view);
    (void)reference.clock(view);
  }
  std::vector<Recording> recordings;
  recordings.reserve(nodes.size());
  for (DrawnUnit& one : nodes) recordings.push_back(std::move(one.recording));
  return recordings;
}

}  // namespace kernbench::sim
