// SPDX-License-Identifier: Apache-2.0
#include "model/memory/page_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "common/random.hpp"
#include "tests/model/memory/refusal.hpp"

namespace kernbench::model::memory {
namespace {

using ::testing::ElementsAre;

TEST(PageTable, TranslatesEveryByteOfARegionAndNoneBeside) {
  PageTable table;
  table.map(0x1000, 0x90000, 0x100);
  EXPECT_EQ(table.translate(0xfff), std::nullopt);
  EXPECT_EQ(table.translate(0x1000), 0x90000U);
  EXPECT_EQ(table.translate(0x10ff), 0x900ffU);
  EXPECT_EQ(table.translate(0x1100), std::nullopt);
}

TEST(PageTable, SeveralRegionsShareAPage) {
  PageTable table;
  table.map(0x10000, 0xa000, 0x100);
  table.map(0x10100, 0xb000, 0x100);
  table.map(0x10300, 0xc000, 0x100);
  EXPECT_EQ(table.translate(0x100ff), 0xa0ffU);
  EXPECT_EQ(table.translate(0x10100), 0xb000U);
  EXPECT_EQ(table.translate(0x10200), std::nullopt);
  EXPECT_EQ(table.translate(0x10301), 0xc001U);
}

TEST(PageTable, TheLaterWriteWinsAndSplitsTheOlderRegion) {
  PageTable table;
  table.map(0x1000, 0xa000, 0x300);
  table.map(0x1100, 0xb000, 0x100);
  EXPECT_THAT(table.translate_range(0x1000, 0x300),
              ElementsAre(Translation{0x1000, 0x100, 0xa000}, Translation{0x1100, 0x100, 0xb000},
                          Translation{0x1200, 0x100, 0xa200}));
  table.map(0x1080, 0xc000, 0x200);
  EXPECT_THAT(table.translate_range(0x1000, 0x300),
              ElementsAre(Translation{0x1000, 0x80, 0xa000}, Translation{0x1080, 0x200, 0xc000},
                          Translation{0x1280, 0x80, 0xa280}));
  table.map(0x1000, 0xd000, 0x300);
  EXPECT_EQ(table.regions(), 1U) << "what is covered wholly is gone";
}

TEST(PageTable, StatesTheHolesOfARange) {
  PageTable table;
  table.map(0x100, 0xa000, 0x10);
  table.map(0x120, 0xb000, 0x10);
  EXPECT_THAT(table.translate_range(0xf0, 0x50),
              ElementsAre(Translation{0xf0, 0x10, std::nullopt}, Translation{0x100, 0x10, 0xa000},
                          Translation{0x110, 0x10, std::nullopt}, Translation{0x120, 0x10, 0xb000},
                          Translation{0x130, 0x10, std::nullopt}));
  EXPECT_THAT(table.translate_range(0x108, 0x4), ElementsAre(Translation{0x108, 4, 0xa008}));
  EXPECT_THAT(table.translate_range(0x110, 0x10), ElementsAre(Translation{0x110, 0x10, {}}));
  EXPECT_THAT(PageTable().translate_range(5, 7), ElementsAre(Translation{5, 7, std::nullopt}));
}

TEST(PageTable, UnmapsPartsOfRegionsAndSaysHowMuchThatWas) {
  PageTable table;
  table.map(0x100, 0xa000, 0x100);
  EXPECT_EQ(table.unmap(0x140, 0x20), 0x20U);
  EXPECT_EQ(table.translate(0x13f), 0xa03fU);
  EXPECT_EQ(table.translate(0x140), std::nullopt);
  EXPECT_EQ(table.translate(0x160), 0xa060U);
  EXPECT_EQ(table.unmap(0x140, 0x20), 0U) << "holes are not an error";
  EXPECT_EQ(table.unmap(0, 0x1000), 0xe0U);
  EXPECT_EQ(table.regions(), 0U);
}

TEST(PageTable, RefusesEmptyRangesAndThoseThatDoNotEndBelow2To64) {
  constexpr std::uint64_t kTop = ~std::uint64_t{0};
  PageTable table;
  EXPECT_EQ(refusal([&] { table.map(0x10, 0x20, 0); }), "0 bytes at virtual address 0x10");
  EXPECT_EQ(refusal([&] { table.map(kTop - 1, 0x20, 2); }),
            "0x2 bytes at virtual address 0xfffffffffffffffe do not end below 2^64");
  EXPECT_EQ(refusal([&] { table.map(0, kTop, 1); }),
            "0x1 bytes at physical address 0xffffffffffffffff do not end below 2^64");
  EXPECT_EQ(refusal([&] { (void)table.unmap(0x10, 0); }), "0 bytes at virtual address 0x10");
  EXPECT_EQ(refusal([&] { (void)table.translate_range(1, kTop); }),
            "0xffffffffffffffff bytes at virtual address 0x1 do not end below 2^64");
  table.map(kTop - 1, 0x20, 1);
  EXPECT_EQ(table.translate(kTop - 1), 0x20U);
  EXPECT_EQ(table.regions(), 1U) << "what was refused is not there";
}

constexpr std::uint64_t kBytes = 96;

/// `first` is the first part of a range from `va`. The whole region or hole may extend it on both
/// sides.
void check_stretch_at(const PageTable& table, std::uint64_t va, const Translation& first) {
  const Translation whole = table.stretch_at(va);
  ASSERT_LE(whole.va, va);
  ASSERT_GE(whole.va + whole.bytes, va + first.bytes);
  ASSERT_EQ(whole.pa.has_value(), first.pa.has_value());
  if (whole.pa) {
    ASSERT_EQ(*whole.pa + (va - whole.va), first.pa);
  }
  ASSERT_EQ(table.translate_range(whole.va, whole.bytes).size(), 1U);
}

/// Compares one random sequence with an array of one entry per byte. `wholes` counts the ranges
/// within one region or hole.
void compare_with_array(std::uint64_t seed, int& wholes) {
  auto random = common::Rng::stream(seed, "page-table");
  PageTable table;
  std::array<std::optional<std::uint64_t>, kBytes> expected{};
  for (int step = 0; step < 30; ++step) {
    const std::uint64_t va = random.below(kBytes);
    const std::uint64_t bytes = 1 + random.below(kBytes - va);
    const std::uint64_t kind = random.below(6);
    if (kind == 0) {
      const auto mappings = std::make_shared<Mappings>();
      for (std::uint64_t at = va; at < va + bytes; at += 1 + random.below(4)) {
        mappings->push_back({at, random.bits64() >> 8U, 1 + random.below(va + bytes - at)});
        if (random.below(8) != 0) at += mappings->back().bytes;  // else they overlap
      }
      if (random.below(8) == 0) std::reverse(mappings->begin(), mappings->end());
      table.map(mappings);
      for (const Mapping& each : *mappings) {
        for (std::uint64_t i = 0; i < each.bytes; ++i) expected[each.va + i] = each.pa + i;
      }
    } else if (kind < 5) {
      const std::uint64_t pa = random.bits64() >> 8U;
      table.map(va, pa, bytes);
      for (std::uint64_t i = 0; i < bytes; ++i) expected[va + i] = pa + i;
    } else {
      std::uint64_t mapped = 0;
      for (std::uint64_t i = 0; i < bytes; ++i) {
        mapped += expected[va + i] ? 1U : 0U;
        expected[va + i].reset();
      }
      ASSERT_EQ(table.unmap(va, bytes), mapped);
    }
    for (std::uint64_t i = 0; i < kBytes; ++i) ASSERT_EQ(table.translate(i), expected[i]);
    // The parts of a range agree with its bytes, in order and without gaps.
    std::uint64_t next = va;
    for (const Translation& stretch : table.translate_range(va, bytes)) {
      ASSERT_EQ(stretch.va, next);
      ASSERT_GT(stretch.bytes, 0U);
      for (std::uint64_t i = 0; i < stretch.bytes; ++i, ++next) {
        ASSERT_EQ(stretch.pa.has_value(), expected[next].has_value());
        ASSERT_EQ(stretch.pa.value_or(0) + (stretch.pa ? i : 0), expected[next].value_or(0));
      }
    }
    ASSERT_EQ(next, va + bytes);
    const std::vector<Translation> stretches = table.translate_range(va, bytes);
    const bool whole = stretches.size() == 1;
    ASSERT_EQ(table.translate_whole(va, bytes),
              whole ? std::optional(stretches.front().pa.value_or(va)) : std::nullopt);
    check_stretch_at(table, va, stretches.front());
    wholes += whole ? 1 : 0;
  }
}

TEST(PageTable, KnowsTheWholeRegionOrHoleOfAnAddress) {
  PageTable table;
  EXPECT_EQ(table.stretch_at(5), (Translation{0, ~std::uint64_t{0}, std::nullopt}));
  table.map(0x1000, 0xa000, 0x100);
  table.map(0x1100, 0xc000, 0x100);
  table.map(0x2000, 0xb000, 0x100);
  EXPECT_EQ(table.stretch_at(0xfff), (Translation{0, 0x1000, std::nullopt}));
  EXPECT_EQ(table.stretch_at(0x1000), (Translation{0x1000, 0x100, 0xa000}));
  EXPECT_EQ(table.stretch_at(0x1180), (Translation{0x1100, 0x100, 0xc000}));
  EXPECT_EQ(table.stretch_at(0x1200), (Translation{0x1200, 0xe00, std::nullopt}));
  EXPECT_EQ(table.stretch_at(0x3000),
            (Translation{0x2100, ~std::uint64_t{0} - 0x2100, std::nullopt}));
}

TEST(PageTable, TablesShareAListOfMappings) {
  const auto mappings = std::make_shared<const Mappings>(
      Mappings{{0x1000, 0xa000, 0x100}, {0x1100, 0xc000, 0x100}, {0x1300, 0xb000, 0x100}});
  PageTable first;
  PageTable second;
  second.map(0x800, 0xd000, 0x100);  // another table, and yet the same list
  first.map(mappings);
  second.map(mappings);
  EXPECT_EQ(mappings.use_count(), 3);
  EXPECT_EQ(first.regions(), 3U);
  EXPECT_EQ(second.regions(), 4U);
  EXPECT_EQ(first.unmap(0x1080, 0x100), 0x100U);
  EXPECT_EQ(first.stretch_at(0x1010), (Translation{0x1000, 0x80, 0xa000}));
  EXPECT_EQ(first.stretch_at(0x1190), (Translation{0x1180, 0x80, 0xc080}));
  EXPECT_EQ(second.stretch_at(0x1010), (Translation{0x1000, 0x100, 0xa000}));
  EXPECT_EQ(second.stretch_at(0x1250), (Translation{0x1200, 0x100, std::nullopt}));
}

TEST(PageTable, KeepsWhatIsMappedInAHoleOfAList) {
  const auto mappings =
      std::make_shared<const Mappings>(Mappings{{0x1000, 0xa000, 0x100}, {0x1300, 0xb000, 0x100}});
  PageTable table;
  table.map(0x1180, 0xc000, 0x10);
  table.map(mappings);
  EXPECT_EQ(mappings.use_count(), 1) << "the list covers a region of the table";
  EXPECT_THAT(
      table.translate_range(0x1000, 0x200),
      ElementsAre(Translation{0x1000, 0x100, 0xa000}, Translation{0x1100, 0x80, std::nullopt},
                  Translation{0x1180, 0x10, 0xc000}, Translation{0x1190, 0x70, std::nullopt}));
  table.map(std::make_shared<const Mappings>());
  EXPECT_EQ(table.regions(), 3U);
}

TEST(PageTable, RefusesAListWithAnInvalidRangeWhole) {
  PageTable table;
  const auto map = [&table] {
    table.map(std::make_shared<const Mappings>(Mappings{{0x1000, 0xa000, 0x100}, {0x2000, 0, 0}}));
  };
  EXPECT_EQ(refusal(map), "0 bytes at virtual address 0x2000");
  EXPECT_EQ(table.regions(), 0U);
}

TEST(PageTable, HasAnotherVersionAfterEachChange) {
  PageTable table;
  const std::uint64_t empty = table.version();
  table.map(0x1000, 0xa000, 0x100);
  const std::uint64_t mapped = table.version();
  EXPECT_NE(mapped, empty);
  EXPECT_EQ(table.translate(0x1000), 0xa000U);
  EXPECT_EQ(table.version(), mapped) << "a lookup changes nothing";
  (void)table.unmap(0x1000, 0x100);
  EXPECT_NE(table.version(), mapped);
  EXPECT_NE(table.version(), empty) << "also when it is as it was";
}

TEST(PageTable, AgreesWithAnArrayOfBytesOnRandomSequences) {
  int wholes = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    compare_with_array(seed, wholes);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(wholes, 1000);
}

}  // namespace
}  // namespace kernbench::model::memory
