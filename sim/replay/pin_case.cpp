// SPDX-License-Identifier: Apache-2.0
#include "sim/replay/pin_case.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "maze/network_model.hpp"
#include "maze/topo_model.hpp"
#include "sim/check/assertions.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/harness/harness.hpp"
#include "sim/network/network_lockstep.hpp"
#include "sim/regression/judge.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

/// The reference of the bench of a trace, as far as it accepts packets.
class Acceptance {
 public:
  explicit Acceptance(const PinTrace& trace) : outputs_(trace.shape, trace.ports()) {
    if (trace.bench == PinBench::Network) {
      network_.emplace(maze::NetworkConfig{.shape = trace.shape, .failed = trace.failed_node});
    } else {
      topo_.emplace(trace.shape);
    }
  }

  /// Returns the output ports whose packet is accepted in this cycle.
  const maze::BitPlane& step(const maze::TopoInputs& inputs, bool in_reset) {
    if (network_) {
      if (in_reset) network_->reset();
      network_->evaluate(outputs_);
      if (!in_reset) network_->clock(inputs);
    } else {
      if (in_reset) topo_->reset();
      topo_->evaluate(inputs, outputs_);
      if (!in_reset) topo_->clock(inputs);
    }
    return outputs_.out_ready;
  }

 private:
  std::optional<maze::TopoModel> topo_;
  std::optional<maze::NetworkModel> network_;
  maze::TopoOutputs outputs_;
};

/// Runs a script with the checkers of the harness, which `lockstep` is among.
CaseResult run_with(Dut& dut, Extension& lockstep, Extension* assertions, const Script& script,
                    unsigned ports, CaseObserver* observer) {
  const maze::Shape& shape = dut.info().shape;
  ScriptStimulus stimulus(script, shape, ports);
  Harness harness(dut, observer == nullptr ? stimulus : observer->through(stimulus));
  CheckerSet checkers;
  checkers.add("lockstep", lockstep);
  if (assertions != nullptr) checkers.add("assertions", *assertions);
  RtlReports rtl(dut);
  rtl.add_to(checkers);
  checkers.attach_to(harness);
  OutputHash hash(shape);
  harness.add(hash);
  RunPlan plan;
  plan.cycles = script.cycles;
  plan.resets = script.resets;
  plan.quiet_cycles = 64;
  if (observer != nullptr) {
    observer->plan(plan);
    if (Extension* watch = observer->watch(dut)) harness.add(*watch);
  }
  const RunEnd end = harness.run(plan);
  CaseResult result;
  record_end(result, end, checkers, hash.value(), dut);
  result.suite = "replay";
  result.delivered = 1;  // not counted, and not asked for
  result.outcome = judge(result, end, checkers, "");
  return result;
}

}  // namespace

Script script_of(const PinTrace& trace) {
  const unsigned ports = trace.ports();
  const maze::Shape& shape = trace.shape;
  Script script;
  Acceptance reference(trace);
  maze::TopoInputs pins(shape, ports);
  maze::BitPlane waiting(shape, ports);  // packets that are offered and not yet accepted
  std::vector<std::optional<std::uint64_t>> stalled(trace.receivers.size());
  bool begun = false;  // the reset at the start is over
  for (const PinCycle& cycle : trace.cycles) {
    pins.out_valid.clear();
    for (unsigned port = 0; port < ports; ++port) {
      for (unsigned node = 0; node < shape.nodes(); ++node) pins.in_ready.set(port, node);
    }
    for (const PinOffer& offer : cycle.offers) {
      pins.out_valid.set(offer.from.port, offer.from.node, offer.valid);
      pins.out_payload.at(offer.from.port, offer.from.node) = offer.packet;
    }
    for (std::size_t i = 0; i < cycle.ready.size(); ++i) {
      const PinPort& to = trace.receivers[i];
      pins.in_ready.set(to.port, to.node, cycle.ready[i]);
    }
    const maze::BitPlane& ready = reference.step(pins, cycle.reset);
    if (cycle.reset) {
      waiting.clear();
      if (!begun) continue;
      if (script.resets.empty() || script.resets.back().at != script.cycles) {
        script.resets.push_back({.at = script.cycles, .clocks = 0});
      }
      ++script.resets.back().clocks;
      continue;
    }
    begun = true;
    for (const PinOffer& offer : cycle.offers) {
      const auto [node, port] = offer.from;
      if (!offer.valid) continue;
      if (!waiting.test(port, node)) {
        script.packets.push_back({script.cycles, {node, port}, offer.packet});
      }
      waiting.set(port, node, !ready.test(port, node));
    }
    for (std::size_t i = 0; i < cycle.ready.size(); ++i) {
      const LinkEnd to{trace.receivers[i].node, trace.receivers[i].port};
      if (!cycle.ready[i] && !stalled[i]) stalled[i] = script.cycles;
      if (cycle.ready[i] && stalled[i]) {
        script.stalls.push_back({*std::exchange(stalled[i], std::nullopt), script.cycles, to});
      }
    }
    ++script.cycles;
  }
  for (std::size_t i = 0; i < stalled.size(); ++i) {
    if (!stalled[i]) continue;
    const PinPort& to = trace.receivers[i];
    script.stalls.push_back({*stalled[i], script.cycles, {to.node, to.port}});
  }
  std::stable_sort(script.stalls.begin(), script.stalls.end(),
                   [](const ScriptStall& a, const ScriptStall& b) { return a.first < b.first; });
  return script;
}

CaseResult run_script(const PinTrace& trace, const Script& script, MazeDut& dut,
                      CaseObserver* observer) {
  const topology::MazeLinks links(trace.shape.nx, trace.shape.ny);
  Lockstep lockstep(trace.shape, links);
  Assertions assertions(dut, links, CheckedRules::Links);
  return run_with(dut, lockstep, dut.info().checkers ? &assertions : nullptr, script, trace.ports(),
                  observer);
}

CaseResult run_script(const PinTrace& trace, const Script& script, NetworkDut& dut,
                      CaseObserver* observer) {
  maze::NetworkConfig config = dut.info().config;
  config.failed = trace.failed_node;
  dut.set_failed(config.failed);
  const Ports ports = Ports::of_users(trace.shape);
  NetworkLockstep lockstep(config);
  Assertions assertions(dut, ports, CheckedRules::Links);
  return run_with(dut, lockstep, dut.info().checkers ? &assertions : nullptr, script, trace.ports(),
                  observer);
}

}  // namespace kernbench::sim
