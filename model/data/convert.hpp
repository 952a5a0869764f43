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

/// Converts to elements of `type`: rounds to nearest, ties to even, with one NaN; integers as
/// saturated().
void from_floats(DataType type, const float* from, std::size_t count, std::byte* to);
/// Converts to elements of `type`: integers wrap modulo 2^bits, others round to nearest, ties to
/// even.
void from_integers(DataType type, const std::int32_t* from, std::size_t count, std::byte* to);

}  // namespace kernbench::model::data
