// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/shortest_path.hpp"

#include <algorithm>
#include <numeric>

namespace kernbench::topology::zoo {
namespace {

bool descends(const Channel& channel) {
  return channel.dst < channel.src;
}

/// Returns the largest number of hops to a smaller node on any shortest path to `dst`.
std::uint32_t most_descents(const BaseTopology& topology, const HopDistances& distances,
                            std::uint32_t dst) {
  // Visit nodes by distance, so that the results of later hops are known.
  std::vector<std::uint32_t> order(topology.n_nodes());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return distances.hops(a, dst) < distances.hops(b, dst);
  });
  std::vector<std::uint32_t> descents(topology.n_nodes(), 0);
  std::uint32_t most = 0;
  for (const std::uint32_t node : order) {
    const std::uint16_t hops = distances.hops(node, dst);
    if (hops == HopDistances::kUnreachable) break;
    for (const Channel& channel : topology.channels_from(node)) {
      if (distances.hops(channel.dst, dst) + 1 != hops) continue;
      descents[node] =
          std::max(descents[node], descents[channel.dst] + (descends(channel) ? 1 : 0));
    }
    most = std::max(most, descents[node]);
  }
  return most;
}

}  // namespace

ShortestPathRouting::ShortestPathRouting(const BaseTopology& topology)
    : RoutingRelation(topology), distances_(topology) {}

std::vector<Hop> ShortestPathRouting::next(std::uint32_t at, std::optional<Hop> /*in*/,
                                           std::uint32_t dst) const {
  std::vector<Hop> hops;
  const std::uint16_t distance = distances_.hops(at, dst);
  if (distance == HopDistances::kUnreachable) return hops;
  std::uint32_t index = topology().first_channel_from(at);
  for (const Channel& channel : topology().channels_from(at)) {
    if (distances_.hops(channel.dst, dst) + 1 == distance) hops.push_back({index, 0});
    ++index;
  }
  return hops;
}

NegativeHopRouting::NegativeHopRouting(const BaseTopology& topology)
    : RoutingRelation(topology), shortest_(topology) {
  const HopDistances distances(topology);
  for (std::uint32_t dst = 0; dst < topology.n_nodes(); ++dst) {
    n_vcs_ = std::max(n_vcs_, 1 + most_descents(topology, distances, dst));
  }
}

std::vector<Hop> NegativeHopRouting::next(std::uint32_t at, std::optional<Hop> in,
                                          std::uint32_t dst) const {
  std::vector<Hop> hops = shortest_.next(at, in, dst);
  for (Hop& hop : hops) {
    hop.vc = (in ? in->vc : 0) + (descends(topology().channels()[hop.channel]) ? 1 : 0);
  }
  return hops;
}

}  // namespace kernbench::topology::zoo
