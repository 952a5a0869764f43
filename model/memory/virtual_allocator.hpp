// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/memory/free_list.hpp"

namespace kernbench::model::memory {

/// First virtual address. Bits 56 and above of a physical address are 0, so a virtual address is
/// never a valid physical one. Without a mapping it is an error, whereas a lower address would
/// silently access the memory of some SIP.
inline constexpr std::uint64_t kDefaultVirtualBase = std::uint64_t{1} << 56U;

/// Size of the default allocator's address range.
inline constexpr std::uint64_t kDefaultVirtualBytes = std::uint64_t{1} << 56U;

/// The device-wide allocator of virtual ranges: whole pages, first fit, merging on free. Live
/// ranges never share a page, and address 0 is never allocated.
class VirtualAllocator {
 public:
  /// Manages `bytes` addresses from `base`. Throws std::invalid_argument unless `page_bytes` is a
  /// power of two, `base` and `bytes` are multiples of it, and the range ends below 2^64 and
  /// contains a page other than the one at address 0.
  explicit VirtualAllocator(std::uint64_t page_bytes, std::uint64_t base = kDefaultVirtualBase,
                            std::uint64_t bytes = kDefaultVirtualBytes);

  /// Allocates `bytes`, rounded up to pages, and returns the first address. Throws
  /// std::invalid_argument for 0 bytes and OutOfMemory (with the rounded size) when no free range
  /// is large enough.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);

  /// Frees a range. `bytes` must round up to the same pages as the allocated size. Throws
  /// std::invalid_argument when the range is not allocated.
  void free(std::uint64_t address, std::uint64_t bytes);

  [[nodiscard]] std::uint64_t page_bytes() const { return page_bytes_; }
  [[nodiscard]] std::uint64_t free_bytes() const { return pages_.free_bytes(); }
  [[nodiscard]] std::uint64_t largest_free() const { return pages_.largest_free(); }

 private:
  /// Rounds up to pages, or down to the largest multiple of a page if the result exceeds 64 bits.
  [[nodiscard]] std::uint64_t whole_pages(std::uint64_t bytes) const;

  std::uint64_t page_bytes_;
  std::uint64_t base_;
  FreeList pages_;  ///< offsets in bytes from base_
};

}  // namespace kernbench::model::memory
