// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/traffic_endpoints.hpp"

#include <numeric>

#include "topology/zoo/base/butterfly.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/mesh_2d.hpp"
#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/base/torus_2d.hpp"

namespace kernbench::topology::zoo {
namespace {

std::vector<std::uint32_t> nodes(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

std::optional<Grid> grid_of(const BaseTopology& topology) {
  if (const auto* mesh = dynamic_cast<const Mesh2D*>(&topology)) return mesh->grid();
  if (const auto* torus = dynamic_cast<const UnidirectionalTorus2D*>(&topology)) {
    return torus->grid();
  }
  if (const auto* torus = dynamic_cast<const BidirectionalTorus2D*>(&topology)) {
    return torus->grid();
  }
  if (const auto* flattened = dynamic_cast<const FlattenedButterfly*>(&topology)) {
    return flattened->grid();
  }
  return std::nullopt;
}

void append(std::vector<std::uint32_t>& numbers, const std::vector<std::uint32_t>& part,
            std::uint32_t first_node) {
  for (const std::uint32_t node : part) numbers.push_back(first_node + node);
}

TrafficEndpoints endpoints_of_parts(const HierarchicalTopology& topology) {
  TrafficEndpoints all = traffic_endpoints(topology.base());
  all.grid.reset();
  for (std::size_t i = 0; i < topology.children().size(); ++i) {
    const TrafficEndpoints part = traffic_endpoints(*topology.children()[i].topology);
    append(all.sources, part.sources, topology.first_node(i));
    append(all.destinations, part.destinations, topology.first_node(i));
  }
  return all;
}

}  // namespace

TrafficEndpoints traffic_endpoints(const BaseTopology& topology) {
  // Terminal i is attached to node i of the base.
  if (const auto* terminal = dynamic_cast<const TerminalRouter*>(&topology)) {
    return traffic_endpoints(terminal->base());
  }
  if (const auto* butterfly = dynamic_cast<const Butterfly*>(&topology)) {
    const std::uint32_t rows = butterfly->rows();
    return {nodes(0, rows), nodes(butterfly->n_nodes() - rows, rows), std::nullopt};
  }
  if (const auto* parts = dynamic_cast<const HierarchicalTopology*>(&topology)) {
    return endpoints_of_parts(*parts);
  }
  if (topology.has_endpoints()) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t node = 0; node < topology.n_nodes(); ++node) {
      all.insert(all.end(), topology.endpoints(node), node);
    }
    return {all, all, std::nullopt};
  }
  const std::vector<std::uint32_t> all = nodes(0, topology.n_nodes());
  return {all, all, grid_of(topology)};
}

}  // namespace kernbench::topology::zoo
