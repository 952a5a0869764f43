#pragma once

#include <array>
#include <cstdint>

#include "maze/link_frame.hpp"

namespace kernbench::maze {

/// Most 64-bit words that one bit of every node takes: 16 x 16 nodes.
inline constexpr unsigned kMaxWords = 4;

/// One bit for every node, as `words` 64-bit words: either sent round the torus as the links of one
/// port send it, or back. A rotation of all rows (or columns) is two shifts of the whole plane,
/// one for the nodes that stay on this side of the wraparound and one for those that cross it.
class PlaneRotation {
 public:
  PlaneRotation() = default;
  /// Moves the bit of each node to the node that its output `port` leads to.
  static PlaneRotation to_receiver(const Shape& shape, unsigned port);
  /// The inverse: moves the bit of each node to the node that its input `port` comes from.
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
  std::array<std::uint64_t, kMaxWords> down_mask_{};  ///< nodes reached across it
};

}  // namespace kernbench::maze
