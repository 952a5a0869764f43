// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "maze/plane_bits.hpp"

namespace kernbench::sim {

/// Counts, per link, the cycles in which a plane has its bit set. The low bits of all counters are
/// bit-sliced: a cycle costs a few word operations instead of one operation per link.
class PlaneCounter {
 public:
  explicit PlaneCounter(const maze::Shape& shape) : PlaneCounter(shape, shape.ports()) {}
  /// Has `ports` ports at each node in place of links.
  PlaneCounter(const maze::Shape& shape, unsigned ports)
      : shape_(shape),
        low_(std::size_t{shape.words()} * ports),
        totals_(std::size_t{shape.nodes()} * ports) {}

  void add(const std::uint64_t* plane) {
    for (std::size_t i = 0; i < low_.size(); ++i) {
      std::uint64_t carry = plane[i];
      for (std::size_t bit = 0; carry != 0; ++bit) {  // flushed before the last slice can carry
        const std::uint64_t sum = low_[i][bit] ^ carry;
        carry &= low_[i][bit];
        low_[i][bit] = sum;
      }
    }
    if (++age_ == kFlushCycles) flush();
  }

  /// Counts, [port*nodes + node].
  [[nodiscard]] const std::vector<std::uint64_t>& totals() {
    flush();
    return totals_;
  }

 private:
  static constexpr unsigned kSlices = 8;
  static constexpr unsigned kFlushCycles = (1U << kSlices) - 1;

  void flush() {
    age_ = 0;
    for (unsigned port = 0; port < low_.size() / shape_.words(); ++port) {
      for (unsigned w = 0; w < shape_.words(); ++w) {
        auto& slices = low_[port * shape_.words() + w];
        for (unsigned bit = 0; bit < kSlices; ++bit) {
          maze::for_each_bit(slices[bit], w, [&](unsigned node) {
            totals_[port * shape_.nodes() + node] += std::uint64_t{1} << bit;
          });
          slices[bit] = 0;
        }
      }
    }
  }

  maze::Shape shape_;
  std::vector<std::array<std::uint64_t, kSlices>> low_;
  std::vector<std::uint64_t> totals_;
  unsigned age_ = 0;
};

}  // namespace kernbench::sim
