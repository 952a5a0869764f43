// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "common/api.hpp"

namespace kernbench::model::memory {

/// A virtual range that begins at `va`, and the physical address of its first byte.
struct Mapping {
  std::uint64_t va = 0;
  std::uint64_t pa = 0;
  std::uint64_t bytes = 0;
};
using Mappings = std::vector<Mapping>;

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
///
/// Tables share the mappings of a tensor. A model of billions of weights has 38,000 of them in the
/// table of each PE (docs/lab/performance.md, "Large models").
class KERNBENCH_API PageTable {
 public:
  /// Maps `bytes` from `va` to those from `pa`. Replaces earlier mappings byte by byte. Throws
  /// std::invalid_argument for 0 bytes and when either range does not end below 2^64.
  void map(std::uint64_t va, std::uint64_t pa, std::uint64_t bytes);

  /// Maps all of `mappings`, the later ones over the earlier. Shares the list if it is ascending,
  /// is disjoint, and has nothing mapped from its first to its last byte. Throws like the other
  /// map().
  void map(const std::shared_ptr<const Mappings>& mappings);

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
  [[nodiscard]] std::size_t regions() const;

 private:
  /// The mappings of a list from `begin` to `end`, virtual, exclusive. Those that cross an end are
  /// mapped in part.
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::shared_ptr<const Mappings> mappings;  ///< ascending and disjoint
  };
  using Parts = std::vector<Part>;  ///< ascending and disjoint

  /// Returns the region that contains `va`, or else the first one after it.
  [[nodiscard]] std::optional<Translation> at_or_after(std::uint64_t va) const;
  /// Returns the end of the last region that ends at `va` or before, or 0.
  [[nodiscard]] std::uint64_t end_before(std::uint64_t va) const;
  /// Returns the first part that ends after `va`.
  [[nodiscard]] Parts::const_iterator part_at_or_after(std::uint64_t va) const;
  /// Makes parts begin and end at `va` and `end`, removes those between, and returns where they
  /// were.
  Parts::iterator remove(std::uint64_t va, std::uint64_t end);

  Parts parts_;
  std::uint64_t version_ = 0;
};

}  // namespace kernbench::model::memory
