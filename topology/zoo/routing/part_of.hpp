// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

// A topology within a larger one, in which its node i has the number first_node + i.

/// Throws std::invalid_argument unless `relation` is over `topology`.
void require_relation_over(const RoutingRelation& relation, const BaseTopology& topology);

/// Returns true if `relation` has a path for a packet injected at `src` (which may equal `dst`).
[[nodiscard]] bool routes(const RoutingRelation& relation, std::uint32_t src, std::uint32_t dst);

/// Calls RoutingRelation::next() of a part's `relation`. Arguments and result use the numbers of
/// the `whole`. A packet that arrived from outside the part counts as injected.
[[nodiscard]] std::vector<Hop> next_within(const RoutingRelation& relation,
                                           const BaseTopology& whole, std::uint32_t first_node,
                                           std::uint32_t at, std::optional<Hop> in,
                                           std::uint32_t dst);

}  // namespace kernbench::topology::zoo
