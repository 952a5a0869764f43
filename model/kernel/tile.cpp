// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/tile.hpp"

#include <algorithm>

namespace kernbench::model::kernel {

TensorRef TensorRef::block(std::uint64_t row, std::uint64_t column, std::uint64_t block_rows,
                           std::uint64_t block_columns) const {
  TensorRef part = *this;
  row = std::min(row, rows);
  column = std::min(column, columns);
  part.va += (row * row_stride + column) * bytes_of(type);
  part.rows = std::min(block_rows, rows - row);
  part.columns = std::min(block_columns, columns - column);
  return part;
}

data::Block Tile::block() const {
  data::Block block;
  block.space = data::Space::Tcm;
  block.type = type_;
  block.rows = rows_;
  block.columns = columns_;
  block.row_stride = columns_;
  block.transposed = transposed_;
  if (bytes() != 0) block.stretches = {{memory_->pa + first_ * bytes_of(type_), bytes()}};
  return block;
}

}  // namespace kernbench::model::kernel
