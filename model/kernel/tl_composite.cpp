// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "common/text_distance.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/number_check.hpp"
#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

using components::Staging;

namespace {

struct Shape {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  DataType type = DataType::F32;
};

Shape matrix_of(const GemmOperand& operand) {
  if (const auto* const ref = std::get_if<TensorRef>(&operand)) {
    return {ref->rows, ref->columns, ref->type};
  }
  const Tile& tile = std::get<Tile>(operand);
  return {tile.rows(), tile.columns(), tile.type()};
}

std::string text_of(const Shape& shape) {
  return fmt::format("{} x {} of {}", shape.rows, shape.columns, name_of(shape.type));
}

std::uint64_t tile_bytes(std::uint64_t rows, std::uint64_t columns, DataType type) {
  return rows * columns * bytes_of(type);
}

/// Throws KernelError for a step of an epilogue that cannot be applied to accumulated products of
/// `factors` after `steps` others, before they are converted to `result`.
void check_epilogue(const char* op, const Epilogue& step, std::size_t steps, DataType factors,
                    const Shape& result, const SourceLine& line) {
  const std::size_t inputs = components::inputs_of(step.op);
  if (components::is_reduction(step.op) || components::is_of_rows(step.op) || inputs == 0 ||
      inputs > 2 || (inputs == 2) != step.operand.has_value()) {
    throw KernelError(op, line,
                      fmt::format("'{}' is not a valid epilogue {} an operand",
                                  components::name_of(step.op), step.operand ? "with" : "without"));
  }
  const DataType sums = accumulator_of(factors);
  if (components::is_floating_only(step.op) && !is_floating(sums)) {
    throw KernelError(op, line,
                      fmt::format("epilogue '{}' requires a floating-point type, not {}",
                                  components::name_of(step.op), name_of(sums)));
  }
  if (!step.operand) return;
  if (const auto* const number = std::get_if<double>(&*step.operand)) {
    return check_number(op, line, *number, factors);
  }
  if (const auto* const earlier = std::get_if<Accumulated>(&*step.operand)) {
    if (earlier->steps <= steps) return;
    throw KernelError(op, line,
                      fmt::format("step {} of the epilogue takes the accumulator after {} steps, "
                                  "but only {} precede{} it",
                                  steps, earlier->steps, steps, steps == 1 ? "s" : ""));
  }
  const Tile& tile = std::get<Tile>(*step.operand);
  if ((tile.rows() != 1 && tile.rows() != result.rows) ||
      (tile.columns() != 1 && tile.columns() != result.columns)) {
    throw KernelError(op, line,
                      fmt::format("an epilogue operand of {} does not fit a result of {} x {}",
                                  text_of(matrix_of(tile)), result.rows, result.columns));
  }
  // i32 sums only take integer operands, even if the result is floating-point.
  const bool as_result =
      tile.type() == result.type && (is_floating(sums) || !is_floating(result.type));
  if (tile.type() != sums && !as_result) {
    throw KernelError(
        op, line,
        fmt::format("an epilogue operand has type {}, not {}; convert it with tl.cast()",
                    name_of(tile.type()), name_of(sums)));
  }
}

/// Returns how many earlier values of the accumulator an epilogue needs at most beside the current
/// one: each from its own step to its last use.
std::uint64_t kept_values(const std::vector<Epilogue>& epilogue) {
  std::vector<std::size_t> last_use(epilogue.size(), 0);
  for (std::size_t step = 0; step < epilogue.size(); ++step) {
    const auto& operand = epilogue[step].operand;
    if (!operand) continue;
    if (const auto* const earlier = std::get_if<Accumulated>(&*operand)) {
      last_use.at(earlier->steps) = step;
    }
  }
  std::uint64_t most = 0;
  for (std::size_t step = 0; step < epilogue.size(); ++step) {
    std::uint64_t kept = 0;
    for (std::size_t value = 0; value < step; ++value) kept += last_use[value] >= step ? 1 : 0;
    most = std::max(most, kept);
  }
  return most;
}

components::PeCommand::Work work_of(const char* op, const components::GemmShape& shape,
                                    std::vector<components::TensorPlace> places,
                                    std::uint32_t tiles_in_flight, const SourceLine& line) {
  try {
    return components::plan_work(components::plan_gemm(shape), std::move(places), tiles_in_flight);
  } catch (const std::invalid_argument& error) {
    throw KernelError(op, line, error.what());
  }
}

const components::GemmPlan* plan_named(const char* op, const std::string& name,
                                       const SourceLine& line) {
  const components::GemmPlan* const plan = components::find_gemm_plan(name);
  if (plan != nullptr) return plan;
  std::vector<std::string_view> names;
  for (const components::GemmPlan* const known : components::gemm_plans()) {
    names.emplace_back(known->name);
  }
  throw KernelError(op, line, common::unknown_name("plan", name, names));
}

/// Returns the tiles that a composite reads.
std::vector<Tile> tiles_of(const GemmOperand& a, const GemmOperand& b,
                           const CompositeOptions& options) {
  std::vector<Tile> tiles;
  for (const GemmOperand* const factor : {&a, &b}) {
    if (const auto* const tile = std::get_if<Tile>(factor)) tiles.push_back(*tile);
  }
  for (const Epilogue& step : options.epilogue) {
    if (!step.operand) continue;
    if (const auto* const tile = std::get_if<Tile>(&*step.operand)) tiles.push_back(*tile);
  }
  return tiles;
}

}  // namespace

