// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/phys_addr.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kernbench::topology {
namespace {

std::string decoding_refusal(std::uint64_t bits) {
  try {
    (void)decode_phys_addr(bits);
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PhysAddr, PutsEveryFieldWhereTheLayoutSays) {
  EXPECT_EQ(encode(PhysAddr::hbm(0x12, 0x34, 0xABCDEF012)), 0x00'12'34'0'ABCDEF012U);
  // The second 64 GiB begin kind 9, the eighth are kind 15.
  EXPECT_EQ(encode(PhysAddr::hbm(0x12, 0x34, 0x1'0000'0000'0U)), 0x00'12'34'9'000000000U);
  EXPECT_EQ(encode(PhysAddr::hbm(0x12, 0x34, 0x7'FFFF'FFFF'FU)), 0x00'12'34'F'FFFFFFFFFU);
  EXPECT_EQ(encode(PhysAddr::pe_tcm(0x12, 0x34, 0x56, 0x789ABC)), 0x00'12'34'1'0'56'789ABCU);
  EXPECT_EQ(encode(PhysAddr::sram(1, 2, 3)), 0x00'01'02'1'1'00'000003U);
  EXPECT_EQ(encode(PhysAddr::m_cpu(255, 255, 0xFFFFFF)), 0x00'FF'FF'1'2'00'FFFFFFU);
}

TEST(PhysAddr, DecodesToWhatWasEncoded) {
  for (const PhysAddr& address :
       {PhysAddr::hbm(255, 255, (1ULL << 36U) - 1), PhysAddr::hbm(1, 2, 1ULL << 36U),
        PhysAddr::hbm(255, 255, (1ULL << 39U) - 1), PhysAddr::hbm(0, 0, 0),
        PhysAddr::pe_tcm(3, 200, 255, 0xFFFFFF), PhysAddr::sram(9, 8, 7),
        PhysAddr::m_cpu(1, 2, 0)}) {
    EXPECT_EQ(decode_phys_addr(encode(address)), address);
  }
}

TEST(PhysAddr, EveryReservedPatternIsRefusedByName) {
  EXPECT_EQ(decoding_refusal(0x0100'0000'0000'0000U),
            "physical address 0x0100000000000000: bits 63..56 must be 0");
  for (std::uint64_t kind = 2; kind <= 8; ++kind) {
    EXPECT_EQ(
        decoding_refusal(kind << 36U),
        fmt::format("physical address {:#018x}: kind {} (bits 39..36) is reserved; 0 and 9 to "
                    "15 are HBM, 1 is a PE resource",
                    kind << 36U, kind));
  }
  for (std::uint64_t unit = 3; unit < 16; ++unit) {
    EXPECT_NE(decoding_refusal(1ULL << 36U | unit << 32U)
                  .find("(bits 35..32) is reserved; 0 is PE, 1 SRAM, 2 M_CPU"),
              std::string::npos);
  }
  EXPECT_EQ(decoding_refusal(0x0000'0011'0100'0000U),
            "physical address 0x0000001101000000: bits 31..24 must be 0 unless the unit is a PE");
}

TEST(PhysAddr, FieldsThatDoNotFitAreRefused) {
  EXPECT_THROW((void)encode(PhysAddr::hbm(0, 0, 1ULL << 39U)), RoutingError);
  EXPECT_THROW((void)encode(PhysAddr::sram(0, 0, 1U << 24U)), RoutingError);
  PhysAddr sram = PhysAddr::sram(0, 0, 0);
  sram.pe = 1;
  EXPECT_THROW((void)encode(sram), RoutingError);
}

}  // namespace
}  // namespace kernbench::topology
