// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "model/data/data_type.hpp"

namespace kernbench::model::data {

// Conversions between element types. Results do not depend on the processor. Conversions are free
// of branches so that compilers vectorise the loops.

/// Returns `yes` or `no` without a branch.
[[nodiscard]] constexpr std::uint32_t select(bool condition, std::uint32_t yes, std::uint32_t no) {
  const std::uint32_t mask = 0U - static_cast<std::uint32_t>(condition);
  return (yes & mask) | (no & ~mask);
}

/// Converts exactly. NaNs keep their bits.
[[nodiscard]] constexpr float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t magnitude = half & 0x7fffU;
  // The product changes the exponent bias and normalises subnormals.
  const float scaled = std::bit_cast<float>(magnitude << 13U) * 0x1p112F;
  const std::uint32_t infinite = select(magnitude >= 0x7c00U, 0x7f800000U, 0U);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | infinite | sign);
}

/// Rounds to nearest, ties to even; 65520 and above become infinity. Every NaN becomes 0x7e00.
[[nodiscard]] constexpr std::uint16_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t normal =
      (magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13U) & 1U)) >> 13U;
  // The addition rounds to multiples of 2^-24, the smallest f16.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
      std::bit_cast<std::uint32_t>(0.5F);
  std::uint32_t half = select(magnitude < 0x38800000U, subnormal, normal);
  half = select(magnitude >= 0x477ff000U, 0x7c00U, half);
  return static_cast<std::uint16_t>(select(magnitude > 0x7f800000U, 0x7e00U, half | sign));
}

/// Converts exactly. NaNs keep their bits.
[[nodiscard]] constexpr float bfloat_to_float(std::uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16U);
}

/// Rounds to nearest, ties to even. Every NaN becomes 0x7fc0.
[[nodiscard]] constexpr std::uint16_t float_to_bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
  return static_cast<std::uint16_t>(select((bits & 0x7fffffffU) > 0x7f800000U, 0x7fc0U, rounded));
}

/// Converts exactly. Both NaNs (0x7f and 0xff) become quiet NaNs with their sign.
[[nodiscard]] constexpr float e4m3_to_float(std::uint8_t bits) {
  const std::uint32_t sign = (bits & 0x80U) << 24U;
  const std::uint32_t magnitude = bits & 0x7fU;
  // The product changes the exponent bias and normalises subnormals.
  const float scaled = std::bit_cast<float>(magnitude << 20U) * 0x1p120F;
  const std::uint32_t value =
      select(magnitude == 0x7fU, 0x7fc00000U, std::bit_cast<std::uint32_t>(scaled));
  return std::bit_cast<float>(value | sign);
}

/// Converts exactly: these are the upper 8 bits of an f16.
[[nodiscard]] constexpr float e5m2_to_float(std::uint8_t bits) {
  return half_to_float(static_cast<std::uint16_t>(bits << 8U));
}

/// Rounds to nearest, ties to even, for a type of 8 bits with `mantissa` bits of mantissa.
/// `largest` has the bits of its largest number as an f32, to which larger ones and infinity
/// saturate.
[[nodiscard]] constexpr std::uint8_t float_to_f8(float value, std::uint32_t mantissa,
                                                 std::uint32_t bias, std::uint32_t largest,
                                                 std::uint32_t nan) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 24U) & 0x80U;
  const std::uint32_t exact = bits & 0x7fffffffU;
  const std::uint32_t magnitude = select(exact > largest, largest, exact);
  const std::uint32_t drop = 23U - mantissa;
  const std::uint32_t normal = (magnitude - ((127U - bias) << 23U) + (1U << (drop - 1U)) - 1U +
                                ((magnitude >> drop) & 1U)) >>
                               drop;
  // The addition rounds to multiples of the smallest number of the type.
  const std::uint32_t step = (151U - bias - mantissa) << 23U;
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(step)) -
      step;
  const std::uint32_t rounded = select(magnitude < ((128U - bias) << 23U), subnormal, normal);
  return static_cast<std::uint8_t>(select(exact > 0x7f800000U, nan, rounded | sign));
}

/// Rounds to nearest, ties to even; 448 and above, and infinity, become 448. Every NaN becomes
/// 0x7f.
[[nodiscard]] constexpr std::uint8_t float_to_e4m3(float value) {
  return float_to_f8(value, 3, 7, std::bit_cast<std::uint32_t>(448.0F), 0x7fU);
}
/// Rounds to nearest, ties to even; 57344 and above, and infinity, become 57344. Every NaN becomes
/// 0x7e.
[[nodiscard]] constexpr std::uint8_t float_to_e5m2(float value) {
  return float_to_f8(value, 2, 15, std::bit_cast<std::uint32_t>(57344.0F), 0x7eU);
}

/// Rounds to nearest, ties to even, and saturates to -8 and 7; NaN becomes 0.
[[nodiscard]] constexpr std::int32_t float_to_i4(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto number = std::bit_cast<float>(select((bits & 0x7fffffffU) > 0x7f800000U, 0U, bits));
  const float low = number < -8.0F ? -8.0F : number;
  const float clamped = low > 7.0F ? 7.0F : low;
  // The addition rounds to whole numbers.
  return static_cast<std::int32_t>((clamped + 0x1.8p23F) - 0x1.8p23F);
}

/// Replaces every NaN by 0x7fc00000: processors generate NaNs with different bits.
[[nodiscard]] constexpr float with_one_nan(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>(select((bits & 0x7fffffffU) > 0x7f800000U, 0x7fc00000U, bits));
}

/// Rounds towards zero and saturates; NaN becomes 0.
template <typename Integer, typename Float>
[[nodiscard]] Integer saturated(Float value) {
  using Limits = std::numeric_limits<Integer>;
  constexpr auto kEnd = static_cast<Float>(1ULL << static_cast<unsigned>(Limits::digits));
  if (std::isnan(value)) return 0;
  if (value >= kEnd) return Limits::max();
  if (value <= -kEnd) return Limits::min();
  return static_cast<Integer>(value);
}

/// Converts `count` elements of `type` to f32: exactly, except that i32 beyond 2^24 round to
/// nearest.
void to_floats(DataType type, const std::byte* from, std::size_t count, float* to);
/// Converts `count` elements to i32. Throws std::invalid_argument for a floating-point type.
void to_integers(DataType type, const std::byte* from, std::size_t count, std::int32_t* to);

/// Converts to elements of `type`: rounds to nearest, ties to even, with one NaN; i4 by
/// float_to_i4(), other integers as saturated().
void from_floats(DataType type, const float* from, std::size_t count, std::byte* to);
/// Converts to elements of `type`: i8 wraps modulo 2^8, i4 saturates, others round to nearest, ties
/// to even.
void from_integers(DataType type, const std::int32_t* from, std::size_t count, std::byte* to);

}  // namespace kernbench::model::data
