// SPDX-License-Identifier: Apache-2.0
// The types f8e4m3, f8e5m2 and i4: every pattern, every halfway case, saturation, NaN, and products
// against plain sums.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/data/compute.hpp"
#include "model/data/convert.hpp"
#include "model/data/memory_store.hpp"
#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

/// An f8 by its definition: sign, `exponent` bits, `mantissa` bits.
struct F8 {
  DataType type;
  unsigned mantissa;
  int bias;
  bool has_infinity;  ///< and so no number has the largest exponent
  std::uint32_t largest;
  std::uint32_t nan;  ///< the pattern of a converted NaN

  /// Returns the value of a pattern in double, from its fields.
  [[nodiscard]] double value(std::uint32_t bits) const {
    const double sign = (bits & 0x80U) != 0 ? -1.0 : 1.0;
    const std::uint32_t magnitude = bits & 0x7fU;
    const std::uint32_t fraction = magnitude & ((1U << mantissa) - 1U);
    const auto exponent = static_cast<int>(magnitude >> mantissa);
    if (magnitude > largest) {
      const bool infinite = has_infinity && fraction == 0;
      return infinite ? sign * HUGE_VAL : std::nan("");
    }
    const int shift = 1 - bias - static_cast<int>(mantissa);
    if (exponent == 0) return sign * std::ldexp(fraction, shift);
    return sign * std::ldexp(fraction + (1U << mantissa), exponent - 1 + shift);
  }
  [[nodiscard]] std::uint32_t encoded(float number) const {
    return std::to_integer<std::uint32_t>(row_of(type, {number}).bytes().at(0));
  }
  [[nodiscard]] float decoded(std::uint32_t bits) const {
    return floats_of(Array(type, 1, 1, std::make_shared<Bytes>(1, static_cast<std::byte>(bits))))
        .at(0);
  }
};

constexpr F8 kF8[] = {{DataType::F8E4M3, 3, 7, false, 0x7eU, 0x7fU},
                      {DataType::F8E5M2, 2, 15, true, 0x7bU, 0x7eU}};

TEST(F8, EveryPatternHasItsValueAndComesBack) {
  for (const F8& f8 : kF8) {
    for (std::uint32_t bits = 0; bits < 256; ++bits) {
      SCOPED_TRACE(fmt::format("{} {:#x}", name_of(f8.type), bits));
      const double expected = f8.value(bits);
      const float found = f8.decoded(bits);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(found));
        EXPECT_EQ(f8.encoded(found), f8.nan);
        continue;
      }
      EXPECT_EQ(static_cast<double>(found), expected);
      EXPECT_EQ(std::signbit(found), (bits & 0x80U) != 0);
      const bool infinite = (bits & 0x7fU) > f8.largest;
      EXPECT_EQ(f8.encoded(found), infinite ? (bits & 0x80U) | f8.largest : bits);
    }
  }
  EXPECT_EQ(kF8[0].value(0x7e), 448.0);
  EXPECT_EQ(kF8[1].value(0x7b), 57344.0);
}

TEST(F8, FloatsBecomeTheNearestAndTiesAreEven) {
  for (const F8& f8 : kF8) {
    for (std::uint32_t bits = 0; bits < f8.largest; ++bits) {
      SCOPED_TRACE(fmt::format("{} {:#x}", name_of(f8.type), bits));
      const auto middle = static_cast<float>((f8.value(bits) + f8.value(bits + 1)) / 2.0);  // exact
      ASSERT_EQ(f8.encoded(std::nextafter(middle, 0.0F)), bits);
      ASSERT_EQ(f8.encoded(middle), bits + (bits & 1U));
      ASSERT_EQ(f8.encoded(std::nextafter(middle, kInfinite)), bits + 1);
      ASSERT_EQ(f8.encoded(-std::nextafter(middle, 0.0F)), 0x80U | bits);
      ASSERT_EQ(f8.encoded(-middle), 0x80U | (bits + (bits & 1U)));
      ASSERT_EQ(f8.encoded(-std::nextafter(middle, kInfinite)), 0x80U | (bits + 1));
    }
  }
}

