// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/tile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kernbench::model::kernel {

TensorRef TensorRef::block(std::uint64_t row, std::uint64_t column, std::uint64_t block_rows,
                           std::uint64_t block_columns) const {
  TensorRef part = *this;
  row = std::min(row, rows);
  column = std::min(column, columns);
  const components::ElementSize size = bytes_of(type);
  if (!size.fills(row * row_stride + column)) {
    throw std::invalid_argument(fmt::format(
        "column {} of {} does not begin with a byte: it must be even", column, name_of(type)));
  }
  part.va += (row * row_stride + column) * size;
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

std::string shape_text(std::uint64_t rows, std::uint64_t columns,
                       std::optional<data::DataType> type) {
  return type ? fmt::format("{} x {} of {}", rows, columns, name_of(*type))
              : fmt::format("{} x {}", rows, columns);
}

std::string text_of(const Tile& tile) {
  return shape_text(tile.rows(), tile.columns(), tile.type());
}

}  // namespace kernbench::model::kernel