void Tl::composite(const GemmOperand& a, const GemmOperand& b, const TensorRef& c,
                   const CompositeOptions& options, SourceLine line) {
  note("composite", line);
  if (c.empty()) return;
  const Tile buffers = begin_composite(operation_, "composite", a, b, c, options, line);
  finish(nullptr);
}

Tile Tl::composite(const GemmOperand& a, const GemmOperand& b, DataType type,
                   const CompositeOptions& options, SourceLine line) {
  note("composite", line);
  Tile c = allocate("composite", matrix_of(a).rows, matrix_of(b).columns, type, line);
  if (c.bytes() == 0) return c;
  const Tile buffers = begin_composite(operation_, "composite", a, b, c, options, line);
  finish(&c);
  return c;
}

Pending Tl::icomposite(const GemmOperand& a, const GemmOperand& b, const TensorRef& c,
                       const CompositeOptions& options, SourceLine line) {
  note("icomposite", line);
  if (c.empty()) return Pending(0);
  auto operation = awaited_later();
  std::vector<Tile> tiles = tiles_of(a, b, options);
  tiles.push_back(begin_composite(*operation, "icomposite", a, b, c, options, line));
  return Pending(keep(std::move(operation), std::move(tiles)));
}

PendingTile Tl::icomposite(const GemmOperand& a, const GemmOperand& b, DataType type,
                           const CompositeOptions& options, SourceLine line) {
  note("icomposite", line);
  Tile c = allocate("icomposite", matrix_of(a).rows, matrix_of(b).columns, type, line);
  if (c.bytes() == 0) return {0, std::move(c)};
  auto operation = awaited_later();
  std::vector<Tile> tiles = tiles_of(a, b, options);
  tiles.push_back(begin_composite(*operation, "icomposite", a, b, c, options, line));
  return {keep(std::move(operation), std::move(tiles)), std::move(c)};
}

Tile Tl::begin_composite(Operation& operation, const char* op, const GemmOperand& a,
                         const GemmOperand& b, const TensorRef& c, const CompositeOptions& options,
                         const SourceLine& line) {
  return begin_composite(operation, op, a, b, block_of(op, c, line), Staging::StreamedHbm, c.va,
                         options, line);
}

Tile Tl::begin_composite(Operation& operation, const char* op, const GemmOperand& a,
                         const GemmOperand& b, const Tile& c, const CompositeOptions& options,
                         const SourceLine& line) {
  return begin_composite(operation, op, a, b, c.block(), Staging::ResidentTcm, 0, options, line);
}

