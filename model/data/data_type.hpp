// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/api.hpp"
#include "model/components/tiling/element_size.hpp"

namespace kernbench::model::data {

/// Element types of tensors. F8E4M3 and F8E5M2 are the 8-bit types of the Open Compute Project
/// (*OCP 8-bit Floating Point Specification*, 2023). Two I4 share a byte.
enum class DataType : std::uint8_t { F32, F16, BF16, I32, I8, F8E4M3, F8E5M2, I4 };

struct DataTypeInfo {
  std::string_view name;
  components::ElementSize size;
  bool floating;
};

inline constexpr std::array<DataTypeInfo, 8> kDataTypes = {{{"f32", 4, true},
                                                            {"f16", 2, true},
                                                            {"bf16", 2, true},
                                                            {"i32", 4, false},
                                                            {"i8", 1, false},
                                                            {"f8e4m3", 1, true},
                                                            {"f8e5m2", 1, true},
                                                            {"i4", {1, 1}, false}}};

[[nodiscard]] constexpr const DataTypeInfo& info(DataType type) {
  return kDataTypes[static_cast<std::size_t>(type)];
}
[[nodiscard]] constexpr std::string_view name_of(DataType type) {
  return info(type).name;
}
/// Returns the size of an element: `count * bytes_of(type)` is that of `count` elements.
[[nodiscard]] constexpr components::ElementSize bytes_of(DataType type) {
  return info(type).size;
}
[[nodiscard]] constexpr bool is_floating(DataType type) {
  return info(type).floating;
}
[[nodiscard]] constexpr bool is_f8(DataType type) {
  return type == DataType::F8E4M3 || type == DataType::F8E5M2;
}
/// Returns the type that accumulates products: f32 for floating-point types, i32 for integers.
[[nodiscard]] constexpr DataType accumulator_of(DataType type) {
  return is_floating(type) ? DataType::F32 : DataType::I32;
}
/// Returns true if a matrix of `left` can be multiplied by one of `right`: both have one type, or
/// both are f8, or the right one has weights of i4. Products accumulate in accumulator_of(left).
[[nodiscard]] constexpr bool can_multiply(DataType left, DataType right) {
  return left == right || (is_f8(left) && is_f8(right)) || right == DataType::I4;
}

/// Returns the type with this name, or nothing.
[[nodiscard]] KERNBENCH_API std::optional<DataType> data_type_of(std::string_view name);
/// Returns the bytes of one element. Throws std::invalid_argument for i4, whose elements share
/// bytes.
[[nodiscard]] KERNBENCH_API std::uint32_t whole_bytes_of(DataType type);
/// Throws std::invalid_argument unless each row of a matrix of `columns` columns fills its bytes:
/// i4 needs an even number.
KERNBENCH_API void require_whole_rows(DataType type, std::uint64_t columns);

}  // namespace kernbench::model::data
