#pragma once

// Included by tl.hpp. Inline: see Executor::finish().

namespace kernbench::model::kernel {

inline Tile Tl::exp(const Tile& x, SourceLine line) {
  return math(MathOp::Exp, {x}, {}, {}, line);
}
inline Tile Tl::log(const Tile& x, SourceLine line) {
  return math(MathOp::Log, {x}, {}, {}, line);
}
inline Tile Tl::sqrt(const Tile& x, SourceLine line) {
  return math(MathOp::Sqrt, {x}, {}, {}, line);
}
inline Tile Tl::abs(const Tile& x, SourceLine line) {
  return math(MathOp::Abs, {x}, {}, {}, line);
}
inline Tile Tl::sigmoid(const Tile& x, SourceLine line) {
  return math(MathOp::Sigmoid, {x}, {}, {}, line);
}
inline Tile Tl::neg(const Tile& x, SourceLine line) {
  return math(MathOp::Neg, {x}, {}, {}, line);
}
inline Tile Tl::cast(const Tile& x, DataType type, SourceLine line) {
  return math(MathOp::Cast, {x}, type, {}, line);
}

inline Tile Tl::add(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Add, {a, b}, {}, {}, line);
}
inline Tile Tl::sub(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Sub, {a, b}, {}, {}, line);
}
inline Tile Tl::mul(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Mul, {a, b}, {}, {}, line);
}
inline Tile Tl::div(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Div, {a, b}, {}, {}, line);
}
inline Tile Tl::maximum(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Maximum, {a, b}, {}, {}, line);
}
inline Tile Tl::minimum(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Minimum, {a, b}, {}, {}, line);
}
inline Tile Tl::compare(MathOp op, const Located& a, const Located& b, SourceLine line) {
  return math(op, {a, b}, {}, {}, line);
}
inline Tile Tl::where(const Tile& condition, const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Where, {condition, a, b}, {}, {}, line);
}

inline Tile Tl::sum(const Tile& x, Axis axis, SourceLine line) {
  return math(MathOp::Sum, {x}, {}, axis, line);
}
inline Tile Tl::max(const Tile& x, Axis axis, SourceLine line) {
  return math(MathOp::Max, {x}, {}, axis, line);
}
inline Tile Tl::min(const Tile& x, Axis axis, SourceLine line) {
  return math(MathOp::Min, {x}, {}, axis, line);
}

inline Tile operator+(const Located& a, const Located& b) {
  return Tl::of(a, b).add(a, b, a.at);
}
inline Tile operator-(const Located& a, const Located& b) {
  return Tl::of(a, b).sub(a, b, a.at);
}
inline Tile operator*(const Located& a, const Located& b) {
  return Tl::of(a, b).mul(a, b, a.at);
}
inline Tile operator/(const Located& a, const Located& b) {
  return Tl::of(a, b).div(a, b, a.at);
}
inline Tile operator<(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::Less, a, b, a.at);
}
inline Tile operator<=(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::LessEqual, a, b, a.at);
}
inline Tile operator>(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::Greater, a, b, a.at);
}
inline Tile operator>=(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::GreaterEqual, a, b, a.at);
}
inline Tile operator-(const Located& x) {
  return Tl::of(x, x).neg(*x.tile, x.at);
}

}  // namespace kernbench::model::kernel
