#include "model/kernel/tl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/kernel/commands.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/number_check.hpp"
#include "model/memory/free_list.hpp"
#include "model/memory/resolve_access.hpp"

namespace kernbench::model::kernel {

using data::Block;
using topology::NodeKind;

namespace {

/// No tile has more: sizes in bytes stay far below 2^64.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48U;

/// Whether a tile has too many; sides below 2^24 need no division.
bool too_many(std::uint64_t rows, std::uint64_t columns) {
  return ((rows | columns) >> 24U) != 0 && columns != 0 && rows > kMostElements / columns;
}

std::string shape_of(std::uint64_t rows, std::uint64_t columns) {
  return fmt::format("{} x {}", rows, columns);
}

std::string shape_of(const Tile& tile) {
  return fmt::format("{} of {}", shape_of(tile.rows(), tile.columns()), name_of(tile.type()));
}

/// The side of an element-wise result; nothing when the sides do not fit.
std::optional<std::uint64_t> common_side(std::uint64_t a, std::uint64_t b) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  return std::nullopt;
}

}  // namespace

Tl::~Tl() {
  memories_.clear_and_dispose([this](Tile::Memory* memory) {
    if (memory->bytes != 0) executor_.free(memory->pa, memory->bytes);
    memory->owner = nullptr;
  });
  spare_memories_.clear_and_dispose(std::default_delete<Tile::Memory>());
}

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

Tile Tl::load(const TensorRef& source, SourceLine line) {
  note("load", line);
  Tile tile = allocate("load", source.rows, source.columns, source.type, line);
  if (source.empty()) return tile;
  Operation operation("load", NodeKind::PeDma, line, dma_command(false, source));
  data::Block from = block_of("load", source, line);
  if (executor_.keeps_operations()) {
    operation.record.params = data::CopyParams{std::move(from), tile.block()};
  }
  run(operation, &tile);
  return tile;
}

void Tl::store(const TensorRef& target, const Tile& tile, SourceLine line) {
  note("store", line);
  if (target.rows != tile.rows() || target.columns != tile.columns() ||
      target.type != tile.type()) {
    throw KernelError("store", line,
                      fmt::format("a tile of {} does not fit into {} of {}", shape_of(tile),
                                  shape_of(target.rows, target.columns), name_of(target.type)));
  }
  if (target.empty()) return;
  check_owner("store", tile, line);
  Operation operation("store", NodeKind::PeDma, line, dma_command(true, target));
  data::Block to = block_of("store", target, line);
  if (executor_.keeps_operations()) {
    operation.record.params =
        data::CopyParams{operand(tile, operation.record.dependencies), std::move(to)};
  }
  run(operation, nullptr);
}

Tile Tl::make(const char* op, MathOp math_op, std::uint64_t rows, std::uint64_t columns,
              double number, DataType type, const SourceLine& line) {
  note(op, line);
  check_number(op, line, number, type);
  Tile tile = allocate(op, rows, columns, type, line);
  if (tile.bytes() == 0) return tile;
  Operation operation(op, NodeKind::PeMath, line,
                      math_command(0, math_op, rows * columns, tile.bytes()));
  if (executor_.keeps_operations()) {
    operation.record.params = data::MathParams{math_op, {number}, {}, tile.block()};
  }
  run(operation, &tile);
  return tile;
}

Tile Tl::full(std::uint64_t rows, std::uint64_t columns, double value, DataType type,
              SourceLine line) {
  return make("full", MathOp::Fill, rows, columns, value, type, line);
}

Tile Tl::arange(std::uint64_t columns, DataType type, double first, SourceLine line) {
  return make("arange", MathOp::Arange, 1, columns, first, type, line);
}

Tile Tl::trans(const Tile& tile) {
  Tile seen = tile;
  seen.transposed_ = !tile.transposed_;
  return seen;
}

