// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "common/registration.hpp"
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
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/routing/terminal_routing.hpp"
#include "topology/zoo/routing/tree_routing.hpp"

namespace kernbench::topology::zoo {
namespace {

using Sizes = std::span<const std::uint32_t>;
using Relation = std::unique_ptr<RoutingRelation>;

template <typename Topology>
NewTopology make_of_one(Sizes sizes) {
  return std::make_shared<Topology>(sizes[0]);
}

template <typename Topology>
NewTopology make_of_two(Sizes sizes) {
  return std::make_shared<Topology>(sizes[0], sizes[1]);
}

/// Lines and rings are grids of one row.
template <typename Topology>
Grid grid_of(const Topology& topology) {
  if constexpr (requires { topology.grid(); }) {
    return topology.grid();
  } else {
    return {.nx = topology.n_nodes(), .ny = 1};
  }
}

template <typename Topology, DimensionStep step>
Relation along_dimensions(const BaseTopology& topology) {
  const auto* const one = dynamic_cast<const Topology*>(&topology);
  if (one == nullptr) return nullptr;
  return std::make_unique<DimensionOrderRouting>(topology, grid_of(*one), step, DimensionOrder::XY);
}

template <typename Topology, typename Routing>
Relation by(const BaseTopology& topology) {
  const auto* const one = dynamic_cast<const Topology*>(&topology);
  return one == nullptr ? nullptr : std::make_unique<Routing>(*one);
}

Relation through_terminals(const BaseTopology& topology) {
  const auto* const terminals = dynamic_cast<const TerminalRouter*>(&topology);
  if (terminals == nullptr) return nullptr;
  return std::make_unique<TerminalRouting>(*terminals, natural_routing(terminals->base()));
}

Relation through_parts(const BaseTopology& topology) {
  const auto* const whole = dynamic_cast<const HierarchicalTopology*>(&topology);
  if (whole == nullptr) return nullptr;
  std::vector<Relation> children;
  for (const HierarchicalSubTopology& child : whole->children()) {
    children.push_back(natural_routing(*child.topology));
  }
  return std::make_unique<HierarchicalRouting>(*whole, natural_routing(whole->base()),
                                               std::move(children));
}

std::deque<ZooKind> shipped_kinds() {
  using enum DimensionStep;
  using List = std::vector<SizeParameter>;
  const List line = {{"n", 1}};
  const List ring = {{"n", kMinRing}};
  const List grid = {{"nx", 1}, {"ny", 1}};
  const List torus = {{"nx", kMinTorusSide}, {"ny", kMinTorusSide}};
  const List fly = {{"k_ary", kMinButterfly}, {"n_fly", kMinButterfly}};
  const List tree = {{"height", 0}, {"d_ary", kMinTreeArity}};
  constexpr KindShape kSized = KindShape::Sized;
  return {
      {"UnidirectionalLine", "n", "n nodes in a row, each joined to the next", kSized, line,
       make_of_one<UnidirectionalLine>, along_dimensions<UnidirectionalLine, Neighbour>},
      {"BidirectionalLine", "n", "n nodes in a row, neighbours joined both ways", kSized, line,
       make_of_one<BidirectionalLine>, along_dimensions<BidirectionalLine, Neighbour>},
      {"UnidirectionalTorus1D", "n", "a ring of n nodes, one way round", kSized, ring,
       make_of_one<UnidirectionalTorus1D>, along_dimensions<UnidirectionalTorus1D, ForwardRing>},
      {"BidirectionalTorus1D", "n", "a ring of n nodes, both ways round", kSized, ring,
       make_of_one<BidirectionalTorus1D>, along_dimensions<BidirectionalTorus1D, ShortestRing>},
      {"Butterfly", "k_ary, n_fly", "n_fly stages of k_ary^(n_fly-1) routers", kSized, fly,
       make_of_two<Butterfly>, by<Butterfly, ButterflyRouting>},
      {"BidirectionalTree", "height, d_ary", "a full tree, each node with d_ary children", kSized,
       tree, make_of_two<BidirectionalTree>, by<BidirectionalTree, TreeRouting>},
      {"Mesh2D", "nx, ny", "a grid, neighbours joined both ways", kSized, grid, make_of_two<Mesh2D>,
       along_dimensions<Mesh2D, Neighbour>},
      {"UnidirectionalTorus2D", "nx, ny", "a grid whose rows and columns are one-way rings", kSized,
       torus, make_of_two<UnidirectionalTorus2D>,
       along_dimensions<UnidirectionalTorus2D, ForwardRing>},
      {"BidirectionalTorus2D", "nx, ny", "a grid whose rows and columns are two-way rings", kSized,
       torus, make_of_two<BidirectionalTorus2D>,
       along_dimensions<BidirectionalTorus2D, ShortestRing>},
      {"FlattenedButterfly", "nx, ny", "a grid with all nodes of a row or column joined", kSized,
       grid, make_of_two<FlattenedButterfly>, along_dimensions<FlattenedButterfly, Direct>},
      {"TerminalRouter", "base", "a base topology with a terminal in front of each router",
       KindShape::Terminal, List(), nullptr, through_terminals},
      {"HierarchicalTopology", "base, children: base_node, child_node, topology",
       "child topologies, each joined to a node of a base topology", KindShape::Hierarchical,
       List(), nullptr, through_parts},
      {"CustomTopology", "n, edges (or edges_from)", "n nodes and a list of directed edges",
       KindShape::Custom, List(), nullptr, nullptr},
  };
}

std::deque<ZooKind>& registered() {
  static std::deque<ZooKind> kinds = shipped_kinds();
  return kinds;
}

/// Returns why a kind cannot be registered, or nothing.
std::string problem_of(const ZooKind& kind) {
  const auto& kinds = registered();
  if (std::ranges::find(kinds, kind.name, &ZooKind::name) != kinds.end()) {
    return "is already registered";
  }
  const bool is_word = std::ranges::all_of(
      kind.name, [](unsigned char letter) { return std::isalnum(letter) != 0; });
  if (kind.name.empty() || !is_word) return "must have a name of letters and digits";
  if (kind.shape != KindShape::Sized || kind.sizes.empty() || kind.make == nullptr) {
    return "needs a size and a function that makes it";
  }
  return {};
}

}  // namespace

const std::deque<ZooKind>& zoo_kinds() {
  return registered();
}

std::vector<std::string_view> zoo_kind_names() {
  std::vector<std::string_view> names;
  for (const ZooKind& kind : registered()) names.push_back(kind.name);
  return names;
}

TopologyRegistration::TopologyRegistration(ZooKind kind) {
  if (const std::string problem = problem_of(kind); !problem.empty()) {
    common::refuse_registration(fmt::format("the topology '{}' {}", kind.name, problem));
  } else {
    registered().push_back(std::move(kind));
  }
}

}  // namespace kernbench::topology::zoo
