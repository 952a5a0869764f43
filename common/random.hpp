// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "common/hash.hpp"

namespace kernbench::common {

/// Probability 1 as a threshold for Rng::chance() and Rng::bernoulli_word().
inline constexpr std::uint64_t kCertain = std::uint64_t{1} << 32;

/// Converts `probability` (0..1) to a threshold in units of 2^-32 (0..kCertain). Call it outside
/// loops. Throws std::invalid_argument for a probability outside 0..1.
[[nodiscard]] inline std::uint64_t probability_threshold(double probability) {
  if (!(probability >= 0.0 && probability <= 1.0)) {
    throw std::invalid_argument("a probability must be from 0 to 1");
  }
  return static_cast<std::uint64_t>(std::floor(probability * static_cast<double>(kCertain) + 0.5));
}

/// Seeded random numbers that are identical on every compiler and machine: xoshiro256**, seeded
/// through splitmix64. Every consumer uses its own named stream, so that an extra draw in one place
/// does not change the numbers elsewhere.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15U;
      word = mix64(seed);
    }
  }

  /// Returns the stream of `seed` for one purpose, for example stream(seed, "traffic", node, port).
  template <typename... Index>
  [[nodiscard]] static constexpr Rng stream(std::uint64_t seed, std::string_view name,
                                            Index... index) {
    std::uint64_t key = mix64(mix64(seed) + hash_bytes(name));
    // The multiplication before each addition makes (1, 0) and (0, 1) differ.
    ((key = mix64(key * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(index))), ...);
    return Rng(key);
  }

  /// Returns 64 random bits.
  constexpr std::uint64_t bits64() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Returns an unbiased uniform number in 0..n-1 (Lemire's method); n >= 1.
  constexpr std::uint64_t below(std::uint64_t n) {
    Wide product = Wide{bits64()} * n;
    if (static_cast<std::uint64_t>(product) < n) {
      const std::uint64_t reject_below = (0 - n) % n;
      while (static_cast<std::uint64_t>(product) < reject_below) product = Wide{bits64()} * n;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// Returns true with probability threshold / 2^32 (see probability_threshold()). Thresholds 0 and
  /// kCertain are exact.
  constexpr bool chance(std::uint64_t threshold) { return (bits64() >> 32) < threshold; }

  /// Returns 64 independent bits, each 1 with the probability of `threshold` rounded to 1/65536.
  /// Thresholds 0 and kCertain are exact, and no other threshold is rounded to them. Draws one word
  /// per binary digit of the rounded probability: none for 0 and 1, one for 1/2, at most 16.
  constexpr std::uint64_t bernoulli_word(std::uint64_t threshold) {
    if (threshold == 0) return 0;
    if (threshold >= kCertain) return ~std::uint64_t{0};
    std::uint64_t p = (threshold + (1U << 15)) >> 16;
    if (p == 0) p = 1;
    if (p == 65536) p = 65535;
    // From the last binary digit to the first: ORing a random word turns the probability p so far
    // into (1 + p) / 2, ANDing it into p / 2.
    int digit = std::countr_zero(p);
    std::uint64_t word = bits64();
    for (++digit; digit < 16; ++digit) {
      word = (p >> digit & 1U) != 0 ? (word | bits64()) : (word & bits64());
    }
    return word;
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace kernbench::common
