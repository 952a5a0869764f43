#pragma once

#include <vector>

#include "model/data/operation.hpp"

namespace kernbench::model::data {

// What operations make of numbers. Results have the same bits on every machine and from every
// compiler: sums of GEMMs are cut for fixed cache sizes, and exp and log are our own. All throw
// std::invalid_argument for shapes, types and operands that do not fit together.

/// An operand of compute_math(): numbers of a block, or one number.
using Value = std::variant<Array, double>;

/// The product, summed up in f32 (in i32, modulo 2^32, for integers), as `type`. Both are of one
/// type.
[[nodiscard]] Array compute_gemm(const Array& a, const Array& b, DataType type);

/// The product, with element-wise operations on it before it is rounded to `type`. `operands` are
/// those of the epilogue's operations in their order; unary ones have none.
[[nodiscard]] Array compute_composite(const Array& a, const Array& b,
                                      const std::vector<components::MathOp>& epilogue,
                                      const std::vector<Value>& operands, DataType type);

/// One math operation, in f32 (integers: in i32 modulo 2^32, x / 0 = 0), as the output's type. A
/// number among integers must be one itself. Maxima and minima of NaN are NaN.
[[nodiscard]] Array compute_math(components::MathOp op, const std::vector<Value>& inputs,
                                 std::optional<Axis> axis, const Block& output);

}  // namespace kernbench::model::data
