// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "maze/link_frame.hpp"

namespace kernbench::maze {

/// Largest number of 64-bit words for one bit per node: 16 x 16 nodes.
inline constexpr unsigned kMaxWords = 4;

/// Moves one bit per node around the torus along the links of one port, or back. Rotating all rows
/// (or columns) takes two shifts of the whole plane: one for nodes that do not cross the
/// wraparound, one for nodes that do.
class PlaneRotation {
 public:
  PlaneRotation() = default;
  /// Returns the rotation that moves the bit of each node to the node at the end of its output
  /// `port`.
  static PlaneRotation to_receiver(const Shape& shape, unsigned port);
  /// Returns the inverse, from each node to the node at the start of its input `port`.
  static PlaneRotation to_sender(const Shape& shape, unsigned port);

  /// Writes the rotated `in` to `out` (which may not be `in`); bits past the last node become 0.
  template <unsigned kWords>
  void apply(const std::uint64_t* in, std::uint64_t* out) const {
    for (unsigned w = 0; w < kWords; ++w) {
      out[w] =
          (shifted_up<kWords>(in, w) & up_mask_[w]) | (shifted_down<kWords>(in, w) & down_mask_[w]);
    }
  }

 private:
  PlaneRotation(const Shape& shape, bool along_x, unsigned steps);

  template <unsigned kWords>
  [[nodiscard]] std::uint64_t shifted_up(const std::uint64_t* in, unsigned w) const {
    if constexpr (kWords == 1) return in[0] << up_;
    const unsigned from = up_ / 64;
    const unsigned bits = up_ % 64;
    const std::uint64_t low = w >= from ? in[w - from] << bits : 0;
    return bits == 0 || w < from + 1 ? low : low | in[w - from - 1] >> (64 - bits);
  }

  template <unsigned kWords>
  [[nodiscard]] std::uint64_t shifted_down(const std::uint64_t* in, unsigned w) const {
    if constexpr (kWords == 1) return in[0] >> down_;
    const unsigned from = w + down_ / 64;
    const unsigned bits = down_ % 64;
    const std::uint64_t high = from < kWords ? in[from] >> bits : 0;
    return bits == 0 || from + 1 >= kWords ? high : high | in[from + 1] << (64 - bits);
  }

  unsigned up_ = 0;
  unsigned down_ = 0;
  std::array<std::uint64_t, kMaxWords> up_mask_{};    ///< nodes reached without wraparound
  std::array<std::uint64_t, kMaxWords> down_mask_{};  ///< nodes reached across the wraparound
};

}  // namespace kernbench::maze
