// SPDX-License-Identifier: Apache-2.0
#include "model/memory/free_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/random.hpp"

namespace kernbench::model::memory {
namespace {

template <typename Error, typename Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(FreeList, GivesOutTheLowestOffsetThatFits) {
  FreeList list("memory", 100);
  EXPECT_EQ(list.allocate(10), 0U);
  EXPECT_EQ(list.allocate(20), 10U);
  EXPECT_EQ(list.allocate(5), 30U);
  EXPECT_EQ(list.allocate(65), 35U);
  list.free(10, 20);
  list.free(0, 10);
  EXPECT_EQ(list.allocate(30), 0U) << "the two freed neighbours are one block";
  EXPECT_EQ(list.free_bytes(), 0U);
}

TEST(FreeList, TakesTheFirstBlockThatFitsNotTheBest) {
  FreeList list("memory", 100);
  (void)list.allocate(40);
  (void)list.allocate(1);
  (void)list.allocate(10);
  (void)list.allocate(49);
  list.free(0, 40);
  list.free(41, 10);
  EXPECT_EQ(list.allocate(10), 0U);
}

TEST(FreeList, MergesAFreedBlockWithBothNeighbours) {
  FreeList list("memory", 30);
  for (int i = 0; i < 3; ++i) (void)list.allocate(10);
  list.free(0, 10);
  list.free(20, 10);
  EXPECT_EQ(list.largest_free(), 10U);
  list.free(10, 10);
  EXPECT_EQ(list.largest_free(), 30U);
}

TEST(FreeList, SaysWhatIsFreeWhenItIsExhausted) {
  FreeList list("the TCM", 100);
  (void)list.allocate(40);
  (void)list.allocate(20);
  list.free(0, 40);
  try {
    (void)list.allocate(41);
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_STREQ(
        error.what(),
        "the TCM is out of memory: 41 bytes asked for, 80 free, 40 in the largest free block");
    EXPECT_EQ(error.requested(), 41U);
    EXPECT_EQ(error.free(), 80U);
    EXPECT_EQ(error.largest_free(), 40U);
  }
  EXPECT_EQ(list.free_bytes(), 80U) << "nothing has changed";
  EXPECT_EQ(list.allocate(40), 0U);
}

TEST(FreeList, RefusesTheLargestRequestWithoutOverflow) {
  FreeList list("memory", 100);
  (void)list.allocate(1);
  EXPECT_THROW((void)list.allocate(~std::uint64_t{0}), OutOfMemory);
}

TEST(FreeList, RefusesToFreeWhatWasNotAllocatedSo) {
  FreeList list("memory", 100);
  (void)list.allocate(10);
  (void)list.allocate(20);
  const auto refusal = [&list](std::uint64_t offset, std::uint64_t bytes) {
    return message_of<std::invalid_argument>([&] { list.free(offset, bytes); });
  };
  EXPECT_EQ(refusal(1, 9), "memory: 9 bytes freed at offset 0x1, where no allocated block begins");
  EXPECT_EQ(refusal(0, 9), "memory: 9 bytes freed at offset 0x0, where 10 are allocated");
  EXPECT_EQ(refusal(0, 30), "memory: 30 bytes freed at offset 0x0, where 10 are allocated");
  EXPECT_EQ(refusal(100, 1),
            "memory: 1 bytes freed at offset 0x64, where no allocated block begins");
  list.free(0, 10);
  EXPECT_EQ(refusal(0, 10), "memory: 10 bytes freed at offset 0x0, where no allocated block begins")
      << "a second time";
  EXPECT_EQ(list.free_bytes(), 80U);
}

TEST(FreeList, GivesTheLowestBlockOutAndTakesItBackAgainAndAgain) {
  FreeList list("memory", 100);
  EXPECT_EQ(list.allocate(10), 0U);
  EXPECT_EQ(list.allocate(20), 10U);
  for (int i = 0; i < 3; ++i) {
    list.free(0, 10);
    EXPECT_EQ(list.free_bytes(), 80U);
    EXPECT_EQ(list.largest_free(), 70U);
    EXPECT_EQ(list.allocate(10), 0U);
    EXPECT_EQ(list.free_bytes(), 70U);
  }
  EXPECT_EQ(message_of<std::invalid_argument>([&] { list.free(0, 9); }),
            "memory: 9 bytes freed at offset 0x0, where 10 are allocated")
      << "also while it is allocated again";
  EXPECT_EQ(list.allocate(10), 30U) << "it is taken";
  EXPECT_EQ(list.largest_free(), 60U);
  list.free(0, 10);
  list.free(10, 20);
  EXPECT_EQ(list.allocate(30), 0U) << "merged";
}

TEST(FreeList, HasAndGivesOutNoEmptyBlock) {
  EXPECT_EQ(message_of<std::invalid_argument>([] { const FreeList list("nothing", 0); }),
            "nothing has no bytes");
  FreeList list("memory", 1);
  EXPECT_EQ(message_of<std::invalid_argument>([&] { (void)list.allocate(0); }),
            "memory: 0 bytes asked for");
}

/// Brute-force reference: a map of the allocated bytes.
class ByteMap {
 public:
  explicit ByteMap(std::size_t bytes) : taken_(bytes, false) {}

