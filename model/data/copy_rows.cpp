// SPDX-License-Identifier: Apache-2.0
#include "model/data/copy_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace kernbench::model::data {

namespace {

/// Returns a row of a matrix in memory.
Block row_of(const Block& matrix, std::uint64_t row) {
  Block one = matrix;
  one.rows = 1;
  one.stretches.clear();
  std::uint64_t skip = row * matrix.row_stride * bytes_of(matrix.type);
  std::uint64_t left = one.bytes();
  for (const Stretch& stretch : matrix.stretches) {
    if (skip >= stretch.bytes) {
      skip -= stretch.bytes;
      continue;
    }
    const std::uint64_t bytes = std::min(left, stretch.bytes - skip);
    if (bytes != 0) one.stretches.push_back({stretch.pa + skip, bytes});
    left -= bytes;
    skip = 0;
  }
  return one;
}

/// Returns the numbers of the rows that a copy moves.
std::vector<std::uint64_t> rows_of(const Block& numbers, const Block& matrix,
                                   const MemoryStore& store) {
  const MatrixI values = store.read(numbers).to_integers();
  std::vector<std::uint64_t> rows;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const std::int32_t value = values.data()[i];
    if (value < 0 || static_cast<std::uint64_t>(value) >= matrix.rows) {
      throw ReplayError(fmt::format("index {} at position {} is not a row of the {} x {} of {}",
                                    value, i, matrix.rows, matrix.columns,
                                    data::name_of(matrix.type)));
    }
    rows.push_back(static_cast<std::uint64_t>(value));
  }
  return rows;
}

}  // namespace

std::vector<std::pair<Block, Array>> copy_rows(const CopyParams& copy, const MemoryStore& store) {
  std::vector<std::pair<Block, Array>> outputs;
  if (copy.target.space != Space::Tcm) {
    const Array tile = store.read(copy.source);
    std::uint64_t next = 0;
    for (const std::uint64_t row : rows_of(*copy.rows, copy.target, store)) {
      outputs.emplace_back(row_of(copy.target, row), tile.block(next++, 0, 1, tile.columns()));
    }
    return outputs;
  }
  Bytes bytes(copy.target.bytes());
  std::byte* to = bytes.data();
  for (const std::uint64_t row : rows_of(*copy.rows, copy.source, store)) {
    const Array one = store.read(row_of(copy.source, row));
    if (!one.bytes().empty()) std::memcpy(to, one.bytes().data(), one.bytes().size());
    to += one.bytes().size();
  }
  outputs.emplace_back(copy.target, Array(copy.target.type, copy.target.rows, copy.target.columns,
                                          std::make_shared<Bytes>(std::move(bytes))));
  return outputs;
}

}  // namespace kernbench::model::data
