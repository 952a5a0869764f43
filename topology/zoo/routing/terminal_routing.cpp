// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/terminal_routing.hpp"

#include <fmt/format.h>

#include <utility>

#include "topology/zoo/routing/part_of.hpp"

namespace kernbench::topology::zoo {

TerminalRouting::TerminalRouting(const TerminalRouter& topology,
                                 std::unique_ptr<RoutingRelation> base_relation)
    : RoutingRelation(topology),
      base_(std::move(base_relation)),
      terminals_(topology.base().n_nodes()) {
  require_relation_over(*base_, topology.base());
}

std::string TerminalRouting::name() const {
  return fmt::format("terminals, {}", base_->name());
}

std::vector<Hop> TerminalRouting::next(std::uint32_t at, std::optional<Hop> in,
                                       std::uint32_t dst) const {
  const std::uint32_t last_router = dst < terminals_ ? dst : dst - terminals_;
  if (at < terminals_) {
    if (!routes(*base_, at, last_router)) return {};
    return hop(at, terminals_ + at, 0);
  }
  const std::uint32_t router = at - terminals_;
  if (router == last_router) return hop(at, dst, 0);
  return next_within(*base_, topology(), terminals_, at, in, terminals_ + last_router);
}

}  // namespace kernbench::topology::zoo
