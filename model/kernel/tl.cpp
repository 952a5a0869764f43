// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/tl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/kernel/commands.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/number_check.hpp"
#include "model/memory/resolve_access.hpp"

namespace kernbench::model::kernel {

using data::Block;
using topology::NodeKind;

namespace {

void check_axis(const char* op, unsigned axis, const SourceLine& line) {
  if (axis > 1) throw KernelError(op, line, fmt::format("axis {} is neither 0 nor 1", axis));
}

}  // namespace

std::uint64_t Tl::program_id(unsigned axis, SourceLine line) const {
  check_axis("program_id", axis, line);
  return axis == 0 ? place_.pe : place_.cube;
}

std::uint64_t Tl::num_programs(unsigned axis, SourceLine line) const {
  check_axis("num_programs", axis, line);
  return axis == 0 ? place_.pes : place_.cubes;
}

TensorRef Tl::ref(std::uint64_t va, std::uint64_t rows, std::uint64_t columns, DataType type) {
  return {va, rows, columns, columns, type};
}

Tile Tl::begin_load(Operation& operation, const char* op, const TensorRef& source,
                    const SourceLine& line) {
  note(op, line);
  Tile tile = allocate(op, source.rows, source.columns, source.type, line);
  if (source.empty()) return tile;
  check_whole_rows(op, source.type, {source.row_stride}, line);
  renew(operation, op, NodeKind::PeDma, line);
  if (operation.record) {
    operation.record->params = data::CopyParams{block_of(op, source, line), tile.block()};
  } else {
    check_mapped(op, source, line);
  }
  set_dma(operation.command, false, source);
  begin(operation);
  return tile;
}

bool Tl::begin_store(Operation& operation, const char* op, const TensorRef& target,
                     const Tile& tile, const SourceLine& line) {
  note(op, line);
  if (target.rows != tile.rows() || target.columns != tile.columns() ||
      target.type != tile.type()) {
    throw KernelError(op, line,
                      fmt::format("a tile of {} does not fit into {}", text_of(tile),
                                  shape_text(target.rows, target.columns, target.type)));
  }
  if (target.empty()) return false;
  check_owner(op, tile, line);
  check_whole_rows(op, target.type, {target.columns, target.row_stride}, line);
  renew(operation, op, NodeKind::PeDma, line);
  if (operation.record) {
    data::Block to = block_of(op, target, line);
    operation.record->params =
        data::CopyParams{operand(tile, operation.record->dependencies), std::move(to)};
  } else {
    check_mapped(op, target, line);
  }
  set_dma(operation.command, true, target);
  begin(operation);
  return true;
}

data::Array Tl::read(const Tile& tile, SourceLine line) {
  note("read", line);
  check_owner("read", tile, line);
  if (tile.bytes() == 0) return {tile.type(), tile.rows(), tile.columns()};
  data::Array values;
  try {
    values = executor_.values(tile.block());
  } catch (const std::invalid_argument& error) {
    refuse("read", line, error);
  }
  Operation& operation = next("read", NodeKind::PeFetchStore, line);
  if (operation.record) {
    operation.record->params = data::ReadParams{operand(tile, operation.record->dependencies)};
  }
  set_fetch(operation.command, tile.bytes());
  begin(operation);
  finish(nullptr);
  return values;
}

PendingTile Tl::iload(const TensorRef& source, SourceLine line) {
  auto operation = awaited_later();
  Tile tile = begin_load(*operation, "iload", source, line);
  if (tile.bytes() == 0) return {0, std::move(tile)};
  return {keep(std::move(operation)), std::move(tile)};
}

Pending Tl::istore(const TensorRef& target, const Tile& tile, SourceLine line) {
  auto operation = awaited_later();
  if (!begin_store(*operation, "istore", target, tile, line)) return Pending(0);
  return Pending(keep(std::move(operation), {tile}));
}

Tile Tl::begin_make(const char* op, MathOp math_op, std::uint64_t rows, std::uint64_t columns,
                    double number, DataType type, const SourceLine& line) {
  note(op, line);
  check_not_packed(op, type, line);
  check_number(op, line, number, type);
  Tile tile = allocate(op, rows, columns, type, line);
  const std::uint64_t bytes = tile.memory_->bytes;
  if (bytes == 0) return tile;
  Operation& operation = next(op, NodeKind::PeMath, line);
  if (operation.record) {
    operation.record->params = data::MathParams{math_op, {number}, {}, tile.block()};
  }
  set_math(operation.command, 0, math_op, rows * columns, bytes);
  begin(operation);
  return tile;
}

Tile Tl::trans(const Tile& tile) {
  Tile seen = tile;
  seen.transposed_ = !tile.transposed_;
  return seen;
}

Tile Tl::part(const Tile& tile, std::uint64_t first, std::uint64_t columns, SourceLine line) const {
  if (tile.tl() != this) refuse_owner("part", line);
  if (tile.rows_ != 1 || tile.transposed_ || first > tile.columns_ ||
      columns > tile.columns_ - first) {
    throw KernelError("part", line,
                      fmt::format("columns {} to {} are not a part of a row: the tile is {}", first,
                                  first + columns, text_of(tile)));
  }
  check_whole_rows("part", tile.type_, {first, columns}, line);
  Tile some = tile;
  some.first_ += first;
  some.columns_ = columns;
  return some;
}

Tile Tl::buffer(std::uint64_t columns, DataType type, SourceLine line) {
  Tile tile = allocate("buffer", 1, columns, type, line);
  tile.memory_->is_buffer = true;
  return tile;
}

Tile Tl::begin_dot(const Tile& a, const Tile& b, std::optional<DataType> type,
                   const SourceLine& line) {
  note("dot", line);
  if (a.columns() != b.rows() || !can_multiply(a.type(), b.type())) {
    throw KernelError(
        "dot", line,
        fmt::format("cannot multiply {} by {}: the inner dimensions and the types must be equal "
                    "(or both types f8, or the right one i4)",
                    text_of(a), text_of(b)));
  }
  check_owner("dot", a, line);
  check_owner("dot", b, line);
  check_accumulators("dot", a.rows(), b.columns(), a.type(), line);
  const DataType made = type.value_or(accumulator_of(a.type()));
  const bool no_products = a.columns() == 0;
  Tile c = no_products ? begin_make("dot", MathOp::Fill, a.rows(), b.columns(), 0.0, made, line)
                       : allocate("dot", a.rows(), b.columns(), made, line);
  if (no_products || c.memory_->bytes == 0) return c;
  Operation& operation = next("dot", NodeKind::PeGemm, line);
  if (operation.record) {
    std::vector<std::uint32_t>& producers = operation.record->dependencies;
    operation.record->params =
        data::GemmParams{operand(a, producers), operand(b, producers), c.block()};
  }
  set_gemm(operation.command, a.bytes() + b.bytes(), c.rows() * c.columns() * a.columns(),
           c.bytes());
  begin(operation);
  return c;
}

void Tl::check_accumulators(const char* op, std::uint64_t rows, std::uint64_t columns,
                            DataType type, const SourceLine& line, std::uint64_t kept) const {
  const DataType sums = accumulator_of(type);
  const std::uint64_t most = executor_.accumulator_bytes() / bytes_of(sums);
  if (rows == 0 || columns <= most / rows / (1 + kept)) return;
  throw KernelError(
      op, line,
      fmt::format("a tile of {} sums of {}{} is too large: the accumulators of pe_gemm hold {} "
                  "(accumulator_kb: {})",
                  shape_text(rows, columns), name_of(sums),
                  kept == 0
                      ? ""
                      : fmt::format(" and {} earlier value{} of each", kept, kept == 1 ? "" : "s"),
                  most, executor_.accumulator_bytes() >> 10U));
}

std::unique_ptr<Operation> Tl::awaited_later() {
  auto operation = std::make_unique<Operation>();
  operation->awaited_later = true;
  return operation;
}

std::uint64_t Tl::keep(std::unique_ptr<Operation> operation, std::vector<Tile> tiles) {
  in_flight_.push_back({++put_off_, std::move(operation), std::move(tiles)});
  return put_off_;
}

void Tl::finish(std::uint64_t number, const Tile* result, const SourceLine& line) {
  note("wait", line);
  if (number == 0) return;
  const auto found = std::find_if(in_flight_.begin(), in_flight_.end(),
                                  [&](const InFlight& flight) { return flight.number == number; });
  if (found == in_flight_.end()) {
    throw KernelError("wait", line, "the kernel has already waited for this operation");
  }
  const InFlight finished = std::move(*found);
  in_flight_.erase(found);
  Operation& operation = *finished.operation;
  executor_.wait(operation);
  operation.name = "wait";
  operation.line = line;
  if (operation.record) end(operation, result);
}

void Tl::wait(Pending pending, SourceLine line) {
  finish(pending.number_, nullptr, line);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): an operation is waited for once
Tile Tl::wait(PendingTile pending, SourceLine line) {
  finish(pending.number_, &pending.tile_, line);
  return pending.tile_;
}

void Tl::end() const {
  if (!in_flight_.empty()) {
    const Operation& operation = *in_flight_.front().operation;
    throw KernelError(operation.name, operation.line,
                      "the kernel ended without waiting for this operation");
  }
}

Tl& Tl::of(const Located& a, const Located& b) {
  for (const Located* const side : {&a, &b}) {
    if (side->tile == nullptr) continue;
    Tl* const owner = side->tile->tl();
    if (owner == nullptr) {
      throw KernelError("math", side->at, "the tile belongs to a kernel that has ended");
    }
    return *owner;
  }
  throw std::invalid_argument("an operation needs at least one tile");
}

void Tl::refuse_owner(const char* op, const SourceLine& line) {
  throw KernelError(op, line, "the tile belongs to another kernel");
}

void Tl::check_written(const char* op, const Tile& tile, const SourceLine& line) {
  std::uint64_t missing = tile.columns_;
  for (const TilePool::Written& written : tile.memory_->written) {
    if (!written.done) continue;
    const std::uint64_t begin = std::max(written.begin, tile.first_);
    const std::uint64_t end = std::min(written.end, tile.first_ + tile.columns_);
    if (begin < end) missing -= end - begin;
  }
  if (missing == 0) return;
  throw KernelError(
      op, line,
      fmt::format("{} of {} elements of a buffer have not been written", missing, tile.columns_));
}

void Tl::claim(const char* op, const Tile& target, const SourceLine& line) const {
  if (target.tl() != this) refuse_owner(op, line);
  if (!target.memory_->is_buffer) {
    throw KernelError(op, line, "the target is not a part of a tl.buffer()");
  }
  const std::uint64_t end = target.first_ + target.columns_;
  for (const TilePool::Written& written : target.memory_->written) {
    if (written.begin >= end || target.first_ >= written.end || target.columns_ == 0) continue;
    throw KernelError(
        op, line,
        fmt::format("columns {} to {} of the buffer have been written, or are being "
                    "received",
                    std::max(written.begin, target.first_), std::min(written.end, end) - 1));
  }
  target.memory_->written.push_back({target.first_, end});
}

TilePool::Written& Tl::written(const Tile& target) {
  std::vector<TilePool::Written>& all = target.memory_->written;
  return *std::find_if(all.rbegin(), all.rend(), [&](const TilePool::Written& one) {
    return one.begin == target.first_ && one.end == target.first_ + target.columns_;
  });
}

Block Tl::operand(const Tile& tile, std::vector<std::uint32_t>& producers) {
  producers.push_back(tile.memory_->producer);
  for (const TilePool::Written& written : tile.memory_->written) {
    if (written.begin < tile.first_ + tile.columns_ && tile.first_ < written.end) {
      producers.push_back(written.producer);
    }
  }
  return tile.block();
}

Block Tl::block_of(const char* op, const TensorRef& ref, const SourceLine& line) {
  Block block;
  block.type = ref.type;
  block.rows = ref.rows;
  block.columns = ref.columns;
  block.row_stride = ref.row_stride;
  try {
    executor_.resolve(ref.va, block);
  } catch (const memory::AccessError& error) {
    refuse(op, line, error);
  }
  return block;
}

void Tl::end(const Operation& operation, const Tile* result) {
  try {
    executor_.end(operation);
  } catch (const std::invalid_argument& error) {
    refuse(operation.name, operation.line, error);
  }
  if (result == nullptr) return;
  if (result->memory_->is_buffer) {
    written(*result) = {result->first_, result->first_ + result->columns_,
                        operation.command.operation, true};
  } else {
    result->memory_->producer = operation.command.operation;
  }
}

void Tl::check_not_packed(const char* op, DataType type, const SourceLine& line) {
  if (type != DataType::I4) return;
  throw KernelError(op, line, "i4 only holds weights; convert it with tl.cast()");
}

void Tl::check_whole_rows(const char* op, DataType type,
                          std::initializer_list<std::uint64_t> columns, const SourceLine& line) {
  if (bytes_of(type).shift == 0) return;
  try {
    for (const std::uint64_t count : columns) data::require_whole_rows(type, count);
  } catch (const std::invalid_argument& error) {
    refuse(op, line, error);
  }
}

void Tl::refuse(const char* op, const SourceLine& line, const std::exception& error) {
  throw KernelError(op, line, error.what());
}

}  // namespace kernbench::model::kernel
