// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/base/butterfly.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Destination-tag routing: each stage corrects one digit of the row, so there is a single path. A
/// node reaches the nodes of later stages whose other digits equal its own; the first stage reaches
/// the whole last stage. One virtual channel. Deadlock-free, as all channels lead from one stage to
/// the next.
class ButterflyRouting : public RoutingRelation {
 public:
  explicit ButterflyRouting(const Butterfly& butterfly);

  [[nodiscard]] std::string name() const override { return "destination tag"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  /// Returns nothing for a destination that the node cannot reach.
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  std::uint32_t rows_;
  std::uint32_t k_ary_;
  std::vector<std::uint32_t> weights_;  ///< weight of each digit of a row: k_ary^i
};

}  // namespace kernbench::topology::zoo
