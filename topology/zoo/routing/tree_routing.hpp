// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/base/tree.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Routes up to the lowest common ancestor with the destination, then down. One virtual channel.
/// Deadlock-free as up*/down* (Schroeder et al. 1991, Autonet): no packet turns from down to up,
/// and neither the upward nor the downward channels alone form a cycle.
class TreeRouting : public RoutingRelation {
 public:
  explicit TreeRouting(const BidirectionalTree& tree) : RoutingRelation(tree), tree_(tree) {}

  [[nodiscard]] std::string name() const override { return "up*/down* in the tree"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  const BidirectionalTree& tree_;
};

}  // namespace kernbench::topology::zoo