Tile Tl::dot(const Tile& a, const Tile& b, std::optional<DataType> type, SourceLine line) {
  note("dot", line);
  if (a.columns() != b.rows() || a.type() != b.type()) {
    throw KernelError(
        "dot", line,
        fmt::format("cannot multiply {} by {}: the columns of the first are the rows of the "
                    "second, and both are of one type",
                    shape_of(a), shape_of(b)));
  }
  Tile c = allocate("dot", a.rows(), b.columns(), type.value_or(accumulator_of(a.type())), line);
  if (c.bytes() == 0) return c;
  if (a.columns() == 0) return full(a.rows(), b.columns(), 0.0, c.type(), line);
  check_owner("dot", a, line);
  check_owner("dot", b, line);
  Operation operation(
      "dot", NodeKind::PeGemm, line,
      gemm_command(a.bytes() + b.bytes(), a.rows() * a.columns() * b.columns(), c.bytes()));
  if (executor_.keeps_operations()) {
    operation.record.params =
        data::GemmParams{operand(a, operation.record.dependencies),
                         operand(b, operation.record.dependencies), c.block()};
  }
  run(operation, &c);
  return c;
}

Tile Tl::math(MathOp op, std::initializer_list<Located> inputs, std::optional<DataType> type,
              std::optional<Axis> axis, const SourceLine& line) {
  const char* const name = components::name_of(op).data();
  note(name, line);
  if (inputs.size() != components::inputs_of(op) || inputs.size() == 0 ||
      components::is_reduction(op) != axis.has_value()) {
    throw KernelError(
        name, line,
        fmt::format("is no operation on {} inputs{}", inputs.size(), axis ? " along an axis" : ""));
  }
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
  std::optional<DataType> input_type;
  std::uint64_t in_bytes = 0;
  std::size_t index = 0;
  for (const Located& input : inputs) {
    const bool condition = op == MathOp::Where && index++ == 0;
    if (input.tile == nullptr) continue;
    const Tile& tile = *input.tile;
    const auto common_rows = common_side(rows, tile.rows());
    const auto common_columns = common_side(columns, tile.columns());
    if (!common_rows || !common_columns) {
      throw KernelError(name, line,
                        fmt::format("{} and {} do not fit: sides are equal, or one of them is 1",
                                    shape_of(rows, columns), shape_of(tile)));
    }
    rows = *common_rows;
    columns = *common_columns;
    const DataType wanted = condition ? DataType::I8 : input_type.value_or(tile.type());
    if (tile.type() != wanted) {
      throw KernelError(name, line,
                        fmt::format("an operand is of {}, not of {}; tl.cast() changes types",
                                    name_of(tile.type()), name_of(wanted)));
    }
    if (!condition) input_type = tile.type();
    in_bytes += tile.bytes();
    check_owner(name, tile, line);
  }
  const DataType made = components::is_comparison(op)
                            ? DataType::I8
                            : type.value_or(input_type.value_or(DataType::F32));
  const DataType computed = input_type.value_or(made);
  if (components::is_floating_only(op) && !is_floating(computed)) {
    throw KernelError(name, line,
                      fmt::format("is for floating-point types, not for {}", name_of(computed)));
  }
  for (const Located& input : inputs) {
    if (input.tile == nullptr) check_number(name, line, input.number, computed);
  }
  const std::uint64_t elements = rows * columns;
  if (axis) (*axis == Axis::Rows ? rows : columns) = 1;
  if (elements == 0 && rows * columns != 0) {
    if (op == MathOp::Sum) return make(name, MathOp::Fill, rows, columns, 0.0, made, line);
    throw KernelError(name, line, "of no elements");
  }
  Tile result = allocate(name, rows, columns, made, line);
  if (elements == 0) return result;
  Operation operation(name, NodeKind::PeMath, line,
                      math_command(in_bytes, op, elements, result.bytes()));
  if (executor_.keeps_operations()) {
    data::MathParams params{op, {}, axis, result.block()};
    params.inputs.reserve(inputs.size());
    for (const Located& input : inputs) {
      params.inputs.push_back(
          input.tile != nullptr ? data::Operand(operand(*input.tile, operation.record.dependencies))
                                : data::Operand(input.number));
    }
    operation.record.params = std::move(params);
  }
  run(operation, &result);
  return result;
}

