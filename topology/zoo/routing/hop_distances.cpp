// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/hop_distances.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::topology::zoo {

void require_routable_size(const BaseTopology& topology) {
  if (topology.n_nodes() <= kMaxRoutedNodes) return;
  throw std::invalid_argument(fmt::format("{} has {} nodes; routes are computed for at most {}",
                                          topology.name(), topology.n_nodes(), kMaxRoutedNodes));
}

HopDistances::HopDistances(const BaseTopology& topology) : nodes_(topology.n_nodes()) {
  require_routable_size(topology);
  hops_.assign(std::size_t{nodes_} * nodes_, kUnreachable);
  std::vector<std::vector<std::uint32_t>> sources(nodes_);  // by destination of a channel
  for (const Channel& channel : topology.channels()) sources[channel.dst].push_back(channel.src);
  std::vector<std::uint32_t> reached;
  for (std::uint32_t dst = 0; dst < nodes_; ++dst) {
    std::uint16_t* row = &hops_[std::size_t{dst} * nodes_];
    row[dst] = 0;
    reached.assign(1, dst);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::uint32_t src : sources[reached[i]]) {
        if (row[src] != kUnreachable) continue;
        row[src] = static_cast<std::uint16_t>(row[reached[i]] + 1);
        reached.push_back(src);
      }
    }
  }
}

}  // namespace kernbench::topology::zoo
