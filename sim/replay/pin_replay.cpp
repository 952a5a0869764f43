// SPDX-License-Identifier: Apache-2.0
#include "sim/replay/pin_replay.hpp"

#include <algorithm>

#include "sim/check/assertions.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/check/irs_lockstep.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/harness/cycle_runner.hpp"
#include "sim/harness/link_watch.hpp"
#include "sim/harness/ports.hpp"
#include "sim/network/network_lockstep.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

// Cycles that follow the first failure, as in a suite.
constexpr std::uint64_t kAfterFailure = 8;
// Most cycles after the end of the trace that a waveform shows.
constexpr std::uint64_t kTracedAfterTrace = 200;

/// Drives the pins of one bench from a trace.
class PinDriver {
 public:
  explicit PinDriver(const PinTrace& trace)
      : trace_(trace), all_ready_(trace.shape, trace.ports()), pins_(trace.shape, trace.ports()) {
    for (unsigned port = 0; port < trace.ports(); ++port) {
      for (unsigned node = 0; node < trace.shape.nodes(); ++node) {
        all_ready_.set(port, node);
      }
    }
  }

  /// Executes the next cycle.
  void step(CycleRunner& runner) {
    const std::uint64_t now = runner.now();
    pins_.out_valid.clear();
    pins_.in_ready = all_ready_;
    if (now >= trace_.cycles.size()) {
      runner.cycle(pins_, /*in_reset=*/false, /*draining=*/true);
      return;
    }
    const PinCycle& cycle = trace_.cycles[now];
    for (const PinOffer& offer : cycle.offers) {
      const auto [node, port] = source_of(offer.from);
      pins_.out_valid.set(port, node, offer.valid);
      pins_.out_payload.at(port, node) = offer.packet;
    }
    for (std::size_t i = 0; i < trace_.receivers.size(); ++i) {
      const auto [node, port] = sink_of(trace_.receivers[i]);
      pins_.in_ready.set(port, node, cycle.ready[i]);
    }
    runner.cycle(pins_, cycle.reset, /*draining=*/false);
  }

 private:
  [[nodiscard]] LinkEnd source_of(const PinPort& port) const {
    return trace_.primitive ? kChainSource : LinkEnd{port.node, port.port};
  }
  [[nodiscard]] LinkEnd sink_of(const PinPort& port) const {
    return trace_.primitive ? kChainSink : LinkEnd{port.node, port.port};
  }

  const PinTrace& trace_;
  maze::BitPlane all_ready_;
  maze::TopoInputs pins_;
};

/// Replays a trace with the checkers of a bench, which the runner has, and with the reports of its
/// RTL.
PinRun replay(const PinTrace& trace, Dut& dut, CycleRunner& runner, CheckerSet& checkers) {
  RtlReports rtl(dut);
  rtl.add_to(checkers);
  checkers.attach_to(runner);
  OutputHash hash(trace.shape);
  runner.add(hash);
  PinDriver driver(trace);
  runner.begin();
  for (std::uint64_t failing = 0; runner.now() < trace.cycles.size() && failing <= kAfterFailure;) {
    driver.step(runner);
    if (runner.failed()) ++failing;
  }
  PinRun run;
  run.cycles = runner.now();
  run.output_hash = hash.value();
  // A primitive's reference writes into the waveform up to its end.
  const bool at_once = !trace.primitive;
  const auto end = [&] {
    runner.end({runner.failed() ? StopReason::Failed : StopReason::Drained, runner.now()});
  };
  if (at_once) end();
  for (std::uint64_t last = trace.cycles.size() + kTracedAfterTrace;
       runner.tracing() && runner.now() < last;) {
    driver.step(runner);
  }
  if (!at_once) end();
  runner.close();
  for (const CheckerResult& checker : checkers.results()) run.checks += checker.checks;
  if (const auto failures = checkers.failures(); !failures.empty()) run.failure = failures.front();
  return run;
}

}  // namespace

PinRun replay_pins(const PinTrace& trace, MazeDut& dut, const TraceWindow& window) {
  const topology::MazeLinks links(trace.shape.nx, trace.shape.ny);
  CycleRunner runner(dut);
  Lockstep lockstep(trace.shape, links);
  Assertions assertions(dut, links, CheckedRules::Links);
  std::optional<IrsLockstep> irs;
  CheckerSet checkers;
  if (trace.primitive) {
    checkers.add("lockstep", irs.emplace(trace.primitive->irs, dut));
  } else {
    checkers.add("lockstep", lockstep);
    if (dut.info().checkers) checkers.add("assertions", assertions);
  }
  std::optional<LinkWatch> watch;
  if (!window.path.empty() && window.link) watch.emplace(dut, *window.link);
  runner.set_trace(window, watch ? &*watch : nullptr);
  return replay(trace, dut, runner, checkers);
}

PinRun replay_pins(const PinTrace& trace, NetworkDut& dut, const TraceWindow& window) {
  maze::NetworkConfig config = dut.info().config;
  config.failed = trace.failed_node;
  dut.set_failed(config.failed);
  const Ports ports = Ports::of_users(trace.shape);
  CycleRunner runner(dut);
  NetworkLockstep lockstep(config);
  Assertions assertions(dut, ports, CheckedRules::Links);
  CheckerSet checkers;
  checkers.add("lockstep", lockstep);
  if (dut.info().checkers) checkers.add("assertions", assertions);
  std::optional<NodeWatch> watch;
  if (!window.path.empty()) {
    watch.emplace(dut, config, window.link.value_or(LinkEnd{0, trace.shape.ports()}));
  }
  runner.set_trace(window, watch ? &*watch : nullptr);
  return replay(trace, dut, runner, checkers);
}

}  // namespace kernbench::sim
