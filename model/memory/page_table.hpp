// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/api.hpp"

namespace kernbench::model::memory {

/// A part of a virtual range that is mapped contiguously, or not at all.
struct Translation {
  std::uint64_t va = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> pa;  ///< empty for a hole

  friend bool operator==(const Translation&, const Translation&) = default;
};

/// A PE's virtual-to-physical mappings. Lookups take no simulated time.
///
/// Simplified on purpose: a real MMU maps whole pages. This table maps regions of any size at any
/// byte, because tensors are sharded in pieces smaller than a page. A table with one entry per page
/// would silently send some of the pieces elsewhere.
class KERNBENCH_API PageTable {
 public:
  /// Maps `bytes` from `va` to those from `pa`. Replaces earlier mappings byte by byte. Throws
  /// std::invalid_argument for 0 bytes and when either range does not end below 2^64.
  void map(std::uint64_t va, std::uint64_t pa, std::uint64_t bytes);

  /// Unmaps the range, which may have holes. Returns the number of bytes that were mapped. Throws
  /// like map().
  std::uint64_t unmap(std::uint64_t va, std::uint64_t bytes);

  /// Returns the physical address of `va`. Empty when it is unmapped: the caller then takes `va` as
  /// a physical address.
  [[nodiscard]] std::optional<std::uint64_t> translate(std::uint64_t va) const;

  /// Splits the range at the borders of regions and holes. The parts are in ascending order and
  /// cover the range. Throws like map().
  [[nodiscard]] std::vector<Translation> translate_range(std::uint64_t va,
                                                         std::uint64_t bytes) const;

  /// Returns the physical address of a range that is within one region, or `va` itself if the range
  /// is within one hole. Otherwise returns nothing. Covers most accesses without the list of
  /// translate_range(). Throws like map().
  [[nodiscard]] std::optional<std::uint64_t> translate_whole(std::uint64_t va,
                                                             std::uint64_t bytes) const;

  /// Returns the whole region or hole that contains `va`.
  [[nodiscard]] Translation stretch_at(std::uint64_t va) const;

  /// Returns a number that changes with every modification.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// Returns the number of regions.
  [[nodiscard]] std::size_t regions() const { return regions_.size(); }

 private:
  struct Region {
    std::uint64_t begin = 0;  ///< virtual
    std::uint64_t end = 0;    ///< virtual, exclusive
    std::uint64_t pa = 0;     ///< physical address of the first byte
  };
  /// Ascending and disjoint. A model of billions of weights has 38,000 of them in the table of each
  /// PE, which are mapped in ascending order: a tree takes twice the time and memory of a whole run
  /// (docs/performance.md, "Large models").
  using Regions = std::vector<Region>;

  /// Returns the first region that begins at `va` or later.
  [[nodiscard]] Regions::iterator from(std::uint64_t va);
  /// Returns the region that contains `va`, or else the first one after it.
  [[nodiscard]] Regions::const_iterator at_or_after(std::uint64_t va) const;
  /// Splits the region that contains `va`, so that a region begins there.
  void split_at(std::uint64_t va);
  std::uint64_t remove(std::uint64_t va, std::uint64_t end);

  Regions regions_;
  std::uint64_t version_ = 0;
};

}  // namespace kernbench::model::memory
