#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// The way a packet takes that always chooses the first hop offered, as "0 -0> 1 -1> 2": the node,
/// the virtual channel, the next node. "none" where the relation has no path from the start, "..."
/// where it ends before the destination.
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

/// All hops that a relation offers, as "0->1 vc0, 0->2 vc0".
inline std::string offers(const RoutingRelation& relation, std::uint32_t at, std::optional<Hop> in,
                          std::uint32_t dst) {
  std::string text;
  for (const Hop& hop : relation.next(at, in, dst)) {
    if (!text.empty()) text += ", ";
    text += hop_name(relation.topology(), hop);
  }
  return text;
}

/// The hop over the channel from `src` to `dst`, which there must be.
inline Hop hop_over(const BaseTopology& topology, std::uint32_t src, std::uint32_t dst,
                    std::uint32_t vc = 0) {
  return {topology.find_channel(src, dst).value(), vc};
}

}  // namespace kernbench::topology::zoo
