// SPDX-License-Identifier: Apache-2.0
#include "model/data/array.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#include "model/data/convert.hpp"

namespace kernbench::model::data {

namespace {

/// Transposes elements as bit patterns of their size.
template <typename Bits>
void transpose(const Bytes& from, std::uint64_t rows, std::uint64_t columns, Bytes& to) {
  using Matrix = Eigen::Matrix<Bits, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto height = static_cast<Eigen::Index>(rows);
  const auto width = static_cast<Eigen::Index>(columns);
  // std::byte may hold any trivial type, and vectors are aligned for all of them.
  const auto* const source = reinterpret_cast<const Bits*>(from.data());
  auto* const target = reinterpret_cast<Bits*>(to.data());
  Eigen::Map<Matrix>(target, width, height) =
      Eigen::Map<const Matrix>(source, height, width).transpose();
}

}  // namespace

std::optional<DataType> data_type_of(std::string_view name) {
  for (std::size_t i = 0; i < kDataTypes.size(); ++i) {
    if (kDataTypes[i].name == name) return static_cast<DataType>(i);
  }
  return std::nullopt;
}

std::uint32_t whole_bytes_of(DataType type) {
  const components::ElementSize size = bytes_of(type);
  if (size.shift == 0) return size.bytes;
  throw std::invalid_argument(
      fmt::format("elements of {} share bytes; this needs a type of whole bytes", name_of(type)));
}

void require_whole_rows(DataType type, std::uint64_t columns) {
  if (bytes_of(type).fills(columns)) return;
  throw std::invalid_argument(fmt::format(
      "a row of {} elements of {} does not fill its bytes: the number of columns must be even",
      columns, name_of(type)));
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
    throw std::invalid_argument(fmt::format("{} bytes do not hold exactly {} x {} elements of {}",
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
  auto bytes = std::make_shared<Bytes>(static_cast<std::size_t>(values.size()) * bytes_of(type));
  from_floats(type, values.data(), static_cast<std::size_t>(values.size()), bytes->data());
  return {type, static_cast<std::uint64_t>(values.rows()),
          static_cast<std::uint64_t>(values.cols()), std::move(bytes)};
}

Array Array::from(DataType type, const MatrixI& values) {
  auto bytes = std::make_shared<Bytes>(static_cast<std::size_t>(values.size()) * bytes_of(type));
  from_integers(type, values.data(), static_cast<std::size_t>(values.size()), bytes->data());
  return {type, static_cast<std::uint64_t>(values.rows()),
          static_cast<std::uint64_t>(values.cols()), std::move(bytes)};
}

MatrixF Array::to_floats() const {
  MatrixF values(static_cast<Eigen::Index>(rows_), static_cast<Eigen::Index>(columns_));
  data::to_floats(type_, bytes_->data(), rows_ * columns_, values.data());
  return values;
}

MatrixI Array::to_integers() const {
  MatrixI values(static_cast<Eigen::Index>(rows_), static_cast<Eigen::Index>(columns_));
  data::to_integers(type_, bytes_->data(), rows_ * columns_, values.data());
  return values;
}

Array Array::transposed() const {
  if (type_ == DataType::I4) return from(type_, MatrixI(to_integers().transpose()));
  auto result = std::make_shared<Bytes>(bytes_->size());
  switch (bytes_of(type_).bytes) {
    case 1:
      transpose<std::uint8_t>(*bytes_, rows_, columns_, *result);
      break;
    case 2:
      transpose<std::uint16_t>(*bytes_, rows_, columns_, *result);
      break;
    default:
      transpose<std::uint32_t>(*bytes_, rows_, columns_, *result);
  }
  return {type_, columns_, rows_, std::move(result)};
}

Array Array::block(std::uint64_t row, std::uint64_t column, std::uint64_t rows,
                   std::uint64_t columns) const {
  if (row > rows_ || rows > rows_ - row || column > columns_ || columns > columns_ - column) {
    throw std::out_of_range(
        fmt::format("a block of {} x {} at ({}, {}) exceeds an array of {} x {}", rows, columns,
                    row, column, rows_, columns_));
  }
  if (rows == rows_ && columns == columns_) return *this;
  if (type_ == DataType::I4) {
    const auto at = [](std::uint64_t index) { return static_cast<Eigen::Index>(index); };
    return from(type_, MatrixI(to_integers().block(at(row), at(column), at(rows), at(columns))));
  }
  const std::size_t width = columns * bytes_of(type_);
  Bytes result(rows * width);
  for (std::uint64_t r = 0; r < rows && width != 0; ++r) {
    std::memcpy(result.data() + r * width,
                bytes_->data() + ((row + r) * columns_ + column) * bytes_of(type_), width);
  }
  return {type_, rows, columns, std::make_shared<Bytes>(std::move(result))};
}

}  // namespace kernbench::model::data
