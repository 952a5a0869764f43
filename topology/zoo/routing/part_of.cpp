// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/part_of.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::topology::zoo {

void require_relation_over(const RoutingRelation& relation, const BaseTopology& topology) {
  if (&relation.topology() == &topology) return;
  throw std::invalid_argument(fmt::format("a relation over {} cannot route {}",
                                          relation.topology().name(), topology.name()));
}

bool routes(const RoutingRelation& relation, std::uint32_t src, std::uint32_t dst) {
  return src == dst || !relation.next(src, std::nullopt, dst).empty();
}

std::vector<Hop> next_within(const RoutingRelation& relation, const BaseTopology& whole,
                             std::uint32_t first_node, std::uint32_t at, std::optional<Hop> in,
                             std::uint32_t dst) {
  const BaseTopology& part = relation.topology();
  std::optional<Hop> part_in;
  if (in) {
    const std::uint32_t before = whole.channels()[in->channel].src;
    if (before >= first_node) {
      const auto channel = part.find_channel(before - first_node, at - first_node);
      if (channel) part_in = Hop{*channel + whole.lane_of(in->channel), in->vc};
    }
  }
  std::vector<Hop> hops = relation.next(at - first_node, part_in, dst - first_node);
  for (Hop& hop : hops) {
    const Channel& channel = part.channels()[hop.channel];
    hop.channel = *whole.find_channel(first_node + channel.src, first_node + channel.dst) +
                  part.lane_of(hop.channel);
  }
  return hops;
}

}  // namespace kernbench::topology::zoo
