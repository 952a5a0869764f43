#include "model/data/array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace kernbench::model::data {

namespace {

/// As C++ converts, but defined for every value.
std::int64_t truncated(float value) {
  constexpr float kLimit = 9223372036854775808.0F;
  if (std::isnan(value)) return 0;
  if (value >= kLimit) return std::numeric_limits<std::int64_t>::max();
  if (value < -kLimit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

template <typename To, typename From>
To converted(From value) {
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    return static_cast<To>(static_cast<std::uint64_t>(truncated(value)));
  } else if constexpr (std::is_integral_v<To>) {
    return static_cast<To>(value);
  } else {
    return To(static_cast<float>(value));
  }
}

template <typename T>
T element(const Bytes& bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T, typename Matrix>
void store(const Matrix& values, Bytes& bytes) {
  using From = typename Matrix::Scalar;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const T value = converted<T, From>(values.data()[i]);
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
}

template <typename T, typename Matrix>
void load(const Bytes& bytes, Matrix& values) {
  using To = typename Matrix::Scalar;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    values.data()[i] = static_cast<To>(element<T>(bytes, static_cast<std::size_t>(i)));
  }
}

template <typename Matrix>
Array array_from(DataType type, const Matrix& values) {
  Bytes bytes(static_cast<std::size_t>(values.size()) * bytes_of(type));
  switch (type) {
    case DataType::F32:
      store<float>(values, bytes);
      break;
    case DataType::F16:
      store<Eigen::half>(values, bytes);
      break;
    case DataType::BF16:
      store<Eigen::bfloat16>(values, bytes);
      break;
    case DataType::I32:
      store<std::int32_t>(values, bytes);
      break;
    case DataType::I8:
      store<std::int8_t>(values, bytes);
      break;
  }
  return {type, static_cast<std::uint64_t>(values.rows()),
          static_cast<std::uint64_t>(values.cols()), std::make_shared<Bytes>(std::move(bytes))};
}

}  // namespace

std::optional<DataType> data_type_of(std::string_view name) {
  for (std::size_t i = 0; i < kDataTypes.size(); ++i) {
    if (kDataTypes[i].name == name) return static_cast<DataType>(i);
  }
  return std::nullopt;
}

Array::Array(DataType type, std::uint64_t rows, std::uint64_t columns)
    : type_(type),
      rows_(rows),
      columns_(columns),
      bytes_(std::make_shared<Bytes>(rows * columns * bytes_of(type))) {}

Array::Array(DataType type, std::uint64_t rows, std::uint64_t columns,
             std::shared_ptr<const Bytes> bytes)
    : type_(type), rows_(rows), columns_(columns), bytes_(std::move(bytes)) {
  if (bytes_->size() != rows * columns * bytes_of(type)) {
    throw std::invalid_argument(fmt::format("{} bytes are no {} x {} elements of {}",
                                            bytes_->size(), rows, columns, name_of(type)));
  }
}

Bytes& Array::own_bytes() {
  auto own = std::make_shared<Bytes>(*bytes_);
  Bytes& bytes = *own;
  bytes_ = std::move(own);
  return bytes;
}

Array Array::from(DataType type, const MatrixF& values) {
  return array_from(type, values);
}

Array Array::from(DataType type, const MatrixI& values) {
  return array_from(type, values);
}

MatrixF Array::to_floats() const {
  MatrixF values(static_cast<Eigen::Index>(rows_), static_cast<Eigen::Index>(columns_));
  switch (type_) {
    case DataType::F32:
      if (!bytes_->empty()) std::memcpy(values.data(), bytes_->data(), bytes_->size());
      break;
    case DataType::F16:
      load<Eigen::half>(*bytes_, values);
      break;
    case DataType::BF16:
      load<Eigen::bfloat16>(*bytes_, values);
      break;
    case DataType::I32:
      load<std::int32_t>(*bytes_, values);
      break;
    case DataType::I8:
      load<std::int8_t>(*bytes_, values);
      break;
  }
  return values;
}

MatrixI Array::to_integers() const {
  MatrixI values(static_cast<Eigen::Index>(rows_), static_cast<Eigen::Index>(columns_));
  if (type_ == DataType::I32) {
    load<std::int32_t>(*bytes_, values);
  } else if (type_ == DataType::I8) {
    load<std::int8_t>(*bytes_, values);
  } else {
    throw std::invalid_argument(fmt::format("{} are no integers", name_of(type_)));
  }
  return values;
}

Array Array::transposed() const {
  Bytes result(bytes_->size());
  const std::size_t size = bytes_of(type_);
  for (std::uint64_t row = 0; row < rows_; ++row) {
    for (std::uint64_t column = 0; column < columns_; ++column) {
      std::memcpy(result.data() + (column * rows_ + row) * size,
                  bytes_->data() + (row * columns_ + column) * size, size);
    }
  }
  return {type_, columns_, rows_, std::make_shared<Bytes>(std::move(result))};
}

Array Array::block(std::uint64_t row, std::uint64_t column, std::uint64_t rows,
                   std::uint64_t columns) const {
  if (row > rows_ || rows > rows_ - row || column > columns_ || columns > columns_ - column) {
    throw std::out_of_range(fmt::format("{} x {} elements from ({}, {}) of {} x {}", rows, columns,
                                        row, column, rows_, columns_));
  }
  if (rows == rows_ && columns == columns_) return *this;
  const std::size_t width = columns * bytes_of(type_);
  Bytes result(rows * width);
  for (std::uint64_t r = 0; r < rows && width != 0; ++r) {
    std::memcpy(result.data() + r * width,
                bytes_->data() + ((row + r) * columns_ + column) * bytes_of(type_), width);
  }
  return {type_, rows, columns, std::make_shared<Bytes>(std::move(result))};
}

}  // namespace kernbench::model::data
