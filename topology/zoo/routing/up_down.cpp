// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/up_down.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "topology/zoo/routing/hop_distances.hpp"

namespace kernbench::topology::zoo {
namespace {

constexpr std::uint16_t kNoWay = HopDistances::kUnreachable;

std::uint16_t one_more(std::uint16_t hops) {
  return hops == kNoWay ? kNoWay : static_cast<std::uint16_t>(hops + 1);
}

}  // namespace

bool is_two_way(const BaseTopology& topology) {
  return std::all_of(
      topology.channels().begin(), topology.channels().end(),
      [&](const Channel& channel) { return topology.connects(channel.dst, channel.src); });
}

UpDownRouting::UpDownRouting(const BaseTopology& topology) : RoutingRelation(topology) {
  require_routable_size(topology);
  if (!is_two_way(topology)) {
    throw std::invalid_argument(fmt::format(
        "up*/down* needs bidirectional channels, but {} has one-way channels", topology.name()));
  }
  rank_nodes();
  const std::size_t slots = rank_.size() * rank_.size();
  any_hops_.assign(slots, kNoWay);
  down_hops_.assign(slots, kNoWay);
  for (std::uint32_t dst = 0; dst < topology.n_nodes(); ++dst) measure(dst);
}

void UpDownRouting::rank_nodes() {
  const std::uint32_t nodes = topology().n_nodes();
  // By level, then by number. The root of the next part follows all nodes of this part.
  std::vector<bool> seen(nodes, false);
  for (std::uint32_t root = 0; root < nodes; ++root) {
    std::vector<std::uint32_t> level;
    if (!seen[root]) level.push_back(root);
    seen[root] = true;
    while (!level.empty()) {
      std::sort(level.begin(), level.end());
      std::vector<std::uint32_t> below;
      for (const std::uint32_t node : level) {
        by_rank_.push_back(node);
        for (const Channel& channel : topology().channels_from(node)) {
          if (!seen[channel.dst]) below.push_back(channel.dst);
          seen[channel.dst] = true;
        }
      }
      level = std::move(below);
    }
  }
  rank_.resize(nodes);
  for (std::uint32_t rank = 0; rank < nodes; ++rank) rank_[by_rank_[rank]] = rank;
}

void UpDownRouting::measure(std::uint32_t dst) {
  down_hops_[slot(dst, dst)] = 0;
  // Down channels lead to higher ranks, so process those first.
  for (auto node = by_rank_.rbegin(); node != by_rank_.rend(); ++node) {
    std::uint16_t& hops = down_hops_[slot(*node, dst)];
    for (const Channel& channel : topology().channels_from(*node)) {
      if (!is_up(channel)) hops = std::min(hops, one_more(down_hops_[slot(channel.dst, dst)]));
    }
  }
  // Up channels lead to lower ranks.
  for (const std::uint32_t node : by_rank_) {
    std::uint16_t& hops = any_hops_[slot(node, dst)];
    hops = down_hops_[slot(node, dst)];
    for (const Channel& channel : topology().channels_from(node)) {
      if (is_up(channel)) hops = std::min(hops, one_more(any_hops_[slot(channel.dst, dst)]));
    }
  }
}

std::vector<Hop> UpDownRouting::next(std::uint32_t at, std::optional<Hop> in,
                                     std::uint32_t dst) const {
  const bool may_go_up = !in || is_up(topology().channels()[in->channel]);
  const std::uint16_t left = (may_go_up ? any_hops_ : down_hops_)[slot(at, dst)];
  std::vector<Hop> hops;
  if (left == kNoWay) return hops;
  std::uint32_t index = topology().first_channel_from(at);
  for (const Channel& channel : topology().channels_from(at)) {
    const bool up = is_up(channel);
    const std::uint16_t then = (up ? any_hops_ : down_hops_)[slot(channel.dst, dst)];
    if ((may_go_up || !up) && one_more(then) == left) hops.push_back({index, 0});
    ++index;
  }
  return hops;
}

}  // namespace kernbench::topology::zoo
