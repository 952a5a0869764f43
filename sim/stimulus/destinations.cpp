// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/destinations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kernbench::sim {

using maze::Shape;

topology::TrafficShape traffic_shape(const Shape& shape) {
  return {
      fmt::format("a {}x{} fabric", shape.nx, shape.ny), shape.nodes(), true, {shape.nx, shape.ny}};
}

NodeDestinations destinations_of(const topology::TrafficKind& kind, const Shape& shape) {
  const topology::TrafficShape seen = traffic_shape(shape);
  if (const std::string reason = topology::refusal(kind, seen); !reason.empty()) {
    throw std::invalid_argument(fmt::format("pattern {} {}", kind.name, reason));
  }
  NodeDestinations destinations;
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    destinations.push_back(kind.destinations(node, seen));
    for (const std::uint32_t to : destinations.back()) {
      if (to < shape.nodes()) continue;
      throw std::invalid_argument(
          fmt::format("pattern {} sends from node {} to node {}, but {} has {}", kind.name, node,
                      to, seen.topology, seen.count));
    }
  }
  return destinations;
}

std::optional<std::string> kind_problem(const topology::TrafficKind& kind, const Shape& shape) {
  try {
    (void)destinations_of(kind, shape);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return std::nullopt;
}

bool is_permutation(const NodeDestinations& destinations) {
  return std::ranges::all_of(destinations, [](const auto& own) { return own.size() <= 1; });
}

void add_links_towards(const Shape& shape, unsigned source, unsigned target,
                       maze::BitPlane& links) {
  const unsigned dx = (target % shape.nx + shape.nx - source % shape.nx) % shape.nx;
  const unsigned dy = (target / shape.nx + shape.ny - source / shape.nx) % shape.ny;
  if (dx != 0) links.set(dx - 1, source);
  if (dy != 0) links.set(shape.x_ports() + dy - 1, source);
}

}  // namespace kernbench::sim
