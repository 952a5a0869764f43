#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/base/butterfly.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Destination tag: each stage puts one digit of the row right, the only path there is. A node
/// reaches those nodes of later stages whose other digits are its own: from the first stage to the
/// last one everything. One virtual channel; deadlock-free, for all channels lead from a stage to
/// the next.
class ButterflyRouting : public RoutingRelation {
 public:
  explicit ButterflyRouting(const Butterfly& butterfly);

  [[nodiscard]] std::string name() const override { return "destination tag"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  /// None for a destination that the node does not reach.
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  std::uint32_t rows_;
  std::uint32_t k_ary_;
  std::vector<std::uint32_t> weights_;  ///< of digit i of a row: k_ary^i
};

}  // namespace kernbench::topology::zoo
