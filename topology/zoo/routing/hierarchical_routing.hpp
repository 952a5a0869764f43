#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Within the base and within a child by the part's own relation. Between parts up the link of the
/// source's child, through the base, and down the link of the destination's child.
///
/// A child's relation of V virtual channels gets 2V: 0..V-1 for packets that started in the child,
/// V..2V-1 for packets that came down into it. With one set for both, packets that come down could
/// wait for packets that want to go up, and these, through the base and another child, for the
/// former (two rings under one base deadlock that way). With two sets dependencies lead from a
/// child's lower set to its link up, to the base, to a link down, to a child's upper set, and end
/// there; so this is deadlock-free if the parts' relations are. Links are on virtual channel 0.
class HierarchicalRouting : public RoutingRelation {
 public:
  /// Relations over topology.base() and over each of topology.children(), in their order. Throws
  /// std::invalid_argument if they are not.
  HierarchicalRouting(const HierarchicalTopology& topology, std::unique_ptr<RoutingRelation> base,
                      std::vector<std::unique_ptr<RoutingRelation>> children);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::uint32_t n_vcs() const override { return n_vcs_; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  /// The child that a node is part of; none for the base.
  [[nodiscard]] std::optional<std::size_t> child_of(std::uint32_t node) const;
  /// Whether the parts on the way from `src` to `dst` have ways from gate to gate.
  [[nodiscard]] bool has_way(std::uint32_t src, std::uint32_t dst) const;
  [[nodiscard]] std::vector<Hop> next_in_child(std::size_t child, std::uint32_t at,
                                               std::optional<Hop> in, std::uint32_t dst) const;

  const HierarchicalTopology& whole_;
  std::unique_ptr<RoutingRelation> base_;
  std::vector<std::unique_ptr<RoutingRelation>> children_;
  std::uint32_t n_vcs_;
};

}  // namespace kernbench::topology::zoo
