#include "model/kernel/tl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/kernel/kernel_error.hpp"
#include "model/memory/free_list.hpp"
#include "model/memory/resolve_access.hpp"

namespace kernbench::model::kernel {

using components::StageKind;
using components::TileSequence;
using components::TileStage;
using data::Block;
using topology::NodeKind;

namespace {

std::string shape_of(std::uint64_t rows, std::uint64_t columns) {
  return fmt::format("{} x {}", rows, columns);
}

std::string shape_of(const Tile& tile) {
  return fmt::format("{} of {}", shape_of(tile.rows(), tile.columns()), name_of(tile.type()));
}

TileStage bytes_stage(StageKind kind, std::uint64_t bytes) {
  TileStage stage;
  stage.kind = kind;
  stage.bytes = bytes;
  return stage;
}

components::PeCommand::Work one_tile(TileSequence stages) {
  return components::plan_work(
      components::TilePlan(1, [stages = std::move(stages)](std::uint64_t) { return stages; }), {},
      1);
}

/// Registers are filled from TCM, used, and put back.
components::PeCommand::Work compute_work(std::uint64_t in_bytes, TileStage compute,
                                         std::uint64_t out_bytes) {
  TileSequence stages;
  if (in_bytes != 0) stages.push_back(bytes_stage(StageKind::Fetch, in_bytes));
  stages.push_back(std::move(compute));
  stages.push_back(bytes_stage(StageKind::Store, out_bytes));
  return one_tile(std::move(stages));
}

components::PeCommand::Work dma_of(bool write, const TensorRef& ref) {
  TileStage stage;
  stage.kind = write ? StageKind::DmaWrite : StageKind::DmaRead;
  stage.operands = {{0, {0, 0, ref.rows, ref.columns}}};
  stage.bytes = ref.rows * ref.columns * bytes_of(ref.type);
  return components::plan_work(
      components::TilePlan(
          1, [stage = std::move(stage)](std::uint64_t) { return TileSequence{stage}; }),
      {{ref.va, ref.row_stride, bytes_of(ref.type)}}, 1);
}

/// The side of an element-wise result; nothing when the sides do not fit.
std::optional<std::uint64_t> common_side(std::uint64_t a, std::uint64_t b) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  return std::nullopt;
}

}  // namespace

std::uint64_t Tl::program_id(unsigned axis) const {
  if (axis > 1) throw std::out_of_range(fmt::format("axis {} of program ids: 0 or 1", axis));
  return axis == 0 ? place_.pe : place_.cube;
}

std::uint64_t Tl::num_programs(unsigned axis) const {
  if (axis > 1) throw std::out_of_range(fmt::format("axis {} of program ids: 0 or 1", axis));
  return axis == 0 ? place_.pes : place_.cubes;
}

TensorRef Tl::ref(std::uint64_t va, std::uint64_t rows, std::uint64_t columns, DataType type) {
  return {va, rows, columns, columns, type};
}

Tile Tl::load(const TensorRef& source, SourceLine line) {
  note("load", line);
  Tile tile = allocate("load", source.rows, source.columns, source.type, line);
  if (source.empty()) return tile;
  run({"load",
       NodeKind::PeDma,
       dma_of(false, source),
       data::CopyParams{block_of("load", source, line), tile.block()},
       {},
       line},
      &tile);
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
  run({"store",
       NodeKind::PeDma,
       dma_of(true, target),
       data::CopyParams{tile.block(), block_of("store", target, line)},
       {tile.memory_->producer},
       line},
      nullptr);
}

Tile Tl::full(std::uint64_t rows, std::uint64_t columns, double value, DataType type,
              SourceLine line) {
  note("full", line);
  Tile tile = allocate("full", rows, columns, type, line);
  if (rows == 0 || columns == 0) return tile;
  TileStage stage;
  stage.kind = StageKind::Math;
  stage.elements = rows * columns;
  stage.op = MathOp::Fill;
  run({"full",
       NodeKind::PeMath,
       compute_work(0, std::move(stage), tile.bytes()),
       data::MathParams{MathOp::Fill, {value}, {}, tile.block()},
       {},
       line},
      &tile);
  return tile;
}

Tile Tl::arange(std::uint64_t columns, DataType type, double first, SourceLine line) {
  note("arange", line);
  Tile tile = allocate("arange", 1, columns, type, line);
  if (columns == 0) return tile;
  TileStage stage;
  stage.kind = StageKind::Math;
  stage.elements = columns;
  stage.op = MathOp::Arange;
  run({"arange",
       NodeKind::PeMath,
       compute_work(0, std::move(stage), tile.bytes()),
       data::MathParams{MathOp::Arange, {first}, {}, tile.block()},
       {},
       line},
      &tile);
  return tile;
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
  TileStage stage;
  stage.kind = StageKind::Gemm;
  stage.macs = a.rows() * a.columns() * b.columns();
  run({"dot",
       NodeKind::PeGemm,
       compute_work(a.bytes() + b.bytes(), std::move(stage), c.bytes()),
       data::GemmParams{a.block(), b.block(), c.block()},
       {a.memory_->producer, b.memory_->producer},
       line},
      &c);
  return c;
}

