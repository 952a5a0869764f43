// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A child of a hierarchical topology. One bidirectional link joins a base node and a child node,
/// each in its own numbering.
struct HierarchicalSubTopology {
  std::uint32_t base_node = 0;
  std::uint32_t child_node = 0;
  TopologyPtr topology;
};

/// Child topologies joined by a base topology. The base's nodes come first, then those of the
/// children in order. Base and children may be of any kind, including hierarchical.
/// HierarchicalRouting routes it.
class HierarchicalTopology : public BaseTopology {
 public:
  /// Throws std::invalid_argument if a link refers to a node that does not exist.
  HierarchicalTopology(TopologyPtr base, std::vector<HierarchicalSubTopology> children);
  [[nodiscard]] const BaseTopology& base() const { return *base_; }
  [[nodiscard]] const std::vector<HierarchicalSubTopology>& children() const { return children_; }
  /// Returns the number of the child's node 0 in this topology.
  [[nodiscard]] std::uint32_t first_node(std::size_t child) const { return first_nodes_[child]; }
  /// Nodes of two parts reach each other where the parts reach their ends of the links.
  [[nodiscard]] bool must_reach(std::uint32_t src, std::uint32_t dst) const override;
  [[nodiscard]] Plot layout() const override;

 private:
  /// The part that a node belongs to, and its number there.
  struct Place {
    const HierarchicalSubTopology* child = nullptr;  ///< null in the base
    std::uint32_t node = 0;
  };
  [[nodiscard]] Place place_of(std::uint32_t node) const;

  static Definition define(const BaseTopology& base,
                           const std::vector<HierarchicalSubTopology>& children);

  TopologyPtr base_;
  std::vector<HierarchicalSubTopology> children_;
  std::vector<std::uint32_t> first_nodes_;
};

}  // namespace kernbench::topology::zoo
