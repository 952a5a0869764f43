// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Routes from a terminal to its router, through the base by the base's relation, and to the
/// terminal of the last router. Uses the base's virtual channels, and 0 on the terminals' channels.
/// Deadlock-free if the base's relation is, as the terminals' channels only start or end
/// dependencies.
class TerminalRouting : public RoutingRelation {
 public:
  /// Throws std::invalid_argument unless `base_relation` is over topology.base().
  TerminalRouting(const TerminalRouter& topology, std::unique_ptr<RoutingRelation> base_relation);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::uint32_t n_vcs() const override { return base_->n_vcs(); }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  std::unique_ptr<RoutingRelation> base_;
  std::uint32_t terminals_;
};

}  // namespace kernbench::topology::zoo
