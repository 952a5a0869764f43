// SPDX-License-Identifier: Apache-2.0
// Accesses through the MMU and the PA fallback, on the default system.
#include "model/memory/resolve_access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/random.hpp"
#include "tests/model/memory/capacities.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::memory {
namespace {

using ::testing::ElementsAre;
using topology::encode;
using topology::PhysAddr;

constexpr std::uint64_t kTiB = 1ULL << 40U;
constexpr std::uint64_t kVa = 1ULL << 56U;

class ResolveAccessTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<AccessPiece> resolve(std::uint64_t address, std::uint64_t bytes) const {
    return resolve_access(mmu_, address, bytes, resolver_, graph_.spec().cube.memory_map);
  }
  [[nodiscard]] std::string refusal(std::uint64_t address, std::uint64_t bytes) const {
    try {
      (void)resolve(address, bytes);
    } catch (const AccessError& error) {
      return error.what();
    }
    return "accepted";
  }
  [[nodiscard]] topology::NodeId node(std::string_view name) const { return resolver_.node(name); }

  topology::TopologyGraph graph_ = topology::compile_topology({});
  topology::AddressResolver resolver_{graph_};
  PageTable mmu_;
};

TEST_F(ResolveAccessTest, AMappedAddressIsWhereItIsMappedTo) {
  const std::uint64_t pa = encode(PhysAddr::hbm(1, 3, 2 * kSlice + 0x100));
  mmu_.map(kVa, pa, 0x1000);
  EXPECT_THAT(resolve(kVa + 0x10, 0x20),
              ElementsAre(AccessPiece{node("sip1.cube3.hbm_ctrl.pe2"), 0x110, 0x20}));
}

TEST_F(ResolveAccessTest, AnAddressWithoutAMappingIsPhysical) {
  const std::uint64_t tcm = encode(PhysAddr::pe_tcm(0, 1, 2, 0x40));
  EXPECT_THAT(resolve(tcm, 64), ElementsAre(AccessPiece{node("sip0.cube1.pe2.pe_tcm"), 0x40, 64}));
  const std::uint64_t sram = encode(PhysAddr::sram(0, 1, 8));
  EXPECT_THAT(resolve(sram, 1), ElementsAre(AccessPiece{node("sip0.cube1.sram"), 8, 1}));
  const std::uint64_t m_cpu = encode(PhysAddr::m_cpu(1, 15, 0));
  EXPECT_THAT(resolve(m_cpu, 1), ElementsAre(AccessPiece{node("sip1.cube15.m_cpu"), 0, 1}));
  EXPECT_THAT(resolve(0, 1), ElementsAre(AccessPiece{node("sip0.cube0.hbm_ctrl.pe0"), 0, 1}));
}

TEST_F(ResolveAccessTest, AMappingHidesThePhysicalAddressOfTheSameBits) {
  const std::uint64_t pa = encode(PhysAddr::hbm(1, 0, 0));
  mmu_.map(0x1000, pa, 0x1000);
  EXPECT_THAT(resolve(0x1000, 1), ElementsAre(AccessPiece{node("sip1.cube0.hbm_ctrl.pe0"), 0, 1}));
}

TEST_F(ResolveAccessTest, AnAddressThatDecodesToNothingIsRefused) {
  EXPECT_EQ(refusal(kVa, 16),
            "access of 16 bytes at 0x100000000000000: physical address 0x0100000000000000: bits "
            "63..56 must be 0");
  EXPECT_EQ(refusal(2ULL << 36U, 16),
            "access of 16 bytes at 0x2000000000: physical address 0x0000002000000000: kind 2 (bits "
            "39..36) is reserved; 0 and 9 to 15 are HBM, 1 is a PE resource");
}

TEST_F(ResolveAccessTest, ANodeThatTheTopologyLacksIsNamed) {
  EXPECT_EQ(refusal(encode(PhysAddr::hbm(2, 0, 0)), 16),
            "access of 16 bytes at 0x2000000000000: node sip2.cube0.hbm_ctrl.pe0 not found in "
            "topology");
  EXPECT_EQ(refusal(encode(PhysAddr::pe_tcm(0, 0, 8, 0)), 16),
            "access of 16 bytes at 0x1008000000: node sip0.cube0.pe8.pe_tcm not found in topology");
  mmu_.map(kVa, encode(PhysAddr::sram(0, 16, 0)), 0x1000);
  EXPECT_EQ(refusal(kVa, 16),
            "access of 16 bytes at 0x100000000000000: node sip0.cube16.sram not found in topology")
      << "of a mapped address too";
}

