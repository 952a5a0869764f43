// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// Limit of the dependency check and of relations with tables by (destination, node).
inline constexpr std::uint32_t kMaxRoutedNodes = 4096;

/// Throws std::invalid_argument for a topology of more than kMaxRoutedNodes nodes.
void require_routable_size(const BaseTopology& topology);

/// Hops between all pairs of nodes, along the channels of a topology.
class HopDistances {
 public:
  static constexpr std::uint16_t kUnreachable = 0xffff;

  /// Throws std::invalid_argument like require_routable_size().
  explicit HopDistances(const BaseTopology& topology);

  /// Returns the hops from `src` to `dst`, or kUnreachable if no channels lead there.
  [[nodiscard]] std::uint16_t hops(std::uint32_t src, std::uint32_t dst) const {
    return hops_[std::size_t{dst} * nodes_ + src];
  }

 private:
  std::uint32_t nodes_;
  std::vector<std::uint16_t> hops_;  ///< by destination, then by source
};

}  // namespace kernbench::topology::zoo
