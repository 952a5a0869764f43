// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/fabric_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "common/diagnostics.hpp"
#include "cosim/run/fabric_set.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/clocked/fabric_failure.hpp"
#include "model/transport/between_sips.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::cosim {

using common::Outcome;
using model::components::MachineRun;
using model::components::TimedOperation;
using model::fabric::Fabric;
using model::fabric::FabricFailure;
using model::fabric::MazeNodeKind;
using model::fabric::TransferPlayer;

namespace {

/// Runs `body` and turns the failure of a fabric or of a machine's workload into the outcome.
void run_timed(FabricRun& run, const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  try {
    body();
  } catch (const FabricFailure& failure) {
    run.outcome = Outcome::Mismatch;
    run.reason = failure.what();
  } catch (const model::components::WorkloadFailure& failure) {
    run.outcome = failure.outcome();
    run.reason = failure.what();
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void require_not_empty(FabricRun& run, const char* what) {
  if (run.outcome != Outcome::Pass || !run.played.empty()) return;
  run.outcome = Outcome::Vacuous;
  run.reason = fmt::format("the workload has no {}", what);
}

/// The network between the SIPs of a machine, if it has one, over one kind of fabric.
class SystemFabric {
 public:
  SystemFabric(FabricKind kind, const FabricRunOptions& options) : kind_(kind), options_(options) {
    if (options.between_sips == nullptr) return;
    options_.noc = options.noc_between_sips;
    options_.noc_fault = options.noc_fault_between_sips;
    fabric_.emplace(kind, *options.between_sips, options_);
  }
  SystemFabric(const SystemFabric&) = delete;
  SystemFabric& operator=(const SystemFabric&) = delete;

  /// Returns what makes the network; null without one.
  [[nodiscard]] model::transport::FabricFactory factory() {
    return fabric_ ? fabric_->recording_factory() : nullptr;
  }
  void drain() {
    if (fabric_) fabric_->drain();
  }
  /// Adds the run of the network to that of its machine, which fails if the network did.
  void collect(FabricRun& of_machine) {
    if (!fabric_) return;
    FabricRun run;
    run.fabric = kind_;
    run.at_routers = true;
    run.machine.emplace();
    fabric_->collect(run);
    of_machine.failed_between_sips = run.failed_maze.has_value();
    // SIPs that do not talk to each other leave nothing to compare.
    if (run.transfers == 0) run.outcome = Outcome::Pass;
    if (run.outcome != Outcome::Pass && of_machine.outcome == Outcome::Pass) {
      of_machine.outcome = run.outcome;
      of_machine.reason = run.reason;
      of_machine.failed_between_sips = true;
    }
    of_machine.between_sips.push_back(std::move(run));
  }

 private:
  FabricKind kind_;
  FabricRunOptions options_;
  std::optional<FabricSet> fabric_;
};

void take_operations(MachineRun done, FabricRun& run) {
  for (TimedOperation& operation : done.operations) {
    if (operation.end < operation.start) {
      throw std::logic_error(fmt::format("operation '{}' starts at {} ps and ends at {} ps",
                                         operation.name, operation.start.ps(), operation.end.ps()));
    }
    run.played.push_back({operation.start, operation.end});
    run.machine->operations.push_back(std::move(operation.name));
  }
  run.machine->result_hash = done.result_hash;
}

}  // namespace

const topology::FabricSpec& fabric_spec(const topology::SipSpec& sip) {
  switch (sip.inter_cube) {
    case topology::InterCube::Maze:
      return sip.maze;
    case topology::InterCube::Noc:
      return sip.noc;
    case topology::InterCube::UcieMesh:
      break;
  }
  throw common::BadInput(
      "the cubes of this topology are joined by a UCIe mesh: 'sip.inter_cube' must be maze or a "
      "network {noc: TOPOLOGY}");
}

common::SimTime period_of(const topology::SipSpec& sip) {
  return common::SimTime::from_ns(fabric_spec(sip).clock_ns);
}

std::uint32_t packet_bits_of(const topology::SipSpec& sip) {
  return sip.inter_cube == topology::InterCube::Noc ? sip.noc.flit_bits : sip.maze.flit_bits;
}

std::string_view unit_of(const topology::SipSpec& sip) {
  return sip.inter_cube == topology::InterCube::Noc ? "flit" : "packet";
}

std::vector<model::fabric::TimedTransfer> transfers_between_nodes(
    const topology::SipSpec& sip, const TransferWorkload& workload) {
  std::vector<model::fabric::TimedTransfer> transfers = workload.transfers;
  if (sip.inter_cube != topology::InterCube::Noc || workload.between_nodes) return transfers;
  for (model::fabric::TimedTransfer& transfer : transfers) {
    transfer.src = sip.noc_topology->source(transfer.src);
    transfer.dst = sip.noc_topology->destination(transfer.dst);
  }
  return transfers;
}

maze::Shape maze_shape(const topology::SipSpec& sip) {
  if (sip.inter_cube != topology::InterCube::Maze) {
    throw common::BadInput(
        "the cubes of this topology are not joined by a MAZE: 'sip.inter_cube' must be maze");
  }
  return {sip.cube_mesh_w, sip.cube_mesh_h, sip.maze.flit_bits};
}

sim::Ports ports_of(const FabricRun& run, const std::optional<topology::MazeLinks>& maze) {
  if (!maze) return sim::Ports::of_users({});
  return run.nodes == MazeNodeKind::Maze ? sim::Ports::of_users({maze->nx(), maze->ny()})
                                         : sim::Ports(*maze);
}

std::shared_ptr<const topology::SipSpec> between_sips_of(const topology::TopologySpec& spec) {
  if (spec.system.inter_sip != topology::InterSip::Noc) return nullptr;
  return std::make_shared<const topology::SipSpec>(model::transport::network_between_sips(spec));
}

std::string failed_place(const FabricRun& run) {
  if (run.failed_between_sips) return "between SIPs: ";
  return run.mazes > 1 && run.failed_maze ? fmt::format("SIP {}: ", *run.failed_maze) : "";
}

std::vector<const FabricRun*> networks_of(const FabricRun& run) {
  std::vector<const FabricRun*> networks = {&run};
  for (const FabricRun& between : run.between_sips) networks.push_back(&between);
  return networks;
}

FabricRun run_on_fabric(FabricKind kind, const topology::SipSpec& sip,
                        const TransferWorkload& workload, const FabricRunOptions& options) {
  FabricRun run;
  run.fabric = kind;
  run.at_routers = sip.inter_cube == topology::InterCube::Noc;
  run.nodes = options.nodes;
  FabricSet fabrics(kind, sip, options);
  model::engine::Simulation simulation;
  Fabric& fabric = fabrics.add(simulation);
  const std::vector<model::fabric::TimedTransfer> transfers =
      transfers_between_nodes(sip, workload);
  for (const auto& transfer : transfers) run.packets += fabric.packets_of(transfer.bytes);
  run.transfers = transfers.size();
  TransferPlayer player(simulation, fabric, transfers);
  player.start();
  run_timed(run, [&] {
    simulation.run();
    fabrics.drain();
  });
  run.played = player.played();
  require_not_empty(run, "transfers");
  if (run.outcome == Outcome::Pass) player.require_all_done();
  fabrics.collect(run);
  return run;
}

FabricRun run_on_fabric(FabricKind kind, const topology::SipSpec& sip,
                        const model::components::MachineWorkload& workload,
                        const FabricRunOptions& options) {
  FabricRun run;
  run.fabric = kind;
  run.at_routers = sip.inter_cube == topology::InterCube::Noc;
  run.nodes = options.nodes;
  FabricSet fabrics(kind, sip, options);
  SystemFabric system(kind, options);
  std::shared_ptr<model::trace::HopTrace> hops;
  if (kind == FabricKind::Cycle && options.trace) {
    hops = std::make_shared<model::trace::HopTrace>();
  }
  MachineRun done;
  run_timed(run, [&] {
    model::components::MachineOptions machine;
    machine.trace = hops.get();
    machine.make_fabric = [&, of_sip = fabrics.recording_factory(), between = system.factory()](
                              engine::Simulation& simulation,
                              const topology::SipSpec& spec) -> std::unique_ptr<Fabric> {
      const bool is_of_sip = spec.noc_topology.routes == sip.noc_topology.routes;
      if (is_of_sip) return of_sip(simulation, spec);
      return between ? between(simulation, spec) : nullptr;
    };
    done = workload.run(machine);
    fabrics.drain();
    system.drain();
  });
  run.machine.emplace().hops = std::move(hops);
  take_operations(std::move(done), run);
  require_not_empty(run, "operations");
  fabrics.collect(run);
  system.collect(run);
  return run;
}

}  // namespace kernbench::cosim
