// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

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

/// Throws KernelError for an epilogue that cannot be applied to accumulated products of `factors`
/// before they are converted to `result`.
void check_epilogue(const Epilogue& step, DataType factors, const Shape& result,
                    const SourceLine& line) {
  const std::size_t inputs = components::inputs_of(step.op);
  if (components::is_reduction(step.op) || inputs == 0 || inputs > 2 ||
      (inputs == 2) != step.operand.has_value()) {
    throw KernelError("composite", line,
                      fmt::format("'{}' is not a valid epilogue {} an operand",
                                  components::name_of(step.op), step.operand ? "with" : "without"));
  }
  const DataType sums = accumulator_of(factors);
  if (components::is_floating_only(step.op) && !is_floating(sums)) {
    throw KernelError("composite", line,
                      fmt::format("epilogue '{}' requires a floating-point type, not {}",
                                  components::name_of(step.op), name_of(sums)));
  }
  if (!step.operand) return;
  if (const auto* const number = std::get_if<double>(&*step.operand)) {
    return check_number("composite", line, *number, factors);
  }
  const Tile& tile = std::get<Tile>(*step.operand);
  if ((tile.rows() != 1 && tile.rows() != result.rows) ||
      (tile.columns() != 1 && tile.columns() != result.columns)) {
    throw KernelError("composite", line,
                      fmt::format("an epilogue operand of {} does not fit a result of {} x {}",
                                  text_of(matrix_of(tile)), result.rows, result.columns));
  }
  // i32 sums only take integer operands, even if the result is floating-point.
  const bool as_result =
      tile.type() == result.type && (is_floating(sums) || !is_floating(result.type));
  if (tile.type() != sums && !as_result) {
    throw KernelError(
        "composite", line,
        fmt::format("an epilogue operand has type {}, not {}; convert it with tl.cast()",
                    name_of(tile.type()), name_of(sums)));
  }
}

components::PeCommand::Work work_of(const components::GemmShape& shape,
                                    std::vector<components::TensorPlace> places,
                                    std::uint32_t tiles_in_flight, const SourceLine& line) {
  try {
    return components::plan_work(components::plan_gemm(shape), std::move(places), tiles_in_flight);
  } catch (const std::invalid_argument& error) {
    throw KernelError("composite", line, error.what());
  }
}

}  // namespace

void Tl::composite(const GemmOperand& a, const GemmOperand& b, const TensorRef& c,
                   const CompositeOptions& options, SourceLine line) {
  note("composite", line);
  if (c.empty()) return;
  composite(a, b, block_of("composite", c, line), Staging::StreamedHbm, c.va, nullptr, options,
            line);
}

Tile Tl::composite(const GemmOperand& a, const GemmOperand& b, DataType type,
                   const CompositeOptions& options, SourceLine line) {
  note("composite", line);
  Tile c = allocate("composite", matrix_of(a).rows, matrix_of(b).columns, type, line);
  if (c.bytes() == 0) return c;
  composite(a, b, c.block(), Staging::ResidentTcm, 0, &c, options, line);
  return c;
}

void Tl::composite(const GemmOperand& a, const GemmOperand& b, const data::Block& c,
                   Staging staging, std::uint64_t c_address, const Tile* result,
                   const CompositeOptions& options, const SourceLine& line) {
  const Shape left = matrix_of(a);
  const Shape right = matrix_of(b);
  if (left.columns != right.rows || left.type != right.type || c.rows != left.rows ||
      c.columns != right.columns) {
    throw KernelError("composite", line,
                      fmt::format("cannot multiply {} by {} into {}", text_of(left), text_of(right),
                                  text_of({c.rows, c.columns, c.type})));
  }
  std::vector<std::uint32_t> producers;
  data::CompositeGemmParams params;
  params.c = c;

  std::vector<components::TensorPlace> places;
  const auto take = [&](const GemmOperand& factor, data::Block& block) {
    if (const auto* const ref = std::get_if<TensorRef>(&factor)) {
      block = block_of("composite", *ref, line);
      places.push_back({ref->va, ref->row_stride, bytes_of(ref->type)});
      return Staging::StreamedHbm;
    }
    const Tile& tile = std::get<Tile>(factor);
    check_owner("composite", tile, line);
    block = operand(tile, producers);
    places.push_back({0, tile.columns(), bytes_of(tile.type())});
    return Staging::ResidentTcm;
  };
  components::GemmShape& shape = params.shape;
  if (left.columns == 0) {
    throw KernelError("composite", line, "the inner dimension is 0");
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
  shape.element_bytes = bytes_of(left.type);
  shape.c_element_bytes = bytes_of(c.type);
  for (const Epilogue& step : options.epilogue) {
    check_epilogue(step, left.type, {c.rows, c.columns, c.type}, line);
    shape.epilogue.push_back(step.op);
    data::EpilogueOp op{step.op, {}};
    if (step.operand) {
      if (const auto* const tile = std::get_if<Tile>(&*step.operand)) {
        check_owner("composite", *tile, line);
        op.operand = operand(*tile, producers);
      } else {
        op.operand = std::get<double>(*step.operand);
      }
    }
    params.epilogue.push_back(std::move(op));
  }

  // Buffers for the streamed tiles.
  const std::uint64_t streamed =
      (shape.a == Staging::StreamedHbm ? tile_bytes(shape.tile_m, shape.tile_k, left.type) : 0) +
      (shape.b == Staging::StreamedHbm ? tile_bytes(shape.tile_k, shape.tile_n, right.type) : 0);
  const std::uint64_t leaving =
      staging == Staging::StreamedHbm ? tile_bytes(shape.tile_m, shape.tile_n, c.type) : 0;
  const Tile buffers =
      allocate("composite", 1, streamed * options.tiles_in_flight + leaving, DataType::I8, line);
  Operation& operation = next("composite", topology::NodeKind::PeScheduler, line);
  operation.command.work = work_of(shape, std::move(places), options.tiles_in_flight, line);
  if (operation.record) {
    operation.record->params = std::move(params);
    operation.record->dependencies = std::move(producers);
  }
  begin(operation);
  finish(result);
}

}  // namespace kernbench::model::kernel
