// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/fabric_set.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "cosim/run/rtl_flits.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/clocked/cycle_fabric.hpp"
#include "model/fabric/clocked/cycle_links.hpp"
#include "model/fabric/clocked/ideal_maze.hpp"
#include "model/fabric/clocked/network_maze.hpp"
#include "model/fabric/noc/noc_fabric.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cosim {

using common::Outcome;
using model::fabric::ClockedFabric;
using model::fabric::CycleMaze;
using model::fabric::Fabric;
using model::fabric::LinkArray;
using model::fabric::MazeNodeKind;
using model::fabric::PacketNetwork;
using model::fabric::PacketTrace;

namespace {

std::uint64_t hash_of(std::uint64_t first, std::uint64_t second) {
  common::RunHash hash;
  hash.add(first);
  hash.add(second);
  return hash.value();
}

/// Adds the results of the checkers of one MAZE.
void add_checkers(RtlResults& results, const std::vector<sim::CheckerResult>& checkers) {
  if (results.checkers.empty()) {
    results.checkers = checkers;
    return;
  }
  for (std::size_t i = 0; i < checkers.size(); ++i) {
    results.checkers[i].checks += checkers[i].checks;
    results.checkers[i].failures += checkers[i].failures;
  }
}

/// Returns the names of the checkers that have failed.
std::vector<std::string> caught_by(const sim::CheckerSet& checkers) {
  std::vector<std::string> names;
  for (const sim::CheckerResult& checker : checkers.results()) {
    if (checker.failures != 0) names.push_back(checker.name);
  }
  return names;
}

}  // namespace

struct FabricSet::Maze {
  std::size_t index = 0;
  std::shared_ptr<PacketTrace> trace;
  std::shared_ptr<FlitTrace> flit_trace;
  RecordedFabric::Record record;
  std::unique_ptr<Fabric> fabric;
  ClockedFabric* clocked = nullptr;
  RtlLinks* rtl = nullptr;
  RtlNetwork* network = nullptr;
  RtlFlits* flits = nullptr;
};

FabricSet::FabricSet(FabricKind kind, const topology::SipSpec& sip, const FabricRunOptions& options)
    : kind_(kind), sip_(sip), options_(options) {
  (void)fabric_spec(sip);
  if (sip.inter_cube == topology::InterCube::Maze) {
    shape_ = maze_shape(sip);
  } else {
    noc_ = model::fabric::noc_base_of(sip.noc_topology, sip.noc);
  }
}

FabricSet::~FabricSet() = default;

Fabric& FabricSet::add(engine::Simulation& simulation) {
  Maze& maze = *mazes_.emplace_back(std::make_unique<Maze>());
  maze.index = mazes_.size() - 1;
  if (kind_ != FabricKind::Analytic) {
    std::unique_ptr<ClockedFabric> clocked = make_clocked(simulation, maze);
    maze.clocked = clocked.get();
    maze.fabric = std::move(clocked);
  } else if (noc_ != nullptr) {
    maze.fabric = model::fabric::make_analytic_noc(
        simulation, noc_->topology_ptr(), noc_->relation(), noc_->settings(), period_of(sip_));
  } else {
    maze.fabric = model::fabric::make_analytic_maze(
        simulation, sip_, options_.nodes,
        options_.analytic.value_or(model::fabric::default_parameters(options_.nodes)));
  }
  return *maze.fabric;
}

std::unique_ptr<ClockedFabric> FabricSet::make_clocked(engine::Simulation& simulation, Maze& maze) {
  if (noc_ != nullptr) return make_noc(simulation, maze);
  if (kind_ == FabricKind::Cycle && options_.trace) {
    maze.trace = std::make_shared<PacketTrace>(shape_, *options_.trace);
  }
  if (kind_ == FabricKind::Cycle && options_.nodes == MazeNodeKind::Maze) {
    return model::fabric::make_cycle_maze(simulation, sip_, settings_of(maze));
  }
  return std::make_unique<ClockedFabric>(simulation, period_of(sip_), make_maze(maze));
}