TEST(F8, SaturatesAndHasOneNan) {
  for (const F8& f8 : kF8) {
    const auto largest = static_cast<float>(f8.value(f8.largest));
    for (const float value : {largest, std::nextafter(largest, kInfinite), 1.0625F * largest,
                              2.0F * largest, std::numeric_limits<float>::max(), kInfinite}) {
      EXPECT_EQ(f8.encoded(value), f8.largest) << value;
      EXPECT_EQ(f8.encoded(-value), 0x80U | f8.largest) << value;
    }
    for (const std::uint32_t bits : {0x7f800001U, 0x7fc00000U, 0xffc00000U, 0xffffffffU}) {
      EXPECT_EQ(f8.encoded(std::bit_cast<float>(bits)), f8.nan);
    }
    EXPECT_EQ(f8.encoded(std::numeric_limits<float>::denorm_min()), 0U);
    EXPECT_EQ(f8.encoded(-0.0F), 0x80U);
  }
}

TEST(F8, IntegersAreRoundedOnceAndSaturate) {
  EXPECT_EQ(floats_of(integers_of(DataType::F8E4M3, {17, 19, 448, 449, -2147483647, 0})),
            (std::vector<float>{16.0F, 20.0F, 448.0F, 448.0F, -448.0F, 0.0F}));
  EXPECT_EQ(floats_of(integers_of(DataType::F8E5M2, {9, 11, 57344, 2147483647})),
            (std::vector<float>{8.0F, 12.0F, 57344.0F, 57344.0F}));
  EXPECT_EQ(data_refusal<std::invalid_argument>(
                [] { (void)row_of(DataType::F8E4M3, {1.0F}).to_integers(); }),
            "f8e4m3 is not an integer type");
}

TEST(I4, EveryPairOfElementsComesBackAndIsPackedTheFirstOneBelow) {
  for (std::int32_t first = -8; first < 8; ++first) {
    for (std::int32_t second = -8; second < 8; ++second) {
      const Array pair = integers_of(DataType::I4, {first, second});
      ASSERT_EQ(pair.bytes().size(), 1U);
      EXPECT_EQ(std::to_integer<int>(pair.bytes()[0]), (first & 0xf) | (second & 0xf) << 4);
      EXPECT_EQ(pair.to_integers()(0, 0), first);
      EXPECT_EQ(pair.to_integers()(0, 1), second);
      EXPECT_EQ(floats_of(pair),
                (std::vector<float>{static_cast<float>(first), static_cast<float>(second)}));
      EXPECT_EQ(row_of(DataType::I4, floats_of(pair)), pair);
    }
  }
}

TEST(I4, FloatsBecomeTheNearestTiesAreEvenAndAllSaturate) {
  const std::vector<float> given = {-7.5F, -6.5F, -0.5F, 0.5F,  1.5F,      2.5F,       6.5F,
                                    7.4F,  7.5F,  -8.6F, 1e30F, kInfinite, -kInfinite, kNotANumber};
  const std::vector<float> expected = {-8, -6, 0, 0, 2, 2, 6, 7, 7, -8, 7, 7, -8, 0};
  EXPECT_EQ(floats_of(row_of(DataType::I4, given)), expected);
  EXPECT_EQ(
      floats_of(row_of(DataType::I4, {std::nextafter(0.5F, 1.0F), std::nextafter(1.5F, 0.0F)})),
      (std::vector<float>{1, 1}));
  EXPECT_EQ(integers_of(DataType::I4, {8, -9, 2147483647, -2147483647}),
            integers_of(DataType::I4, {7, -8, 7, -8}));
}

TEST(I4, ArraysOfOddShapesHaveBlocksAndATransposition) {
  const Array odd = whole_numbers(DataType::I4, 3, 5, 1, 7);
  EXPECT_EQ(odd.bytes().size(), 8U);
  EXPECT_EQ(MatrixF(odd.transposed().to_floats()), MatrixF(odd.to_floats().transpose()));
  EXPECT_EQ(MatrixF(odd.block(1, 1, 2, 3).to_floats()), MatrixF(odd.to_floats().block(1, 1, 2, 3)));
  EXPECT_EQ(
      data_refusal<std::invalid_argument>([] { require_whole_rows(DataType::I4, 5); }),
      "a row of 5 elements of i4 does not fill its bytes: the number of columns must be even");
  EXPECT_EQ(data_refusal<std::invalid_argument>([] { (void)whole_bytes_of(DataType::I4); }),
            "elements of i4 share bytes; this needs a type of whole bytes");
}

