// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/natural_routing.hpp"

#include <utility>
#include <vector>

#include "topology/zoo/base/butterfly.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/base/mesh_2d.hpp"
#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/base/torus_1d.hpp"
#include "topology/zoo/base/torus_2d.hpp"
#include "topology/zoo/base/tree.hpp"
#include "topology/zoo/routing/butterfly_routing.hpp"
#include "topology/zoo/routing/dimension_order.hpp"
#include "topology/zoo/routing/hierarchical_routing.hpp"
#include "topology/zoo/routing/shortest_path.hpp"
#include "topology/zoo/routing/terminal_routing.hpp"
#include "topology/zoo/routing/tree_routing.hpp"
#include "topology/zoo/routing/up_down.hpp"

namespace kernbench::topology::zoo {
namespace {

using Relation = std::unique_ptr<RoutingRelation>;

Relation dimension_order(const BaseTopology& topology, const Grid& grid, DimensionStep step) {
  return std::make_unique<DimensionOrderRouting>(topology, grid, step, DimensionOrder::XY);
}

/// Lines and rings are grids of one row.
Relation along_a_row(const BaseTopology& topology, DimensionStep step) {
  return dimension_order(topology, {.nx = topology.n_nodes(), .ny = 1}, step);
}

Relation hierarchical(const HierarchicalTopology& topology) {
  std::vector<Relation> children;
  for (const HierarchicalSubTopology& child : topology.children()) {
    children.push_back(natural_routing(*child.topology));
  }
  return std::make_unique<HierarchicalRouting>(topology, natural_routing(topology.base()),
                                               std::move(children));
}

template <typename Topology>
const Topology* as(const BaseTopology& topology) {
  return dynamic_cast<const Topology*>(&topology);
}

}  // namespace

Relation natural_routing(const BaseTopology& topology) {
  using enum DimensionStep;
  if (topology.own_routing()) return topology.own_routing()(topology);
  if (as<UnidirectionalLine>(topology) != nullptr) return along_a_row(topology, Neighbour);
  if (as<BidirectionalLine>(topology) != nullptr) return along_a_row(topology, Neighbour);
  if (as<UnidirectionalTorus1D>(topology) != nullptr) return along_a_row(topology, ForwardRing);
  if (as<BidirectionalTorus1D>(topology) != nullptr) return along_a_row(topology, ShortestRing);
  if (const auto* mesh = as<Mesh2D>(topology)) {
    return dimension_order(topology, mesh->grid(), Neighbour);
  }
  if (const auto* torus = as<UnidirectionalTorus2D>(topology)) {
    return dimension_order(topology, torus->grid(), ForwardRing);
  }
  if (const auto* torus = as<BidirectionalTorus2D>(topology)) {
    return dimension_order(topology, torus->grid(), ShortestRing);
  }
  if (const auto* flattened = as<FlattenedButterfly>(topology)) {
    return dimension_order(topology, flattened->grid(), Direct);
  }
  if (const auto* butterfly = as<Butterfly>(topology)) {
    return std::make_unique<ButterflyRouting>(*butterfly);
  }
  if (const auto* tree = as<BidirectionalTree>(topology)) {
    return std::make_unique<TreeRouting>(*tree);
  }
  if (const auto* terminal = as<TerminalRouter>(topology)) {
    return std::make_unique<TerminalRouting>(*terminal, natural_routing(terminal->base()));
  }
  if (const auto* parts = as<HierarchicalTopology>(topology)) return hierarchical(*parts);
  if (is_two_way(topology)) return std::make_unique<UpDownRouting>(topology);
  return std::make_unique<NegativeHopRouting>(topology);
}

}  // namespace kernbench::topology::zoo
