// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Routes within the base and within a child by the part's own relation. Between parts, packets go
/// up the link of the source's child, through the base, and down the link of the destination's
/// child.
///
/// A child's relation of V virtual channels gets 2V: 0..V-1 for packets that started in the child,
/// V..2V-1 for packets that came down into it. With a shared set, packets coming down could wait
/// for packets going up, and these, through the base and another child, for the former: two rings
/// under one base deadlock that way. With two sets, dependencies lead from a child's lower set to
/// its link up, to the base, to a link down, to a child's upper set, and end there. The relation is
/// therefore deadlock-free if those of the parts are. Links use virtual channel 0.
class HierarchicalRouting : public RoutingRelation {
 public:
  /// Takes relations over topology.base() and over each of topology.children(), in order. Throws
  /// std::invalid_argument for any other relation.
  HierarchicalRouting(const HierarchicalTopology& topology, std::unique_ptr<RoutingRelation> base,
                      std::vector<std::unique_ptr<RoutingRelation>> children);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::uint32_t n_vcs() const override { return n_vcs_; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  /// Returns the child that contains a node, or nothing for a node of the base.
  [[nodiscard]] std::optional<std::size_t> child_of(std::uint32_t node) const;
  /// Returns true if all parts between `src` and `dst` have a path from gate to gate.
  [[nodiscard]] bool has_way(std::uint32_t src, std::uint32_t dst) const;
  [[nodiscard]] std::vector<Hop> next_in_child(std::size_t child, std::uint32_t at,
                                               std::optional<Hop> in, std::uint32_t dst) const;

  const HierarchicalTopology& whole_;
  std::unique_ptr<RoutingRelation> base_;
  std::vector<std::unique_ptr<RoutingRelation>> children_;
  std::uint32_t n_vcs_;
};

}  // namespace kernbench::topology::zoo