std::unique_ptr<ClockedFabric> FabricSet::make_noc(engine::Simulation& simulation, Maze& maze) {
  model::fabric::NocUserSettings users{options_.receiver_stalls, options_.seed};
  if (kind_ == FabricKind::Cycle) {
    if (options_.trace) maze.flit_trace = std::make_shared<FlitTrace>(noc_);
    users.observer = maze.flit_trace.get();
    return model::fabric::make_cycle_noc(simulation, noc_, period_of(sip_), users);
  }
  RtlFlitsOptions flits_options{.covers = !options_.noc_fault,
                                .fault = options_.noc_fault,
                                .seed = options_.rtl.seed,
                                .trace = options_.rtl.trace,
                                .observer = options_.rtl.observer};
  if (maze.index != 0) flits_options.fault.reset();
  auto flits = std::make_unique<RtlFlits>(options_.noc, flits_options);
  maze.flits = flits.get();
  return std::make_unique<ClockedFabric>(
      simulation, period_of(sip_),
      std::make_unique<model::fabric::NocTransfers>(noc_, std::move(flits), users));
}

model::fabric::MazeSettings FabricSet::settings_of(const Maze& maze) const {
  return {.order = sip_.maze.order,
          .receiver_stalls = options_.receiver_stalls,
          .seed = options_.seed,
          .observer = maze.trace.get()};
}

std::unique_ptr<CycleMaze> FabricSet::make_maze(Maze& maze) {
  const model::fabric::MazeSettings settings = settings_of(maze);
  if (options_.nodes == MazeNodeKind::Ideal) {
    return std::make_unique<model::fabric::IdealMaze>(make_links(maze), settings);
  }
  return std::make_unique<model::fabric::NetworkMaze>(make_network(maze), settings);
}

std::unique_ptr<PacketNetwork> FabricSet::make_network(Maze& maze) {
  auto network =
      std::make_unique<RtlNetwork>(options_.make_network(options_.seed), sip_.maze.failed_node,
                                   options_.rtl.trace, options_.rtl.observer);
  require_shape(network->config().shape);
  maze.network = network.get();
  return network;
}

void FabricSet::require_shape(const maze::Shape& built) const {
  if (built == shape_) return;
  throw common::BadInput(
      fmt::format("the built model has {}x{} nodes with {} data bits; the topology needs {}x{} "
                  "with {}",
                  built.nx, built.ny, built.flit_w, shape_.nx, shape_.ny, shape_.flit_w));
}

std::unique_ptr<LinkArray> FabricSet::make_links(Maze& maze) {
  if (kind_ == FabricKind::Cycle) return std::make_unique<model::fabric::CycleLinks>(shape_);
  RtlLinksOptions rtl_options = options_.rtl;
  if (maze.index != 0) rtl_options.fault.reset();
  auto rtl = std::make_unique<RtlLinks>(options_.make_dut(options_.seed), rtl_options);
  require_shape(rtl->shape());
  maze.rtl = rtl.get();
  return rtl;
}

model::transport::FabricFactory FabricSet::recording_factory() {
  return [this](engine::Simulation& simulation, const topology::SipSpec& /*sip*/) {
    Fabric& inner = add(simulation);
    return std::make_unique<RecordedFabric>(simulation, inner, packet_bits_of(sip_),
                                            mazes_.back()->record);
  };
}

void FabricSet::drain() {
  for (const auto& maze : mazes_) {
    if (maze->clocked != nullptr) maze->clocked->drain();
  }
}

