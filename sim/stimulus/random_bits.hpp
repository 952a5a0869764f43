// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/random.hpp"

namespace kernbench::sim {

/// Returns each bit of `among` with exactly the probability of `threshold`
/// (common::probability_threshold). Compares, for 64 bits at once, the digits of random numbers
/// with those of the threshold until all bits are decided: about 8 random words for 64 bits, fewer
/// for fewer bits.
inline std::uint64_t random_bits(common::Rng& rng, std::uint64_t threshold, std::uint64_t among) {
  if (threshold >= common::kCertain) return among;
  std::uint64_t chosen = 0;
  std::uint64_t undecided = among;
  for (std::uint64_t digits = threshold << 32; digits != 0 && undecided != 0; digits <<= 1) {
    const std::uint64_t random = rng.bits64();
    const std::uint64_t digit = 0 - (digits >> 63);  // digit of the threshold, in all 64 bits
    chosen |= undecided & digit & ~random;           // below the threshold
    undecided &= ~(digit ^ random);                  // equal so far
  }
  return chosen;
}

}  // namespace kernbench::sim
