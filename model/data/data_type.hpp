// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/api.hpp"

namespace kernbench::model::data {

/// Element types of tensors.
enum class DataType : std::uint8_t { F32, F16, BF16, I32, I8 };

struct DataTypeInfo {
  std::string_view name;
  std::uint32_t bytes;
  bool floating;
};

inline constexpr std::array<DataTypeInfo, 5> kDataTypes = {
    {{"f32", 4, true}, {"f16", 2, true}, {"bf16", 2, true}, {"i32", 4, false}, {"i8", 1, false}}};

[[nodiscard]] constexpr const DataTypeInfo& info(DataType type) {
  return kDataTypes[static_cast<std::size_t>(type)];
}
[[nodiscard]] constexpr std::string_view name_of(DataType type) {
  return info(type).name;
}
[[nodiscard]] constexpr std::uint32_t bytes_of(DataType type) {
  return info(type).bytes;
}
[[nodiscard]] constexpr bool is_floating(DataType type) {
  return info(type).floating;
}
/// Returns the type that accumulates products: f32 for floating-point types, i32 for integers.
[[nodiscard]] constexpr DataType accumulator_of(DataType type) {
  return is_floating(type) ? DataType::F32 : DataType::I32;
}

/// Returns the type with this name, or nothing.
[[nodiscard]] KERNBENCH_API std::optional<DataType> data_type_of(std::string_view name);

}  // namespace kernbench::model::data
