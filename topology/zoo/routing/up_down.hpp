// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Returns true if every channel has an opposite channel.
[[nodiscard]] bool is_two_way(const BaseTopology& topology);

/// up*/down* routing (Schroeder et al. 1991, Autonet) for topologies whose channels all go both
/// ways. A breadth-first spanning tree from the smallest node of each connected part ranks the
/// nodes by (level, number). A channel to a lower rank is up. A packet takes any number of up
/// channels, then down channels. The relation offers the shortest such paths, which may be longer
/// than shortest paths.
/// One virtual channel. Deadlock-free: neither up channels nor down channels alone form a cycle,
/// and no packet turns from down to up. All connected nodes reach each other through the root.
class UpDownRouting : public RoutingRelation {
 public:
  /// Throws std::invalid_argument if a channel has no opposite.
  explicit UpDownRouting(const BaseTopology& topology);

  [[nodiscard]] std::string name() const override { return "up*/down* over a spanning tree"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  void rank_nodes();
  void measure(std::uint32_t dst);
  [[nodiscard]] bool is_up(const Channel& channel) const {
    return rank_[channel.dst] < rank_[channel.src];
  }
  [[nodiscard]] std::size_t slot(std::uint32_t node, std::uint32_t dst) const {
    return std::size_t{dst} * rank_.size() + node;
  }

  std::vector<std::uint32_t> rank_;       ///< by node
  std::vector<std::uint32_t> by_rank_;    ///< the nodes, lowest rank first
  std::vector<std::uint16_t> any_hops_;   ///< by slot: hops left while up is allowed
  std::vector<std::uint16_t> down_hops_;  ///< by slot: hops left if all are down
};

}  // namespace kernbench::topology::zoo
