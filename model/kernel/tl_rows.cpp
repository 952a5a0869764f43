// SPDX-License-Identifier: Apache-2.0
// Operations on whole rows of tiles, and on rows of memory by their numbers.
#include <fmt/format.h>

#include <array>

#include "model/kernel/commands.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

using topology::NodeKind;

namespace {

/// Throws KernelError unless `rows` can number rows.
void check_numbers(const char* op, const Tile& rows, const SourceLine& line) {
  if (rows.type() == DataType::I32 && (rows.rows() == 1 || rows.columns() == 1)) return;
  throw KernelError(
      op, line,
      fmt::format("the numbers of rows must be one row or column of i32, not {}", text_of(rows)));
}

}  // namespace

Tile Tl::of_rows(MathOp op, std::span<const Tile* const> inputs, std::uint64_t rows,
                 std::uint64_t columns, DataType type, std::uint64_t elements,
                 const SourceLine& line) {
  const char* const name = components::literal_of(op);
  std::uint64_t bytes = 0;
  for (const Tile* const input : inputs) {
    check_owner(name, *input, line);
    check_not_packed(name, input->type(), line);
    bytes += input->bytes();
  }
  Tile result = allocate(name, rows, columns, type, line);
  if (result.bytes() == 0) return result;
  Operation& operation = next(name, NodeKind::PeMath, line);
  if (operation.record) {
    data::MathParams params{op, {}, {}, result.block()};
    for (const Tile* const input : inputs) {
      params.inputs.emplace_back(operand(*input, operation.record->dependencies));
    }
    operation.record->params = std::move(params);
  }
  set_math(operation.command, bytes, op, elements, result.bytes());
  begin(operation);
  finish(&result);
  return result;
}

Tile Tl::argmax(const Tile& x, SourceLine line) {
  note("argmax", line);
  if (x.columns() == 0 && x.rows() != 0) {
    throw KernelError("argmax", line, "reduction of an empty tile");
  }
  return of_rows(MathOp::ArgMax, std::array{&x}, x.rows(), 1, DataType::I32, x.rows() * x.columns(),
                 line);
}

Tile Tl::top_k(const Tile& x, std::uint64_t k, SourceLine line) {
  note("top_k", line);
  if (k > x.columns()) {
    throw KernelError("top_k", line,
                      fmt::format("rows of {} elements do not have {} largest", x.columns(), k));
  }
  return of_rows(MathOp::TopK, std::array{&x}, x.rows(), k, DataType::I32,
                 x.rows() * x.columns() * k, line);
}

Tile Tl::take(const Tile& x, const Tile& columns, SourceLine line) {
  note("take", line);
  if (columns.type() != DataType::I32 || (x.rows() != 1 && x.rows() != columns.rows())) {
    throw KernelError("take", line,
                      fmt::format("the indices of {} must be i32 and have as many rows, not {}",
                                  text_of(x), text_of(columns)));
  }
  return of_rows(MathOp::Take, std::array{&x, &columns}, columns.rows(), columns.columns(),
                 x.type(), columns.rows() * columns.columns(), line);
}

Tile Tl::rope(const Tile& x, const Tile& cosines, const Tile& sines, SourceLine line) {
  note("rope", line);
  if (!is_floating(x.type()) || x.columns() % 2 != 0) {
    throw KernelError("rope", line,
                      fmt::format("requires an even number of columns of a floating-point type, "
                                  "not {}",
                                  text_of(x)));
  }
  for (const Tile* const factor : {&cosines, &sines}) {
    const bool fits = (factor->rows() == 1 || factor->rows() == x.rows()) &&
                      factor->columns() == x.columns() / 2 &&
                      (factor->type() == DataType::F32 || factor->type() == x.type());
    if (fits) continue;
    throw KernelError(
        "rope", line,
        fmt::format("cosines and sines of {} do not fit {}: they need one row or {}, "
                    "and {} columns of f32 or {}",
                    text_of(*factor), text_of(x), x.rows(), x.columns() / 2, name_of(x.type())));
  }
  return of_rows(MathOp::Rope, std::array{&x, &cosines, &sines}, x.rows(), x.columns(), x.type(),
                 2 * x.rows() * x.columns(), line);
}

Tile Tl::transpose(const Tile& x, SourceLine line) {
  note("transpose", line);
  return of_rows(MathOp::Transpose, std::array{&x}, x.columns(), x.rows(), x.type(),
                 x.rows() * x.columns(), line);
}

void Tl::copy_rows(const char* op, const TensorRef& matrix, const Tile& rows, const Tile& tile,
                   bool write, const SourceLine& line) {
  if (tile.bytes() == 0) return;
  if (matrix.empty()) throw KernelError(op, line, "the matrix has no rows");
  check_owner(op, rows, line);
  check_whole_rows(op, matrix.type, {matrix.columns, matrix.row_stride}, line);
  Operation& operation = next(op, NodeKind::PeDma, line);
  if (operation.record) {
    std::vector<std::uint32_t>& producers = operation.record->dependencies;
    data::CopyParams params;
    params.rows = operand(rows, producers);
    if (write) {
      params.source = operand(tile, producers);
      params.target = block_of(op, matrix, line);
    } else {
      params.source = block_of(op, matrix, line);
      params.target = tile.block();
    }
    operation.record->params = std::move(params);
  } else {
    check_mapped(op, matrix, line);
  }
  set_dma_of_rows(operation.command, write, matrix, tile.rows());
  begin(operation);
  finish(write ? nullptr : &tile);
}

Tile Tl::gather(const TensorRef& source, const Tile& rows, SourceLine line) {
  note("gather", line);
  check_numbers("gather", rows, line);
  Tile tile = allocate("gather", rows.rows() * rows.columns(), source.columns, source.type, line);
  copy_rows("gather", source, rows, tile, false, line);
  return tile;
}

void Tl::scatter(const TensorRef& target, const Tile& rows, const Tile& tile, SourceLine line) {
  note("scatter", line);
  check_numbers("scatter", rows, line);
  if (tile.rows() != rows.rows() * rows.columns() || tile.columns() != target.columns ||
      tile.type() != target.type) {
    throw KernelError(
        "scatter", line,
        fmt::format("a tile of {} does not fit {} rows of {} columns of {}", text_of(tile),
                    rows.rows() * rows.columns(), target.columns, name_of(target.type)));
  }
  check_owner("scatter", tile, line);
  copy_rows("scatter", target, rows, tile, true, line);
}

}  // namespace kernbench::model::kernel
