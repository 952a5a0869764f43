#pragma once

#include <cstdint>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A child of a hierarchical topology, joined by one link, both ways, between a node of the base
/// and a node of the child (each in its own numbering).
struct HierarchicalSubTopology {
  std::uint32_t base_node = 0;
  std::uint32_t child_node = 0;
  TopologyPtr topology;
};

/// Child topologies joined by a base topology. Nodes are numbered base first, then the children in
/// their order. Bases and children may be of any kind, hierarchical too. Route it with
/// HierarchicalRouting.
class HierarchicalTopology : public BaseTopology {
 public:
  /// Throws std::invalid_argument when a child is joined at a node that does not exist.
  HierarchicalTopology(TopologyPtr base, std::vector<HierarchicalSubTopology> children);
  [[nodiscard]] const BaseTopology& base() const { return *base_; }
  [[nodiscard]] const std::vector<HierarchicalSubTopology>& children() const { return children_; }
  /// The number that node 0 of child `child` has here.
  [[nodiscard]] std::uint32_t first_node(std::size_t child) const { return first_nodes_[child]; }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(const BaseTopology& base,
                           const std::vector<HierarchicalSubTopology>& children);

  TopologyPtr base_;
  std::vector<HierarchicalSubTopology> children_;
  std::vector<std::uint32_t> first_nodes_;
};

}  // namespace kernbench::topology::zoo
