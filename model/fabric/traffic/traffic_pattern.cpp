// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/traffic_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "model/fabric/traffic/traffic_endpoints.hpp"
#include "topology/zoo/routing/hop_distances.hpp"
#include "topology/zoo/routing/part_of.hpp"

namespace kernbench::model::fabric {
namespace {

using topology::zoo::Grid;
using topology::zoo::RoutingRelation;

std::string_view name(TrafficKind kind) {
  return common::name_of(kTrafficKindNames, kind);
}

bool is_permutation(TrafficKind kind) {
  return kind != TrafficKind::UniformRandom && kind != TrafficKind::Hotspot;
}

void require_shape(TrafficKind kind, const TrafficEndpoints& endpoints,
                   const std::string& name_of) {
  const std::size_t count = endpoints.sources.size();
  if (kind == TrafficKind::Transpose &&
      (!endpoints.grid || endpoints.grid->nx != endpoints.grid->ny)) {
    throw std::invalid_argument(
        fmt::format("transpose needs a square grid, which {} is not", name_of));
  }
  if ((kind == TrafficKind::BitComplement || kind == TrafficKind::BitReverse) &&
      !std::has_single_bit(count)) {
    throw std::invalid_argument(
        fmt::format("{} needs 2^b endpoints; {} has {}", name(kind), name_of, count));
  }
}

std::uint32_t reversed_bits(std::uint32_t number, std::uint32_t count) {
  std::uint32_t reversed = 0;
  for (std::uint32_t bit = 1; bit < count; bit *= 2) {
    reversed = reversed * 2 + ((number & bit) != 0 ? 1 : 0);
  }
  return reversed;
}

/// Returns the endpoint to which a permutation sends endpoint `i` of `count`.
std::uint32_t image(TrafficKind kind, std::uint32_t i, std::uint32_t count, const Grid& grid) {
  const auto shifted = [&](std::uint32_t by_x, std::uint32_t by_y) {
    return grid.at((grid.x_of(i) + by_x) % grid.nx, (grid.y_of(i) + by_y) % grid.ny);
  };
  switch (kind) {
    case TrafficKind::Transpose:
      return grid.at(grid.y_of(i), grid.x_of(i));
    case TrafficKind::BitComplement:
      return count - 1 - i;
    case TrafficKind::BitReverse:
      return reversed_bits(i, count);
    case TrafficKind::HalfRotation:
      return (i + count / 2) % count;
    case TrafficKind::BooksimTornado:
      return shifted((grid.nx + 1) / 2 - 1, (grid.ny + 1) / 2 - 1);
    case TrafficKind::BooksimNeighbor:
      return shifted(1, 1);
    case TrafficKind::UniformRandom:
    case TrafficKind::Hotspot:
      break;
  }
  throw std::logic_error("not a permutation");
}

/// Returns the destinations other than `src` that have a route from it.
std::vector<std::uint32_t> reachable_from(const RoutingRelation& relation, std::uint32_t src,
                                          const std::vector<std::uint32_t>& destinations) {
  std::vector<std::uint32_t> reachable;
  for (const std::uint32_t dst : destinations) {
    if (dst != src && topology::zoo::routes(relation, src, dst)) reachable.push_back(dst);
  }
  return reachable;
}

void require_hotspot(const RoutingRelation& relation, std::uint32_t hotspot,
                     const std::vector<std::uint32_t>& destinations) {
  if (std::find(destinations.begin(), destinations.end(), hotspot) != destinations.end()) return;
  throw std::invalid_argument(
      fmt::format("hotspot node {} is not a destination in {}; nodes {} to {} are", hotspot,
                  relation.topology().name(), destinations.front(), destinations.back()));
}

[[noreturn]] void reject_way(TrafficKind kind, const RoutingRelation& relation, std::uint32_t src,
                             std::uint32_t dst) {
  throw std::invalid_argument(fmt::format("{} sends from node {} to node {}, but {} has no route",
                                          name(kind), src, dst, relation.topology().name()));
}

}  // namespace

TrafficPattern::TrafficPattern(const RoutingRelation& relation, const TrafficPatternSpec& spec) {
  const topology::zoo::BaseTopology& topology = relation.topology();
  topology::zoo::require_routable_size(topology);
  const TrafficEndpoints endpoints = traffic_endpoints(topology);
  const auto count = static_cast<std::uint32_t>(endpoints.sources.size());
  endpoints_ = count;
  require_shape(spec.kind, endpoints, topology.name());
  if (spec.kind == TrafficKind::Hotspot) {
    require_hotspot(relation, spec.hotspot_node, endpoints.destinations);
    hotspot_node_ = spec.hotspot_node;
    hotspot_share_ = common::probability_threshold(spec.hotspot_share);
  }
  const Grid grid = endpoints.grid.value_or(Grid{count, 1});
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t src = endpoints.sources[i];
    if (is_permutation(spec.kind)) {
      const std::uint32_t dst = endpoints.destinations[image(spec.kind, i, count, grid)];
      if (!topology::zoo::routes(relation, src, dst)) reject_way(spec.kind, relation, src, dst);
      if (dst != src) add_sender(src, {dst});
      continue;
    }
    std::vector<std::uint32_t> reachable = reachable_from(relation, src, endpoints.destinations);
    const auto itself =
        std::count(endpoints.destinations.begin(), endpoints.destinations.end(), src);
    unreachable_pairs_ += count - static_cast<std::size_t>(itself) - reachable.size();
    if (reachable.empty()) continue;
    const bool reaches_hotspot =
        src == hotspot_node_ ||
        std::find(reachable.begin(), reachable.end(), hotspot_node_) != reachable.end();
    if (spec.kind == TrafficKind::Hotspot && !reaches_hotspot) {
      reject_way(spec.kind, relation, src, hotspot_node_);
    }
    add_sender(src, std::move(reachable));
  }
  if (senders_.empty()) {
    throw std::invalid_argument(
        fmt::format("under {} no node of {} has a destination", name(spec.kind), topology.name()));
  }
}

void TrafficPattern::add_sender(std::uint32_t node, std::vector<std::uint32_t> destinations) {
  senders_.push_back(node);
  destinations_.push_back(std::move(destinations));
}

}  // namespace kernbench::model::fabric
