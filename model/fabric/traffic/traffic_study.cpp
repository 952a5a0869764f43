// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/traffic_study.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/analytic/stated_errors.hpp"
#include "model/fabric/clocked/cycle_fabric.hpp"
#include "model/fabric/clocked/network_maze.hpp"
#include "model/fabric/noc/noc_fabric.hpp"
#include "topology/maze_links.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::model::fabric {

namespace zoo = topology::zoo;

namespace {

constexpr common::SimTime kPeriod = common::SimTime::from_ps(1000);

TrafficRow row_of(const zoo::BaseTopology& topology, const TrafficResult& result) {
  TrafficRow row{result.load,
                 result.offered,
                 result.accepted,
                 result.latencies.mean(),
                 result.latencies.percentile(95),
                 result.latencies.percentile(99),
                 result.latencies.max(),
                 result.latencies.count(),
                 result.transfers,
                 result.mean_hops,
                 {},
                 result.busiest_use};
  if (result.busiest) row.busiest = zoo::channel_name(topology, *result.busiest);
  return row;
}

}  // namespace

topology::SipSpec maze_sip(const zoo::BaseTopology& topology, std::uint32_t packet_bits) {
  const auto& grid = dynamic_cast<const zoo::FlattenedButterfly&>(topology).grid();
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = grid.nx;
  sip.cube_mesh_h = grid.ny;
  sip.maze.flit_bits = packet_bits;
  sip.maze.clock_ns = kPeriod.ns();
  return sip;
}

BaseNetwork::BaseNetwork(zoo::TopologyPtr topology, BaseFabric settings)
    : topology_(std::move(topology)), settings_(std::move(settings)) {
  if (settings_.maze) {
    if (topology_->own_routing()) {
      throw std::invalid_argument("--maze: a MAZE has its own routes, not those of a file");
    }
    const auto* grid = dynamic_cast<const zoo::FlattenedButterfly*>(topology_.get());
    if (grid == nullptr) {
      throw std::invalid_argument(
          fmt::format("--maze requires a FlattenedButterfly topology, not {}", topology_->name()));
    }
    if (settings_.noc.flit_bits > 32) {
      throw std::invalid_argument(
          fmt::format("--maze: packets have 1 to 32 data bits, not {}", settings_.noc.flit_bits));
    }
    (void)topology::MazeLinks(grid->grid().nx, grid->grid().ny);
  } else if (settings_.kind != FabricKind::Analytic) {
    base_ = std::make_shared<const NocBase>(topology_, settings_.noc);
    relation_ = base_->relation();
    return;
  }
  relation_ = checked_routes(*topology_);
}

BaseNetwork::Built BaseNetwork::build(engine::Simulation& simulation) const {
  if (settings_.maze) return build_maze(simulation);
  if (settings_.kind == FabricKind::Analytic) {
    auto fabric = make_analytic_noc(simulation, topology_, relation_, settings_.noc, kPeriod);
    const AnalyticFabric& links = *fabric;
    return {std::move(fabric),
            [&links](std::uint32_t channel) { return links.use(channel).packets; }};
  }
  auto flits = settings_.kind == FabricKind::Cycle
                   ? std::make_unique<ReferenceFlits>(base_->network())
                   : settings_.make_flits();
  auto fabric = std::make_unique<ClockedFabric>(
      simulation, kPeriod, std::make_unique<NocTransfers>(base_, std::move(flits)));
  ClockedFabric& clocked = *fabric;
  return {std::move(fabric),
          [&clocked](std::uint32_t channel) { return clocked.network().entered_link(channel); },
          &clocked};
}

BaseNetwork::Built BaseNetwork::build_maze(engine::Simulation& simulation) const {
  const topology::SipSpec sip = maze_sip(*topology_, settings_.noc.flit_bits);
  if (settings_.kind == FabricKind::Analytic) {
    auto fabric = make_analytic_maze(simulation, sip);
    const AnalyticFabric& links = *fabric;
    return {std::move(fabric),
            [&links](std::uint32_t channel) { return links.use(channel).packets; }};
  }
  const topology::MazeLinks graph(sip.cube_mesh_w, sip.cube_mesh_h);
  std::vector<std::size_t> links(topology_->channels().size());
  for (const topology::MazeLink& link : graph.links()) {
    links.at(topology_->find_channel(link.from.node, link.to.node).value()) =
        std::size_t{link.from.node} * graph.ports() + link.from.port;
  }
  auto fabric = settings_.kind == FabricKind::Cycle
                    ? make_cycle_maze(simulation, sip)
                    : std::make_unique<ClockedFabric>(
                          simulation, kPeriod,
                          std::make_unique<NetworkMaze>(settings_.make_maze(), MazeSettings{}));
  ClockedFabric& clocked = *fabric;
  return {std::move(fabric),
          [&clocked, links = std::move(links)](std::uint32_t channel) {
            return clocked.network().entered_link(links[channel]);
          },
          &clocked};
}

TrafficStudy::TrafficStudy(zoo::TopologyPtr topology, TrafficStudySettings settings)
    : settings_(std::move(settings)),
      network_(std::move(topology), settings_.fabric),
      pattern_(network_.relation(), settings_.pattern) {}

std::uint64_t TrafficStudy::packets() const {
  return packets_of(settings_.bytes, settings_.fabric.noc.flit_bits);
}

TrafficResult TrafficStudy::run(double load) const {
  engine::Simulation simulation;
  const BaseNetwork::Built built = network_.build(simulation);
  TrafficResult result =
      run_traffic(simulation, *built.fabric, network_.topology(), built.packets, pattern_,
                  {.load = load,
                   .bytes = settings_.bytes,
                   .warmup = settings_.warmup,
                   .cycles = settings_.cycles,
                   .seed = settings_.seed});
  if (built.clocked != nullptr) built.clocked->drain();
  return result;
}

common::Grade TrafficStudy::grade() const {
  if (settings_.fabric.kind != FabricKind::Analytic) return {};
  return settings_.fabric.maze ? analytic_grade() : analytic_noc_grade();
}

TrafficReport TrafficStudy::report(const std::vector<TrafficResult>& results) const {
  const BaseFabric& fabric = settings_.fabric;
  TrafficReport report{network_.topology().name(),
                       network_.relation().name(),
                       fabric.kind,
                       fabric.maze,
                       {},
                       std::string(settings_.pattern.kind),
                       pattern_.senders().size(),
                       pattern_.endpoints(),
                       pattern_.unreachable_pairs(),
                       settings_.bytes,
                       fabric.noc.flit_bits,
                       settings_.warmup,
                       settings_.cycles};
  if (!fabric.maze) {
    report.routers = {fabric.noc.lanes, fabric.noc.slots, fabric.noc.stages,
                      fabric.noc.packet_flits};
  }
  for (const TrafficResult& result : results) {
    report.loads.push_back(row_of(network_.topology(), result));
  }
  return report;
}

}  // namespace kernbench::model::fabric
