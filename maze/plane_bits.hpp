#pragma once

#include <bit>
#include <cstdint>

namespace kernbench::maze {

/// Calls `visit(node)` for every set bit of `bits`, word `w` of one port of a plane, in node order.
template <typename Visit>
inline void for_each_bit(std::uint64_t bits, unsigned w, Visit visit) {
  while (bits != 0) {
    visit(w * 64 + static_cast<unsigned>(std::countr_zero(bits)));
    bits &= bits - 1;
  }
}

}  // namespace kernbench::maze
