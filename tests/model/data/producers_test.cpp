// SPDX-License-Identifier: Apache-2.0
#include "model/data/producers.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint32_t> found_in(const Producers& producers, const Block& block) {
  std::vector<std::uint32_t> found;
  producers.find(block, found);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Block bytes_at(std::uint64_t pa, std::uint64_t bytes) {
  return block_at(Space::Hbm, pa, DataType::I8, 1, bytes);
}

TEST(Producers, TheLastWriterOfEachByteIsFound) {
  Producers producers;
  EXPECT_THAT(found_in(producers, bytes_at(0, 100)), IsEmpty());
  producers.set(bytes_at(100, 100), 1);
  producers.set(bytes_at(140, 20), 2);  // inside the first
  EXPECT_THAT(found_in(producers, bytes_at(0, 1000)), ElementsAre(1, 2));
  EXPECT_THAT(found_in(producers, bytes_at(139, 1)), ElementsAre(1));
  EXPECT_THAT(found_in(producers, bytes_at(140, 20)), ElementsAre(2));
  EXPECT_THAT(found_in(producers, bytes_at(160, 40)), ElementsAre(1));
  EXPECT_THAT(found_in(producers, bytes_at(200, 1)), IsEmpty());
  producers.set(bytes_at(100, 100), 3);  // covers both
  EXPECT_THAT(found_in(producers, bytes_at(0, 1000)), ElementsAre(3));
}

TEST(Producers, GapsBetweenRowsStayWithTheirWriter) {
  Producers producers;
  producers.set(bytes_at(0, 40), 1);
  Block column = bytes_at(2, 1);
  column.rows = 4;
  column.row_stride = 10;
  column.stretches = {{2, 31}};
  producers.set(column, 2);
  for (std::uint64_t at = 0; at < 40; ++at) {
    EXPECT_THAT(found_in(producers, bytes_at(at, 1)), ElementsAre(at % 10 == 2 ? 2 : 1)) << at;
  }
}

TEST(Producers, AgreeWithAListOfBytes) {
  common::Rng random = common::Rng::stream(3, "producers");
  constexpr std::uint64_t kBytes = 200;
  constexpr std::uint32_t kNobody = 0;
  std::vector<std::uint32_t> reference(kBytes, kNobody);
  Producers producers;
  for (std::uint32_t record = 1; record <= 2000; ++record) {
    const std::uint64_t pa = random.bits64() % kBytes;
    const std::uint64_t bytes = random.bits64() % (kBytes - pa + 1);
    producers.set(bytes_at(pa, bytes), record);
    std::fill_n(reference.begin() + static_cast<std::ptrdiff_t>(pa), bytes, record);
    const std::uint64_t from = random.bits64() % kBytes;
    const std::uint64_t size = random.bits64() % (kBytes - from + 1);
    std::set<std::uint32_t> expected(reference.begin() + static_cast<std::ptrdiff_t>(from),
                                     reference.begin() + static_cast<std::ptrdiff_t>(from + size));
    expected.erase(kNobody);
    ASSERT_THAT(found_in(producers, bytes_at(from, size)), testing::ElementsAreArray(expected));
  }
}

TEST(Pieces, BlocksThatNoMemoryCanHoldAreRefused) {
  const auto refused = [](const Block& block) {
    return data_refusal<std::invalid_argument>(
        [&] { for_each_piece(block, [](std::uint64_t, std::uint64_t) {}); });
  };
  Block block = block_at(Space::Hbm, 64, DataType::F32, 3, 4);
  EXPECT_EQ(refused(block), "accepted");
  block.stretches = {{64, 40}};
  EXPECT_EQ(refused(block), "a block is longer than its memory");
  block.stretches.clear();
  EXPECT_EQ(refused(block), "a block is longer than its memory");
  block.row_stride = 3;
  EXPECT_EQ(refused(block), "the rows of a block overlap");
  block.rows = 0;
  EXPECT_EQ(refused(block), "accepted");
}

}  // namespace
}  // namespace kernbench::model::data
