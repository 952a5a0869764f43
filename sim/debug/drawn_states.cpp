// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/drawn_states.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "common/random.hpp"
#include "maze/network_model.hpp"
#include "sim/network/network_users.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

// Cycles of a link: in each of these, offers and ready have other probabilities.
constexpr std::uint64_t kPhase = 40;

// The number of ready_o among the ports of a link.
constexpr std::size_t kReady = 1;

CycleView view_of(std::uint64_t cycle, const maze::TopoInputs& inputs,
                  const maze::TopoOutputs& outputs, const LinkSignals& links) {
  CycleView view;
  view.cycle = cycle;
  view.in_reset = DrawnUnit::in_reset_at(cycle);
  view.intended = view.driven = &inputs;
  view.observed = &outputs;
  view.links = &links;
  return view;
}

DrawnUnit watch(unsigned node, const maze::NetworkConfig& config, const std::string& network) {
  DrawnUnit one;
  const Unit unit{Unit::Kind::Node, {node, 0}};
  one.reference = unit_reference(unit, config, true);
  one.recording = recording_of(unit, *one.reference, network + one.reference->instance());
  return one;
}

/// Records the link that failed. Its sender holds an offer until it is accepted.
Recording draw_link(const Recording& failed, const maze::NetworkConfig& config, bool network) {
  const maze::Shape& shape = config.shape;
  DrawnUnit link{unit_reference(failed.unit, config, network), {}};
  link.recording = recording_of(failed.unit, *link.reference, failed.instance);
  const auto [source, port] = failed.unit.at;
  const unsigned sink = topology::MazeLinks(shape.nx, shape.ny).leaving(source, port).to.node;
  auto rng = common::Rng::stream(1, "drawn link");
  maze::TopoInputs inputs(shape);
  maze::TopoOutputs outputs(shape);
  LinkSignals links(shape);
  bool waits = false;
  for (std::uint64_t cycle = 0; cycle < DrawnUnit::kCycles; ++cycle) {
    const bool in_reset = DrawnUnit::in_reset_at(cycle);
    const std::uint64_t phase = cycle / kPhase;
    const auto offers = common::probability_threshold(phase % 2 == 0 ? 0.8 : 0.4);
    const auto takes = common::probability_threshold(phase % 4 < 2 ? 0.4 : 0.8);
    if (in_reset || !waits) {
      inputs.out_valid.set(port, source, !in_reset && rng.chance(offers));
      inputs.out_payload.at(port, source) =
          rng.bits64() & ((maze::Payload{1} << shape.payload_w()) - 1);
    }
    inputs.in_ready.set(port, sink, rng.chance(takes));
    links.from_nodes = inputs;
    const UnitCycle& row = link.step(view_of(cycle, inputs, outputs, links));
    waits = inputs.out_valid.test(port, source) && row.expected[kReady] != 1;
  }
  return std::move(link.recording);
}

}  // namespace

bool DrawnUnit::in_reset_at(std::uint64_t cycle) {
  constexpr std::uint64_t kSecond = 120;
  constexpr std::uint64_t kResetCycles = 2;
  return (cycle < kSecond ? cycle : cycle - kSecond) < kResetCycles;
}

const UnitCycle& DrawnUnit::step(const CycleView& view) {
  UnitCycle& row = recording.cycles.emplace_back();
  row.cycle = view.cycle;
  row.in_reset = view.in_reset;
  row.seen.resize(recording.signals.size());
  row.expected.resize(row.seen.size());
  reference->step(view, row);
  return row;
}

std::vector<Recording> draw_states(const Recording& failed, const maze::NetworkConfig& config,
                                   bool network) {
  if (failed.unit.kind == Unit::Kind::Link) return {draw_link(failed, config, network)};
  const maze::Shape& shape = config.shape;
  const std::string own = unit_reference(failed.unit, config, true)->instance();
  const std::string above = failed.instance.substr(0, failed.instance.size() - own.size());
  std::vector<DrawnUnit> nodes;
  const unsigned chosen = std::min(DrawnUnit::kMost, shape.nodes());
  for (unsigned i = 0; i < chosen; ++i) {
    nodes.push_back(watch(i * (shape.nodes() - 1) / std::max(1U, chosen - 1), config, above));
  }
  NetworkCase traffic;
  traffic.cycles = DrawnUnit::kCycles;
  traffic.load = 0.9;
  traffic.multicasts = 0.3;
  traffic.back_pressure.kind = BackPressure::Random;
  traffic.failed = config.failed;
  NetworkUsers users(config, traffic);
  maze::NetworkModel model(config);
  maze::TopoInputs inputs(shape, 1);
  maze::TopoOutputs outputs(shape, 1);
  LinkSignals links(shape);
  maze::BitPlane fired(shape, 1);
  for (std::uint64_t cycle = 0; cycle < DrawnUnit::kCycles; ++cycle) {
    const bool in_reset = DrawnUnit::in_reset_at(cycle);
    users.drive(cycle, in_reset ? Phase::Reset : Phase::Run, fired, inputs);
    if (in_reset) model.reset();
    model.evaluate(outputs);
    links.from_nodes = model.from_nodes();
    links.to_nodes = model.to_nodes();
    const CycleView view = view_of(cycle, inputs, outputs, links);
    for (DrawnUnit& one : nodes) (void)one.step(view);
    for (std::size_t word = 0; word < fired.size(); ++word) {
      fired[word] = in_reset ? 0 : inputs.out_valid[word] & outputs.out_ready[word];
    }
    if (!in_reset) model.clock(inputs);
  }
  std::vector<Recording> recordings;
  recordings.reserve(nodes.size());
  for (DrawnUnit& one : nodes) recordings.push_back(std::move(one.recording));
  return recordings;
}

}  // namespace kernbench::sim