Tile Tl::math(MathOp op, std::initializer_list<Located> inputs, std::optional<DataType> type,
              std::optional<Axis> axis, const SourceLine& line) {
  const std::string_view name = components::name_of(op);
  note(name, line);
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
  std::optional<DataType> input_type;
  std::uint64_t in_bytes = 0;
  data::MathParams params;
  std::vector<std::uint32_t> producers;
  std::size_t index = 0;
  for (const Located& input : inputs) {
    const bool condition = op == MathOp::Where && index++ == 0;
    if (!input.tile) {
      params.inputs.emplace_back(input.number);
      continue;
    }
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
    params.inputs.emplace_back(tile.block());
    producers.push_back(tile.memory_->producer);
  }
  if (!input_type) input_type = DataType::F32;
  if (components::is_floating_only(op) && !is_floating(*input_type)) {
    throw KernelError(name, line,
                      fmt::format("is for floating-point types, not for {}", name_of(*input_type)));
  }
  const std::uint64_t elements = rows * columns;
  if (axis) (*axis == Axis::Rows ? rows : columns) = 1;
  if (axis && elements == 0 && rows * columns != 0) {
    throw KernelError(name, line, "of no elements");
  }
  const DataType made = components::is_comparison(op) ? DataType::I8 : type.value_or(*input_type);
  Tile result = allocate(name, rows, columns, made, line);
  if (elements == 0) return result;
  params.op = op;
  params.axis = axis;
  params.output = result.block();
  TileStage stage;
  stage.kind = StageKind::Math;
  stage.elements = elements;
  stage.op = op;
  run({name, NodeKind::PeMath, compute_work(in_bytes, std::move(stage), result.bytes()),
       std::move(params), std::move(producers), line},
      &result);
  return result;
}

Operation Tl::copy_operation(std::string_view op, std::string_view direction, bool send,
                             const Tile& tile, const SourceLine& line) {
  note(op, line);
  data::IpcqCopyParams params;
  params.send = send;
  params.local = tile.block();
  try {
    executor_.find_channel(direction, params);
  } catch (const std::invalid_argument& error) {
    throw KernelError(op, line, error.what());
  }
  Operation operation{op,
                      NodeKind::PeIpcq,
                      components::IpcqRecv{std::string(direction), tile.bytes()},
                      std::move(params),
                      {},
                      line};
  if (send) {
    operation.work = components::IpcqSend{std::string(direction), tile.bytes()};
    operation.producers.push_back(tile.memory_->producer);
  }
  return operation;
}

void Tl::send(std::string_view direction, const Tile& tile, SourceLine line) {
  run(copy_operation("send", direction, true, tile, line), nullptr);
}

Tile Tl::recv(std::string_view direction, std::uint64_t rows, std::uint64_t columns, DataType type,
              SourceLine line) {
  Tile tile = allocate("recv", rows, columns, type, line);
  run(copy_operation("recv", direction, false, tile, line), &tile);
  return tile;
}

PendingRecv Tl::irecv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                      DataType type, SourceLine line) {
  Tile tile = allocate("irecv", rows, columns, type, line);
  Operation operation = copy_operation("irecv", direction, false, tile, line);
  try {
    return {executor_.start(std::move(operation)), std::move(tile)};
  } catch (const std::invalid_argument& error) {
    throw KernelError("irecv", line, error.what());
  }
}

Tile Tl::wait(PendingRecv pending, SourceLine line) {
  note("wait", line);
  pending.tile_.memory_->producer = executor_.finish(*pending.pending_);
  return std::move(pending.tile_);
}

std::string Tl::last_operation() const {
  if (last_op_.empty()) return {};
  return fmt::format("{} at {}:{}", last_op_, last_line_.file, last_line_.line);
}

Tl& Tl::of(const Located& a, const Located& b) {
  if (a.tile) return a.tile->memory_->owner;
  if (b.tile) return b.tile->memory_->owner;
  throw std::invalid_argument("an operation on numbers alone");
}

Tile Tl::allocate(std::string_view op, std::uint64_t rows, std::uint64_t columns, DataType type,
                  const SourceLine& line) {
  const std::uint64_t bytes = rows * columns * bytes_of(type);
  std::uint64_t pa = 0;
  try {
    if (bytes != 0) pa = executor_.allocate(bytes);
  } catch (const memory::OutOfMemory& error) {
    throw KernelError(op, line, error.what());
  }
  return {std::make_shared<Tile::Memory>(*this, bytes, pa), type, rows, columns};
}

Block Tl::block_of(std::string_view op, const TensorRef& ref, const SourceLine& line) {
  Block block;
  block.type = ref.type;
  block.rows = ref.rows;
  block.columns = ref.columns;
  block.row_stride = ref.row_stride;
  try {
    block.stretches = executor_.resolve(ref.va, block.span_bytes());
  } catch (const memory::AccessError& error) {
    throw KernelError(op, line, error.what());
  }
  block.space = executor_.space_of(block.stretches.front().pa);
  return block;
}

void Tl::run(Operation operation, Tile* result) {
  const std::string_view name = operation.name;
  const SourceLine line = operation.line;
  try {
    const std::uint32_t record = executor_.execute(std::move(operation));
    if (result != nullptr) result->memory_->producer = record;
  } catch (const std::invalid_argument& error) {
    throw KernelError(name, line, error.what());
  }
}

}  // namespace kernbench::model::kernel
