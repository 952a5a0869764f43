#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <cstddef>
#include <cstdint>

#include "model/data/op_log.hpp"
#include "model/data/operation.hpp"

namespace kernbench::model::kernel {

class Tl;

/// A matrix in HBM that a kernel can name without moving it: rows of `columns` elements,
/// `row_stride` elements from one to the next.
struct TensorRef {
  std::uint64_t va = 0;  ///< of the first element
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t row_stride = 0;
  data::DataType type = data::DataType::F32;

  [[nodiscard]] bool empty() const { return rows == 0 || columns == 0; }
  /// Without the gaps between rows.
  [[nodiscard]] std::uint64_t bytes() const { return rows * columns * bytes_of(type); }
  [[nodiscard]] std::uint64_t span_bytes() const {
    return data::span_bytes(rows, columns, row_stride, type);
  }
  /// At most `rows` x `columns` from (row, column): what reaches over the edge is cut off.
  [[nodiscard]] TensorRef block(std::uint64_t row, std::uint64_t column, std::uint64_t block_rows,
                                std::uint64_t block_columns) const;
};

/// A matrix in the TCM of a PE: the result of a kernel's operation, which nothing changes later.
/// Copies are handles to the same matrix; its memory is free again when the last is gone, or the
/// kernel has ended.
class Tile {
 public:
  [[nodiscard]] std::uint64_t rows() const { return transposed_ ? columns_ : rows_; }
  [[nodiscard]] std::uint64_t columns() const { return transposed_ ? rows_ : columns_; }
  [[nodiscard]] data::DataType type() const { return type_; }
  [[nodiscard]] std::uint64_t bytes() const { return rows_ * columns_ * bytes_of(type_); }

 private:
  friend class Tl;

  /// The memory of a tile, or of none yet: its owner uses it again.
  struct Memory {
    Tl* owner = nullptr;  ///< none when the kernel has ended
    Memory* next_spare = nullptr;
    std::uint64_t pa = 0;
    std::uint64_t bytes = 0;
    std::uint32_t producer = data::OpLog::kNone;
    std::uint32_t handles = 0;  ///< a kernel and all that it has stay in one thread

    friend void intrusive_ptr_add_ref(Memory* memory) { ++memory->handles; }
    friend void intrusive_ptr_release(Memory* memory) {
      if (--memory->handles == 0) memory->release();
    }
    void release();
  };

  Tile(Memory* memory, data::DataType type, std::uint64_t rows, std::uint64_t columns)
      : memory_(memory), type_(type), rows_(rows), columns_(columns) {}

  /// Whether the other has the same shape, stored the same way, and type.
  [[nodiscard]] bool is_like(const Tile& other) const {
    return rows_ == other.rows_ && columns_ == other.columns_ && transposed_ == other.transposed_ &&
           type_ == other.type_;
  }
  [[nodiscard]] data::Block block() const;

  boost::intrusive_ptr<Memory> memory_;
  data::DataType type_;
  bool transposed_ = false;
  std::uint64_t rows_;  ///< as stored
  std::uint64_t columns_;
};

/// A parameter that is a tile or a number, and the line where it is used: operators have no other
/// way to know theirs. It refers to the tile.
struct Located {
  // Conversions are meant: x + 1.0.
  Located(const Tile& operand, data::SourceLine line = data::SourceLine::here())  // NOLINT
      : tile(&operand), at(line) {}
  Located(double operand, data::SourceLine line = data::SourceLine::here())  // NOLINT
      : number(operand), at(line) {}

  const Tile* tile = nullptr;  ///< none of a number
  double number = 0.0;
  data::SourceLine at;
};

}  // namespace kernbench::model::kernel
