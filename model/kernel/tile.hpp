// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "common/api.hpp"
#include "model/data/op_log.hpp"
#include "model/data/operation.hpp"
#include "model/kernel/tile_pool.hpp"

namespace kernbench::model::kernel {

/// A matrix in HBM. Naming it moves no data.
struct KERNBENCH_API TensorRef {
  std::uint64_t va = 0;  ///< address of the first element
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t row_stride = 0;  ///< elements from one row to the next
  data::DataType type = data::DataType::F32;

  [[nodiscard]] bool empty() const { return rows == 0 || columns == 0; }
  /// Returns the bytes of the elements, without gaps between rows.
  [[nodiscard]] std::uint64_t bytes() const { return rows * columns * bytes_of(type); }
  /// Returns the bytes from the first element to the last, with gaps between rows.
  [[nodiscard]] std::uint64_t span_bytes() const {
    return data::span_bytes(rows, columns, row_stride, type);
  }
  /// Returns the block of `block_rows` x `block_columns` at (row, column), clipped to the matrix.
  /// Throws std::invalid_argument when it begins within a byte, at an odd column of i4.
  [[nodiscard]] TensorRef block(std::uint64_t row, std::uint64_t column, std::uint64_t block_rows,
                                std::uint64_t block_columns) const;
  /// Returns a matrix of a batch: the tensor has rank 3 or 4 and is stored as one matrix above the
  /// other, each of `its_rows` rows. The index of rank 4 is that of both batches together.
  [[nodiscard]] TensorRef matrix(std::uint64_t index, std::uint64_t its_rows) const {
    return block(index * its_rows, 0, its_rows, columns);
  }
};

/// A matrix in the TCM of a PE: the immutable result of a kernel's operation. Copies share one
/// matrix, whose TCM is freed with the last copy. A part of a row shares the row's TCM. A buffer is
/// a row that several operations write, each element once.
///
/// A tile that outlives its kernel keeps its shape and type. It has no TCM, and operations on it
/// throw KernelError.
class KERNBENCH_API Tile {
 public:
  [[nodiscard]] std::uint64_t rows() const { return transposed_ ? columns_ : rows_; }
  [[nodiscard]] std::uint64_t columns() const { return transposed_ ? rows_ : columns_; }
  [[nodiscard]] data::DataType type() const { return type_; }
  [[nodiscard]] std::uint64_t bytes() const { return rows_ * columns_ * bytes_of(type_); }

 private:
  friend class Tl;

  Tile(TilePool::Handle memory, data::DataType type, std::uint64_t rows, std::uint64_t columns)
      : memory_(std::move(memory)), type_(type), rows_(rows), columns_(columns) {}

  /// Returns true if both have the same type, shape and orientation.
  [[nodiscard]] bool is_like(const Tile& other) const {
    return rows_ == other.rows_ && columns_ == other.columns_ && transposed_ == other.transposed_ &&
           type_ == other.type_;
  }
  /// Returns the Tl that made the tile; null when its kernel has ended.
  [[nodiscard]] Tl* tl() const { return memory_->pool->tl(); }
  [[nodiscard]] data::Block block() const;

  TilePool::Handle memory_;
  data::DataType type_;
  bool transposed_ = false;
  std::uint64_t rows_;       ///< rows as stored
  std::uint64_t columns_;    ///< columns as stored
  std::uint64_t first_ = 0;  ///< first column, for a part of a row
};

/// Returns "4 x 8", and with a type "4 x 8 of f16".
[[nodiscard]] KERNBENCH_API std::string shape_text(std::uint64_t rows, std::uint64_t columns,
                                                   std::optional<data::DataType> type = {});
[[nodiscard]] std::string text_of(const Tile& tile);

/// A tile or number operand and its source line, which an overloaded operator cannot take as an
/// argument. The tile must outlive it.
struct Located {
  // Implicit conversions allow x + 1.0.
  Located(const Tile& operand, data::SourceLine line = data::SourceLine::here())  // NOLINT
      : tile(&operand), at(line) {}
  Located(double operand, data::SourceLine line = data::SourceLine::here())  // NOLINT
      : number(operand), at(line) {}

  const Tile* tile = nullptr;  ///< null for a number
  double number = 0.0;
  data::SourceLine at;
};

}  // namespace kernbench::model::kernel
