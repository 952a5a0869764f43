#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "common/hash.hpp"

namespace kernbench::common {

/// Probability 1 as Rng::chance() and Rng::bernoulli_word() take it.
inline constexpr std::uint64_t kCertain = std::uint64_t{1} << 32;

/// `probability` (0..1) as a threshold in units of 2^-32, 0..kCertain. Compute it once, outside
/// loops. Throws std::invalid_argument outside 0..1.
[[nodiscard]] inline std::uint64_t probability_threshold(double probability) {
  if (!(probability >= 0.0 && probability <= 1.0)) {
    throw std::invalid_argument("a probability must be from 0 to 1");
  }
  return static_cast<std::uint64_t>(std::floor(probability * static_cast<double>(kCertain) + 0.5));
}

/// Seeded random numbers, the same on every compiler and machine, for ever: xoshiro256**, seeded
/// through splitmix64. Every consumer takes a named stream of its own, so that one more draw in
/// one place changes nothing anywhere else.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15U;
      word = mix64(seed);
    }
  }

  /// The stream of `seed` for one purpose, e.g. stream(seed, "traffic", node, port).
  template <typename... Index>
  [[nodiscard]] static constexpr Rng stream(std::uint64_t seed, std::string_view name,
                                            Index... index) {
    std::uint64_t key = mix64(mix64(seed) + hash_bytes(name));
    // Multiplied before each index is added, so that (1, 0) and (0, 1) differ.
    ((key = mix64(key * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(index))), ...);
    return Rng(key);
  }

  /// 64 random bits.
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

  /// Uniform in 0..n-1 without bias (Lemire's method); n >= 1.
  constexpr std::uint64_t below(std::uint64_t n) {
    Wide product = Wide{bits64()} * n;
    if (static_cast<std::uint64_t>(product) < n) {
      const std::uint64_t reject_below = (0 - n) % n;
      while (static_cast<std::uint64_t>(product) < reject_below) product = Wide{bits64()} * n;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// True with probability threshold / 2^32 (see probability_threshold); 0 and kCertain are exact.
  constexpr bool chance(std::uint64_t threshold) { return (bits64() >> 32) < threshold; }

  /// 64 independent bits, each 1 with the probability of `threshold` rounded to 1/65536. 0 and
  /// kCertain are exact, and nothing else is rounded to them. Draws as many words as the rounded
  /// probability has binary digits: none for 0 and 1, one for 1/2, at most 16.
  constexpr std::uint64_t bernoulli_word(std::uint64_t threshold) {
    if (threshold == 0) return 0;
    if (threshold >= kCertain) return ~std::uint64_t{0};
    std::uint64_t p = (threshold + (1U << 15)) >> 16;
    if (p == 0) p = 1;
    if (p == 65536) p = 65535;
    // From the last binary digit to the first: with p the probability so far, OR with a random
    // word makes it (1 + p) / 2 and AND makes it p / 2.
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