void Tl::find_channel(Operation& operation, std::string_view direction, bool send,
                      const Tile& tile) {
  data::IpcqCopyParams params;
  params.send = send;
  params.local = send ? operand(tile, operation.record.dependencies) : tile.block();
  try {
    executor_.find_channel(direction, params);
  } catch (const std::invalid_argument& error) {
    refuse(operation, error);
  }
  operation.record.params = std::move(params);
}

void Tl::send(std::string_view direction, const Tile& tile, SourceLine line) {
  if (tile.bytes() == 0) return;
  note("send", line);
  check_owner("send", tile, line);
  Operation operation("send", NodeKind::PeIpcq, line,
                      components::IpcqSend{std::string(direction), tile.bytes()});
  find_channel(operation, direction, true, tile);
  run(operation, nullptr);
}

Tile Tl::recv(std::string_view direction, std::uint64_t rows, std::uint64_t columns, DataType type,
              SourceLine line) {
  Tile tile = allocate("recv", rows, columns, type, line);
  if (tile.bytes() == 0) return tile;
  note("recv", line);
  Operation operation("recv", NodeKind::PeIpcq, line,
                      components::IpcqRecv{std::string(direction), tile.bytes()});
  find_channel(operation, direction, false, tile);
  run(operation, &tile);
  return tile;
}

PendingRecv Tl::irecv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                      DataType type, SourceLine line) {
  Tile tile = allocate("irecv", rows, columns, type, line);
  if (tile.bytes() == 0) return {0, std::move(tile)};
  note("irecv", line);
  auto operation = std::make_unique<Operation>(
      "irecv", NodeKind::PeIpcq, line, components::IpcqRecv{std::string(direction), tile.bytes()});
  find_channel(*operation, direction, false, tile);
  executor_.begin(*operation);
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
  try {
    executor_.finish(*under_way);
  } catch (const std::invalid_argument& error) {
    throw KernelError("wait", line, error.what());
  }
  pending.tile_.memory_->producer = under_way->command.operation;
  return pending.tile_;
}

void Tl::end() const {
  if (!receives_.empty()) {
    throw KernelError("irecv", receives_.front().operation->record.line,
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

Tile Tl::allocate(const char* op, std::uint64_t rows, std::uint64_t columns, DataType type,
                  const SourceLine& line) {
  if (too_many(rows, columns)) {
    throw KernelError(op, line, fmt::format("a tile of {}", shape_of(rows, columns)));
  }
  const std::uint64_t bytes = rows * columns * bytes_of(type);
  std::uint64_t pa = 0;
  try {
    if (bytes != 0) pa = executor_.allocate(bytes);
  } catch (const memory::OutOfMemory& error) {
    throw KernelError(op, line, error.what());
  }
  if (spare_memories_.empty()) spare_memories_.push_front(*new Tile::Memory());
  memories_.splice(memories_.end(), spare_memories_, spare_memories_.begin());
  Tile::Memory& memory = memories_.back();
  memory.owner = this;
  memory.pa = pa;
  memory.bytes = bytes;
  memory.producer = data::OpLog::kNone;
  return {&memory, type, rows, columns};
}

void Tl::free(Tile::Memory& memory) {
  if (memory.bytes != 0) executor_.free(memory.pa, memory.bytes);
  spare_memories_.splice(spare_memories_.begin(), memories_, memories_.iterator_to(memory));
}

void Tl::check_owner(const char* op, const Tile& tile, const SourceLine& line) const {
  if (tile.memory_->owner != this) throw KernelError(op, line, "a tile of another kernel");
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

void Tl::refuse(const Operation& operation, const std::invalid_argument& error) {
  throw KernelError(operation.name, operation.record.line, error.what());
}

}  // namespace kernbench::model::kernel
