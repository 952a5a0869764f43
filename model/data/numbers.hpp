// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "model/data/array.hpp"
#include "model/data/convert.hpp"

namespace kernbench::model::data {

// Operations compute in f32, or in i32 if all inputs are integers: T is float or std::int32_t.

template <typename T>
inline constexpr DataType kTypeOf = std::is_same_v<T, float> ? DataType::F32 : DataType::I32;

/// Converts a number of a kernel to the type of the computation: to the nearest f32, or exactly to
/// i32. Throws std::invalid_argument for a number that is not an i32 value, as truncation would
/// silently change results.
template <typename T>
[[nodiscard]] T number_as(double number) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(number);
  } else {
    const T value = saturated<T>(number);
    if (static_cast<double>(value) != number) {
      throw std::invalid_argument(fmt::format("{} is not an i32 value", number));
    }
    return value;
  }
}

/// The elements of an array, or one number, converted to T and broadcast to a larger shape: one
/// row, one column and one number are repeated. Elements of type T are not copied.
template <typename T>
class Numbers {
 public:
  explicit Numbers(const Array& array)
      : rows_(array.rows()), columns_(array.columns()), source_(array.shared_bytes()) {
    if (array.type() == kTypeOf<T>) {
      // std::byte may hold any trivial type, and vectors are aligned for all of them.
      data_ = reinterpret_cast<const T*>(source_->data());
      return;
    }
    const std::uint64_t size = rows_ * columns_;
    converted_ = std::make_unique_for_overwrite<T[]>(size);
    if constexpr (std::is_same_v<T, float>) {
      to_floats(array.type(), source_->data(), size, converted_.get());
    } else {
      to_integers(array.type(), source_->data(), size, converted_.get());
    }
    data_ = converted_.get();
  }
  explicit Numbers(double number) : rows_(1), columns_(1), converted_(std::make_unique<T[]>(1)) {
    converted_[0] = number_as<T>(number);
    data_ = converted_.get();
  }
  explicit Numbers(const std::variant<Array, double>& value)
      : Numbers(std::holds_alternative<Array>(value) ? Numbers(std::get<Array>(value))
                                                     : Numbers(std::get<double>(value))) {}

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] const T* row(std::uint64_t row) const {
    return data_ + (rows_ == 1 ? 0 : row * columns_);
  }
  /// Distance from one column to the next, in elements.
  [[nodiscard]] std::uint64_t step() const { return columns_ == 1 ? 0 : 1; }

  /// Throws std::invalid_argument unless it can be broadcast to `rows` x `columns`.
  void check_fits(std::uint64_t rows, std::uint64_t columns) const {
    if ((rows_ != rows && rows_ != 1) || (columns_ != columns && columns_ != 1)) {
      throw std::invalid_argument(fmt::format(
          "an input of {} x {} does not fit a result of {} x {}", rows_, columns_, rows, columns));
    }
  }

 private:
  std::uint64_t rows_;
  std::uint64_t columns_;
  std::shared_ptr<const Bytes> source_;
  std::unique_ptr<T[]> converted_;
  const T* data_ = nullptr;
};

/// The result of a computation in T before its conversion to an array of any type. An array of type
/// T is computed in place.
template <typename T>
class Draft {
 public:
  Draft(DataType type, std::uint64_t rows, std::uint64_t columns)
      : type_(type),
        rows_(rows),
        columns_(columns),
        bytes_(std::make_shared<Bytes>(size() * bytes_of(type))) {
    if (type == kTypeOf<T>) {
      data_ = reinterpret_cast<T*>(bytes_->data());
    } else {
      own_ = std::make_unique_for_overwrite<T[]>(size());
      data_ = own_.get();
    }
  }

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }
  [[nodiscard]] std::uint64_t size() const { return rows_ * columns_; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] T* row(std::uint64_t row) { return data_ + row * columns_; }

  /// Converts with from_floats() or from_integers().
  [[nodiscard]] Array finish() && {
    if constexpr (std::is_same_v<T, float>) {
      from_floats(type_, data_, size(), bytes_->data());
    } else if (own_) {
      from_integers(type_, data_, size(), bytes_->data());
    }
    return {type_, rows_, columns_, std::move(bytes_)};
  }

 private:
  DataType type_;
  std::uint64_t rows_;
  std::uint64_t columns_;
  std::shared_ptr<Bytes> bytes_;
  std::unique_ptr<T[]> own_;
  T* data_ = nullptr;
};

}  // namespace kernbench::model::data
