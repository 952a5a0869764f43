// SPDX-License-Identifier: Apache-2.0
#include "model/data/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

/// Returns the distance of two floats of the same sign, in representable values.
std::uint32_t floats_between(float a, float b) {
  const auto x = std::bit_cast<std::uint32_t>(a);
  const auto y = std::bit_cast<std::uint32_t>(b);
  return x > y ? x - y : y - x;
}

TEST(Elementary, ExpAndLogAreTheNearestFloatOrTheNext) {
  std::uint32_t wrong = 0;
  for (std::uint32_t bits = 1; bits < 0x7f800000U; bits += 9973) {
    const auto x = std::bit_cast<float>(bits);
    for (const float y : {x, -x}) {
      const auto expected = static_cast<float>(std::exp(static_cast<double>(y)));
      ASSERT_LE(floats_between(portable_exp(y), expected), 1U) << y;
      wrong += portable_exp(y) != expected ? 1 : 0;
    }
    const auto expected = static_cast<float>(std::log(static_cast<double>(x)));
    ASSERT_LE(floats_between(portable_log(x), expected), 1U) << x;
    wrong += portable_log(x) != expected ? 1 : 0;
  }
  EXPECT_LE(wrong, 10U);  // of 640,000
}

TEST(Elementary, ExpAndLogEndWhereFloatsEnd) {
  EXPECT_EQ(portable_exp(0.0F), 1.0F);
  EXPECT_EQ(portable_exp(-kInfinite), 0.0F);
  EXPECT_EQ(portable_exp(kInfinite), kInfinite);
  EXPECT_EQ(portable_exp(88.8F), kInfinite);
  EXPECT_EQ(portable_exp(-103.0F), 0x1p-149F);
  EXPECT_EQ(portable_exp(-104.0F), 0.0F);
  EXPECT_TRUE(std::isnan(portable_exp(std::nanf(""))));
  EXPECT_EQ(portable_log(1.0F), 0.0F);
  EXPECT_EQ(portable_log(0.0F), -kInfinite);
  EXPECT_EQ(portable_log(-0.0F), -kInfinite);
  EXPECT_EQ(portable_log(kInfinite), kInfinite);
  EXPECT_TRUE(std::isnan(portable_log(-1.0F)));
  EXPECT_TRUE(std::isnan(portable_log(-kInfinite)));
  EXPECT_TRUE(std::isnan(portable_log(std::nanf(""))));
}

}  // namespace
}  // namespace kernbench::model::data
