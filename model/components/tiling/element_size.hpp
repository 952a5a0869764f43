// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kernbench::model::components {

/// The memory that the elements of a matrix take: several bytes each, or two of them share a byte.
struct ElementSize {
  // Implicit conversions allow element_bytes = 2.
  constexpr ElementSize(std::uint32_t its_bytes, std::uint32_t its_shift = 0)  // NOLINT
      : bytes(its_bytes), shift(its_shift) {}

  std::uint32_t bytes;  ///< bytes of 2^shift elements
  std::uint32_t shift;  ///< 0 or 1

  /// Returns true if so many elements end with a byte.
  [[nodiscard]] constexpr bool fills(std::uint64_t count) const { return (count & shift) == 0; }

  /// Returns the bytes of `count` elements; the last byte may be used in part.
  friend constexpr std::uint64_t operator*(std::uint64_t count, ElementSize size) {
    return (count * size.bytes + size.shift) >> size.shift;
  }
  /// Returns how many elements fit into `room` bytes.
  friend constexpr std::uint64_t operator/(std::uint64_t room, ElementSize size) {
    return (room << size.shift) / size.bytes;
  }
  friend constexpr bool operator==(ElementSize, ElementSize) = default;
};

}  // namespace kernbench::model::components
