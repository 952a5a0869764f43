// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "noc/network.hpp"

namespace kernbench::noc {

/// Returns the network whose routes are the first hops of a routing relation of the zoo
/// (topology/zoo/routing/routing_relation.hpp), which this folder does not see. `stages` are the
/// registers of each channel. The number of classes is that of the relation, which must outlive the
/// network.
template <class RoutingRelation>
[[nodiscard]] Network network_of(const RoutingRelation& relation, Sizes sizes,
                                 std::span<const std::uint32_t> stages) {
  std::vector<Channel> channels;
  for (const auto& channel : relation.topology().channels()) {
    channels.push_back({channel.src, channel.dst, stages[channels.size()]});
  }
  sizes.classes = relation.n_vcs();
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

/// Returns the same network with `stages` registers in each local link, and in each channel to
/// which its file gives none.
template <class RoutingRelation>
[[nodiscard]] Network network_of(const RoutingRelation& relation, Sizes sizes,
                                 std::uint32_t stages) {
  sizes.local_stages = stages;
  std::vector<std::uint32_t> of_channels;
  for (const auto& channel : relation.topology().channels()) {
    of_channels.push_back(channel.stages_or(stages));
  }
  return network_of(relation, sizes, std::span<const std::uint32_t>(of_channels));
}

}  // namespace kernbench::noc