  /// Returns the first offset that fits, or the capacity if none does.
  [[nodiscard]] std::size_t first_fit(std::size_t bytes) const {
    for (std::size_t offset = 0; offset + bytes <= taken_.size(); ++offset) {
      const auto begin = taken_.begin() + static_cast<std::ptrdiff_t>(offset);
      if (std::find(begin, begin + static_cast<std::ptrdiff_t>(bytes), true) ==
          begin + static_cast<std::ptrdiff_t>(bytes)) {
        return offset;
      }
    }
    return taken_.size();
  }
  void set(std::size_t offset, std::size_t bytes, bool taken) {
    for (std::size_t i = offset; i < offset + bytes; ++i) taken_[i] = taken;
  }
  [[nodiscard]] std::size_t free_bytes() const {
    return static_cast<std::size_t>(std::count(taken_.begin(), taken_.end(), false));
  }
  [[nodiscard]] std::size_t largest_free() const {
    std::size_t largest = 0;
    std::size_t run = 0;
    for (const bool taken : taken_) {
      run = taken ? 0 : run + 1;
      largest = std::max(largest, run);
    }
    return largest;
  }

 private:
  std::vector<bool> taken_;
};

struct Block {
  std::uint64_t offset;
  std::uint64_t bytes;
};

/// Compares one random sequence with the byte map. Wrong frees in between must change nothing.
void compare_with_byte_map(std::uint64_t seed) {
  auto random = common::Rng::stream(seed, "free-list");
  const std::uint64_t capacity = 1 + random.below(120);
  const std::uint64_t largest_request = 1 + random.below(capacity);
  FreeList list("memory", capacity);
  ByteMap bytes(capacity);
  std::vector<Block> live;
  for (int step = 0; step < 60; ++step) {
    if (live.empty() || random.below(5) < 3) {
      const std::uint64_t wanted = 1 + random.below(largest_request);
      const std::uint64_t expected = bytes.first_fit(wanted);
      if (expected == capacity) {
        ASSERT_THROW((void)list.allocate(wanted), OutOfMemory);
      } else {
        ASSERT_EQ(list.allocate(wanted), expected);
        bytes.set(expected, wanted, true);
        live.push_back({expected, wanted});
      }
    } else {
      const auto index = static_cast<std::ptrdiff_t>(random.below(live.size()));
      const Block block = live[static_cast<std::size_t>(index)];
      ASSERT_THROW(list.free(block.offset, block.bytes + 1), std::invalid_argument);
      ASSERT_THROW(list.free(block.offset + 1 + random.below(block.bytes), block.bytes + capacity),
                   std::invalid_argument);
      list.free(block.offset, block.bytes);
      // Not always: the block freed last is merged only by the next other operation.
      if (random.below(2) == 0) {
        ASSERT_THROW(list.free(block.offset, block.bytes), std::invalid_argument);
      }
      bytes.set(block.offset, block.bytes, false);
      live.erase(live.begin() + index);
    }
    ASSERT_EQ(list.free_bytes(), bytes.free_bytes());
    ASSERT_EQ(list.largest_free(), bytes.largest_free());
  }
  for (const Block& block : live) list.free(block.offset, block.bytes);
  ASSERT_EQ(list.largest_free(), capacity) << "everything has merged into one block";
}

TEST(FreeList, NeverGivesOutWhatIsReservedAtItsEnd) {
  FreeList list("the TCM", 100);
  list.reserve_end(30);
  list.reserve_end(10);
  EXPECT_EQ(list.free_bytes(), 60U);
  EXPECT_EQ(list.capacity(), 100U);
  EXPECT_EQ(list.allocate(50), 0U);
  EXPECT_THROW((void)list.allocate(11), OutOfMemory);
  EXPECT_EQ(list.allocate(10), 50U);
  list.free(50, 10);
  list.free(0, 50);
  EXPECT_EQ(list.largest_free(), 60U);
}

TEST(FreeList, ReservesNothingWhereSomethingIs) {
  FreeList list("the TCM", 100);
  const std::uint64_t low = list.allocate(60);
  const std::uint64_t high = list.allocate(20);
  EXPECT_THROW(list.reserve_end(21), OutOfMemory);
  list.reserve_end(20);
  EXPECT_THROW(list.reserve_end(1), OutOfMemory);
  list.free(low, 60);
  EXPECT_THROW(list.reserve_end(1), OutOfMemory);  // `high` is behind the hole
  list.free(high, 20);
  list.reserve_end(80);
  EXPECT_EQ(list.free_bytes(), 0U);
}

TEST(FreeList, AgreesWithAByteMapOnRandomSequences) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    compare_with_byte_map(seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace kernbench::model::memory
