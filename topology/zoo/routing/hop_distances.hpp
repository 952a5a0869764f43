#pragma once

#include <cstdint>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// Relations with tables by (destination, node), and the dependency check, take no more nodes.
inline constexpr std::uint32_t kMaxRoutedNodes = 4096;

/// Throws std::invalid_argument for a topology with more than kMaxRoutedNodes nodes.
void require_routable_size(const BaseTopology& topology);

/// Hops between all nodes of a topology, along its channels.
class HopDistances {
 public:
  static constexpr std::uint16_t kUnreachable = 0xffff;

  /// Throws std::invalid_argument as require_routable_size() does.
  explicit HopDistances(const BaseTopology& topology);

  /// kUnreachable where no channels lead from `src` to `dst`.
  [[nodiscard]] std::uint16_t hops(std::uint32_t src, std::uint32_t dst) const {
    return hops_[std::size_t{dst} * nodes_ + src];
  }

 private:
  std::uint32_t nodes_;
  std::vector<std::uint16_t> hops_;  ///< by destination, then by source
};

}  // namespace kernbench::topology::zoo
