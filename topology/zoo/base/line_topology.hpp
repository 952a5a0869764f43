// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// n >= 1 nodes in a row, each connected to the next one: 0 -> 1 -> ... -> n-1.
class UnidirectionalLine : public BaseTopology {
 public:
  explicit UnidirectionalLine(std::uint32_t n) : BaseTopology(define(n)) {}
  [[nodiscard]] bool must_reach(std::uint32_t src, std::uint32_t dst) const override {
    return src < dst;
  }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t n);
};

/// n >= 1 nodes in a row, adjacent nodes connected both ways.
class BidirectionalLine : public BaseTopology {
 public:
  explicit BidirectionalLine(std::uint32_t n) : BaseTopology(define(n)) {}
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t n);
};

}  // namespace kernbench::topology::zoo
