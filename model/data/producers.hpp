// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "model/data/operation.hpp"

namespace kernbench::model::data {

/// Maps each byte of the memories to the operation that last wrote it.
class Producers {
 public:
  /// Appends the operations that wrote the bytes of the block to `found`, unordered.
  void find(const Block& block, std::vector<std::uint32_t>& found) const;
  /// Makes `record` the producer of the block, without the gaps between its rows.
  void set(const Block& block, std::uint32_t record);

 private:
  struct Range {
    std::uint64_t end = 0;  ///< exclusive
    std::uint32_t record = 0;
  };
  void set(std::uint64_t begin, std::uint64_t end, std::uint32_t record);

  std::map<std::uint64_t, Range> ranges_;  ///< by first physical address; disjoint
};

/// Calls `visit(pa, bytes)` for each contiguous piece of a block, in row order. Rows are split at
/// the ends of stretches; rows without gaps are joined. Throws std::invalid_argument for
/// overlapping rows, and for stretches that end before the block does.
template <typename Visitor>
void for_each_piece(const Block& block, Visitor&& visit) {
  if (block.rows == 0 || block.columns == 0) return;
  if (block.row_stride < block.columns && block.rows > 1) {
    throw std::invalid_argument("the rows of a block overlap");
  }
  const std::uint64_t width = block.columns * bytes_of(block.type);
  const std::uint64_t stride = block.row_stride * bytes_of(block.type);
  const bool dense = block.columns == block.row_stride;
  const std::uint64_t rows = dense ? 1 : block.rows;
  const std::uint64_t row_bytes = dense ? width * block.rows : width;
  std::size_t stretch = 0;
  std::uint64_t stretch_begin = 0;  // offset in the block's span
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::uint64_t at = row * stride;
    const std::uint64_t end = at + row_bytes;
    while (at < end) {
      while (stretch < block.stretches.size() &&
             at >= stretch_begin + block.stretches[stretch].bytes) {
        stretch_begin += block.stretches[stretch].bytes;
        ++stretch;
      }
      if (stretch == block.stretches.size()) {
        throw std::invalid_argument("a block is longer than its memory");
      }
      const Stretch& part = block.stretches[stretch];
      const std::uint64_t within = at - stretch_begin;
      const std::uint64_t bytes = std::min(end - at, part.bytes - within);
      visit(part.pa + within, bytes);
      at += bytes;
    }
  }
}

}  // namespace kernbench::model::data
