// SPDX-License-Identifier: Apache-2.0
#include "model/memory/virtual_allocator.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <stdexcept>

namespace kernbench::model::memory {

namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

/// Returns the bytes to skip at the beginning, so that address 0 is never allocated.
std::uint64_t skipped_bytes(std::uint64_t page_bytes, std::uint64_t base) {
  return base == 0 ? page_bytes : 0;
}

/// Returns the number of allocatable bytes.
std::uint64_t usable_bytes(std::uint64_t page_bytes, std::uint64_t base, std::uint64_t bytes) {
  if (!std::has_single_bit(page_bytes)) {
    throw std::invalid_argument(
        fmt::format("a page of {} bytes is not a power of two", page_bytes));
  }
  if (base % page_bytes != 0 || bytes % page_bytes != 0) {
    throw std::invalid_argument(
        fmt::format("{:#x} bytes of virtual addresses from {:#x} are not whole pages of {:#x}",
                    bytes, base, page_bytes));
  }
  if (bytes > kMax - base) {
    throw std::invalid_argument(fmt::format(
        "{:#x} bytes of virtual addresses from {:#x} do not end below 2^64", bytes, base));
  }
  const std::uint64_t unusable = skipped_bytes(page_bytes, base);
  if (bytes <= unusable) {
    throw std::invalid_argument(fmt::format(
        "{:#x} bytes of virtual addresses from {:#x} contain no allocatable page", bytes, base));
  }
  return bytes - unusable;
}

}  // namespace

VirtualAllocator::VirtualAllocator(std::uint64_t page_bytes, std::uint64_t base,
                                   std::uint64_t bytes)
    : page_bytes_(page_bytes),
      base_(base + skipped_bytes(page_bytes, base)),
      pages_("the virtual address space", usable_bytes(page_bytes, base, bytes)) {}

std::uint64_t VirtualAllocator::allocate(std::uint64_t bytes) {
  return base_ + pages_.allocate(whole_pages(bytes));
}

void VirtualAllocator::free(std::uint64_t address, std::uint64_t bytes) {
  if (address < base_) {
    throw std::invalid_argument(
        fmt::format("virtual address {:#x} freed, below the first, {:#x}", address, base_));
  }
  pages_.free(address - base_, whole_pages(bytes));
}

std::uint64_t VirtualAllocator::whole_pages(std::uint64_t bytes) const {
  const std::uint64_t in_page = page_bytes_ - 1;
  return bytes > kMax - in_page ? ~in_page : (bytes + in_page) & ~in_page;
}

}  // namespace kernbench::model::memory
