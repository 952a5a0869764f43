// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/data/operation.hpp"

namespace kernbench::model::data {

// Arithmetic of the replay. Results have the same bits with every machine and compiler: GEMMs are
// blocked for fixed cache sizes, and exp and log are portable_exp() and portable_log(). All
// functions throw std::invalid_argument for shapes, types and operands that do not fit together.

/// An operand of compute_math(): the elements of a block, or one number.
using Value = std::variant<Array, double>;

/// Returns a b, accumulated in f32 (integers: in i32 modulo 2^32) and converted to `type`. `a` and
/// `b` must have the same type.
[[nodiscard]] Array compute_gemm(const Array& a, const Array& b, DataType type);

/// The second operand of a binary operation of an epilogue.
using EpilogueValue = std::variant<Array, double, Accumulated>;

/// Returns a b after the element-wise operations `epilogue`, which precede the conversion to
/// `type`. `operands` holds the second operand of each binary operation, in order.
[[nodiscard]] Array compute_composite(const Array& a, const Array& b,
                                      const std::vector<components::MathOp>& epilogue,
                                      const std::vector<EpilogueValue>& operands, DataType type);

/// Returns the result of one math operation, computed in f32 (integers: in i32 modulo 2^32, where
/// x / 0 = 0) and converted to the type of `output`. A number beside integers must be an i32 value.
/// Maxima and minima of NaN are NaN.
[[nodiscard]] Array compute_math(components::MathOp op, const std::vector<Value>& inputs,
                                 std::optional<Axis> axis, const Block& output);

/// Does the work of compute_math() for operations on whole rows.
[[nodiscard]] Array compute_rows(components::MathOp op, const std::vector<Value>& inputs,
                                 const Block& output);

}  // namespace kernbench::model::data
