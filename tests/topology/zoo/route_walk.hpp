// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Returns the path of a packet that always takes the first hop offered, as "0 -0> 1 -1> 2": node,
/// virtual channel, next node. Returns "none" if the relation offers no path from the start; ends
/// in "..." if the path stops before the destination.
inline std::string route(const RoutingRelation& relation, std::uint32_t src, std::uint32_t dst) {
  constexpr int kMost = 100;
  std::string text = fmt::format("{}", src);
  std::optional<Hop> in;
  std::uint32_t at = src;
  for (int i = 0; at != dst; ++i) {
    const std::vector<Hop> next = relation.next(at, in, dst);
    if (next.empty() && i == 0) return "none";
    if (next.empty() || i == kMost) return text + " ...";
    in = next.front();
    at = relation.topology().channels()[in->channel].dst;
    text += fmt::format(" -{}> {}", in->vc, at);
  }
  return text;
}

/// Returns all hops that a relation offers, as "0->1 vc0, 0->2 vc0".
inline std::string offers(const RoutingRelation& relation, std::uint32_t at, std::optional<Hop> in,
                          std::uint32_t dst) {
  std::string text;
  for (const Hop& hop : relation.next(at, in, dst)) {
    if (!text.empty()) text += ", ";
    text += hop_name(relation.topology(), hop);
  }
  return text;
}

/// Returns the hop over the channel from `src` to `dst`, which must exist.
inline Hop hop_over(const BaseTopology& topology, std::uint32_t src, std::uint32_t dst,
                    std::uint32_t vc = 0) {
  return {topology.find_channel(src, dst).value(), vc};
}

}  // namespace kernbench::topology::zoo
