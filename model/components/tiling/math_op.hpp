// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace kernbench::model::components {

/// Operations of pe_math. Their time depends only on the number of elements. Those from ArgMax on
/// work on whole rows.
enum class MathOp : std::uint8_t {
  Exp,
  Log,
  Sqrt,
  Abs,
  Sigmoid,
  Add,
  Sub,
  Mul,
  Div,
  Maximum,
  Minimum,
  Where,
  Sum,
  Max,
  Min,
  Neg,
  Cast,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  Fill,
  Arange,
  Rsqrt,
  Tanh,
  Gelu,
  Silu,
  ArgMax,
  TopK,
  Take,
  Rope,
  Transpose,
};

/// Names of the ops in kernels, indexed by the value of the op.
inline constexpr std::array<std::pair<const char*, MathOp>, 33> kMathOpNames = {
    {{"exp", MathOp::Exp},
     {"log", MathOp::Log},
     {"sqrt", MathOp::Sqrt},
     {"abs", MathOp::Abs},
     {"sigmoid", MathOp::Sigmoid},
     {"add", MathOp::Add},
     {"sub", MathOp::Sub},
     {"mul", MathOp::Mul},
     {"div", MathOp::Div},
     {"maximum", MathOp::Maximum},
     {"minimum", MathOp::Minimum},
     {"where", MathOp::Where},
     {"sum", MathOp::Sum},
     {"max", MathOp::Max},
     {"min", MathOp::Min},
     {"neg", MathOp::Neg},
     {"cast", MathOp::Cast},
     {"less", MathOp::Less},
     {"less_equal", MathOp::LessEqual},
     {"greater", MathOp::Greater},
     {"greater_equal", MathOp::GreaterEqual},
     {"equal", MathOp::Equal},
     {"fill", MathOp::Fill},
     {"arange", MathOp::Arange},
     {"rsqrt", MathOp::Rsqrt},
     {"tanh", MathOp::Tanh},
     {"gelu", MathOp::Gelu},
     {"silu", MathOp::Silu},
     {"argmax", MathOp::ArgMax},
     {"top_k", MathOp::TopK},
     {"take", MathOp::Take},
     {"rope", MathOp::Rope},
     {"transpose", MathOp::Transpose}}};

/// Returns the name as a string literal.
[[nodiscard]] constexpr const char* literal_of(MathOp op) {
  return kMathOpNames[static_cast<std::size_t>(op)].first;
}
[[nodiscard]] constexpr std::string_view name_of(MathOp op) {
  return literal_of(op);
}

/// Returns true for reductions, which cannot work tile by tile.
[[nodiscard]] constexpr bool is_reduction(MathOp op) {
  return op == MathOp::Sum || op == MathOp::Max || op == MathOp::Min;
}

/// Returns true for ops on whole rows, whose results have shapes of their own. They cannot work
/// tile by tile either.
[[nodiscard]] constexpr bool is_of_rows(MathOp op) {
  return op >= MathOp::ArgMax;
}

/// Returns the number of inputs: 0 for ops that generate numbers.
[[nodiscard]] constexpr std::size_t inputs_of(MathOp op) {
  switch (op) {
    case MathOp::Fill:
    case MathOp::Arange:
      return 0;
    case MathOp::Add:
    case MathOp::Sub:
    case MathOp::Mul:
    case MathOp::Div:
    case MathOp::Maximum:
    case MathOp::Minimum:
    case MathOp::Less:
    case MathOp::LessEqual:
    case MathOp::Greater:
    case MathOp::GreaterEqual:
    case MathOp::Equal:
    case MathOp::Take:
      return 2;
    case MathOp::Where:
    case MathOp::Rope:
      return 3;
    default:
      return 1;
  }
}

/// Returns true for comparisons, whose results are 0 or 1 of type i8.
[[nodiscard]] constexpr bool is_comparison(MathOp op) {
  return op >= MathOp::Less && op <= MathOp::Equal;
}

/// Returns true for ops that are defined for floating-point numbers only.
[[nodiscard]] constexpr bool is_floating_only(MathOp op) {
  return op == MathOp::Exp || op == MathOp::Log || op == MathOp::Sqrt || op == MathOp::Sigmoid ||
         op == MathOp::Rsqrt || op == MathOp::Tanh || op == MathOp::Gelu || op == MathOp::Silu;
}

}  // namespace kernbench::model::components
