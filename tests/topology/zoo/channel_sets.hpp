// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// Returns the message of the std::invalid_argument thrown by `action`, or "" if it throws nothing.
template <typename Action>
std::string refusal_of(Action action) {
  try {
    action();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}

/// Returns all pairs that satisfy `rule(src, dst)`: a topology in the notation of Constellation.
template <typename Rule>
std::vector<Channel> channels_by(std::uint32_t nodes, Rule rule) {
  std::vector<Channel> channels;
  for (std::uint32_t src = 0; src < nodes; ++src) {
    for (std::uint32_t dst = 0; dst < nodes; ++dst) {
      if (rule(src, dst)) channels.push_back({src, dst});
    }
  }
  return channels;
}

/// Returns the same pairs from the topology's own connects().
inline std::vector<Channel> connected_pairs(const BaseTopology& topology) {
  return channels_by(topology.n_nodes(), [&](std::uint32_t src, std::uint32_t dst) {
    return topology.connects(src, dst);
  });
}

/// Returns, for example, "0->1 1->2", for readable test failures.
inline std::string text_of(const std::vector<Channel>& channels) {
  std::string text;
  for (const Channel& channel : channels) {
    if (!text.empty()) text += " ";
    text += channel_name(channel);
  }
  return text;
}

inline std::string text_of(const BaseTopology& topology) {
  return text_of(topology.channels());
}

}  // namespace kernbench::topology::zoo
