// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "model/components/tiling/math_op.hpp"
#include "model/data/elementary.hpp"

namespace kernbench::model::data {

// Math operations on single elements. The with_*() functions pass an operation to `use` as a
// function object, so that the caller's loop is compiled for each operation.

[[nodiscard]] inline std::int32_t wrapped(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}
[[nodiscard]] inline std::uint32_t bits_of(std::int32_t value) {
  return static_cast<std::uint32_t>(value);
}

[[nodiscard]] inline bool is_nan(float value) {
  return std::isnan(value);
}
[[nodiscard]] inline bool is_nan(std::int32_t /*value*/) {
  return false;
}

/// Returns NaN if either is NaN, and the first of equal values (0 and -0).
template <typename T>
[[nodiscard]] T larger(T a, T b) {
  return a >= b || is_nan(a) ? a : b;
}
template <typename T>
[[nodiscard]] T smaller(T a, T b) {
  return a <= b || is_nan(a) ? a : b;
}

[[nodiscard]] inline float sum_of(float a, float b) {
  return a + b;
}
[[nodiscard]] inline std::int32_t sum_of(std::int32_t a, std::int32_t b) {
  return wrapped(bits_of(a) + bits_of(b));
}

/// Rounds towards zero; x / 0 is 0.
[[nodiscard]] inline std::int32_t quotient_of(std::int32_t a, std::int32_t b) {
  if (b == 0) return 0;
  return b == -1 ? wrapped(0U - bits_of(a)) : a / b;
}

[[noreturn]] inline void refuse(components::MathOp op, const char* operands) {
  throw std::invalid_argument(
      fmt::format("'{}' is not defined for {}", components::name_of(op), operands));
}

template <typename Use>
void with_unary(components::MathOp op, float /*of*/, Use use) {
  using components::MathOp;
  switch (op) {
    case MathOp::Exp:
      return use([](float x) { return portable_exp(x); });
    case MathOp::Log:
      return use([](float x) { return portable_log(x); });
    case MathOp::Sqrt:
      return use([](float x) { return std::sqrt(x); });
    case MathOp::Abs:
      return use([](float x) { return std::abs(x); });
    case MathOp::Sigmoid:
      return use([](float x) { return 1.0F / (1.0F + portable_exp(-x)); });
    case MathOp::Rsqrt:
      return use([](float x) { return portable_rsqrt(x); });
    case MathOp::Tanh:
      return use([](float x) { return portable_tanh(x); });
    case MathOp::Gelu:
      return use([](float x) { return portable_gelu(x); });
    case MathOp::Silu:
      return use([](float x) { return portable_silu(x); });
    case MathOp::Neg:
      return use([](float x) { return -x; });
    case MathOp::Cast:
      return use([](float x) { return x; });
    default:
      refuse(op, "one operand");
  }
}

template <typename Use>
void with_unary(components::MathOp op, std::int32_t /*of*/, Use use) {
  using components::MathOp;
  switch (op) {
    case MathOp::Abs:
      return use([](std::int32_t x) { return x < 0 ? wrapped(0U - bits_of(x)) : x; });
    case MathOp::Neg:
      return use([](std::int32_t x) { return wrapped(0U - bits_of(x)); });
    case MathOp::Cast:
      return use([](std::int32_t x) { return x; });
    default:
      refuse(op, "integers");
  }
}

template <typename Use>
void with_arithmetic(components::MathOp op, float /*of*/, Use use) {
  using components::MathOp;
  switch (op) {
    case MathOp::Add:
      return use([](float a, float b) { return a + b; });
    case MathOp::Sub:
      return use([](float a, float b) { return a - b; });
    case MathOp::Mul:
      return use([](float a, float b) { return a * b; });
    case MathOp::Div:
      return use([](float a, float b) { return a / b; });
    default:
      refuse(op, "two operands");
  }
}

template <typename Use>
void with_arithmetic(components::MathOp op, std::int32_t /*of*/, Use use) {
  using components::MathOp;
  using Int = std::int32_t;
  switch (op) {
    case MathOp::Add:
      return use([](Int a, Int b) { return wrapped(bits_of(a) + bits_of(b)); });
    case MathOp::Sub:
      return use([](Int a, Int b) { return wrapped(bits_of(a) - bits_of(b)); });
    case MathOp::Mul:
      return use([](Int a, Int b) { return wrapped(bits_of(a) * bits_of(b)); });
    case MathOp::Div:
      return use([](Int a, Int b) { return quotient_of(a, b); });
    default:
      refuse(op, "two operands");
  }
}

/// Comparisons return 1 and 0.
template <typename T, typename Use>
void with_binary(components::MathOp op, T of, Use use) {
  using components::MathOp;
  switch (op) {
    case MathOp::Maximum:
      return use([](T a, T b) { return larger(a, b); });
    case MathOp::Minimum:
      return use([](T a, T b) { return smaller(a, b); });
    case MathOp::Less:
      return use([](T a, T b) { return static_cast<T>(a < b ? 1 : 0); });
    case MathOp::LessEqual:
      return use([](T a, T b) { return static_cast<T>(a <= b ? 1 : 0); });
    case MathOp::Greater:
      return use([](T a, T b) { return static_cast<T>(a > b ? 1 : 0); });
    case MathOp::GreaterEqual:
      return use([](T a, T b) { return static_cast<T>(a >= b ? 1 : 0); });
    case MathOp::Equal:
      return use([](T a, T b) { return static_cast<T>(a == b ? 1 : 0); });
    default:
      return with_arithmetic(op, of, use);
  }
}

template <typename T, typename Use>
void with_reduction(components::MathOp op, T /*of*/, Use use) {
  using components::MathOp;
  switch (op) {
    case MathOp::Sum:
      return use([](T a, T b) { return sum_of(a, b); });
    case MathOp::Max:
      return use([](T a, T b) { return larger(a, b); });
    case MathOp::Min:
      return use([](T a, T b) { return smaller(a, b); });
    default:
      refuse(op, "reductions");
  }
}

}  // namespace kernbench::model::data
