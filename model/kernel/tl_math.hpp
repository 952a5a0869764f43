// SPDX-License-Identifier: Apache-2.0
// The element-wise operations and reductions of Tl, inlined into kernels. Part of tl.hpp, which
// includes it.
#pragma once

#include <array>

#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

inline Tile Tl::exp(const Tile& x, SourceLine line) {
  return unary(MathOp::Exp, x, line);
}
inline Tile Tl::log(const Tile& x, SourceLine line) {
  return unary(MathOp::Log, x, line);
}
inline Tile Tl::sqrt(const Tile& x, SourceLine line) {
  return unary(MathOp::Sqrt, x, line);
}
inline Tile Tl::rsqrt(const Tile& x, SourceLine line) {
  return unary(MathOp::Rsqrt, x, line);
}
inline Tile Tl::abs(const Tile& x, SourceLine line) {
  return unary(MathOp::Abs, x, line);
}
inline Tile Tl::sigmoid(const Tile& x, SourceLine line) {
  return unary(MathOp::Sigmoid, x, line);
}
inline Tile Tl::tanh(const Tile& x, SourceLine line) {
  return unary(MathOp::Tanh, x, line);
}
inline Tile Tl::gelu(const Tile& x, SourceLine line) {
  return unary(MathOp::Gelu, x, line);
}
inline Tile Tl::silu(const Tile& x, SourceLine line) {
  return unary(MathOp::Silu, x, line);
}
inline Tile Tl::neg(const Tile& x, SourceLine line) {
  return unary(MathOp::Neg, x, line);
}
inline Tile Tl::cast(const Tile& x, DataType type, SourceLine line) {
  return unary(MathOp::Cast, x, line, type);
}

inline Tile Tl::add(const Located& a, const Located& b, SourceLine line) {
  return binary(MathOp::Add, a, b, line);
}
inline Tile Tl::sub(const Located& a, const Located& b, SourceLine line) {
  return binary(MathOp::Sub, a, b, line);
}
inline Tile Tl::mul(const Located& a, const Located& b, SourceLine line) {
  return binary(MathOp::Mul, a, b, line);
}
inline Tile Tl::div(const Located& a, const Located& b, SourceLine line) {
  return binary(MathOp::Div, a, b, line);
}
inline Tile Tl::maximum(const Located& a, const Located& b, SourceLine line) {
  return binary(MathOp::Maximum, a, b, line);
}
inline Tile Tl::minimum(const Located& a, const Located& b, SourceLine line) {
  return binary(MathOp::Minimum, a, b, line);
}
inline Tile Tl::compare(MathOp op, const Located& a, const Located& b, SourceLine line) {
  if (!components::is_comparison(op)) refuse_comparison(op, line);
  return binary(op, a, b, line);
}
inline void Tl::add_into(const Tile& target, const Located& a, const Located& b, SourceLine line) {
  finish(begin_math(MathOp::Add, std::array{&a, &b}, {}, {}, line, &target));
  written(target).done = true;
}
inline void Tl::copy_into(const Tile& target, const Tile& x, SourceLine line) {
  const Located input(x, line);
  finish(begin_math(MathOp::Cast, std::array{&input}, x.type(), {}, line, &target));
  written(target).done = true;
}
inline Tile Tl::where(const Tile& condition, const Located& a, const Located& b, SourceLine line) {
  const Located first(condition, line);
  Tile result = begin_math(MathOp::Where, std::array{&first, &a, &b}, {}, {}, line);
  finish(result);
  return result;
}

inline Tile Tl::sum(const Tile& x, Axis axis, SourceLine line) {
  return unary(MathOp::Sum, x, line, {}, axis);
}
inline Tile Tl::max(const Tile& x, Axis axis, SourceLine line) {
  return unary(MathOp::Max, x, line, {}, axis);
}
inline Tile Tl::min(const Tile& x, Axis axis, SourceLine line) {
  return unary(MathOp::Min, x, line, {}, axis);
}

[[nodiscard]] inline Tile operator+(const Located& a, const Located& b) {
  return Tl::of(a, b).add(a, b, a.at);
}
[[nodiscard]] inline Tile operator-(const Located& a, const Located& b) {
  return Tl::of(a, b).sub(a, b, a.at);
}
[[nodiscard]] inline Tile operator*(const Located& a, const Located& b) {
  return Tl::of(a, b).mul(a, b, a.at);
}
[[nodiscard]] inline Tile operator/(const Located& a, const Located& b) {
  return Tl::of(a, b).div(a, b, a.at);
}
[[nodiscard]] inline Tile operator<(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::Less, a, b, a.at);
}
[[nodiscard]] inline Tile operator<=(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::LessEqual, a, b, a.at);
}
[[nodiscard]] inline Tile operator>(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::Greater, a, b, a.at);
}
[[nodiscard]] inline Tile operator>=(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::GreaterEqual, a, b, a.at);
}
[[nodiscard]] inline Tile operator-(const Located& x) {
  return Tl::of(x, x).neg(*x.tile, x.at);
}

}  // namespace kernbench::model::kernel
