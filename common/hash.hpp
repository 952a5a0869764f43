// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kernbench::common {

/// Mixes 64 bits bijectively (the splitmix64 finaliser): every input bit affects every output bit.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Streaming 64-bit FNV-1a hash for files and names; the same on every machine.
class ByteHash {
 public:
  constexpr void add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

[[nodiscard]] constexpr std::uint64_t hash_bytes(std::string_view bytes) {
  ByteHash hash;
  hash.add(bytes);
  return hash.value();
}

/// Running hash of a sequence of words, cheap enough for many words per simulated cycle. The hash
/// depends on the values, order and number of words.
class RunHash {
 public:
  constexpr void add(std::uint64_t word) {
    // Xor, multiplication by an odd constant and folding are bijections. Two sequences that first
    // differ in one word therefore have different hashes until the next word.
    hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15U;
    hash_ ^= hash_ >> 32;
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return mix64(hash_); }

 private:
  std::uint64_t hash_ = 0x6a09e667f3bcc908U;
};

/// Returns `value` as 16 lower-case hexadecimal digits.
[[nodiscard]] inline std::string hex64(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15U];
  return text;
}

}  // namespace kernbench::common
