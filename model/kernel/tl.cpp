#include "model/kernel/tl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/kernel/commands.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/number_check.hpp"
#include "model/kernel/tl_memory.hpp"
#include "model/memory/resolve_access.hpp"

namespace kernbench::model::kernel {

using data::Block;
using topology::NodeKind;

namespace {

std::string shape_of(std::uint64_t rows, std::uint64_t columns) {
  return fmt::format("{} x {}", rows, columns);
}

std::string shape_of(const Tile& tile) {
  return fmt::format("{} of {}", shape_of(tile.rows(), tile.columns()), name_of(tile.type()));
}

/// Makes `side` that of the element-wise result with another operand too. False when they do not
/// fit.
bool fit_side(std::uint64_t& side, std::uint64_t other) {
  if (side == other || other == 1) return true;
  if (side != 1) return false;
  side = other;
  return true;
}

}  // namespace

std::uint64_t Tl::program_id(unsigned axis, SourceLine line) const {
  if (axis > 1) throw KernelError("program_id", line, fmt::format("axis {} of 0 and 1", axis));
  return axis == 0 ? place_.pe : place_.cube;
}

std::uint64_t Tl::num_programs(unsigned axis, SourceLine line) const {
  if (axis > 1) throw KernelError("num_programs", line, fmt::format("axis {} of 0 and 1", axis));
  return axis == 0 ? place_.pes : place_.cubes;
}

TensorRef Tl::ref(std::uint64_t va, std::uint64_t rows, std::uint64_t columns, DataType type) {
  return {va, rows, columns, columns, type};
}

Tile Tl::begin_load(const TensorRef& source, const SourceLine& line) {
  note("load", line);
  Tile tile = allocate("load", source.rows, source.columns, source.type, line);
  if (source.empty()) return tile;
  Operation& operation = next("load", NodeKind::PeDma, line);
  if (operation.record) {
    operation.record->params = data::CopyParams{block_of("load", source, line), tile.block()};
  } else {
    check_mapped("load", source, line);
  }
  set_dma(operation.command, false, source);
  begin(operation);
  return tile;
}

bool Tl::begin_store(const TensorRef& target, const Tile& tile, const SourceLine& line) {
  note("store", line);
  if (target.rows != tile.rows() || target.columns != tile.columns() ||
      target.type != tile.type()) {
    throw KernelError("store", line,
                      fmt::format("a tile of {} does not fit into {} of {}", shape_of(tile),
                                  shape_of(target.rows, target.columns), name_of(target.type)));
  }
  if (target.empty()) return false;
  check_owner("store", tile, line);
  Operation& operation = next("store", NodeKind::PeDma, line);
  if (operation.record) {
    data::Block to = block_of("store", target, line);
    operation.record->params =
        data::CopyParams{operand(tile, operation.record->dependencies), std::move(to)};
  } else {
    check_mapped("store", target, line);
  }
  set_dma(operation.command, true, target);
  begin(operation);
  return true;
}

Tile Tl::begin_make(const char* op, MathOp math_op, std::uint64_t rows, std::uint64_t columns,
                    double number, DataType type, const SourceLine& line) {
  note(op, line);
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

Tile Tl::begin_dot(const Tile& a, const Tile& b, std::optional<DataType> type,
                   const SourceLine& line) {
  note("dot", line);
  if (a.columns() != b.rows() || a.type() != b.type()) {
    throw KernelError(
        "dot", line,
        fmt::format("cannot multiply {} by {}: the columns of the first are the rows of the "
                    "second, and both are of one type",
                    shape_of(a), shape_of(b)));
  }
  check_owner("dot", a, line);
  check_owner("dot", b, line);
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
  set_gemm(operation.command, a.memory_->bytes + b.memory_->bytes,
           c.rows() * c.columns() * a.columns(), c.memory_->bytes);
  begin(operation);
  return c;
}

Tl::MathInputs Tl::match(MathOp op, std::initializer_list<const Located*> inputs,
                         std::optional<DataType> type, const SourceLine& line) const {
  const char* const name = components::name_of(op).data();
  MathInputs matched;
  std::optional<DataType> input_type;
  for (const Located* const input : inputs) {
    if (input->tile == nullptr) continue;
    const Tile& tile = *input->tile;
    const std::uint64_t rows_before = matched.rows;
    if (!fit_side(matched.rows, tile.rows()) || !fit_side(matched.columns, tile.columns())) {
      throw KernelError(name, line,
                        fmt::format("{} and {} do not fit: sides are equal, or one of them is 1",
                                    shape_of(rows_before, matched.columns), shape_of(tile)));
    }
    const bool condition = op == MathOp::Where && input == *inputs.begin();
    const DataType wanted = condition ? DataType::I8 : input_type.value_or(tile.type());
    if (tile.type() != wanted) {
      throw KernelError(name, line,
                        fmt::format("an operand is of {}, not of {}; tl.cast() changes types",
                                    name_of(tile.type()), name_of(wanted)));
    }
    if (!condition) input_type = tile.type();
    matched.bytes += tile.bytes();
    check_owner(name, tile, line);
  }
  matched.type = input_type.value_or(type.value_or(DataType::F32));
  for (const Located* const input : inputs) {
    if (input->tile == nullptr) check_number(name, line, input->number, matched.type);
  }
  return matched;
}

Tile Tl::begin_math(MathOp op, std::initializer_list<const Located*> inputs,
                    std::optional<DataType> type, std::optional<Axis> axis,
                    const SourceLine& line) {
  const char* const name = components::name_of(op).data();
  note(name, line);
  const Tile* const first = inputs.begin()[0]->tile;
  const Tile* const last = inputs.end()[-1]->tile;
  const bool alike = op != MathOp::Where && first != nullptr && last != nullptr &&
                     first->is_like(*last) && first->memory_->owner == this &&
                     last->memory_->owner == this;
  const MathInputs matched = alike
                                 ? MathInputs{first->rows(), first->columns(),
                                              first->memory_->bytes * inputs.size(), first->type()}
                                 : match(op, inputs, type, line);
  if (components::is_floating_only(op) && !is_floating(matched.type)) {
    throw KernelError(
        name, line, fmt::format("is for floating-point types, not for {}", name_of(matched.type)));
  }
  const DataType made = components::is_comparison(op) ? DataType::I8 : type.value_or(matched.type);
  std::uint64_t rows = matched.rows;
  std::uint64_t columns = matched.columns;
  const std::uint64_t elements = rows * columns;
  if (axis) (*axis == Axis::Rows ? rows : columns) = 1;
  const bool of_nothing = elements == 0 && rows * columns != 0;
  if (of_nothing && op != MathOp::Sum) throw KernelError(name, line, "of no elements");
  Tile result = of_nothing ? begin_make(name, MathOp::Fill, rows, columns, 0.0, made, line)
                           : allocate(name, rows, columns, made, line);
  if (elements == 0) return result;
  Operation& operation = next(name, NodeKind::PeMath, line);
  if (operation.record) {
    data::MathParams params{op, {}, axis, result.block()};
    params.inputs.reserve(inputs.size());
    for (const Located* const input : inputs) {
      params.inputs.push_back(
          input->tile != nullptr
              ? data::Operand(operand(*input->tile, operation.record->dependencies))
              : data::Operand(input->number));
    }
    operation.record->params = std::move(params);
  }
  set_math(operation.command, matched.bytes, op, elements, result.memory_->bytes);
  begin(operation);
  return result;
}

void Tl::refuse_comparison(MathOp op, const SourceLine& line) {
  throw KernelError("compare", line, fmt::format("'{}' is no comparison", components::name_of(op)));
}

void Tl::find_channel(Operation& operation, std::string_view direction, bool send,
                      const Tile& tile) {
  data::OpRecord& record = operation.record.emplace();
  data::IpcqCopyParams params;
  params.send = send;
  params.local = send ? operand(tile, record.dependencies) : tile.block();
  try {
    executor_.find_channel(direction, params);
  } catch (const std::invalid_argument& error) {
    refuse(operation, error);
  }
  record.params = std::move(params);
}

bool Tl::begin_send(std::string_view direction, const Tile& tile, const SourceLine& line) {
  if (tile.bytes() == 0) return false;
  note("send", line);
  check_owner("send", tile, line);
  Operation& operation = next("send", NodeKind::PeIpcq, line);
  operation.command.work = components::IpcqSend{std::string(direction), tile.bytes()};
  find_channel(operation, direction, true, tile);
  begin(operation);
  return true;
}

Tile Tl::begin_recv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                    DataType type, const SourceLine& line) {
  Tile tile = allocate("recv", rows, columns, type, line);
  if (tile.bytes() == 0) return tile;
  note("recv", line);
  Operation& operation = next("recv", NodeKind::PeIpcq, line);
  operation.command.work = components::IpcqRecv{std::string(direction), tile.bytes()};
  find_channel(operation, direction, false, tile);
  begin(operation);
  return tile;
}

PendingRecv Tl::irecv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                      DataType type, SourceLine line) {
  Tile tile = allocate("irecv", rows, columns, type, line);
  if (tile.bytes() == 0) return {0, std::move(tile)};
  note("irecv", line);
  auto operation = std::make_unique<Operation>();
  operation->renew("irecv", NodeKind::PeIpcq, line);
  operation->command.work = components::IpcqRecv{std::string(direction), tile.bytes()};
  find_channel(*operation, direction, false, tile);
  begin(*operation);
  receives_.push_back({++receives_begun_, std::move(operation)});
  return {receives_begun_, std::move(tile)};
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): it is used up
Tile Tl::wait(PendingRecv pending, SourceLine line) {
  note("wait", line);
  if (pending.tile_.bytes() == 0) return pending.tile_;
  const auto receive =
      std::find_if(receives_.begin(), receives_.end(),
                   [&](const Receive& candidate) { return candidate.number == pending.number_; });
  if (receive == receives_.end()) {
    throw KernelError("wait", line, "for a receive that was waited for already");
  }
  const std::unique_ptr<Operation> under_way = std::move(receive->operation);
  receives_.erase(receive);
  executor_.wait(*under_way);
  under_way->name = "wait";
  under_way->line = line;
  end(*under_way, &pending.tile_);
  return pending.tile_;
}

