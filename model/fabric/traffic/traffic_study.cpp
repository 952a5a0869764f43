// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/traffic_study.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "model/fabric/analytic/analytic_fabric.hpp"
#include "model/fabric/clocked/cycle_fabric.hpp"
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

BaseNetwork::BaseNetwork(zoo::TopologyPtr base, std::uint32_t bits, bool is_maze)
    : topology(std::move(base)),
      relation(zoo::natural_routing(*topology)),
      packet_bits(bits),
      maze(is_maze) {
  if (topology->own_routing()) {
    if (maze) throw std::invalid_argument("--maze: a MAZE has its own routes, not those of a file");
    const zoo::RoutingCheck check = zoo::check_routing(*relation);
    if (!check.passed()) {
      throw std::invalid_argument("traffic needs routes that arrive and cannot deadlock\n" +
                                  zoo::routing_report(*topology, check) + zoo::verdict_text(check));
    }
  }
  if (!maze) return;
  const auto* grid = dynamic_cast<const zoo::FlattenedButterfly*>(topology.get());
  if (grid == nullptr) {
    throw std::invalid_argument(
        fmt::format("--maze requires a FlattenedButterfly topology, not {}", topology->name()));
  }
  if (packet_bits > 32) {
    throw std::invalid_argument(
        fmt::format("--maze: packets have 1 to 32 data bits, not {}", packet_bits));
  }
  (void)topology::MazeLinks(grid->grid().nx, grid->grid().ny);
}

BaseNetwork::Built BaseNetwork::build(engine::Simulation& simulation) const {
  if (!maze) {
    const AnalyticSettings settings{.period = kPeriod, .packet_bits = packet_bits};
    auto fabric = std::make_unique<AnalyticFabric>(simulation, topology, relation, settings);
    const AnalyticFabric& links = *fabric;
    return {std::move(fabric),
            [&links](std::uint32_t channel) { return links.use(channel).packets; }};
  }
  const auto& grid = dynamic_cast<const zoo::FlattenedButterfly&>(*topology).grid();
  topology::SipSpec sip;
  sip.cube_mesh_w = grid.nx;
  sip.cube_mesh_h = grid.ny;
  sip.maze.flit_bits = packet_bits;
  sip.maze.clock_ns = kPeriod.ns();
  const topology::MazeLinks graph(grid.nx, grid.ny);
  std::vector<topology::MazeLink> links(topology->channels().size());
  for (const topology::MazeLink& link : graph.links()) {
    links.at(topology->find_channel(link.from.node, link.to.node).value()) = link;
  }
  auto fabric = make_cycle_maze(simulation, sip);
  const CycleMaze& nodes = fabric->maze();
  return {std::move(fabric), [&nodes, links = std::move(links)](std::uint32_t channel) {
            return nodes.entered(links[channel].from.node, links[channel].from.port);
          }};
}

TrafficStudy::TrafficStudy(zoo::TopologyPtr topology, TrafficStudySettings settings)
    : settings_(std::move(settings)),
      network_(std::move(topology), settings_.packet_bits, settings_.maze),
      pattern_(*network_.relation, settings_.pattern) {}

std::uint64_t TrafficStudy::packets() const {
  return packets_of(settings_.bytes, settings_.packet_bits);
}

TrafficResult TrafficStudy::run(double load) const {
  engine::Simulation simulation;
  const BaseNetwork::Built built = network_.build(simulation);
  return run_traffic(simulation, *built.fabric, *network_.topology, built.packets, pattern_,
                     {.load = load,
                      .bytes = settings_.bytes,
                      .warmup = settings_.warmup,
                      .cycles = settings_.cycles,
                      .seed = settings_.seed});
}

common::Grade TrafficStudy::grade() const {
  if (network_.maze) return {};
  return common::Grade::estimate(
      "nodes forward without a delay from queues without bounds, and no simulation of such nodes "
      "is compared");
}

TrafficReport TrafficStudy::report(const std::vector<TrafficResult>& results) const {
  TrafficReport report{network_.topology->name(),
                       network_.relation->name(),
                       settings_.maze,
                       std::string(settings_.pattern.kind),
                       pattern_.senders().size(),
                       pattern_.endpoints(),
                       pattern_.unreachable_pairs(),
                       settings_.bytes,
                       settings_.packet_bits,
                       settings_.warmup,
                       settings_.cycles};
  for (const TrafficResult& result : results) {
    report.loads.push_back(row_of(*network_.topology, result));
  }
  return report;
}

}  // namespace kernbench::model::fabric
