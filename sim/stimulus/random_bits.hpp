#pragma once

#include <cstdint>

#include "common/random.hpp"

namespace kernbench::sim {

/// Each bit of `among` with the probability of `threshold` (common::probability_threshold), which
/// is not rounded. Compares, for 64 bits at once, a random number's digits with the threshold's and
/// ends when all are decided: about 8 random words for 64 bits, fewer for fewer bits.
inline std::uint64_t random_bits(common::Rng& rng, std::uint64_t threshold, std::uint64_t among) {
  if (threshold >= common::kCertain) return among;
  std::uint64_t chosen = 0;
  std::uint64_t undecided = among;
  for (std::uint64_t digits = threshold << 32; digits != 0 && undecided != 0; digits <<= 1) {
    const std::uint64_t random = rng.bits64();
    const std::uint64_t digit = 0 - (digits >> 63);  // of the threshold: all ones or all zeros
    chosen |= undecided & digit & ~random;           // below the threshold
    undecided &= ~(digit ^ random);                  // equal so far
  }
  return chosen;
}

}  // namespace kernbench::sim
