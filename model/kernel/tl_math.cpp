#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

Tile Tl::exp(const Tile& x, SourceLine line) {
  return math(MathOp::Exp, {x}, {}, {}, line);
}
Tile Tl::log(const Tile& x, SourceLine line) {
  return math(MathOp::Log, {x}, {}, {}, line);
}
Tile Tl::sqrt(const Tile& x, SourceLine line) {
  return math(MathOp::Sqrt, {x}, {}, {}, line);
}
Tile Tl::abs(const Tile& x, SourceLine line) {
  return math(MathOp::Abs, {x}, {}, {}, line);
}
Tile Tl::sigmoid(const Tile& x, SourceLine line) {
  return math(MathOp::Sigmoid, {x}, {}, {}, line);
}
Tile Tl::neg(const Tile& x, SourceLine line) {
  return math(MathOp::Neg, {x}, {}, {}, line);
}
Tile Tl::cast(const Tile& x, DataType type, SourceLine line) {
  return math(MathOp::Cast, {x}, type, {}, line);
}

Tile Tl::add(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Add, {a, b}, {}, {}, line);
}
Tile Tl::sub(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Sub, {a, b}, {}, {}, line);
}
Tile Tl::mul(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Mul, {a, b}, {}, {}, line);
}
Tile Tl::div(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Div, {a, b}, {}, {}, line);
}
Tile Tl::maximum(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Maximum, {a, b}, {}, {}, line);
}
Tile Tl::minimum(const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Minimum, {a, b}, {}, {}, line);
}
Tile Tl::compare(MathOp op, const Located& a, const Located& b, SourceLine line) {
  return math(op, {a, b}, {}, {}, line);
}
Tile Tl::where(const Tile& condition, const Located& a, const Located& b, SourceLine line) {
  return math(MathOp::Where, {condition, a, b}, {}, {}, line);
}

Tile Tl::sum(const Tile& x, Axis axis, SourceLine line) {
  return math(MathOp::Sum, {x}, {}, axis, line);
}
Tile Tl::max(const Tile& x, Axis axis, SourceLine line) {
  return math(MathOp::Max, {x}, {}, axis, line);
}
Tile Tl::min(const Tile& x, Axis axis, SourceLine line) {
  return math(MathOp::Min, {x}, {}, axis, line);
}

Tile operator+(const Located& a, const Located& b) {
  return Tl::of(a, b).add(a, b, a.at);
}
Tile operator-(const Located& a, const Located& b) {
  return Tl::of(a, b).sub(a, b, a.at);
}
Tile operator*(const Located& a, const Located& b) {
  return Tl::of(a, b).mul(a, b, a.at);
}
Tile operator/(const Located& a, const Located& b) {
  return Tl::of(a, b).div(a, b, a.at);
}
Tile operator<(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::Less, a, b, a.at);
}
Tile operator<=(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::LessEqual, a, b, a.at);
}
Tile operator>(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::Greater, a, b, a.at);
}
Tile operator>=(const Located& a, const Located& b) {
  return Tl::of(a, b).compare(MathOp::GreaterEqual, a, b, a.at);
}
Tile operator-(const Located& x) {
  return Tl::of(x, x).neg(*x.tile, x.at);
}

}  // namespace kernbench::model::kernel
