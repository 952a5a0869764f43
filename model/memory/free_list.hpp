// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "common/api.hpp"

namespace kernbench::model::memory {

/// Thrown when an allocation does not fit. A partial allocation would route a tensor to wrong
/// addresses.
class KERNBENCH_API OutOfMemory : public std::runtime_error {
 public:
  OutOfMemory(const std::string& memory, std::uint64_t requested, std::uint64_t free,
              std::uint64_t largest_free);

  [[nodiscard]] std::uint64_t requested() const { return requested_; }  ///< bytes
  [[nodiscard]] std::uint64_t free() const { return free_; }            ///< bytes in total
  [[nodiscard]] std::uint64_t largest_free() const {
    return largest_free_;
  }  ///< bytes of the largest block

 private:
  std::uint64_t requested_;
  std::uint64_t free_;
  std::uint64_t largest_free_;
};

/// Allocates blocks of the offsets 0..capacity-1: first fit by offset, and a freed block merges
/// with its free neighbours (Architecture, "Memory Allocator Algorithms").
///
/// The architecture trusts the caller to free exactly what was allocated. This class also records
/// the live blocks, one entry each, and so detects every wrong free.
class FreeList {
 public:
  /// `memory` is the name in errors. Throws std::invalid_argument when `capacity` (bytes) is 0.
  FreeList(std::string memory, std::uint64_t capacity);

  /// Allocates `bytes` at the lowest possible offset, which it returns. Throws
  /// std::invalid_argument for 0 bytes and OutOfMemory when no free block is large enough. A throw
  /// changes nothing.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes) {
    if (bytes != lowest_bytes_ || lowest_taken_ || bytes == 0) return allocate_first_fit(bytes);
    lowest_taken_ = true;
    free_bytes_ -= bytes;
    return lowest_offset_;
  }

  /// Frees a block. Throws std::invalid_argument unless exactly `bytes` were allocated at `offset`
  /// and have not been freed since. A throw changes nothing.
  void free(std::uint64_t offset, std::uint64_t bytes) {
    if (offset != lowest_offset_ || bytes != lowest_bytes_ || !lowest_taken_) {
      return free_and_merge(offset, bytes);
    }
    lowest_taken_ = false;
    free_bytes_ += bytes;
  }

  /// Reserves the last unreserved `bytes` permanently. Throws OutOfMemory when some of them are
  /// allocated. A throw changes nothing.
  void reserve_end(std::uint64_t bytes);

  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t free_bytes() const { return free_bytes_; }
  /// Returns the bytes of the largest free block. Takes time linear in the number of blocks.
  [[nodiscard]] std::uint64_t largest_free() const;

 private:
  [[nodiscard]] std::uint64_t allocate_first_fit(std::uint64_t bytes);
  void free_and_merge(std::uint64_t offset, std::uint64_t bytes);
  void merge(std::uint64_t offset, std::uint64_t bytes);
  void settle_lowest();

  std::string memory_;
  std::uint64_t capacity_;
  std::uint64_t end_;  ///< capacity minus reserved bytes
  std::uint64_t free_bytes_;
  /// Offset -> bytes. A flat map, as kernels have few tiles but allocate and free one with nearly
  /// every operation.
  using Blocks = boost::container::flat_map<std::uint64_t, std::uint64_t>;
  Blocks free_;  ///< never adjacent
  Blocks allocated_;
  // Fast path: the block that was freed last, if it was below all free blocks. The next allocation
  // of its size gets it. It stays in allocated_ even while it is free, until another operation
  // settles it. 0 bytes: no such block.
  std::uint64_t lowest_offset_ = 0;
  std::uint64_t lowest_bytes_ = 0;
  bool lowest_taken_ = false;
};

}  // namespace kernbench::model::memory
