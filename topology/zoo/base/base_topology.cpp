// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/base_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "common/utf8.hpp"
#include "topology/zoo/layout/custom_layout.hpp"
#include "topology/zoo/layout/place_ports.hpp"

namespace kernbench::topology::zoo {

namespace {

constexpr std::size_t kLongestNodeName = 80;

}  // namespace

BaseTopology::BaseTopology(Definition definition)
    : name_(std::move(definition.name)),
      n_nodes_(definition.n_nodes),
      channels_(std::move(definition.channels)),
      first_from_(std::size_t{n_nodes_} + 1, 0),
      node_names_(std::move(definition.node_names)),
      endpoints_(std::move(definition.endpoints)) {
  if (!endpoints_.empty() && endpoints_.size() != n_nodes_) {
    throw std::logic_error(fmt::format("{} has the endpoints of {} nodes, not of {}", name_,
                                       endpoints_.size(), n_nodes_));
  }
  if (!node_names_.empty() && node_names_.size() != n_nodes_) {
    throw std::logic_error(
        fmt::format("{} has {} names for {} nodes", name_, node_names_.size(), n_nodes_));
  }
  std::stable_sort(channels_.begin(), channels_.end());
  // In a ring of two nodes, both directions lead to the same neighbour: a single channel.
  const auto repeated = std::adjacent_find(channels_.begin(), channels_.end());
  has_parallel_channels_ = definition.parallel && repeated != channels_.end();
  if (!definition.parallel) {
    channels_.erase(std::unique(channels_.begin(), channels_.end()), channels_.end());
  }
  for (const Channel& channel : channels_) {
    if (channel.src >= n_nodes_ || channel.dst >= n_nodes_ || channel.src == channel.dst) {
      throw std::logic_error(fmt::format("{} has a channel {}", name_, channel_name(channel)));
    }
    ++first_from_[channel.src + 1];
  }
  for (std::size_t node = 0; node < n_nodes_; ++node) first_from_[node + 1] += first_from_[node];
}

std::string BaseTopology::node_name(std::uint32_t node) const {
  return node_names_.empty() ? std::to_string(node)
                             : common::printable(node_names_.at(node), kLongestNodeName);
}

bool BaseTopology::connects(std::uint32_t src, std::uint32_t dst) const {
  return find_channel(src, dst).has_value();
}

std::span<const Channel> BaseTopology::channels_from(std::uint32_t src) const {
  return std::span(channels_).subspan(first_from_[src], first_from_[src + 1] - first_from_[src]);
}

std::uint32_t BaseTopology::first_channel_from(std::uint32_t src) const {
  return first_from_[src];
}

std::optional<std::uint32_t> BaseTopology::find_channel(std::uint32_t src,
                                                        std::uint32_t dst) const {
  if (src >= n_nodes_) return std::nullopt;
  const std::span<const Channel> leaving = channels_from(src);
  const auto found = std::lower_bound(leaving.begin(), leaving.end(), Channel{src, dst});
  if (found == leaving.end() || found->dst != dst) return std::nullopt;
  return first_from_[src] + static_cast<std::uint32_t>(found - leaving.begin());
}

std::uint32_t BaseTopology::lane_of(std::uint32_t channel) const {
  const Channel& same = channels_.at(channel);
  std::uint32_t first = channel;
  while (first > 0 && channels_[first - 1] == same) --first;
  return channel - first;
}

Plot BaseTopology::layout() const {
  return custom_layout(n_nodes_, channels_);
}

Plot BaseTopology::plotter() const {
  Plot plot = layout();
  for (std::uint32_t node = 0; node < n_nodes_; ++node) {
    if (endpoints(node) == 0) plot.nodes[node].has_ingress = plot.nodes[node].has_egress = false;
  }
  place_ports(plot, channels_);
  return plot;
}

void BaseTopology::require_at_least(std::string_view name, std::string_view parameter,
                                    std::uint32_t value, std::uint32_t least) {
  if (value >= least) return;
  throw std::invalid_argument(
      fmt::format("{}: '{}' must be at least {}, not {}", name, parameter, least, value));
}

std::uint32_t BaseTopology::checked_size(std::string_view name, std::uint64_t nodes,
                                         std::uint64_t channels) {
  if (nodes > kMaxNodes) {
    throw std::invalid_argument(fmt::format("{} has more than {} nodes", name, kMaxNodes));
  }
  if (channels > kMaxChannels) {
    throw std::invalid_argument(fmt::format("{} has more than {} channels", name, kMaxChannels));
  }
  return static_cast<std::uint32_t>(nodes);
}

std::uint32_t most_stages(const BaseTopology& topology, std::uint32_t otherwise) {
  std::uint32_t most = otherwise;
  for (const Channel& channel : topology.channels()) {
    most = std::max(most, channel.stages_or(otherwise));
  }
  return most;
}

std::string channel_name(const Channel& channel) {
  return fmt::format("{}->{}", channel.src, channel.dst);
}

std::string channel_name(const BaseTopology& topology, const Channel& channel) {
  return fmt::format("{}->{}", topology.node_name(channel.src), topology.node_name(channel.dst));
}

}  // namespace kernbench::topology::zoo
