// SPDX-License-Identifier: Apache-2.0
#include "model/data/convert.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

TEST(Convert, EveryHalfBecomesItsFloatAndComesBack) {
  for (std::uint32_t bits = 0; bits <= 0xffffU; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float expected = static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(half));
    const float found = half_to_float(half);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found)) << bits;
      EXPECT_EQ(float_to_half(found), 0x7e00U) << bits;
      continue;
    }
    EXPECT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(expected)) << bits;
    EXPECT_EQ(float_to_half(found), half);
  }
}

TEST(Convert, FloatsBecomeTheNearestHalfAndTiesAreEven) {
  // Values just below, at and just above the middle of two neighbours.
  for (std::uint32_t bits = 0; bits < 0x7bffU; ++bits) {
    const float low = half_to_float(static_cast<std::uint16_t>(bits));
    const float high = half_to_float(static_cast<std::uint16_t>(bits + 1));
    const float middle = (low + high) / 2.0F;  // exact
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0F)), bits);
    ASSERT_EQ(float_to_half(middle), bits + (bits & 1U));
    ASSERT_EQ(float_to_half(std::nextafter(middle, kInfinite)), bits + 1);
    ASSERT_EQ(float_to_half(-middle), 0x8000U + bits + (bits & 1U));
  }
  EXPECT_EQ(float_to_half(65519.996F), 0x7bffU);
  EXPECT_EQ(float_to_half(65520.0F), 0x7c00U);
  EXPECT_EQ(float_to_half(-1e30F), 0xfc00U);
  EXPECT_EQ(float_to_half(-kInfinite), 0xfc00U);
}

TEST(Convert, FloatsBecomeTheNearestBfloatAndTiesAreEven) {
  for (std::uint32_t bits = 0; bits < 0x7f80U; ++bits) {
    const std::uint32_t low = bits << 16U;
    ASSERT_EQ(float_to_bfloat(std::bit_cast<float>(low + 0x7fffU)), bits);
    ASSERT_EQ(float_to_bfloat(std::bit_cast<float>(low + 0x8000U)), bits + (bits & 1U));
    ASSERT_EQ(float_to_bfloat(std::bit_cast<float>(low + 0x8001U)), bits + 1);
    ASSERT_EQ(bfloat_to_float(static_cast<std::uint16_t>(bits)), std::bit_cast<float>(low));
  }
  EXPECT_EQ(float_to_bfloat(std::numeric_limits<float>::max()), 0x7f80U);
}

TEST(Convert, ThereIsOneNan) {
  for (const std::uint32_t bits : {0x7f800001U, 0x7fc00000U, 0xffc00000U, 0xffffffffU}) {
    const auto nan = std::bit_cast<float>(bits);
    EXPECT_EQ(float_to_half(nan), 0x7e00U);
    EXPECT_EQ(float_to_bfloat(nan), 0x7fc0U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(with_one_nan(nan)), 0x7fc00000U);
  }
  EXPECT_EQ(std::bit_cast<std::uint32_t>(with_one_nan(-kInfinite)), 0xff800000U);
}

TEST(Convert, FloatsBecomeIntegersTowardsZeroAndNoLargerThanTheLargest) {
  const std::vector<float> values = {0.9F,   -0.9F, 127.9F,    128.0F,     -128.9F,    -129.0F,
                                     300.0F, -1e9F, kInfinite, -kInfinite, kNotANumber};
  const MatrixI narrow = row_of(DataType::I8, values).to_integers();
  const std::vector<std::int32_t> expected = {0, 0, 127, 127, -128, -128, 127, -128, 127, -128, 0};
  EXPECT_EQ(std::vector<std::int32_t>(narrow.data(), narrow.data() + narrow.size()), expected);

  const MatrixI wide =
      row_of(DataType::I32, {2147483520.0F, 2147483648.0F, -2147483648.0F, -3e9F, kNotANumber})
          .to_integers();
  const std::vector<std::int32_t> wide_expected = {2147483520, 2147483647, -2147483647 - 1,
                                                   -2147483647 - 1, 0};
  EXPECT_EQ(std::vector<std::int32_t>(wide.data(), wide.data() + wide.size()), wide_expected);
}

TEST(Convert, IntegersBecomeNarrowerModuloAndFloatsByRoundingOnce) {
  EXPECT_EQ(integers_of(DataType::I8, {127, 128, -129, 511}),
            integers_of(DataType::I8, {127, -128, 127, -1}));
  EXPECT_EQ(floats_of(integers_of(DataType::F32, {16777217, -16777219, 2147483647})),
            (std::vector<float>{16777216.0F, -16777220.0F, 2147483648.0F}));
  // Above the middle of two bf16 by less than the precision of f32.
  constexpr std::int32_t kMiddle = (1 << 30) + (1 << 22);
  EXPECT_EQ(floats_of(integers_of(DataType::BF16, {kMiddle, kMiddle + 1, -kMiddle - 1, 257})),
            (std::vector<float>{0x1p30F, 0x1.02p30F, -0x1.02p30F, 256.0F}));
  EXPECT_EQ(floats_of(integers_of(DataType::F16, {2049, 2051, 65519, 65520})),
            (std::vector<float>{2048.0F, 2052.0F, 65504.0F, kInfinite}));
  EXPECT_EQ(data_refusal<std::invalid_argument>(
                [] { (void)row_of(DataType::F16, {1.0F}).to_integers(); }),
            "f16 is not an integer type");
}

}  // namespace
}  // namespace kernbench::model::data
