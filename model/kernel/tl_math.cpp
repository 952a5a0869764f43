// SPDX-License-Identifier: Apache-2.0
// Element-wise operations and reductions.
#include <fmt/format.h>

#include <utility>

#include "model/kernel/commands.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/number_check.hpp"
#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

using topology::NodeKind;

namespace {

/// Extends `side` of an element-wise result to another operand. Returns false when neither is 1 and
/// they differ.
bool fit_side(std::uint64_t& side, std::uint64_t other) {
  if (side == other || other == 1) return true;
  if (side != 1) return false;
  side = other;
  return true;
}

}  // namespace

inline bool Tl::are_alike(std::span<const Located* const> inputs) const {
  const Tile* const first = inputs.front()->tile;
  const Tile* const last = inputs.back()->tile;
  return inputs.size() <= 2 && first != nullptr && last != nullptr && first->is_like(*last) &&
         first->tl() == this && last->tl() == this && !first->memory_->is_buffer &&
         !last->memory_->is_buffer;
}

Tl::MathInputs Tl::broadcast(MathOp op, std::span<const Located* const> inputs,
                             std::optional<DataType> type, const SourceLine& line) const {
  const char* const name = components::literal_of(op);
  MathInputs matched;
  std::optional<DataType> input_type;
  for (const Located* const input : inputs) {
    if (input->tile == nullptr) continue;
    const Tile& tile = *input->tile;
    const std::uint64_t rows_before = matched.rows;
    if (!fit_side(matched.rows, tile.rows()) || !fit_side(matched.columns, tile.columns())) {
      throw KernelError(name, line,
                        fmt::format("{} and {} do not fit: sides must be equal, or one of them 1",
                                    shape_text(rows_before, matched.columns), text_of(tile)));
    }
    const bool condition = op == MathOp::Where && input == inputs.front();
    const DataType wanted = condition ? DataType::I8 : input_type.value_or(tile.type());
    if (tile.type() != wanted) {
      throw KernelError(name, line,
                        fmt::format("an operand has type {}, not {}; convert it with tl.cast()",
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

inline Tl::MathInputs Tl::match(MathOp op, std::span<const Located* const> inputs,
                                std::optional<DataType> type, const SourceLine& line) const {
  if (!are_alike(inputs)) return broadcast(op, inputs, type, line);
  const Tile& tile = *inputs.front()->tile;
  return {tile.rows(), tile.columns(), inputs.size() * tile.bytes(), tile.type()};
}

Tile Tl::begin_math(MathOp op, std::span<const Located* const> inputs, std::optional<DataType> type,
                    std::optional<Axis> axis, const SourceLine& line, const Tile* target) {
  const char* const name = components::literal_of(op);
  note(name, line);
  const MathInputs matched = match(op, inputs, type, line);
  if (components::is_floating_only(op) && !is_floating(matched.type)) {
    throw KernelError(name, line,
                      fmt::format("requires a floating-point type, not {}", name_of(matched.type)));
  }
  check_not_packed(name, op == MathOp::Cast ? DataType::F32 : matched.type, line);
  const DataType made = components::is_comparison(op) ? DataType::I8 : type.value_or(matched.type);
  std::uint64_t rows = matched.rows;
  std::uint64_t columns = matched.columns;
  const std::uint64_t elements = rows * columns;
  if (axis) (*axis == Axis::Rows ? rows : columns) = 1;
  const bool reduces_nothing = elements == 0 && rows * columns != 0;
  if (reduces_nothing && op != MathOp::Sum) {
    throw KernelError(name, line, "reduction of an empty tile");
  }
  if (target != nullptr) {
    if (target->rows() != rows || target->columns() != columns || target->type() != made) {
      throw KernelError(name, line,
                        fmt::format("a result of {} does not fit into {}",
                                    shape_text(rows, columns, made), text_of(*target)));
    }
    claim(name, *target, line);
  }
  Tile result = target != nullptr ? *target
                : reduces_nothing ? begin_make(name, MathOp::Fill, rows, columns, 0.0, made, line)
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
  set_math(operation.command, matched.bytes, op, elements, result.bytes());
  begin(operation);
  return result;
}

void Tl::refuse_comparison(MathOp op, const SourceLine& line) {
  throw KernelError("compare", line,
                    fmt::format("'{}' is not a comparison", components::name_of(op)));
}

}  // namespace kernbench::model::kernel
