// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "noc/network.hpp"

namespace kernbench::noc {

/// Returns the network whose routes are the first hops of a routing relation of the zoo
/// (topology/zoo/routing/routing_relation.hpp), which this folder does not see. Every channel has
/// `stages` registers. The number of classes is that of the relation. The relation must outlive the
/// network.
template <class RoutingRelation>
[[nodiscard]] Network network_of(const RoutingRelation& relation, Sizes sizes,
                                 std::uint32_t stages) {
  std::vector<Channel> channels;
  for (const auto& channel : relation.topology().channels()) {
    channels.push_back({channel.src, channel.dst, stages});
  }
  sizes.classes = relation.n_vcs();
  sizes.local_stages = stages;
  const auto next = [&relation](std::uint32_t at, std::optional<Hop> in,
                                std::uint32_t dst) -> std::optional<Hop> {
    using Hops = decltype(relation.next(0, {}, 0));
    std::optional<typename Hops::value_type> arrived;
    if (in) arrived = typename Hops::value_type{in->channel, in->vc_class};
    const Hops hops = relation.next(at, arrived, dst);
    if (hops.empty()) return std::nullopt;
    return Hop{hops.front().channel, hops.front().vc};
  };
  return Network(relation.topology().n_nodes(), std::move(channels), sizes, next);
}

}  // namespace kernbench::noc
