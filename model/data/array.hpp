#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/data/data_type.hpp"

namespace kernbench::model::data {

using Bytes = std::vector<std::byte>;
/// Row-major, as all tensors are.
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixI = Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A matrix of numbers of one type, row after row. Vectors are one row. Copies share their bytes.
class Array {
 public:
  Array() = default;
  /// Zeros.
  Array(DataType type, std::uint64_t rows, std::uint64_t columns);
  /// Throws std::invalid_argument unless `bytes` has the size of the matrix.
  Array(DataType type, std::uint64_t rows, std::uint64_t columns,
        std::shared_ptr<const Bytes> bytes);
  /// Rounded to the type: to nearest, ties to even; to integers towards zero, and what is too large
  /// for them to the largest. NaN becomes 0 there, and elsewhere one NaN for all.
  [[nodiscard]] static Array from(DataType type, const MatrixF& values);
  /// To nearest, ties to even; to narrower integers modulo 2^bits.
  [[nodiscard]] static Array from(DataType type, const MatrixI& values);

  [[nodiscard]] DataType type() const { return type_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }
  [[nodiscard]] const Bytes& bytes() const { return *bytes_; }
  /// For changes, which other copies of the array do not see.
  [[nodiscard]] Bytes& own_bytes();
  [[nodiscard]] const std::shared_ptr<const Bytes>& shared_bytes() const { return bytes_; }

  /// Exact, but for i32 beyond 2^24, which are rounded to nearest.
  [[nodiscard]] MatrixF to_floats() const;
  /// Exact for integers. Throws std::invalid_argument for floating-point types.
  [[nodiscard]] MatrixI to_integers() const;
  [[nodiscard]] Array transposed() const;
  /// The part of `rows` x `columns` from (row, column). Throws std::out_of_range outside.
  [[nodiscard]] Array block(std::uint64_t row, std::uint64_t column, std::uint64_t rows,
                            std::uint64_t columns) const;

  /// Bit by bit.
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
