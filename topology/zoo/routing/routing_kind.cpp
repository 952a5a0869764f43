// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/routing_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "common/registration.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/base/mesh_2d.hpp"
#include "topology/zoo/base/torus_2d.hpp"
#include "topology/zoo/routing/dimension_order.hpp"
#include "topology/zoo/routing/shortest_path.hpp"
#include "topology/zoo/routing/up_down.hpp"

namespace kernbench::topology::zoo {
namespace {

using Relation = std::unique_ptr<RoutingRelation>;

template <typename Routing>
Relation over_any(const BaseTopology& topology) {
  return std::make_unique<Routing>(topology);
}

Relation y_first(const BaseTopology& topology) {
  const auto make = [&](const Grid& grid, DimensionStep step) {
    return std::make_unique<DimensionOrderRouting>(topology, grid, step, DimensionOrder::YX);
  };
  if (const auto* mesh = dynamic_cast<const Mesh2D*>(&topology)) {
    return make(mesh->grid(), DimensionStep::Neighbour);
  }
  if (const auto* torus = dynamic_cast<const UnidirectionalTorus2D*>(&topology)) {
    return make(torus->grid(), DimensionStep::ForwardRing);
  }
  if (const auto* torus = dynamic_cast<const BidirectionalTorus2D*>(&topology)) {
    return make(torus->grid(), DimensionStep::ShortestRing);
  }
  if (const auto* flattened = dynamic_cast<const FlattenedButterfly*>(&topology)) {
    return make(flattened->grid(), DimensionStep::Direct);
  }
  throw std::invalid_argument(
      fmt::format("'yx' routes grids of two dimensions, not {}", topology.name()));
}

std::deque<RoutingKind>& registered() {
  static std::deque<RoutingKind> kinds = {
      {"yx", "dimension order, Y first; grids of two dimensions", y_first},
      {"up_down", "up*/down* over a spanning tree; any topology with channels both ways",
       over_any<UpDownRouting>},
      {"negative_hop", "shortest paths with one more virtual channel per hop to a smaller node",
       over_any<NegativeHopRouting>},
      {"shortest_path", "all shortest paths on one virtual channel, which may deadlock",
       over_any<ShortestPathRouting>}};
  return kinds;
}

/// Returns why a relation cannot be registered, or nothing.
std::string problem_of(const RoutingKind& kind) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (find_routing(kind.name) != nullptr) return "is already registered";
  if (kind.name.empty() || kind.name.find_first_not_of(kLetters) != std::string::npos) {
    return "must have a name of a-z, 0-9 and '_'";
  }
  return kind.make == nullptr ? "has no function that makes it" : "";
}

}  // namespace

const std::deque<RoutingKind>& routing_kinds() {
  return registered();
}

std::vector<std::string_view> routing_kind_names() {
  std::vector<std::string_view> names;
  for (const RoutingKind& kind : registered()) names.push_back(kind.name);
  return names;
}

const RoutingKind* find_routing(std::string_view name) {
  const auto& kinds = registered();
  const auto found = std::ranges::find(kinds, name, &RoutingKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

RoutingRegistration::RoutingRegistration(RoutingKind kind) {
  if (const std::string problem = problem_of(kind); !problem.empty()) {
    common::refuse_registration(fmt::format("the routing '{}' {}", kind.name, problem));
  } else {
    registered().push_back(std::move(kind));
  }
}

}  // namespace kernbench::topology::zoo
