// SPDX-License-Identifier: Apache-2.0
#include "model/data/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace kernbench::model::data {

namespace {

/// Computes to[i] = convert(from[i]) for elements of type From stored as bytes.
template <typename From, typename Convert, typename To>
void decode(const std::byte* from, std::size_t count, To* to, Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * sizeof(From), sizeof(From));
    to[i] = convert(value);
  }
}

/// Computes to[i] = convert(from[i]) for elements of type To stored as bytes.
template <typename To, typename Convert, typename From>
void encode(const From* from, std::size_t count, std::byte* to, Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    const To value = convert(from[i]);
    std::memcpy(to + i * sizeof(To), &value, sizeof(To));
  }
}

/// Computes to[i] = convert(from[i]) for i4, two to a byte, the first in its lower half.
template <typename Convert, typename To>
void decode_pairs(const std::byte* from, std::size_t count, To* to, Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::to_integer<std::uint32_t>(from[i / 2]) >> (4U * (i % 2));
    to[i] = convert(static_cast<std::int32_t>((bits & 0xfU) ^ 8U) - 8);
  }
}

/// Packs convert(from[i]), from -8 to 7, as i4. The last half of a byte is 0 without an element.
template <typename Convert, typename From>
void encode_pairs(const From* from, std::size_t count, std::byte* to, Convert convert) {
  for (std::size_t i = 0; i < count; i += 2) {
    const auto first = static_cast<std::uint32_t>(convert(from[i])) & 0xfU;
    const auto second =
        i + 1 < count ? static_cast<std::uint32_t>(convert(from[i + 1])) & 0xfU : 0U;
    to[i / 2] = static_cast<std::byte>(first | second << 4U);
  }
}

/// Returns a float that rounds to the same bf16 as the integer. Rounds to odd: any lost bits set
/// the lowest bit kept, since rounding to nearest twice may not give the nearest.
float rounded_to_odd(std::int32_t value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = value < 0 ? 0U - bits : bits;
  const std::uint32_t lost = (magnitude & 0xffU) != 0 ? 0x100U : 0U;
  const std::uint32_t odd = magnitude < (1U << 24U) ? magnitude : (magnitude & ~0xffU) | lost;
  return value < 0 ? -static_cast<float>(odd) : static_cast<float>(odd);
}

}  // namespace

void to_floats(DataType type, const std::byte* from, std::size_t count, float* to) {
  switch (type) {
    case DataType::F32:
      if (count != 0) std::memcpy(to, from, count * sizeof(float));
      break;
    case DataType::F16:
      decode<std::uint16_t>(from, count, to, [](std::uint16_t x) { return half_to_float(x); });
      break;
    case DataType::BF16:
      decode<std::uint16_t>(from, count, to, [](std::uint16_t x) { return bfloat_to_float(x); });
      break;
    case DataType::I32:
      decode<std::int32_t>(from, count, to, [](std::int32_t x) { return static_cast<float>(x); });
      break;
    case DataType::I8:
      decode<std::int8_t>(from, count, to, [](std::int8_t x) { return static_cast<float>(x); });
      break;
    case DataType::F8E4M3:
      decode<std::uint8_t>(from, count, to, [](std::uint8_t x) { return e4m3_to_float(x); });
      break;
    case DataType::F8E5M2:
      decode<std::uint8_t>(from, count, to, [](std::uint8_t x) { return e5m2_to_float(x); });
      break;
    case DataType::I4:
      decode_pairs(from, count, to, [](std::int32_t x) { return static_cast<float>(x); });
      break;
  }
}

void to_integers(DataType type, const std::byte* from, std::size_t count, std::int32_t* to) {
  if (type == DataType::I32) {
    if (count != 0) std::memcpy(to, from, count * sizeof(std::int32_t));
  } else if (type == DataType::I8) {
    decode<std::int8_t>(from, count, to, [](std::int8_t x) { return std::int32_t{x}; });
  } else if (type == DataType::I4) {
    decode_pairs(from, count, to, [](std::int32_t x) { return x; });
  } else {
    throw std::invalid_argument(fmt::format("{} is not an integer type", name_of(type)));
  }
}

void from_floats(DataType type, const float* from, std::size_t count, std::byte* to) {
  switch (type) {
    case DataType::F32:
      encode<float>(from, count, to, [](float x) { return with_one_nan(x); });
      break;
    case DataType::F16:
      encode<std::uint16_t>(from, count, to, [](float x) { return float_to_half(x); });
      break;
    case DataType::BF16:
      encode<std::uint16_t>(from, count, to, [](float x) { return float_to_bfloat(x); });
      break;
    case DataType::I32:
      encode<std::int32_t>(from, count, to, [](float x) { return saturated<std::int32_t>(x); });
      break;
    case DataType::I8:
      encode<std::int8_t>(from, count, to, [](float x) { return saturated<std::int8_t>(x); });
      break;
    case DataType::F8E4M3:
      encode<std::uint8_t>(from, count, to, [](float x) { return float_to_e4m3(x); });
      break;
    case DataType::F8E5M2:
      encode<std::uint8_t>(from, count, to, [](float x) { return float_to_e5m2(x); });
      break;
    case DataType::I4:
      encode_pairs(from, count, to, [](float x) { return float_to_i4(x); });
      break;
  }
}

void from_integers(DataType type, const std::int32_t* from, std::size_t count, std::byte* to) {
  using Int = std::int32_t;
  switch (type) {
    case DataType::F32:
      encode<float>(from, count, to, [](Int x) { return static_cast<float>(x); });
      break;
    case DataType::F16:
      // Integers that are not exact in a float exceed all finite f16.
      encode<std::uint16_t>(from, count, to,
                            [](Int x) { return float_to_half(static_cast<float>(x)); });
      break;
    case DataType::BF16:
      encode<std::uint16_t>(from, count, to,
                            [](Int x) { return float_to_bfloat(rounded_to_odd(x)); });
      break;
    case DataType::I32:
      if (count != 0) std::memcpy(to, from, count * sizeof(Int));
      break;
    case DataType::I8:
      encode<std::int8_t>(from, count, to, [](Int x) { return static_cast<std::int8_t>(x); });
      break;
    case DataType::F8E4M3:
      // Integers that are not exact in a float exceed all f8.
      encode<std::uint8_t>(from, count, to,
                           [](Int x) { return float_to_e4m3(static_cast<float>(x)); });
      break;
    case DataType::F8E5M2:
      encode<std::uint8_t>(from, count, to,
                           [](Int x) { return float_to_e5m2(static_cast<float>(x)); });
      break;
    case DataType::I4:
      encode_pairs(from, count, to, [](Int x) { return std::clamp(x, -8, 7); });
      break;
  }
}

}  // namespace kernbench::model::data
