// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// One down-counter per link, bit-sliced: 64 links count in a few word operations. A word is one
/// element of a BitPlane's data.
class LinkCounters {
 public:
  /// The counters hold values up to `maximum`.
  LinkCounters(const maze::Shape& shape, std::uint32_t maximum)
      : LinkCounters(shape, shape.ports(), maximum) {}
  /// Has `ports` counters at each node.
  LinkCounters(const maze::Shape& shape, unsigned ports, std::uint32_t maximum)
      : width_(static_cast<unsigned>(std::bit_width(maximum))),
        slices_(maze::BitPlane(shape, ports).size() * width_) {}

  /// Sets the counters of the links in `mask`; `value` is at most the maximum.
  void load(std::size_t word, std::uint64_t mask, std::uint32_t value) {
    if (mask == 0) return;
    for (unsigned bit = 0; bit < width_; ++bit) {
      std::uint64_t& slice = slices_[word * width_ + bit];
      slice = (value >> bit & 1U) != 0 ? slice | mask : slice & ~mask;
    }
  }

  /// Decrements the counters of the links in `mask`, which must not be 0, and returns the links
  /// whose counter has reached 0.
  std::uint64_t count_down(std::size_t word, std::uint64_t mask) {
    std::uint64_t borrow = mask;
    std::uint64_t nonzero = 0;
    for (unsigned bit = 0; bit < width_; ++bit) {
      std::uint64_t& slice = slices_[word * width_ + bit];
      slice ^= borrow;
      borrow &= slice;
      nonzero |= slice;
    }
    return mask & ~nonzero;
  }

 private:
  unsigned width_;
  std::vector<std::uint64_t> slices_;
};

}  // namespace kernbench::sim
