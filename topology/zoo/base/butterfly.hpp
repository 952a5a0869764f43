#pragma once

#include <cstdint>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

inline constexpr std::uint32_t kMinButterfly = 2;

/// A k-ary n-fly (k, n >= 2): n stages of k^(n-1) routers; node = stage * k^(n-1) + row. From
/// stage s channels lead to those rows of stage s+1 that differ in no other k-ary digit of the row
/// than digit s, the least significant being digit 0. (DESIGN section 4 says the same by
/// strings of n digits, of which the row is all but the first: there it is digit s+1.)
class Butterfly : public BaseTopology {
 public:
  Butterfly(std::uint32_t k_ary, std::uint32_t n_fly);
  [[nodiscard]] std::uint32_t k_ary() const { return k_ary_; }
  [[nodiscard]] std::uint32_t n_fly() const { return n_fly_; }
  /// Routers of a stage.
  [[nodiscard]] std::uint32_t rows() const { return n_nodes() / n_fly_; }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t k_ary, std::uint32_t n_fly);

  std::uint32_t k_ary_;
  std::uint32_t n_fly_;
};

}  // namespace kernbench::topology::zoo
