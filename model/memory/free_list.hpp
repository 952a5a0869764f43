#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace kernbench::model::memory {

/// An allocation that does not fit. A partial one would be a tensor that routes to wrong addresses.
class OutOfMemory : public std::runtime_error {
 public:
  OutOfMemory(const std::string& memory, std::uint64_t requested, std::uint64_t free,
              std::uint64_t largest_free);

  [[nodiscard]] std::uint64_t requested() const { return requested_; }        ///< bytes
  [[nodiscard]] std::uint64_t free() const { return free_; }                  ///< bytes, together
  [[nodiscard]] std::uint64_t largest_free() const { return largest_free_; }  ///< bytes of a block

 private:
  std::uint64_t requested_;
  std::uint64_t free_;
  std::uint64_t largest_free_;
};

/// Hands out blocks of a range of offsets 0..capacity-1: first fit by offset, and a freed block
/// merges with its free neighbours (Architecture, "Memory Allocator Algorithms").
///
/// The architecture trusts the caller to free exactly what was allocated. Here live blocks are kept
/// too, at the price of an entry each, so that every wrong free is seen.
class FreeList {
 public:
  /// `memory` names it in errors. Throws std::invalid_argument when `capacity` (bytes) is 0.
  FreeList(std::string memory, std::uint64_t capacity);

  /// The lowest offset at which `bytes` are free. Throws std::invalid_argument for 0 bytes,
  /// OutOfMemory when no free block is large enough; nothing changes then.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes) {
    if (bytes != lowest_bytes_ || lowest_taken_ || bytes == 0) return allocate_first_fit(bytes);
    lowest_taken_ = true;
    free_bytes_ -= bytes;
    return lowest_offset_;
  }

  /// Takes back a block. Throws std::invalid_argument unless exactly `bytes` were allocated at
  /// `offset` and have not been freed since; nothing changes then.
  void free(std::uint64_t offset, std::uint64_t bytes) {
    if (offset != lowest_offset_ || bytes != lowest_bytes_ || !lowest_taken_) {
      return free_and_merge(offset, bytes);
    }
    lowest_taken_ = false;
    free_bytes_ += bytes;
  }

  /// Nobody will be given the last `bytes` that could still be given out: they are somebody's for
  /// good. Throws OutOfMemory when what is there is not free up to the end; nothing changes then.
  void reserve_end(std::uint64_t bytes);

  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t free_bytes() const { return free_bytes_; }
  /// Bytes of the largest free block; linear in the number of blocks.
  [[nodiscard]] std::uint64_t largest_free() const;

 private:
  [[nodiscard]] std::uint64_t allocate_first_fit(std::uint64_t bytes);
  void free_and_merge(std::uint64_t offset, std::uint64_t bytes);
  void merge(std::uint64_t offset, std::uint64_t bytes);
  void settle_lowest();

  std::string memory_;
  std::uint64_t capacity_;
  std::uint64_t end_;  ///< capacity without what is reserved
  std::uint64_t free_bytes_;
  /// Offset -> bytes. Kernels allocate and free a tile with nearly every operation, and have few.
  using Blocks = boost::container::flat_map<std::uint64_t, std::uint64_t>;
  Blocks free_;  ///< no two touch
  Blocks allocated_;
  /// A block that was freed when it was below all others that were free, and since then nothing
  /// happened but that it was given out and freed again: the next of its size is to be there. It is
  /// in allocated_, also while it is free. 0 bytes: none.
  std::uint64_t lowest_offset_ = 0;
  std::uint64_t lowest_bytes_ = 0;
  bool lowest_taken_ = false;
};

}  // namespace kernbench::model::memory
