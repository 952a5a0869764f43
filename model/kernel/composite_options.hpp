// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/data/operation.hpp"
#include "model/kernel/tile.hpp"

namespace kernbench::model::kernel {

using components::MathOp;
using data::Accumulated;

/// An input of a composite operation: streamed from HBM tile by tile, or entirely in TCM.
using GemmOperand = std::variant<TensorRef, Tile>;

/// An operation on each finished tile of a composite GEMM, before its conversion to the result's
/// type. A binary operation has an operand: a number, a tile that is repeated to fit and has the
/// type of the accumulator or of the result, or the accumulator itself at an earlier step.
struct Epilogue {
  MathOp op = MathOp::Add;
  std::optional<std::variant<double, Tile, Accumulated>> operand{};
};

struct CompositeOptions {
  std::uint64_t tile_m = 128;
  std::uint64_t tile_k = 64;
  std::uint64_t tile_n = 128;
  std::uint32_t tiles_in_flight = 2;  ///< 2 is double buffering
  std::vector<Epilogue> epilogue{};
  /// Number of the tile along k with which each sum begins; it goes on with the first after the
  /// last.
  std::uint64_t first_k_tile = 0;
  /// Order of the tiles: the name of a plan, "" for "k-inner" (components::gemm_plans()).
  std::string plan{};
  /// Where the parts of k begin that are each in one place, 0 first, and the part with which sums
  /// begin; for the plan "placement".
  std::vector<std::uint64_t> k_begins{};
  std::uint64_t first_k_part = 0;
};

}  // namespace kernbench::model::kernel
