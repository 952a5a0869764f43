// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_kinds.hpp"

#include "topology/zoo/base/butterfly.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/base/mesh_2d.hpp"
#include "topology/zoo/base/torus_1d.hpp"
#include "topology/zoo/base/torus_2d.hpp"
#include "topology/zoo/base/tree.hpp"

namespace kernbench::topology::zoo {
namespace {

template <typename Topology>
NewTopology make_of_one(std::span<const std::uint32_t> sizes) {
  return std::make_shared<Topology>(sizes[0]);
}

template <typename Topology>
NewTopology make_of_two(std::span<const std::uint32_t> sizes) {
  return std::make_shared<Topology>(sizes[0], sizes[1]);
}

std::vector<ZooKind> all_kinds() {
  using Sizes = std::vector<SizeParameter>;
  const Sizes line = {{"n", 1}};
  const Sizes ring = {{"n", kMinRing}};
  const Sizes grid = {{"nx", 1}, {"ny", 1}};
  const Sizes torus = {{"nx", kMinTorusSide}, {"ny", kMinTorusSide}};
  const Sizes fly = {{"k_ary", kMinButterfly}, {"n_fly", kMinButterfly}};
  const Sizes tree = {{"height", 0}, {"d_ary", kMinTreeArity}};
  constexpr KindShape kSized = KindShape::Sized;
  return {
      {"UnidirectionalLine", "n", "n nodes in a row, each joined to the next", kSized, line,
       make_of_one<UnidirectionalLine>},
      {"BidirectionalLine", "n", "n nodes in a row, neighbours joined both ways", kSized, line,
       make_of_one<BidirectionalLine>},
      {"UnidirectionalTorus1D", "n", "a ring of n nodes, one way round", kSized, ring,
       make_of_one<UnidirectionalTorus1D>},
      {"BidirectionalTorus1D", "n", "a ring of n nodes, both ways round", kSized, ring,
       make_of_one<BidirectionalTorus1D>},
      {"Butterfly", "k_ary, n_fly", "n_fly stages of k_ary^(n_fly-1) routers", kSized, fly,
       make_of_two<Butterfly>},
      {"BidirectionalTree", "height, d_ary", "a full tree, each node with d_ary children", kSized,
       tree, make_of_two<BidirectionalTree>},
      {"Mesh2D", "nx, ny", "a grid, neighbours joined both ways", kSized, grid,
       make_of_two<Mesh2D>},
      {"UnidirectionalTorus2D", "nx, ny", "a grid whose rows and columns are one-way rings", kSized,
       torus, make_of_two<UnidirectionalTorus2D>},
      {"BidirectionalTorus2D", "nx, ny", "a grid whose rows and columns are two-way rings", kSized,
       torus, make_of_two<BidirectionalTorus2D>},
      {"FlattenedButterfly", "nx, ny", "a grid with all nodes of a row or column joined", kSized,
       grid, make_of_two<FlattenedButterfly>},
      {"TerminalRouter", "base", "a base topology with a terminal in front of each router",
       KindShape::Terminal, Sizes(), nullptr},
      {"HierarchicalTopology", "base, children: base_node, child_node, topology",
       "child topologies, each joined to a node of a base topology", KindShape::Hierarchical,
       Sizes(), nullptr},
      {"CustomTopology", "n, edges (or edges_from)", "n nodes and a list of directed edges",
       KindShape::Custom, Sizes(), nullptr},
  };
}

}  // namespace

const std::vector<ZooKind>& zoo_kinds() {
  static const std::vector<ZooKind> kKinds = all_kinds();
  return kKinds;
}

const std::vector<std::string_view>& zoo_kind_names() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const ZooKind& kind : zoo_kinds()) names.push_back(kind.name);
    return names;
  }();
  return kNames;
}

}  // namespace kernbench::topology::zoo
