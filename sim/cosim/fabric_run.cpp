#include "sim/cosim/fabric_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "common/diagnostics.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/clocked_fabric.hpp"
#include "model/fabric/cycle_links.hpp"
#include "model/fabric/fabric_failure.hpp"
#include "model/fabric/maze_fabric.hpp"

namespace kernbench::sim {

using common::Outcome;
using model::fabric::ClockedFabric;
using model::fabric::Fabric;
using model::fabric::FabricFailure;
using model::fabric::PacketTrace;
using model::fabric::TransferPlayer;
namespace engine = model::engine;

namespace {

/// Plays the workload; a failure of the fabric becomes the outcome.
/// `drain` is called when all is done.
void play(
    engine::Simulation& simulation, Fabric& fabric, const TransferWorkload& workload,
    FabricRun& run, const std::function<void()>& drain = [] {}) {
  for (const auto& transfer : workload.transfers) run.packets += fabric.packets_of(transfer.bytes);
  TransferPlayer player(simulation, fabric, workload.transfers);
  player.start();
  const auto start = std::chrono::steady_clock::now();
  try {
    simulation.run();
    drain();
  } catch (const FabricFailure& failure) {
    run.outcome = Outcome::Mismatch;
    run.reason = failure.what();
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.played = player.played();
  if (run.outcome != Outcome::Pass) return;
  if (run.played.empty()) {
    run.outcome = Outcome::Vacuous;
    run.reason = "the workload has no transfers";
  }
  player.require_all_done();
}

void collect_nodes(const ClockedFabric& fabric, FabricRun& run) {
  const model::fabric::MazeNodes& nodes = fabric.nodes();
  run.cycles = fabric.cycles();
  run.packet_hash = nodes.hash();
  for (unsigned node = 0; node < nodes.shape().nodes(); ++node) {
    for (unsigned port = 0; port < nodes.shape().ports(); ++port) {
      run.link_packets.push_back(nodes.entered(node, port));
    }
  }
}

void collect_rtl(RtlLinks& links, FabricRun& run) {
  links.finish();
  run.checkers = links.checkers();
  run.failures = links.failures();
  if (!run.failures.empty() && run.outcome == Outcome::Pass) {
    run.outcome = Outcome::Mismatch;
    run.reason = run.failures.front().message;
  }
  if (!links.injector()) {
    run.coverage = links.coverage();
  } else {
    FaultResult fault;
    fault.kind = fault_name(links.injector()->spec().kind);
    fault.link = links.injector()->link();
    fault.injected_at = links.injector()->injected_at();
    for (const CheckerResult& checker : run.checkers) {
      if (checker.failures != 0) fault.caught_by.push_back(checker.name);
    }
    run.fault = std::move(fault);
  }
  for (const CheckerResult& checker : run.checkers) {
    // A watchdog's window may be longer than the whole run.
    if (checker.checks != 0 || checker.name == "watchdog" || run.outcome != Outcome::Pass) continue;
    run.outcome = Outcome::Vacuous;
    run.reason = fmt::format("{} compared nothing", checker.name);
  }
}

std::unique_ptr<model::fabric::LinkArray> make_links(FabricKind kind,
                                                     const model::maze::Shape& shape,
                                                     const FabricRunOptions& options) {
  if (kind == FabricKind::Cycle) return std::make_unique<model::fabric::CycleLinks>(shape);
  auto links = std::make_unique<RtlLinks>(options.make_dut(), options.rtl);
  if (!(links->shape() == shape)) {
    throw common::BadInput(fmt::format(
        "the built model is a TOPO of {}x{} nodes with {} data bits; the topology needs {}x{} with "
        "{}",
        links->shape().nx, links->shape().ny, links->shape().flit_w, shape.nx, shape.ny,
        shape.flit_w));
  }
  return links;
}

}  // namespace

model::maze::Shape maze_shape(const topology::SipSpec& sip) {
  if (sip.inter_cube != topology::InterCube::Maze) {
    throw common::BadInput(
        "the cubes of this topology are not joined by a MAZE: 'sip.inter_cube' must be maze");
  }
  return {sip.cube_mesh_w, sip.cube_mesh_h, sip.maze.flit_bits};
}

FabricRun run_on_fabric(FabricKind kind, const topology::SipSpec& sip,
                        const TransferWorkload& workload, const FabricRunOptions& options) {
  const model::maze::Shape shape = maze_shape(sip);
  FabricRun run;
  run.fabric = kind;
  engine::Simulation simulation;
  if (kind == FabricKind::Analytic) {
    const auto fabric = model::fabric::make_analytic_maze(simulation, sip, options.analytic);
    play(simulation, *fabric, workload, run);
    return run;
  }
  std::shared_ptr<PacketTrace> trace;
  if (kind == FabricKind::Cycle && options.trace) {
    trace = std::make_shared<PacketTrace>(shape, *options.trace);
  }
  ClockedFabric fabric(simulation, common::SimTime::from_ns(sip.maze.clock_ns),
                       make_links(kind, shape, options),
                       {.order = sip.maze.order,
                        .receiver_stalls = options.receiver_stalls,
                        .seed = options.seed,
                        .observer = trace.get()});
  play(simulation, fabric, workload, run, [&] { fabric.drain(); });
  run.trace = std::move(trace);
  collect_nodes(fabric, run);
  if (kind == FabricKind::Rtl) collect_rtl(dynamic_cast<RtlLinks&>(fabric.links()), run);
  return run;
}

}  // namespace kernbench::sim
