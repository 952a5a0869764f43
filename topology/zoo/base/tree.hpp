// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

inline constexpr std::uint32_t kMinTreeArity = 2;

/// A full tree of height h >= 0 and arity d >= 2 with (d^(h+1)-1)/(d-1) nodes. The root is node 0
/// and the children of p are d*p+1 .. d*p+d. Each child is connected to its parent both ways.
class BidirectionalTree : public BaseTopology {
 public:
  BidirectionalTree(std::uint32_t height, std::uint32_t d_ary)
      : BaseTopology(define(height, d_ary)), height_(height), d_ary_(d_ary) {}
  [[nodiscard]] std::uint32_t height() const { return height_; }
  [[nodiscard]] std::uint32_t d_ary() const { return d_ary_; }
  /// Returns the parent of a node, which must not be the root.
  [[nodiscard]] std::uint32_t parent(std::uint32_t node) const { return (node - 1) / d_ary_; }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t height, std::uint32_t d_ary);

  std::uint32_t height_;
  std::uint32_t d_ary_;
};

}  // namespace kernbench::topology::zoo
