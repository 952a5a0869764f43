// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/traffic_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "common/text_distance.hpp"
#include "topology/traffic_kind.hpp"
#include "topology/zoo/routing/hop_distances.hpp"
#include "topology/zoo/routing/part_of.hpp"
#include "topology/zoo/traffic_endpoints.hpp"

namespace kernbench::model::fabric {
namespace {

using topology::Grid;
using topology::TrafficKind;
using topology::TrafficShape;
using topology::zoo::RoutingRelation;
using topology::zoo::TrafficEndpoints;

const TrafficKind& require_kind(const std::string& name) {
  if (const TrafficKind* const kind = topology::find_traffic(name)) return *kind;
  const auto names = topology::traffic_names();
  throw std::invalid_argument(fmt::format("unknown traffic '{}'; expected one of {}{}", name,
                                          fmt::join(names, ", "),
                                          common::did_you_mean(name, names)));
}

TrafficShape shape_of(const TrafficEndpoints& endpoints, const std::string& topology) {
  const auto count = static_cast<std::uint32_t>(endpoints.sources.size());
  return {topology, count, endpoints.grid.has_value(), endpoints.grid.value_or(Grid{count, 1})};
}

void require_hotspot(const RoutingRelation& relation, std::uint32_t hotspot,
                     const std::vector<std::uint32_t>& destinations) {
  if (std::find(destinations.begin(), destinations.end(), hotspot) != destinations.end()) return;
  throw std::invalid_argument(
      fmt::format("hotspot node {} is not a destination in {}; nodes {} to {} are", hotspot,
                  relation.topology().name(), destinations.front(), destinations.back()));
}

[[noreturn]] void reject_way(const TrafficKind& kind, const RoutingRelation& relation,
                             std::uint32_t src, std::uint32_t dst) {
  throw std::invalid_argument(fmt::format("{} sends from node {} to node {}, but {} has no route",
                                          kind.name, src, dst, relation.topology().name()));
}

/// Returns the nodes that a source sends to, without itself.
std::vector<std::uint32_t> nodes_of(const TrafficKind& kind, const TrafficShape& shape,
                                    const TrafficEndpoints& endpoints, std::uint32_t source) {
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t endpoint : kind.destinations(source, shape)) {
    if (endpoint >= shape.count) {
      throw std::invalid_argument(
          fmt::format("{} sends from endpoint {} to endpoint {}, but {} has {}", kind.name, source,
                      endpoint, shape.topology, shape.count));
    }
    const std::uint32_t node = endpoints.destinations[endpoint];
    if (node != endpoints.sources[source]) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

TrafficPattern::TrafficPattern(const RoutingRelation& relation, const TrafficPatternSpec& spec) {
  const TrafficKind& kind = require_kind(spec.kind);
  const topology::zoo::BaseTopology& topology = relation.topology();
  topology::zoo::require_routable_size(topology);
  const TrafficEndpoints endpoints = topology::zoo::traffic_endpoints(topology);
  const TrafficShape shape = shape_of(endpoints, topology.name());
  endpoints_ = shape.count;
  if (endpoints_ > topology::zoo::kMaxRoutedNodes) {
    throw std::invalid_argument(fmt::format("{} has {} endpoints; traffic has at most {}",
                                            topology.name(), endpoints_,
                                            topology::zoo::kMaxRoutedNodes));
  }
  if (const std::string reason = topology::refusal(kind, shape); !reason.empty()) {
    throw std::invalid_argument(fmt::format("{} {}", kind.name, reason));
  }
  if (kind.hotspot) {
    require_hotspot(relation, spec.hotspot_node, endpoints.destinations);
    hotspot_node_ = spec.hotspot_node;
    hotspot_share_ = common::probability_threshold(spec.hotspot_share);
  }
  for (std::uint32_t i = 0; i < shape.count; ++i) {
    const std::uint32_t src = endpoints.sources[i];
    std::vector<std::uint32_t> nodes = nodes_of(kind, shape, endpoints, i);
    unreachable_pairs_ += std::erase_if(nodes, [&](std::uint32_t dst) {
      if (topology::zoo::routes(relation, src, dst)) return false;
      if (!kind.skips_unreachable) reject_way(kind, relation, src, dst);
      return true;
    });
    if (nodes.empty()) continue;
    const bool reaches_hotspot =
        src == hotspot_node_ || std::find(nodes.begin(), nodes.end(), hotspot_node_) != nodes.end();
    if (kind.hotspot && !reaches_hotspot) reject_way(kind, relation, src, hotspot_node_);
    add_sender(src, std::move(nodes));
  }
  if (senders_.empty()) {
    throw std::invalid_argument(
        fmt::format("under {} no node of {} has a destination", kind.name, topology.name()));
  }
}

void TrafficPattern::add_sender(std::uint32_t node, std::vector<std::uint32_t> destinations) {
  senders_.push_back(node);
  destinations_.push_back(std::move(destinations));
}

}  // namespace kernbench::model::fabric
