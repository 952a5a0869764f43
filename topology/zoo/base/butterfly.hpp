// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

inline constexpr std::uint32_t kMinButterfly = 2;

/// A k-ary n-fly (k, n >= 2): n stages of k^(n-1) routers; node = stage * k^(n-1) + row. Channels
/// from stage s lead to the rows of stage s+1 that differ at most in digit s of the k-ary row,
/// where digit 0 is the least significant. (DESIGN section 4 describes the same rule with strings
/// of n digits, whose first digit is not part of the row: its digit s+1 is digit s here.)
class Butterfly : public BaseTopology {
 public:
  Butterfly(std::uint32_t k_ary, std::uint32_t n_fly);
  [[nodiscard]] std::uint32_t k_ary() const { return k_ary_; }
  [[nodiscard]] std::uint32_t n_fly() const { return n_fly_; }
  /// Returns the number of routers in a stage.
  [[nodiscard]] std::uint32_t rows() const { return n_nodes() / n_fly_; }
  /// Packets enter at the first stage and leave at the last.
  [[nodiscard]] bool must_reach(std::uint32_t src, std::uint32_t dst) const override {
    return src < rows() && dst >= n_nodes() - rows();
  }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t k_ary, std::uint32_t n_fly);

  std::uint32_t k_ary_;
  std::uint32_t n_fly_;
};

}  // namespace kernbench::topology::zoo
