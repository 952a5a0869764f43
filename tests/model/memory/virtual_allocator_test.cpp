// SPDX-License-Identifier: Apache-2.0
#include "model/memory/virtual_allocator.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "common/random.hpp"
#include "tests/model/memory/refusal.hpp"
#include "topology/routing/phys_addr.hpp"

namespace kernbench::model::memory {
namespace {

TEST(VirtualAllocator, RoundsRequestsUpToPages) {
  VirtualAllocator allocator(0x1000, 0x10000, 0x8000);
  EXPECT_EQ(allocator.allocate(1), 0x10000U);
  EXPECT_EQ(allocator.allocate(0x1000), 0x11000U);
  EXPECT_EQ(allocator.allocate(0x1001), 0x12000U);
  EXPECT_EQ(allocator.allocate(1), 0x14000U);
  EXPECT_EQ(allocator.free_bytes(), 0x3000U);
}

TEST(VirtualAllocator, TakesBackWhatWasAskedForAndMergesIt) {
  VirtualAllocator allocator(0x1000, 0x10000, 0x3000);
  const std::uint64_t first = allocator.allocate(100);
  const std::uint64_t second = allocator.allocate(0x1001);
  allocator.free(first, 100);
  allocator.free(second, 0x1001);
  EXPECT_EQ(allocator.largest_free(), 0x3000U);
  EXPECT_EQ(allocator.allocate(0x3000), 0x10000U);
}

TEST(VirtualAllocator, NeverGivesOutAddressZero) {
  VirtualAllocator allocator(0x1000, 0, 0x3000);
  EXPECT_EQ(allocator.allocate(1), 0x1000U);
  EXPECT_EQ(allocator.allocate(1), 0x2000U);
  EXPECT_THROW((void)allocator.allocate(1), OutOfMemory);
  EXPECT_EQ(refusal([] { const VirtualAllocator nothing(0x1000, 0, 0x1000); }),
            "0x1000 bytes of virtual addresses from 0x0 contain no allocatable page");
}

TEST(VirtualAllocator, AddressesOfTheDefaultRangeAreNoPhysicalOnes) {
  VirtualAllocator allocator(65536);
  const std::uint64_t address = allocator.allocate(1);
  EXPECT_EQ(address, 0x0100000000000000U);
  EXPECT_THROW((void)topology::decode_phys_addr(address), topology::RoutingError);
  EXPECT_EQ(allocator.free_bytes(), (std::uint64_t{1} << 56U) - 65536);
}

TEST(VirtualAllocator, ExhaustionNamesWhatIsFree) {
  VirtualAllocator allocator(0x1000, 0x10000, 0x2000);
  const auto message = [&allocator](std::uint64_t bytes) -> std::string {
    try {
      (void)allocator.allocate(bytes);
    } catch (const OutOfMemory& error) {
      return error.what();
    }
    return "allocated";
  };
  EXPECT_EQ(message(0x2001),
            "the virtual address space is out of memory: 12288 bytes asked for, 8192 free, 8192 in "
            "the largest free block");
  EXPECT_EQ(
      message(~std::uint64_t{0}),
      "the virtual address space is out of memory: 18446744073709547520 bytes asked for, 8192 "
      "free, 8192 in the largest free block");
}

TEST(VirtualAllocator, RefusesToFreeWhatItDidNotGiveOut) {
  VirtualAllocator allocator(0x1000, 0x10000, 0x8000);
  const std::uint64_t address = allocator.allocate(0x1001);
  EXPECT_EQ(refusal([&] { allocator.free(0x1000, 1); }),
            "virtual address 0x1000 freed, below the first, 0x10000");
  EXPECT_EQ(refusal([&] { allocator.free(address, 0x1000); }),
            "the virtual address space: 4096 bytes freed at offset 0x0, where 8192 are allocated");
  EXPECT_NE(refusal([&] { allocator.free(address + 0x1000, 1); }), "accepted");
  EXPECT_NE(refusal([&] { allocator.free(address, 0); }), "accepted");
  allocator.free(address, 0x1001);
  EXPECT_NE(refusal([&] { allocator.free(address, 0x1001); }), "accepted") << "a second time";
}

TEST(VirtualAllocator, RefusesNothingAndUnsoundRanges) {
  VirtualAllocator allocator(0x1000);
  EXPECT_EQ(refusal([&] { (void)allocator.allocate(0); }),
            "the virtual address space: 0 bytes asked for");
  EXPECT_EQ(refusal([] { const VirtualAllocator odd(0x1001); }),
            "a page of 4097 bytes is not a power of two");
  EXPECT_NE(refusal([] { const VirtualAllocator none(0); }), "accepted");
  EXPECT_EQ(refusal([] { const VirtualAllocator unaligned(0x1000, 0x10, 0x1000); }),
            "0x1000 bytes of virtual addresses from 0x10 are not whole pages of 0x1000");
  EXPECT_NE(refusal([] { const VirtualAllocator ragged(0x1000, 0x1000, 0x1800); }), "accepted");
  EXPECT_EQ(refusal([] { const VirtualAllocator high(0x1000, ~std::uint64_t{0xfff}, 0x1000); }),
            "0x1000 bytes of virtual addresses from 0xfffffffffffff000 do not end below 2^64");
  EXPECT_NE(refusal([] { const VirtualAllocator empty(0x1000, 0x1000, 0); }), "accepted");
}

/// Runs one random sequence: ranges are whole pages, within bounds and disjoint.
void check_ranges(std::uint64_t seed) {
  auto random = common::Rng::stream(seed, "virtual-allocator");
  const std::uint64_t page = std::uint64_t{256} << random.below(4);
  const std::uint64_t base = random.below(3) * page;
  const std::uint64_t size = (2 + random.below(30)) * page;
  VirtualAllocator allocator(page, base, size);
  const std::uint64_t capacity = allocator.free_bytes();
  std::map<std::uint64_t, std::uint64_t> live;  // address -> requested bytes
  std::uint64_t taken = 0;
  const auto rounded = [page](std::uint64_t bytes) { return (bytes + page - 1) / page * page; };
  for (int step = 0; step < 40; ++step) {
    if (live.empty() || random.below(5) < 3) {
      const std::uint64_t bytes = 1 + random.below(5 * page);
      if (allocator.largest_free() < rounded(bytes)) {
        ASSERT_THROW((void)allocator.allocate(bytes), OutOfMemory);
        continue;
      }
      const std::uint64_t address = allocator.allocate(bytes);
      ASSERT_NE(address, 0U);
      ASSERT_EQ(address % page, 0U);
      ASSERT_GE(address, base);
      ASSERT_LE(address + rounded(bytes), base + size);
      const auto next = live.lower_bound(address);
      ASSERT_TRUE(next == live.end() || address + rounded(bytes) <= next->first);
      ASSERT_TRUE(next == live.begin() ||
                  std::prev(next)->first + rounded(std::prev(next)->second) <= address);
      live.emplace(address, bytes);
      taken += rounded(bytes);
    } else {
      const auto range =
          std::next(live.begin(), static_cast<std::ptrdiff_t>(random.below(live.size())));
      allocator.free(range->first, range->second);
      taken -= rounded(range->second);
      live.erase(range);
    }
    ASSERT_EQ(allocator.free_bytes(), capacity - taken);
  }
  for (const auto& [address, bytes] : live) allocator.free(address, bytes);
  ASSERT_EQ(allocator.largest_free(), capacity);
}

TEST(VirtualAllocator, LiveRangesAreAlignedAndDisjointOnRandomSequences) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    check_ranges(seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace kernbench::model::memory
