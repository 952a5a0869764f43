// SPDX-License-Identifier: Apache-2.0
#include "model/memory/pe_allocator.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/model/memory/capacities.hpp"
#include "tests/model/memory/refusal.hpp"

namespace kernbench::model::memory {
namespace {

using topology::PhysAddr;

TEST(PeAllocator, GivesOutAddressesOfItsSliceAndItsTcm) {
  PeAllocator allocator({}, {1, 15, 3});
  EXPECT_EQ(allocator.allocate_hbm(4096), PhysAddr::hbm(1, 15, 3 * kSlice));
  EXPECT_EQ(allocator.allocate_hbm(100), PhysAddr::hbm(1, 15, 3 * kSlice + 4096));
  EXPECT_EQ(allocator.allocate_tcm(64), PhysAddr::pe_tcm(1, 15, 3, 0));
  EXPECT_EQ(allocator.allocate_tcm(64), PhysAddr::pe_tcm(1, 15, 3, 64));
}

TEST(PeAllocator, HasTheSizesOfTheSpec) {
  PeAllocator allocator({}, {0, 0, 7});
  EXPECT_EQ(allocator.hbm().capacity(), kSlice);
  EXPECT_EQ(allocator.tcm().capacity(), kTcm);
  EXPECT_EQ(allocator.allocate_hbm(kSlice), PhysAddr::hbm(0, 0, 7 * kSlice));
  EXPECT_EQ(allocator.allocate_tcm(kTcm), PhysAddr::pe_tcm(0, 0, 7, 0));
  EXPECT_THROW((void)allocator.allocate_hbm(1), OutOfMemory);
  EXPECT_THROW((void)allocator.allocate_tcm(1), OutOfMemory);
}

TEST(PeAllocator, ExhaustionNamesThePeAndTheMemory) {
  PeAllocator allocator({}, {0, 2, 5});
  try {
    (void)allocator.allocate_tcm(kTcm + 1);
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_STREQ(error.what(),
                 "the TCM of sip0.cube2.pe5 is out of memory: 4194305 bytes asked for, 4194304 "
                 "free, 4194304 in the largest free block");
  }
}

TEST(PeAllocator, TakesBackBothKindsToWhereTheyCameFrom) {
  PeAllocator allocator({}, {0, 0, 1});
  const PhysAddr hbm = allocator.allocate_hbm(1000);
  const PhysAddr tcm = allocator.allocate_tcm(1000);
  allocator.free(hbm, 1000);
  EXPECT_EQ(allocator.hbm().free_bytes(), kSlice);
  EXPECT_EQ(allocator.tcm().free_bytes(), kTcm - 1000);
  allocator.free(tcm, 1000);
  EXPECT_EQ(allocator.tcm().free_bytes(), kTcm);
}

TEST(PeAllocator, RefusesToFreeMemoryOfOthers) {
  PeAllocator allocator({}, {0, 0, 1});
  (void)allocator.allocate_hbm(8);
  (void)allocator.allocate_tcm(8);
  EXPECT_EQ(refusal([&] { allocator.free(PhysAddr::hbm(0, 0, 0), 8); }),
            "physical address 0x0000000000000000 freed, which is in neither the HBM slice nor the "
            "TCM of sip0.cube0.pe1");
  for (const PhysAddr& foreign :
       {PhysAddr::hbm(1, 0, kSlice), PhysAddr::hbm(0, 1, kSlice), PhysAddr::hbm(0, 0, 2 * kSlice),
        PhysAddr::pe_tcm(0, 0, 0, 0), PhysAddr::sram(0, 0, 0), PhysAddr::m_cpu(0, 0, 0)}) {
    EXPECT_NE(refusal([&] { allocator.free(foreign, 8); }), "accepted");
  }
  EXPECT_EQ(refusal([&] { allocator.free(PhysAddr::hbm(0, 0, kSlice), 9); }),
            "the HBM slice of sip0.cube0.pe1: 9 bytes freed at offset 0x0, where 8 are allocated");
}

TEST(PeAllocator, AnAbsentPeIsRefused) {
  EXPECT_EQ(refusal([] {
              const PeAllocator allocator({}, {2, 0, 0});
            }),
            "sip2.cube0.pe0 is not in a system of 2 SIPs of 16 cubes of 8 PEs");
  EXPECT_NE(refusal([] { const PeAllocator allocator({}, {0, 16, 0}); }), "accepted");
  EXPECT_NE(refusal([] { const PeAllocator allocator({}, {0, 0, 8}); }), "accepted");
}

}  // namespace
}  // namespace kernbench::model::memory
