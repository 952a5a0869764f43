// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/api.hpp"
#include "model/data/data_type.hpp"

namespace kernbench::model::data {

using Bytes = std::vector<std::byte>;
/// Row-major matrices, like all tensors.
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixI = Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A matrix of one element type in row-major order. A vector is one row. Copies share their bytes.
/// i4 are packed without gaps, also between rows: the first of two is in the lower half of a byte.
class KERNBENCH_API Array {
 public:
  Array() = default;
  /// Fills the matrix with zeros.
  Array(DataType type, std::uint64_t rows, std::uint64_t columns);
  /// Throws std::invalid_argument unless `bytes` has the size of the matrix.
  Array(DataType type, std::uint64_t rows, std::uint64_t columns,
        std::shared_ptr<const Bytes> bytes);
  /// Converts to `type`. Floating-point types and i4 round to nearest, ties to even; floating-point
  /// types have one NaN. Other integers round towards zero. f8 and integers saturate; NaN becomes
  /// the integer 0.
  [[nodiscard]] static Array from(DataType type, const MatrixF& values);
  /// Converts to `type`: rounds to nearest, ties to even; i8 wraps modulo 2^8, i4 saturates.
  [[nodiscard]] static Array from(DataType type, const MatrixI& values);

  [[nodiscard]] DataType type() const { return type_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }
  [[nodiscard]] const Bytes& bytes() const { return *bytes_; }
  /// Returns the bytes for writing, after detaching them from other copies of the array.
  [[nodiscard]] Bytes& own_bytes();
  [[nodiscard]] const std::shared_ptr<const Bytes>& shared_bytes() const { return bytes_; }

  /// Converts exactly, except that i32 beyond 2^24 round to nearest.
  [[nodiscard]] MatrixF to_floats() const;
  /// Converts exactly. Throws std::invalid_argument for floating-point types.
  [[nodiscard]] MatrixI to_integers() const;
  [[nodiscard]] Array transposed() const;
  /// Returns the block of `rows` x `columns` at (row, column). Throws std::out_of_range when it
  /// exceeds the matrix.
  [[nodiscard]] Array block(std::uint64_t row, std::uint64_t column, std::uint64_t rows,
                            std::uint64_t columns) const;

  /// Compares bits.
  friend bool operator==(const Array& a, const Array& b) {
    return a.type_ == b.type_ && a.rows_ == b.rows_ && a.columns_ == b.columns_ &&
           *a.bytes_ == *b.bytes_;
  }

 private:
  DataType type_ = DataType::F32;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::shared_ptr<const Bytes> bytes_ = std::make_shared<Bytes>();
};

}  // namespace kernbench::model::data
