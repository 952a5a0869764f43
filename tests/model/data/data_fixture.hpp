// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "common/random.hpp"
#include "model/data/array.hpp"
#include "model/data/op_log.hpp"
#include "model/data/operation.hpp"

namespace kernbench::model::data {

inline constexpr float kInfinite = std::numeric_limits<float>::infinity();
inline constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

inline constexpr DataType kAllTypes[] = {DataType::F32, DataType::F16, DataType::BF16,
                                         DataType::I32, DataType::I8};

/// Returns an array with these elements, in row-major order.
inline Array array_of(DataType type, std::uint64_t rows, std::uint64_t columns,
                      const std::vector<float>& values) {
  MatrixF matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    matrix.data()[i] = values.at(static_cast<std::size_t>(i));
  }
  return Array::from(type, matrix);
}

inline Array row_of(DataType type, const std::vector<float>& values) {
  return array_of(type, 1, values.size(), values);
}

inline Array integers_of(DataType type, const std::vector<std::int32_t>& values) {
  MatrixI matrix(1, static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    matrix(0, static_cast<Eigen::Index>(i)) = values[i];
  }
  return Array::from(type, matrix);
}

/// Returns random integers from -limit to limit.
inline Array whole_numbers(DataType type, std::uint64_t rows, std::uint64_t columns,
                           std::uint64_t seed, int limit) {
  common::Rng random = common::Rng::stream(seed, "whole numbers");
  MatrixF matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  const auto span = static_cast<std::uint64_t>(2 * limit + 1);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    matrix.data()[i] = static_cast<float>(static_cast<int>(random.bits64() % span) - limit);
  }
  return Array::from(type, matrix);
}

/// Returns random values from -1 to 1, rounded to the type.
inline Array fractions(DataType type, std::uint64_t rows, std::uint64_t columns,
                       std::uint64_t seed) {
  common::Rng random = common::Rng::stream(seed, "fractions");
  MatrixF matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    matrix.data()[i] = static_cast<float>(random.bits64() >> 40U) * 0x1p-23F - 1.0F;
  }
  return Array::from(type, matrix);
}

inline std::vector<float> floats_of(const Array& array) {
  const MatrixF values = array.to_floats();
  return {values.data(), values.data() + values.size()};
}

inline std::uint64_t hash_of(const Array& array) {
  // Any object may be accessed as characters.
  const auto* const text = reinterpret_cast<const char*>(array.bytes().data());
  return common::hash_bytes(std::string_view(text, array.bytes().size()));
}

/// Returns a block without gaps.
inline Block block_at(Space space, std::uint64_t pa, DataType type, std::uint64_t rows,
                      std::uint64_t columns) {
  Block block;
  block.space = space;
  block.type = type;
  block.rows = rows;
  block.columns = columns;
  block.row_stride = columns;
  if (block.bytes() != 0) block.stretches = {{pa, block.bytes()}};
  return block;
}

/// Returns the error message of a call, or "accepted" when it does not throw.
template <typename Error, typename Call>
std::string data_refusal(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace kernbench::model::data
