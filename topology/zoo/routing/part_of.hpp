#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

// A topology within a larger one, where its node i has the number first_node + i.

/// Throws std::invalid_argument unless `relation` is over `topology`.
void require_relation_over(const RoutingRelation& relation, const BaseTopology& topology);

/// Whether `relation` has a way for a packet injected at `src` (which may be `dst` itself).
[[nodiscard]] bool routes(const RoutingRelation& relation, std::uint32_t src, std::uint32_t dst);

/// RoutingRelation::next() of a part's `relation`, told in the numbers of the `whole`, which all
/// arguments and the answer are in. A packet that came in from outside the part counts as injected.
[[nodiscard]] std::vector<Hop> next_within(const RoutingRelation& relation,
                                           const BaseTopology& whole, std::uint32_t first_node,
                                           std::uint32_t at, std::optional<Hop> in,
                                           std::uint32_t dst);

}  // namespace kernbench::topology::zoo
