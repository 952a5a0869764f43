// SPDX-License-Identifier: Apache-2.0
#include "cosim_bench.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "cosim/run/rtl_links.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/fabric/clocked/cycle_links.hpp"
#include "model/fabric/clocked/ideal_maze.hpp"
#include "model/fabric/traffic/synthetic_traffic.hpp"
#include "model/fabric/traffic/transfer_player.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/routing/dimension_order.hpp"

namespace kernbench::bench {
namespace {

using common::SimTime;
using model::engine::Simulation;
using model::fabric::ClockedFabric;
using model::fabric::SyntheticTraffic;
using model::fabric::TimedTransfer;
namespace zoo = topology::zoo;

constexpr maze::Shape kShape{8, 8, 8};
constexpr SimTime kPeriod = SimTime::from_ps(1000);
constexpr std::uint64_t kCycles = 4000;

/// Returns ideal nodes over the RTL of the links, or over their reference without a library.
std::unique_ptr<model::fabric::CycleMaze> ideal_maze(
    const std::shared_ptr<sim::DutLibrary>& library) {
  std::unique_ptr<model::fabric::LinkArray> links;
  if (library) {
    links = std::make_unique<cosim::RtlLinks>(library->create(1), cosim::RtlLinksOptions{});
  } else {
    links = std::make_unique<model::fabric::CycleLinks>(kShape);
  }
  return std::make_unique<model::fabric::IdealMaze>(std::move(links),
                                                    model::fabric::MazeSettings{});
}

void count_cycles(benchmark::State& state, std::uint64_t cycles) {
  state.counters["cycles/s"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

std::vector<TimedTransfer> bursts() {
  std::vector<TimedTransfer> transfers;
  common::Rng rng = common::Rng::stream(1, "bursts");
  for (std::uint64_t cycle = 0; cycle < 20 * kCycles; cycle += 1000) {
    for (std::uint32_t node = 0; node < kShape.nodes(); ++node) {
      TimedTransfer transfer;
      transfer.at = kPeriod * static_cast<std::int64_t>(cycle);
      transfer.src = node;
      transfer.dst = static_cast<std::uint32_t>(rng.below(kShape.nodes()));
      transfer.bytes = 1;
      transfers.push_back(transfer);
    }
  }
  return transfers;
}

}  // namespace

void fabric_under_load(benchmark::State& state, const std::shared_ptr<sim::DutLibrary>& library,
                       double load) {
  const zoo::FlattenedButterfly grid(kShape.nx, kShape.ny);
  const zoo::DimensionOrderRouting relation(grid, grid.grid(), zoo::DimensionStep::Direct,
                                            topology::DimensionOrder::XY);
  const model::fabric::TrafficPattern pattern(relation, {});
  std::uint64_t cycles = 0;
  double accepted = 0;
  double latency = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Simulation simulation;
    ClockedFabric fabric(simulation, kPeriod, ideal_maze(library));
    SyntheticTraffic traffic(simulation, fabric, pattern,
                             {.load = load, .warmup = kCycles / 10, .cycles = kCycles});
    traffic.start();
    state.ResumeTiming();
    simulation.run();
    cycles += fabric.cycles();
    accepted = traffic.accepted();
    latency = traffic.latencies().mean();
  }
  count_cycles(state, cycles);
  state.counters["accepted"] = accepted;
  state.counters["latency"] = latency;
}

void fabric_mostly_idle(benchmark::State& state, const std::shared_ptr<sim::DutLibrary>& library,
                        bool every_cycle) {
  const std::vector<TimedTransfer> transfers = bursts();
  constexpr std::uint64_t kSimulated = 20 * kCycles;
  std::uint64_t cycles = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Simulation simulation;
    ClockedFabric fabric(simulation, kPeriod, ideal_maze(library), every_cycle ? kSimulated : 0);
    model::fabric::TransferPlayer player(simulation, fabric, transfers);
    player.start();
    state.ResumeTiming();
    simulation.run();
    player.require_all_done();
    cycles += kSimulated;
  }
  count_cycles(state, cycles);
}

}  // namespace kernbench::bench
