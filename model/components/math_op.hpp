#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace kernbench::model::components {

/// What pe_math can do. Timing depends on the number of elements only; the replay of data computes.
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
};

/// All ops under the names that kernels use; a row's index is its op's value.
inline constexpr std::array<std::pair<std::string_view, MathOp>, 15> kMathOpNames = {
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
     {"min", MathOp::Min}}};

[[nodiscard]] constexpr std::string_view name_of(MathOp op) {
  return kMathOpNames[static_cast<std::size_t>(op)].first;
}

/// Whether an op makes fewer elements of many, and so cannot work tile by tile on its own.
[[nodiscard]] constexpr bool is_reduction(MathOp op) {
  return op == MathOp::Sum || op == MathOp::Max || op == MathOp::Min;
}

}  // namespace kernbench::model::components
