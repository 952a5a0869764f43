// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/traffic_study.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "model/fabric/analytic/maze_fabric.hpp"

namespace kernbench::model::fabric {

namespace zoo = topology::zoo;

namespace {

nlohmann::json to_json(const zoo::BaseTopology& topology, const TrafficResult& result) {
  nlohmann::json json = {{"load", result.load},
                         {"offered", result.offered},
                         {"accepted", result.accepted},
                         {"latency_mean_cycles", result.latencies.mean()},
                         {"latency_p95_cycles", result.latencies.percentile(95)},
                         {"latency_max_cycles", result.latencies.max()},
                         {"measured_transfers", result.latencies.count()},
                         {"transfers", result.transfers},
                         {"mean_hops", result.mean_hops},
                         {"busiest_link", nullptr},
                         {"busiest_link_use", result.busiest_use}};
  if (result.busiest) json["busiest_link"] = zoo::channel_name(topology, *result.busiest);
  return json;
}

}  // namespace

AnalyticNetwork::AnalyticNetwork(zoo::TopologyPtr base, std::uint32_t packet_bits, bool maze)
    : topology(std::move(base)), relation(zoo::natural_routing(*topology)) {
  settings.period = common::SimTime::from_ps(1000);
  settings.packet_bits = packet_bits;
  if (!maze) return;
  const auto* grid = dynamic_cast<const zoo::FlattenedButterfly*>(topology.get());
  if (grid == nullptr) {
    throw std::invalid_argument(
        fmt::format("--maze requires a FlattenedButterfly topology, not {}", topology->name()));
  }
  settings.link_stages = maze_link_stages(*grid);
}

TrafficStudy::TrafficStudy(zoo::TopologyPtr topology, TrafficStudySettings settings)
    : settings_(std::move(settings)),
      network_(std::move(topology), settings_.packet_bits, settings_.maze),
      pattern_(*network_.relation, settings_.pattern) {}

std::uint64_t TrafficStudy::packets() const {
  return packets_of(settings_.bytes, settings_.packet_bits);
}

TrafficResult TrafficStudy::run(double load) const {
  return run_analytic_traffic(network_.topology, network_.relation, network_.settings, pattern_,
                              {.load = load,
                               .bytes = settings_.bytes,
                               .warmup = settings_.warmup,
                               .cycles = settings_.cycles,
                               .seed = settings_.seed});
}

nlohmann::json TrafficStudy::data(const std::vector<TrafficResult>& results) const {
  nlohmann::json data = {{"topology", network_.topology->name()},
                         {"routing", network_.relation->name()},
                         {"maze", settings_.maze},
                         {"pattern", settings_.pattern.kind},
                         {"senders", pattern_.senders().size()},
                         {"endpoints", pattern_.endpoints()},
                         {"unreachable_pairs", pattern_.unreachable_pairs()},
                         {"bytes", settings_.bytes},
                         {"packet_bits", settings_.packet_bits},
                         {"warmup_cycles", settings_.warmup},
                         {"cycles", settings_.cycles},
                         {"loads", nlohmann::json::array()}};
  for (const TrafficResult& result : results)
    data["loads"].push_back(to_json(*network_.topology, result));
  return data;
}

}  // namespace kernbench::model::fabric