TEST(I4, BlocksOfMemoryWithGapsKeepTheirElements) {
  const Array whole = whole_numbers(DataType::I4, 4, 12, 3, 7);
  MemoryStore store;
  store.write(block_at(Space::Hbm, 64, DataType::I4, 4, 12), whole);
  EXPECT_EQ(block_at(Space::Hbm, 64, DataType::I4, 4, 12).bytes(), 24U);
  Block part = block_at(Space::Hbm, 64 + 6 + 2, DataType::I4, 3, 6);
  part.row_stride = 12;
  part.stretches = {{64 + 6 + 2, part.span_bytes()}};
  EXPECT_EQ(part.span_bytes(), 15U);
  EXPECT_EQ(store.read(part), whole.block(1, 4, 3, 6));
}

/// Returns the product by sums in double, which are exact for these numbers.
MatrixF product_of(const Array& a, const Array& b) {
  return (a.to_floats().cast<double>() * b.to_floats().cast<double>()).cast<float>();
}

TEST(NarrowTypes, MultiplyInF32OrI32) {
  const Array half = whole_numbers(DataType::F16, 5, 6, 1, 20);
  const Array bytes = whole_numbers(DataType::I8, 5, 6, 2, 100);
  const Array weights = whole_numbers(DataType::I4, 6, 4, 3, 7);
  const Array e4m3 = whole_numbers(DataType::F8E4M3, 5, 6, 4, 16);
  const Array e5m2 = whole_numbers(DataType::F8E5M2, 6, 4, 5, 8);
  for (const auto& [a, b] : {std::pair(half, weights), std::pair(bytes, weights),
                             std::pair(e4m3, e5m2), std::pair(e4m3, weights)}) {
    const DataType sums = accumulator_of(a.type());
    EXPECT_EQ(compute_gemm(a, b, sums), Array::from(sums, product_of(a, b))) << name_of(a.type());
  }
  EXPECT_EQ(compute_gemm(weights.transposed(), weights, DataType::I32),
            Array::from(DataType::I32, product_of(weights.transposed(), weights)));
  // The result saturates: 16 * 16 * 6 is above 448.
  EXPECT_EQ(
      floats_of(compute_gemm(row_of(DataType::F8E4M3, std::vector<float>(6, 16.0F)),
                             row_of(DataType::F8E4M3, std::vector<float>(6, 16.0F)).transposed(),
                             DataType::F8E4M3)),
      std::vector<float>{448.0F});
  EXPECT_EQ(data_refusal<std::invalid_argument>(
                [&] { (void)compute_gemm(e4m3, half.transposed(), DataType::F32); }),
            "cannot multiply 5 x 6 of f8e4m3 by 6 x 5 of f16");
  EXPECT_FALSE(can_multiply(DataType::I4, DataType::F16));
}

TEST(NarrowTypes, MathIsRoundedToTheTypeAndCastsConvert) {
  const auto unary = [](components::MathOp op, const Array& x, DataType type) {
    return compute_math(op, {x}, {}, block_at(Space::Tcm, 0, type, x.rows(), x.columns()));
  };
  EXPECT_EQ(floats_of(unary(components::MathOp::Sqrt, row_of(DataType::F8E4M3, {2.0F, 4.0F}),
                            DataType::F8E4M3)),
            (std::vector<float>{1.375F, 2.0F}));
  const Array weights = integers_of(DataType::I4, {-8, -1, 0, 7});
  EXPECT_EQ(floats_of(unary(components::MathOp::Cast, weights, DataType::F16)),
            (std::vector<float>{-8, -1, 0, 7}));
  EXPECT_EQ(
      unary(components::MathOp::Cast, row_of(DataType::F32, {-9, -0.6F, 0.5F, 6.6F}), DataType::I4),
      weights);
}

}  // namespace
}  // namespace kernbench::model::data
