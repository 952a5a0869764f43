// SPDX-License-Identifier: Apache-2.0
// Slices and offsets of the HBM of a cube in both mapping modes.
#include "topology/routing/hbm_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/random.hpp"
#include "topology/spec/cube_spec.hpp"

namespace kernbench::topology {
namespace {

using ::testing::ElementsAre;

MemoryMapSpec striped(HbmInterleave interleave = HbmInterleave::Modulo) {
  MemoryMapSpec memory;
  memory.hbm_mapping_mode = HbmMappingMode::PerCube;
  memory.hbm_interleave = interleave;
  return memory;
}

TEST(HbmMap, PerPeHasOneSliceAfterAnother) {
  const MemoryMapSpec memory;
  const std::uint64_t slice = memory.hbm_slice_bytes();
  EXPECT_EQ(hbm_slice_of(memory, 2 * slice - 1), 1U);
  EXPECT_THAT(
      hbm_slices_of(memory, 2 * slice - 100, slice + 300),
      ElementsAre(SliceBytes{1, slice - 100, 100}, SliceBytes{2, 0, slice}, SliceBytes{3, 0, 200}));
}

TEST(HbmMap, PerCubeGoesRoundTheSlicesInStripes) {
  const MemoryMapSpec memory = striped();
  EXPECT_THAT(hbm_slices_of(memory, 300, 600),
              ElementsAre(SliceBytes{1, 44, 212}, SliceBytes{2, 0, 256}, SliceBytes{3, 0, 132}));
  // From stripe 7 to the begin of stripe 17, in three rows of eight.
  EXPECT_THAT(hbm_slices_of(memory, 7 * 256, 10 * 256),
              ElementsAre(SliceBytes{7, 0, 512}, SliceBytes{0, 256, 512}, SliceBytes{1, 256, 256},
                          SliceBytes{2, 256, 256}, SliceBytes{3, 256, 256}, SliceBytes{4, 256, 256},
                          SliceBytes{5, 256, 256}, SliceBytes{6, 256, 256}));
}

TEST(HbmMap, SlicesOfAStripedCubeHoldWholeStripes) {
  MemoryMapSpec memory = striped();
  memory.hbm_total_gb = 1;
  memory.slices_per_cube = 6;
  EXPECT_EQ(memory.hbm_slice_bytes(), (1U << 30U) / 6 / 256 * 256);
  memory.hbm_mapping_mode = HbmMappingMode::PerPe;
  EXPECT_EQ(memory.hbm_slice_bytes(), (1U << 30U) / 6);
}

/// The slow way: byte by byte.
std::map<std::uint32_t, std::set<std::uint64_t>> bytes_of(const MemoryMapSpec& memory,
                                                          std::uint64_t offset,
                                                          std::uint64_t bytes) {
  std::map<std::uint32_t, std::set<std::uint64_t>> all;
  for (std::uint64_t at = offset; at < offset + bytes; ++at) {
    const std::uint64_t stripe = at / memory.hbm_stripe_bytes;
    all[hbm_slice_of(memory, at)].insert(stripe / memory.slices_per_cube * memory.hbm_stripe_bytes +
                                         at % memory.hbm_stripe_bytes);
  }
  return all;
}

TEST(HbmMap, AgreesWithItsBytesOnRandomRanges) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    auto random = common::Rng::stream(seed, "hbm map");
    MemoryMapSpec memory =
        striped(random.below(2) == 0 ? HbmInterleave::Hash : HbmInterleave::Modulo);
    memory.slices_per_cube = 1 + static_cast<std::uint32_t>(random.below(12));
    memory.hbm_stripe_bytes = 1 + static_cast<std::uint32_t>(random.below(9));
    const std::uint64_t offset = random.below(1000);
    const std::uint64_t bytes = 1 + random.below(500);
    std::map<std::uint32_t, std::set<std::uint64_t>> found;
    std::uint64_t sum = 0;
    for (const SliceBytes& part : hbm_slices_of(memory, offset, bytes)) {
      ASSERT_FALSE(found.contains(part.slice)) << "seed " << seed << ": a slice twice";
      for (std::uint64_t i = 0; i < part.bytes; ++i) found[part.slice].insert(part.offset + i);
      sum += part.bytes;
    }
    ASSERT_EQ(sum, bytes) << "seed " << seed;
    ASSERT_EQ(found, bytes_of(memory, offset, bytes)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace kernbench::topology
