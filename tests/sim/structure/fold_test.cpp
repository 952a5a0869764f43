// SPDX-License-Identifier: Apache-2.0
// Operators of numbers in the elaborated design.
#include "sim/structure/fold.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace kernbench::sim::structure {
namespace {

constexpr std::uint64_t kMinus7 = 0xf9;  // in 8 bits
constexpr std::uint64_t kSmallest = std::uint64_t{1} << 63;

TEST(Fold, DividesWithAndWithoutASign) {
  EXPECT_EQ(fold("DIV", {{kMinus7, 8}, {2, 8}}), 124U);
  EXPECT_EQ(fold("MODDIV", {{kMinus7, 8}, {2, 8}}), 1U);
  EXPECT_EQ(fold("DIVS", {{kMinus7, 8}, {2, 8}}), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(fold("MODDIVS", {{kMinus7, 8}, {2, 8}}), static_cast<std::uint64_t>(-1));
  EXPECT_EQ(fold("DIVS", {{kSmallest, 64}, {~std::uint64_t{0}, 64}}), kSmallest);
  EXPECT_EQ(fold("MODDIVS", {{kSmallest, 64}, {~std::uint64_t{0}, 64}}), 0U);
}

TEST(Fold, LeavesADivisionByZeroUnknown) {
  for (const char* type : {"DIV", "MODDIV", "DIVS", "MODDIVS"}) {
    EXPECT_EQ(fold(type, {{7, 8}, {0, 8}}), std::nullopt) << type;
  }
}

TEST(Fold, ShiftsTheSignIn) {
  EXPECT_EQ(fold("SHIFTRS", {{kMinus7, 8}, {1, 3}}), static_cast<std::uint64_t>(-4));
  EXPECT_EQ(fold("SHIFTRS", {{kMinus7, 8}, {200, 8}}), static_cast<std::uint64_t>(-1));
  EXPECT_EQ(fold("SHIFTRS", {{7, 8}, {0, 1}}), 7U);
}

TEST(Fold, CountsBits) {
  EXPECT_EQ(fold("REDXOR", {{0b1011, 4}}), 1U);
  EXPECT_EQ(fold("COUNTONES", {{0b1011, 4}}), 3U);
  EXPECT_EQ(fold("ONEHOT", {{0, 4}}), 0U);
  EXPECT_EQ(fold("ONEHOT", {{8, 4}}), 1U);
  EXPECT_EQ(fold("ONEHOT0", {{0, 4}}), 1U);
  EXPECT_EQ(fold("ONEHOT0", {{3, 4}}), 0U);
  EXPECT_EQ(fold("CLOG2", {{0, 8}}), 0U);
  EXPECT_EQ(fold("CLOG2", {{1, 8}}), 0U);
  EXPECT_EQ(fold("CLOG2", {{9, 8}}), 4U);
  EXPECT_EQ(fold("NEGATE", {{7, 8}}), static_cast<std::uint64_t>(-7));
}

TEST(Fold, DoesNotKnowOtherOperators) {
  EXPECT_EQ(fold("RAND", {}), std::nullopt);
  EXPECT_EQ(fold("POWS", {{2, 8}, {3, 8}}), std::nullopt);
  EXPECT_EQ(fold("BUFIF1", {{1, 1}}), std::nullopt);
}

}  // namespace
}  // namespace kernbench::sim::structure