TEST_F(ResolveAccessTest, SplitsAtSliceBoundaries) {
  const std::uint64_t pa = encode(PhysAddr::hbm(0, 0, kSlice - 100));
  EXPECT_THAT(resolve(pa, 300),
              ElementsAre(AccessPiece{node("sip0.cube0.hbm_ctrl.pe0"), kSlice - 100, 100},
                          AccessPiece{node("sip0.cube0.hbm_ctrl.pe1"), 0, 200}));
  EXPECT_EQ(resolve(pa, 100).size(), 1U) << "up to the boundary";
  EXPECT_EQ(resolve(0, 8 * kSlice).size(), 8U) << "a whole cube";
  mmu_.map(kVa, pa, 300);
  EXPECT_EQ(resolve(kVa, 300), resolve(pa, 300));
}

TEST_F(ResolveAccessTest, WhatDoesNotFitIntoItsMemoryIsRefused) {
  EXPECT_EQ(refusal(encode(PhysAddr::hbm(0, 0, 8 * kSlice - 1)), 1), "accepted");
  EXPECT_EQ(refusal(encode(PhysAddr::hbm(0, 0, 8 * kSlice - 1)), 2),
            "access of 2 bytes at 0xbffffffff: 2 bytes at offset 0xbffffffff do not fit into the "
            "0xc00000000 bytes of the HBM of sip0.cube0");
  EXPECT_EQ(refusal(encode(PhysAddr::hbm(0, 0, 8 * kSlice)), 1),
            "access of 1 bytes at 0xc00000000: 1 bytes at offset 0xc00000000 do not fit into the "
            "0xc00000000 bytes of the HBM of sip0.cube0");
  EXPECT_EQ(refusal(0, kTiB),
            "access of 1099511627776 bytes at 0x0: 1099511627776 bytes at offset 0x0 do not fit "
            "into the 0xc00000000 bytes of the HBM of sip0.cube0");
  const std::uint64_t tcm = encode(PhysAddr::pe_tcm(1, 2, 3, 0));
  EXPECT_EQ(refusal(tcm, kTcm), "accepted");
  EXPECT_EQ(
      refusal(tcm + kTcm - 8, 16),
      "access of 16 bytes at 0x10210033ffff8: 16 bytes at offset 0x3ffff8 do not fit into the "
      "0x400000 bytes of the TCM of sip1.cube2.pe3");
  EXPECT_NE(refusal(encode(PhysAddr::sram(0, 0, 0)), (16ULL << 20U) + 1), "accepted");
  EXPECT_NE(refusal(encode(PhysAddr::m_cpu(0, 0, 0)), (16ULL << 20U) + 1), "accepted");
}

TEST_F(ResolveAccessTest, NothingAndWrappingRangesAreRefused) {
  EXPECT_EQ(refusal(0x10, 0), "access of 0 bytes at 0x10: there is nothing to access");
  EXPECT_EQ(refusal(0x10, ~std::uint64_t{0}),
            "access of 18446744073709551615 bytes at 0x10: it does not end below 2^64");
}

TEST_F(ResolveAccessTest, ARangeThatIsMappedInPartIsRefused) {
  mmu_.map(0x1000, encode(PhysAddr::hbm(0, 1, 0)), 0x1000);
  EXPECT_EQ(refusal(0x1ff0, 0x20),
            "access of 32 bytes at 0x1ff0: only a part of it is mapped, nothing at 0x2000");
  EXPECT_EQ(refusal(0xff0, 0x20),
            "access of 32 bytes at 0xff0: only a part of it is mapped, nothing at 0xff0");
}

TEST_F(ResolveAccessTest, NeighboursInOneMemoryAreOnePieceHoweverTheyWereMapped) {
  const std::uint64_t pa = encode(PhysAddr::hbm(0, 0, 0));
  const std::uint64_t other = encode(PhysAddr::hbm(0, 5, 0));
  mmu_.map(kVa, pa, 0x100);
  mmu_.map(kVa + 0x100, pa + 0x100, 0x100);
  mmu_.map(kVa + 0x200, other, 0x100);
  mmu_.map(kVa + 0x300, pa + 0x200, 0x100);
  EXPECT_THAT(resolve(kVa, 0x400),
              ElementsAre(AccessPiece{node("sip0.cube0.hbm_ctrl.pe0"), 0, 0x200},
                          AccessPiece{node("sip0.cube5.hbm_ctrl.pe0"), 0, 0x100},
                          AccessPiece{node("sip0.cube0.hbm_ctrl.pe0"), 0x200, 0x100}));
}

