// SPDX-License-Identifier: Apache-2.0
#include "model/memory/free_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace kernbench::model::memory {

OutOfMemory::OutOfMemory(const std::string& memory, std::uint64_t requested, std::uint64_t free,
                         std::uint64_t largest_free)
    : std::runtime_error(fmt::format("{} is out of memory: {} bytes asked for, {} free, {} in the "
                                     "largest free block",
                                     memory, requested, free, largest_free)),
      requested_(requested),
      free_(free),
      largest_free_(largest_free) {}

FreeList::FreeList(std::string memory, std::uint64_t capacity)
    : memory_(std::move(memory)), capacity_(capacity), end_(capacity), free_bytes_(capacity) {
  if (capacity == 0) throw std::invalid_argument(fmt::format("{} has no bytes", memory_));
  free_.emplace(0, capacity);
}

std::uint64_t FreeList::allocate_first_fit(std::uint64_t bytes) {
  if (bytes == 0) throw std::invalid_argument(fmt::format("{}: 0 bytes asked for", memory_));
  settle_lowest();
  const auto block = std::find_if(free_.begin(), free_.end(),
                                  [bytes](const auto& entry) { return entry.second >= bytes; });
  if (block == free_.end()) throw OutOfMemory(memory_, bytes, free_bytes_, largest_free());
  const auto [offset, size] = *block;
  allocated_.emplace(offset, bytes);
  if (size > bytes) {
    *block = {offset + bytes, size - bytes};
  } else {
    free_.erase(block);
  }
  free_bytes_ -= bytes;
  return offset;
}

void FreeList::free_and_merge(std::uint64_t offset, std::uint64_t bytes) {
  settle_lowest();
  const auto block = allocated_.find(offset);
  if (block == allocated_.end()) {
    throw std::invalid_argument(
        fmt::format("{}: {} bytes freed at offset {:#x}, where no allocated block begins", memory_,
                    bytes, offset));
  }
  if (block->second != bytes) {
    throw std::invalid_argument(
        fmt::format("{}: {} bytes freed at offset {:#x}, where {} are allocated", memory_, bytes,
                    offset, block->second));
  }
  free_bytes_ += bytes;
  if (free_.empty() || offset < free_.begin()->first) {
    lowest_offset_ = offset;
    lowest_bytes_ = bytes;
  } else {
    allocated_.erase(block);
    merge(offset, bytes);
  }
}

void FreeList::settle_lowest() {
  const std::uint64_t bytes = std::exchange(lowest_bytes_, 0);
  if (std::exchange(lowest_taken_, false) || bytes == 0) return;
  allocated_.erase(lowest_offset_);
  merge(lowest_offset_, bytes);
}

void FreeList::merge(std::uint64_t offset, std::uint64_t bytes) {
  const auto next = free_.upper_bound(offset);
  const bool joins_next = next != free_.end() && next->first == offset + bytes;
  const auto previous = next == free_.begin() ? free_.end() : std::prev(next);
  if (previous != free_.end() && previous->first + previous->second == offset) {
    previous->second += bytes + (joins_next ? next->second : 0);
    if (joins_next) free_.erase(next);
  } else if (joins_next) {
    *next = {offset, bytes + next->second};
  } else {
    free_.emplace_hint(next, offset, bytes);
  }
}

void FreeList::reserve_end(std::uint64_t bytes) {
  if (bytes == 0) return;
  settle_lowest();
  const auto last = free_.empty() ? free_.end() : std::prev(free_.end());
  if (last == free_.end() || last->first + last->second != end_ || last->second < bytes) {
    throw OutOfMemory(memory_, bytes, free_bytes_, largest_free());
  }
  last->second -= bytes;
  if (last->second == 0) free_.erase(last);
  end_ -= bytes;
  free_bytes_ -= bytes;
}

std::uint64_t FreeList::largest_free() const {
  std::uint64_t largest = lowest_taken_ ? 0 : lowest_bytes_;
  if (largest != 0 && !free_.empty() && free_.begin()->first == lowest_offset_ + largest) {
    largest += free_.begin()->second;
  }
  for (const auto& [offset, bytes] : free_) largest = std::max(largest, bytes);
  return largest;
}

}  // namespace kernbench::model::memory
