// SPDX-License-Identifier: Apache-2.0
#include "model/data/memory_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

using Floats = std::vector<float>;

TEST(MemoryStore, WholeBlocksAreSharedAndNotCopied) {
  MemoryStore store;
  const Block block = block_at(Space::Hbm, 4096, DataType::F32, 2, 2);
  const Array array = array_of(DataType::F32, 2, 2, {1, 2, 3, 4});
  store.write(block, array);
  EXPECT_EQ(store.read(block).shared_bytes(), array.shared_bytes());
}

TEST(MemoryStore, WhatWasReadStaysWhenAPartOfItIsOverwritten) {
  MemoryStore store;
  const Block block = block_at(Space::Hbm, 4096, DataType::F32, 1, 4);
  const Array array = row_of(DataType::F32, {1, 2, 3, 4});
  store.write(block, array);
  const Array snapshot = store.read(block);
  store.write(block_at(Space::Hbm, 4100, DataType::F32, 1, 1), row_of(DataType::F32, {20}));
  EXPECT_EQ(floats_of(snapshot), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(floats_of(array), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(floats_of(store.read(block)), (Floats{1, 20, 3, 4}));
}

TEST(MemoryStore, SpacesHaveAddressesOfTheirOwn) {
  MemoryStore store;
  for (const Space space : {Space::Hbm, Space::Tcm, Space::Sram}) {
    store.write(block_at(space, 64, DataType::F32, 1, 1),
                row_of(DataType::F32, {static_cast<float>(space)}));
  }
  for (const Space space : {Space::Hbm, Space::Tcm, Space::Sram}) {
    EXPECT_EQ(floats_of(store.read(block_at(space, 64, DataType::F32, 1, 1))),
              Floats{static_cast<float>(space)});
  }
}

TEST(MemoryStore, BlocksHaveGapsStretchesAndMayBeTransposed) {
  MemoryStore store;
  // 3 x 4 elements in two stretches, split in the middle of a row.
  Block whole = block_at(Space::Hbm, 0, DataType::F16, 3, 4);
  whole.stretches = {{0x1000, 10}, {0x9000, 14}};
  store.write(whole, array_of(DataType::F16, 3, 4, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}));
  // The second and third column.
  Block part = whole;
  part.columns = 2;
  part.stretches = {{0x1002, 8}, {0x9000, 12}};
  EXPECT_EQ(floats_of(store.read(part)), (Floats{1, 2, 11, 12, 21, 22}));
  part.transposed = true;
  const Array turned = store.read(part);
  EXPECT_EQ(turned.rows(), 2U);
  EXPECT_EQ(floats_of(turned), (Floats{1, 11, 21, 2, 12, 22}));
  part.transposed = false;
  store.write(part, array_of(DataType::F16, 3, 2, {-1, -2, -11, -12, -21, -22}));
  EXPECT_EQ(floats_of(store.read(whole)),
            (Floats{0, -1, -2, 3, 10, -11, -12, 13, 20, -21, -22, 23}));
}

TEST(MemoryStore, EmptyBlocksAreAndStayEmpty) {
  MemoryStore store;
  const Block none = block_at(Space::Hbm, 64, DataType::F32, 0, 5);
  store.write(none, Array(DataType::F32, 0, 5));
  EXPECT_EQ(store.read(none).columns(), 5U);
}

TEST(MemoryStore, WhatWasNeverWrittenCannotBeRead) {
  MemoryStore store;
  const auto refused = [&](std::uint64_t pa, std::uint64_t bytes) {
    return data_refusal<ReplayError>(
        [&] { (void)store.read(block_at(Space::Tcm, pa, DataType::I8, 1, bytes)); });
  };
  EXPECT_EQ(refused(0x10, 4), "read of 4 bytes at tcm 0x10: nothing was written at 0x10");
  store.write(block_at(Space::Tcm, 0x10, DataType::I8, 1, 4),
              integers_of(DataType::I8, {1, 2, 3, 4}));
  EXPECT_EQ(refused(0x10, 4), "accepted");
  EXPECT_EQ(refused(0x12, 4), "read of 4 bytes at tcm 0x12: nothing was written at 0x14");
  EXPECT_EQ(refused(0xf, 2), "read of 2 bytes at tcm 0xf: nothing was written at 0xf");
}

TEST(MemoryStore, OnlyArraysOfTheBlocksShapeAreWritten) {
  MemoryStore store;
  Block block = block_at(Space::Hbm, 0, DataType::F32, 2, 3);
  const auto refused = [&](const Array& array) {
    return data_refusal<std::invalid_argument>([&] { store.write(block, array); });
  };
  EXPECT_EQ(refused(Array(DataType::F32, 3, 2)),
            "3 x 2 of f32 cannot be written to a block of 2 x 3 of f32");
  EXPECT_EQ(refused(Array(DataType::I32, 2, 3)),
            "2 x 3 of i32 cannot be written to a block of 2 x 3 of f32");
  block.transposed = true;
  EXPECT_EQ(refused(Array(DataType::F32, 2, 3)),
            "2 x 3 of f32 cannot be written to a block of 2 x 3 of f32");
}

TEST(MemoryStore, AgreesWithPlainMemoryWhileSnapshotsAreHeld) {
  common::Rng random = common::Rng::stream(11, "memory store");
  constexpr std::uint64_t kBytes = 120;
  std::vector<std::optional<std::int8_t>> reference(kBytes);
  MemoryStore store;
  struct Snapshot {
    Array array;
    std::vector<float> values;
  };
  std::vector<Snapshot> held;
  for (int step = 0; step < 4000; ++step) {
    // A matrix with gaps between rows.
    Block block =
        block_at(Space::Hbm, 0, DataType::I8, 1 + random.bits64() % 4, 1 + random.bits64() % 12);
    block.row_stride = block.columns + random.bits64() % 4;
    const std::uint64_t pa = random.bits64() % (kBytes - block.span_bytes() + 1);
    const std::uint64_t cut = random.bits64() % (block.span_bytes() + 1);
    block.stretches = {{pa, cut}, {pa + cut, block.span_bytes() - cut}};
    const auto at = [&](std::uint64_t row, std::uint64_t column) -> auto& {
      return reference[pa + row * block.row_stride + column];
    };
    if (random.bits64() % 2 == 0) {
      const Array array = whole_numbers(DataType::I8, block.rows, block.columns,
                                        static_cast<std::uint64_t>(step), 100);
      store.write(block, array);
      const MatrixI values = array.to_integers();
      for (std::uint64_t row = 0; row < block.rows; ++row) {
        for (std::uint64_t column = 0; column < block.columns; ++column) {
          at(row, column) = static_cast<std::int8_t>(
              values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)));
        }
      }
      if (random.bits64() % 4 == 0) held.push_back({array, floats_of(array)});
      continue;
    }
    std::vector<float> expected;
    for (std::uint64_t row = 0; row < block.rows; ++row) {
      for (std::uint64_t column = 0; column < block.columns; ++column) {
        if (at(row, column)) expected.push_back(*at(row, column));
      }
    }
    if (expected.size() != block.rows * block.columns) {
      ASSERT_THROW((void)store.read(block), ReplayError);
      continue;
    }
    const Array found = store.read(block);
    ASSERT_EQ(floats_of(found), expected) << "step " << step;
    if (random.bits64() % 4 == 0) held.push_back({found, expected});
  }
  for (const Snapshot& snapshot : held) ASSERT_EQ(floats_of(snapshot.array), snapshot.values);
}

}  // namespace
}  // namespace kernbench::model::data