template <class Bench>
void FabricSet::collect_bench(Bench& bench, std::size_t maze, FabricRun& run) {
  RtlResults& results = *run.rtl;
  bench.finish();
  results.build_hash = bench.build_hash();
  add_checkers(results, bench.checkers().results());
  const std::vector<sim::Failure> failures = bench.checkers().failures();
  results.failures.insert(results.failures.end(), failures.begin(), failures.end());
  if (failures.empty() || run.outcome != Outcome::Pass) return;
  run.outcome = Outcome::Mismatch;
  run.reason = failures.front().message;
  run.failed_maze = maze;
}

void FabricSet::collect(FabricRun& run) {
  run.mazes = mazes_.size();
  if (kind_ != FabricKind::Analytic) {
    const std::size_t links = noc_ != nullptr ? noc_->network().channels().size() : shape_.links();
    run.clocked.emplace().link_packets.resize(links);
  }
  if (kind_ == FabricKind::Rtl) run.rtl.emplace();
  for (const auto& maze : mazes_) {
    run.packets += maze->record.packets;
    run.transfers += maze->record.transfers.size();
    if (maze->clocked != nullptr) collect_clocked(*maze, run);
    if (maze->rtl != nullptr) collect_rtl(*maze, run);
    if (maze->network != nullptr) collect_network(*maze, run);
    if (maze->flits != nullptr) collect_flits(*maze, run);
    if (run.machine && kind_ == FabricKind::Rtl) {
      run.machine->sent.push_back(std::move(maze->record.transfers));
    }
  }
  if (!run.rtl || run.outcome != Outcome::Pass) return;
  if (const sim::CheckerResult* idle = sim::first_idle(run.rtl->checkers)) {
    run.outcome = Outcome::Vacuous;
    run.reason = fmt::format("{} compared nothing", idle->name);
  }
}

void FabricSet::collect_clocked(const Maze& maze, FabricRun& run) const {
  const model::fabric::SteppedNetwork& moved = maze.clocked->network();
  ClockedResults& results = *run.clocked;
  if (maze.clocked->failed()) run.failed_maze = maze.index;
  results.cycles += maze.clocked->cycles();
  results.packet_hash = maze.index == 0 ? moved.hash() : hash_of(results.packet_hash, moved.hash());
  if (maze.trace != nullptr) results.traces.push_back(maze.trace);
  if (maze.flit_trace != nullptr) results.flit_traces.push_back(maze.flit_trace);
  results.link_windows.add(maze.clocked->link_windows());
  for (std::size_t link = 0; link < moved.links(); ++link) {
    results.link_packets[link] += moved.entered_link(link);
  }
}

void FabricSet::collect_network(const Maze& maze, FabricRun& run) const {
  RtlNetwork& network = *maze.network;
  collect_bench(network.bench(), maze.index, run);
  merge_coverage(run.rtl->network_coverage, network.coverage());
}

void FabricSet::collect_flits(const Maze& maze, FabricRun& run) const {
  RtlFlits& flits = *maze.flits;
  collect_bench(flits.bench(), maze.index, run);
  if (const auto& injector = flits.injector()) {
    run.rtl->fault = {.kind = std::string(sim::fault_name(*options_.noc_fault)),
                      .link = {},
                      .injected_at = injector->injected_at(),
                      .caught_by = caught_by(flits.bench().checkers()),
                      .place = injector->place()};
  }
  if (flits.hits() != nullptr) merge_coverage(run.rtl->noc_hits, *flits.hits());
}

void FabricSet::collect_rtl(const Maze& maze, FabricRun& run) const {
  RtlLinks& links = *maze.rtl;
  RtlResults& results = *run.rtl;
  collect_bench(links.bench(), maze.index, run);
  if (const auto& injector = links.injector()) {
    results.fault = {.kind = std::string(sim::fault_name(injector->spec().kind)),
                     .link = injector->link(),
                     .injected_at = injector->injected_at(),
                     .caught_by = caught_by(links.bench().checkers())};
  }
  if (options_.rtl.fault) return;
  merge_coverage(results.coverage, links.coverage());
}

}  // namespace kernbench::cosim
