// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

inline constexpr std::uint32_t kMinRing = 2;

/// A ring of n >= 2 nodes: i -> (i+1) mod n.
class UnidirectionalTorus1D : public BaseTopology {
 public:
  explicit UnidirectionalTorus1D(std::uint32_t n) : BaseTopology(define(n)) {}
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t n);
};

/// A ring of n >= 2 nodes, adjacent nodes connected both ways. Two nodes have one channel each way.
class BidirectionalTorus1D : public BaseTopology {
 public:
  explicit BidirectionalTorus1D(std::uint32_t n) : BaseTopology(define(n)) {}
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t n);
};

}  // namespace kernbench::topology::zoo
