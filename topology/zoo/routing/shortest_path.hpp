// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/routing/hop_distances.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Offers every channel that begins a shortest path, over any topology, on one virtual channel. Not
/// deadlock-free where shortest paths close a ring; the dependency check shows the cycle.
class ShortestPathRouting : public RoutingRelation {
 public:
  explicit ShortestPathRouting(const BaseTopology& topology);

  [[nodiscard]] std::string name() const override { return "shortest path"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  HopDistances distances_;
};

/// Shortest paths that move to the next virtual channel at every hop to a node of a smaller number:
/// the negative-hop scheme (Boppana and Chalasani 1993). Deadlock-free over any topology: on one
/// virtual channel node numbers only grow, and packets never return to an earlier virtual channel.
/// A one-way ring numbered in order needs two virtual channels, as with a dateline.
class NegativeHopRouting : public RoutingRelation {
 public:
  explicit NegativeHopRouting(const BaseTopology& topology);

  [[nodiscard]] std::string name() const override {
    return "shortest path with one more virtual channel per hop to a smaller node";
  }
  /// One more than the largest number of hops to smaller nodes on any shortest path.
  [[nodiscard]] std::uint32_t n_vcs() const override { return n_vcs_; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  ShortestPathRouting shortest_;
  std::uint32_t n_vcs_ = 1;
};

}  // namespace kernbench::topology::zoo
