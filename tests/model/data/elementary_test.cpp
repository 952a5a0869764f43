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

TEST(Elementary, ActivationsAreTheNearestFloatOrTheNext) {
  const auto phi = [](double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); };
  std::uint32_t wrong = 0;
  const auto check = [&](float found, double exact) {
    const auto expected = static_cast<float>(exact);
    wrong += found != expected ? 1 : 0;
    return floats_between(found, expected);
  };
  for (std::uint32_t bits = 1; bits < 0x7f800000U; bits += 9973) {
    const auto size = std::bit_cast<float>(bits);
    ASSERT_LE(check(portable_rsqrt(size), 1.0 / std::sqrt(static_cast<double>(size))), 0U) << size;
    for (const float x : {size, -size}) {
      const auto y = static_cast<double>(x);
      ASSERT_LE(check(portable_tanh(x), std::tanh(y)), 1U) << x;
      ASSERT_LE(check(portable_gelu(x), y * phi(y)), 1U) << x;
      ASSERT_LE(check(portable_silu(x), y / (1.0 + std::exp(-y))), 1U) << x;
    }
  }
  // Halves of odd subnormals, which are ties; others are rare.
  EXPECT_LE(wrong, 2000U);
}

TEST(Elementary, ActivationsHaveTheseBits) {
  EXPECT_EQ(portable_rsqrt(2.0F), 0x1.6a09e6p-1F);
  EXPECT_EQ(portable_tanh(0.1F), 0x1.983d78p-4F);
  EXPECT_EQ(portable_tanh(1.0F), 0x1.85efacp-1F);
  EXPECT_EQ(portable_gelu(1.0F), 0x1.aec4bep-1F);
  EXPECT_EQ(portable_gelu(-1.0F), -0x1.44ed0cp-3F);
  EXPECT_EQ(portable_gelu(-10.0F), -0x1.707936p-74F);
  EXPECT_EQ(portable_silu(1.0F), 0x1.764d5p-1F);
  EXPECT_EQ(portable_silu(-10.0F), -0x1.dc07fap-12F);
}

TEST(Elementary, ActivationsEndWhereFloatsEnd) {
  const auto is_negative_zero = [](float x) { return x == 0.0F && std::signbit(x); };
  EXPECT_EQ(portable_rsqrt(0.0F), kInfinite);
  EXPECT_EQ(portable_rsqrt(kInfinite), 0.0F);
  EXPECT_TRUE(std::isnan(portable_rsqrt(-1.0F)));
  EXPECT_EQ(portable_tanh(kInfinite), 1.0F);
  EXPECT_EQ(portable_tanh(-kInfinite), -1.0F);
  EXPECT_TRUE(is_negative_zero(portable_tanh(-0.0F)));
  for (const auto f : {portable_gelu, portable_silu}) {
    EXPECT_EQ(f(kInfinite), kInfinite);
    EXPECT_TRUE(is_negative_zero(f(-kInfinite)));
    EXPECT_TRUE(is_negative_zero(f(-1e30F)));
    EXPECT_TRUE(is_negative_zero(f(-0.0F)));
  }
  for (const auto f : {portable_rsqrt, portable_tanh, portable_gelu, portable_silu}) {
    EXPECT_TRUE(std::isnan(f(kNotANumber)));
  }
}

}  // namespace
}  // namespace kernbench::model::data
