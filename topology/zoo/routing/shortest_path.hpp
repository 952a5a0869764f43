#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/routing/hop_distances.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Every channel that begins a shortest path, over any topology, on one virtual channel. Not
/// deadlock-free wherever shortest paths close a ring; the dependency check shows the cycle.
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

/// As ShortestPathRouting, on one virtual channel more for every hop to a node of a smaller number:
/// the negative-hop scheme (Boppana and Chalasani 1993). Deadlock-free over any topology: on one
/// virtual channel a packet goes to ever greater numbers, and it never returns to an earlier one.
/// A one-way ring numbered in order needs two virtual channels, as with a dateline.
class NegativeHopRouting : public RoutingRelation {
 public:
  explicit NegativeHopRouting(const BaseTopology& topology);

  [[nodiscard]] std::string name() const override {
    return "shortest path with one more virtual channel per hop to a smaller node";
  }
  /// One more than the hops to smaller nodes that a shortest path has at most.
  [[nodiscard]] std::uint32_t n_vcs() const override { return n_vcs_; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  ShortestPathRouting shortest_;
  std::uint32_t n_vcs_ = 1;
};

}  // namespace kernbench::topology::zoo
