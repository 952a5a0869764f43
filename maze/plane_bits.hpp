// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace kernbench::maze {

/// Calls `visit(bit)` for the number of every set bit of `bits`, in ascending order.
template <typename Visit>
inline void for_each_bit(std::uint64_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<unsigned>(std::countr_zero(bits)));
}

/// Calls `visit(node)` for every set bit of `bits`, which is word `w` of one port of a plane, in
/// node order.
template <typename Visit>
inline void for_each_bit(std::uint64_t bits, unsigned w, Visit visit) {
  for_each_bit(bits, [&](unsigned bit) { visit(w * 64 + bit); });
}

}  // namespace kernbench::maze
