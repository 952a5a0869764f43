#pragma once

#include <cstdint>

#include "model/memory/free_list.hpp"

namespace kernbench::model::memory {

/// A physical address has zeros above bit 55. Virtual addresses from here on therefore never look
/// like one: used without a mapping they are an error, where a lower address would silently fall
/// back to some SIP's memory.
inline constexpr std::uint64_t kDefaultVirtualBase = std::uint64_t{1} << 56U;

/// Addresses from which the default allocator gives out.
inline constexpr std::uint64_t kDefaultVirtualBytes = std::uint64_t{1} << 56U;

/// The device-wide allocator of virtual ranges: whole pages, first fit, merging on free. No two
/// live ranges share a page, and address 0 is never given out.
class VirtualAllocator {
 public:
  /// `bytes` of addresses from `base`. Throws std::invalid_argument unless `page_bytes` is a power
  /// of two, both others are multiples of it, and the range lies below 2^64 and holds a page that
  /// does not begin at 0.
  explicit VirtualAllocator(std::uint64_t page_bytes, std::uint64_t base = kDefaultVirtualBase,
                            std::uint64_t bytes = kDefaultVirtualBytes);

  /// The first address of a range of `bytes`, rounded up to pages. Throws std::invalid_argument for
  /// 0 bytes, OutOfMemory (in rounded bytes) when no free range is large enough.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);

  /// Takes back a range by the `bytes` asked for, or any that round up to the same pages. Throws
  /// std::invalid_argument when there is no such range.
  void free(std::uint64_t address, std::uint64_t bytes);

  [[nodiscard]] std::uint64_t page_bytes() const { return page_bytes_; }
  [[nodiscard]] std::uint64_t free_bytes() const { return pages_.free_bytes(); }
  [[nodiscard]] std::uint64_t largest_free() const { return pages_.largest_free(); }

 private:
  /// Rounded up to pages; the largest multiple of a page when that does not fit into 64 bits.
  [[nodiscard]] std::uint64_t whole_pages(std::uint64_t bytes) const;

  std::uint64_t page_bytes_;
  std::uint64_t base_;
  FreeList pages_;  ///< in bytes from base_
};

}  // namespace kernbench::model::memory