void Tl::end() const {
  if (!receives_.empty()) {
    throw KernelError("irecv", receives_.front().operation->line,
                      "the kernel ends without waiting for it");
  }
}

Tl& Tl::of(const Located& a, const Located& b) {
  for (const Located* const side : {&a, &b}) {
    if (side->tile == nullptr) continue;
    Tl* const owner = side->tile->memory_->owner;
    if (owner == nullptr) throw KernelError("math", side->at, "a tile of a kernel that has ended");
    return *owner;
  }
  throw std::invalid_argument("an operation on numbers alone");
}

void Tl::refuse_owner(const char* op, const SourceLine& line) {
  throw KernelError(op, line, "a tile of another kernel");
}

Block Tl::operand(const Tile& tile, std::vector<std::uint32_t>& producers) {
  producers.push_back(tile.memory_->producer);
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
    throw KernelError(op, line, error.what());
  }
  return block;
}

void Tl::end(const Operation& operation, const Tile* result) {
  try {
    executor_.end(operation);
  } catch (const std::invalid_argument& error) {
    refuse(operation, error);
  }
  if (result != nullptr) result->memory_->producer = operation.command.operation;
}

void Tl::refuse(const Operation& operation, const std::invalid_argument& error) {
  throw KernelError(operation.name, operation.line, error.what());
}

}  // namespace kernbench::model::kernel