Tile Tl::begin_composite(Operation& operation, const char* op, const GemmOperand& a,
                         const GemmOperand& b, const data::Block& c, Staging staging,
                         std::uint64_t c_address, const CompositeOptions& options,
                         const SourceLine& line) {
  const Shape left = matrix_of(a);
  const Shape right = matrix_of(b);
  if (left.columns != right.rows || !can_multiply(left.type, right.type) || c.rows != left.rows ||
      c.columns != right.columns) {
    throw KernelError(op, line,
                      fmt::format("cannot multiply {} by {} into {}", text_of(left), text_of(right),
                                  text_of({c.rows, c.columns, c.type})));
  }
  std::vector<std::uint32_t> producers;
  data::CompositeGemmParams params;
  params.c = c;

  std::vector<components::TensorPlace> places;
  const auto take = [&](const GemmOperand& factor, data::Block& block) {
    if (const auto* const ref = std::get_if<TensorRef>(&factor)) {
      check_whole_rows(op, ref->type, {ref->columns, ref->row_stride}, line);
      block = block_of(op, *ref, line);
      places.push_back({ref->va, ref->row_stride, bytes_of(ref->type)});
      return Staging::StreamedHbm;
    }
    const Tile& tile = std::get<Tile>(factor);
    check_owner(op, tile, line);
    block = operand(tile, producers);
    places.push_back({0, tile.columns(), bytes_of(tile.type())});
    return Staging::ResidentTcm;
  };
  components::GemmShape& shape = params.shape;
  if (left.columns == 0) {
    throw KernelError(op, line, "the inner dimension is 0");
  }
  shape.a = take(a, params.a);
  shape.b = take(b, params.b);
  shape.c = staging;
  places.push_back({c_address, c.row_stride, bytes_of(c.type)});
  shape.m = left.rows;
  shape.k = left.columns;
  shape.n = right.columns;
  shape.tile_m = std::min(options.tile_m, shape.m);
  shape.tile_k = std::min(options.tile_k, shape.k);
  shape.tile_n = std::min(options.tile_n, shape.n);
  shape.first_k_tile = options.first_k_tile;
  shape.k_begins = options.k_begins;
  shape.first_k_part = options.first_k_part;
  if (!options.plan.empty()) shape.plan = plan_named(op, options.plan, line);
  // Streamed tiles begin with a byte. A tile as wide as its matrix is one of whole rows.
  if (shape.a == Staging::StreamedHbm) check_whole_rows(op, left.type, {shape.tile_k}, line);
  if (shape.b == Staging::StreamedHbm) check_whole_rows(op, right.type, {shape.tile_n}, line);
  if (staging == Staging::StreamedHbm) {
    check_whole_rows(op, c.type, {c.columns, c.row_stride, shape.tile_n}, line);
  }
  shape.element_bytes = bytes_of(left.type);
  shape.b_element_bytes = bytes_of(right.type);
  shape.c_element_bytes = bytes_of(c.type);
  for (const Epilogue& step : options.epilogue) {
    check_epilogue(op, step, shape.epilogue.size(), left.type, {c.rows, c.columns, c.type}, line);
    shape.epilogue.push_back(step.op);
    data::EpilogueOp applied{step.op, {}};
    if (step.operand) {
      if (const auto* const tile = std::get_if<Tile>(&*step.operand)) {
        check_owner(op, *tile, line);
        applied.operand = operand(*tile, producers);
      } else if (const auto* const earlier = std::get_if<Accumulated>(&*step.operand)) {
        applied.operand = *earlier;
      } else {
        applied.operand = std::get<double>(*step.operand);
      }
    }
    params.epilogue.push_back(std::move(applied));
  }
  const bool keeps_c = shape.plan != nullptr && shape.plan->keeps_c;
  check_accumulators(op, keeps_c ? shape.m : shape.tile_m, keeps_c ? shape.n : shape.tile_n,
                     left.type, line, kept_values(options.epilogue));

  // Buffers for the streamed tiles.
  const std::uint64_t streamed =
      (shape.a == Staging::StreamedHbm ? tile_bytes(shape.tile_m, shape.tile_k, left.type) : 0) +
      (shape.b == Staging::StreamedHbm ? tile_bytes(shape.tile_k, shape.tile_n, right.type) : 0);
  const std::uint64_t leaving =
      staging == Staging::StreamedHbm ? tile_bytes(shape.tile_m, shape.tile_n, c.type) : 0;
  Tile buffers = allocate(op, 1, streamed * options.tiles_in_flight + leaving, DataType::I8, line);
  renew(operation, op, topology::NodeKind::PeScheduler, line);
  operation.command.work = work_of(op, shape, std::move(places), options.tiles_in_flight, line);
  if (operation.record) {
    operation.record->params = std::move(params);
    operation.record->dependencies = std::move(producers);
  }
  begin(operation);
  return buffers;
}

}  // namespace kernbench::model::kernel
