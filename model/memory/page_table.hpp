#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace kernbench::model::memory {

/// A stretch of a virtual range: where it is mapped to, or that it is not.
struct Translation {
  std::uint64_t va = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> pa;  ///< none: a hole

  friend bool operator==(const Translation&, const Translation&) = default;
};

/// A PE's virtual-to-physical mappings: what the MMU answers synchronously, without taking time.
///
/// Simplified on purpose: a real MMU keeps one physical page per entry. This table keeps regions of
/// any size at any byte, several within a page if need be, because tensors are sharded in pieces
/// smaller than a page; a one-page-one-place table would silently send some of them elsewhere.
class PageTable {
 public:
  /// Maps `bytes` from `va` to those from `pa`. What was mapped there before is replaced, byte by
  /// byte: the later write wins. Throws std::invalid_argument for 0 bytes and when either range
  /// does not end below 2^64.
  void map(std::uint64_t va, std::uint64_t pa, std::uint64_t bytes);

  /// Removes what is mapped in the range and returns how many bytes that was: holes are no error.
  /// Throws as map().
  std::uint64_t unmap(std::uint64_t va, std::uint64_t bytes);

  /// Where `va` is mapped to. Nothing is the signal to take it as a physical address.
  [[nodiscard]] std::optional<std::uint64_t> translate(std::uint64_t va) const;

  /// The range in stretches, each within one region or one hole, in ascending order and without
  /// gaps. Throws as map().
  [[nodiscard]] std::vector<Translation> translate_range(std::uint64_t va,
                                                         std::uint64_t bytes) const;

  /// Where the range begins in physical memory, if all of it is in one region, or, as it is, in one
  /// hole. What most accesses are, without the list of translate_range(). Throws as map().
  [[nodiscard]] std::optional<std::uint64_t> translate_whole(std::uint64_t va,
                                                             std::uint64_t bytes) const;

  /// The whole region or hole that `va` is in.
  [[nodiscard]] Translation stretch_at(std::uint64_t va) const;

  /// Another number after each change.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// How many regions there are.
  [[nodiscard]] std::size_t regions() const { return regions_.size(); }

 private:
  struct Region {
    std::uint64_t end = 0;  ///< virtual, exclusive
    std::uint64_t pa = 0;   ///< of its first byte
  };
  using Regions = std::map<std::uint64_t, Region>;  ///< by their first virtual address; disjoint

  /// The region that holds `va` or else the first one after it.
  [[nodiscard]] Regions::const_iterator at_or_after(std::uint64_t va) const;
  /// Cuts the region that holds `va` in two, so that one begins there.
  void split_at(std::uint64_t va);
  std::uint64_t remove(std::uint64_t va, std::uint64_t end);

  Regions regions_;
  std::uint64_t version_ = 0;
};

}  // namespace kernbench::model::memory