TEST(ResolveAccess, FullTcmsOfTwoPesAreNeighboursInBitsOnly) {
  topology::TopologySpec spec;
  spec.cube.memory_map.tcm_mb = 16;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  const topology::AddressResolver resolver(graph);
  const std::uint64_t last = encode(PhysAddr::pe_tcm(0, 0, 0, 0xfff000));
  PageTable mmu;
  mmu.map(kVa, last, 0x1000);
  mmu.map(kVa + 0x1000, last + 0x1000, 0x1000);
  EXPECT_THAT(resolve_access(mmu, kVa, 0x2000, resolver, spec.cube.memory_map),
              ElementsAre(AccessPiece{resolver.node("sip0.cube0.pe0.pe_tcm"), 0xfff000, 0x1000},
                          AccessPiece{resolver.node("sip0.cube0.pe1.pe_tcm"), 0, 0x1000}));
  EXPECT_THROW((void)resolve_access({}, last, 0x2000, resolver, spec.cube.memory_map), AccessError);
}

TEST(ResolveAccess, PassesThe64thGibibyteOfACube) {
  topology::TopologySpec spec;
  spec.cube.memory_map.hbm_total_gb = 96;  // 12 GiB a slice: the sixth has it inside
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  const topology::AddressResolver resolver(graph);
  const std::uint64_t pa = encode(PhysAddr::hbm(0, 1, 60ULL << 30U));
  EXPECT_THAT(resolve_physical(pa, (12ULL << 30U) + 100, resolver, spec.cube.memory_map),
              ElementsAre(AccessPiece{resolver.node("sip0.cube1.hbm_ctrl.pe5"), 0, 12ULL << 30U},
                          AccessPiece{resolver.node("sip0.cube1.hbm_ctrl.pe6"), 0, 100}));
}

TEST(ResolveAccess, HasAPieceOfEachSliceOfAStripedCube) {
  topology::TopologySpec spec;
  spec.cube.memory_map.hbm_mapping_mode = topology::HbmMappingMode::PerCube;
  spec.cube.memory_map.hbm_interleave = topology::HbmInterleave::Modulo;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  const topology::AddressResolver resolver(graph);
  const topology::MemoryMapSpec& memories = spec.cube.memory_map;
  const auto slice = [&](int pe) {
    return resolver.node("sip1.cube3.hbm_ctrl.pe" + std::to_string(pe));
  };
  const std::uint64_t pa = encode(PhysAddr::hbm(1, 3, 2048 + 6 * 256 + 100));
  EXPECT_THAT(resolve_physical(pa, 400, resolver, memories),
              ElementsAre(AccessPiece{slice(6), 256 + 100, 156}, AccessPiece{slice(7), 256, 244}));
  EXPECT_EQ(resolve_physical(pa, 1U << 30U, resolver, memories).size(), 8U);
  // In physical addresses it is one stretch, up to the end of the cube's HBM.
  EXPECT_THAT(resolve_stretches({}, pa, 1U << 30U, resolver, memories),
              ElementsAre(AccessStretch{slice(6), pa, 2048 + 6 * 256 + 100, 1U << 30U,
                                        8 * kSlice - (2048 + 6 * 256 + 100)}));
}

/// Maps slices of the cube's HBM at random: pieces agree with the resolution of single bytes.
TEST_F(ResolveAccessTest, PiecesAgreeWithTheirBytesOnRandomMappings) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    auto random = common::Rng::stream(seed, "resolve-access");
    mmu_ = PageTable();
    constexpr std::uint64_t kRange = 64;
    for (std::uint64_t va = 0; va < kRange;) {
      const std::uint64_t bytes = 1 + random.below(kRange - va);
      const std::uint64_t near_boundary = (1 + random.below(7)) * kSlice - random.below(kRange);
      const auto cube = static_cast<std::uint8_t>(random.below(16));
      mmu_.map(kVa + va, encode(PhysAddr::hbm(0, cube, near_boundary)), bytes);
      va += bytes;
    }
    const std::uint64_t begin = random.below(kRange);
    const std::uint64_t bytes = 1 + random.below(kRange - begin);
    std::uint64_t va = kVa + begin;
    for (const AccessStretch& stretch :
         resolve_stretches(mmu_, va, bytes, resolver_, graph_.spec().cube.memory_map)) {
      for (std::uint64_t i = 0; i < stretch.bytes; ++i) {
        ASSERT_EQ(mmu_.translate(va + i), stretch.pa + i) << "seed " << seed;
      }
      ASSERT_EQ(stretch.offset + stretch.room, kSlice) << "seed " << seed;
      va += stretch.bytes;
    }
    ASSERT_EQ(va, kVa + begin + bytes) << "seed " << seed;
    va = kVa + begin;
    for (const AccessPiece& piece : resolve(va, bytes)) {
      for (std::uint64_t i = 0; i < piece.bytes; ++i, ++va) {
        const AccessPiece byte{piece.node, piece.offset + i, 1};
        ASSERT_EQ(resolve(va, 1), std::vector<AccessPiece>{byte}) << "seed " << seed;
      }
    }
    ASSERT_EQ(va, kVa + begin + bytes) << "seed " << seed;
  }
}

}  // namespace
}  // namespace kernbench::model::memory
