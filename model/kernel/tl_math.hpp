#pragma once

// Included by tl.hpp. Inline: see Executor::wait().

namespace kernbench::model::kernel {

inline Tile Tl::load(const TensorRef& source, SourceLine line) {
  Tile result = begin_load(source, line);
  finish(result);
  return result;
}
inline void Tl::store(const TensorRef& target, const Tile& tile, SourceLine line) {
  if (begin_store(target, tile, line)) finish(nullptr);
}
inline Tile Tl::full(std::uint64_t rows, std::uint64_t columns, double value, DataType type,
                     SourceLine line) {
  Tile result = begin_make("full", MathOp::Fill, rows, columns, value, type, line);
  finish(result);
  return result;
}
inline Tile Tl::arange(std::uint64_t columns, DataType type, double first, SourceLine line) {
  Tile result = begin_make("arange", MathOp::Arange, 1, columns, first, type, line);
  finish(result);
  return result;
}
inline Tile Tl::dot(const Tile& a, const Tile& b, std::optional<DataType> type, SourceLine line) {
  Tile result = begin_dot(a, b, type, line);
  finish(result);
  return result;
}
inline void Tl::send(std::string_view direction, const Tile& tile, SourceLine line) {
  if (begin_send(direction, tile, line)) finish(nullptr);
}
inline Tile Tl::recv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                     DataType type, SourceLine line) {
  Tile result = begin_recv(direction, rows, columns, type, line);
  finish(result);
  return result;
}

inline Tile Tl::unary(MathOp op, const Tile& x, std::optional<DataType> type,
                      std::optional<Axis> axis, const SourceLine& line) {
  const Located input(x, line);
  Tile result = begin_math(op, {&input}, type, axis, line);
  finish(result);
  return result;
}

inline Tile Tl::binary(MathOp op, const Located& a, const Located& b, const SourceLine& line) {
  Tile result = begin_math(op, {&a, &b}, {}, {}, line);
  finish(result);
  return result;
}

inline Tile Tl::exp(const Tile& x, SourceLine line) {
  return unary(MathOp::Exp, x, {}, {}, line);
}
inline Tile Tl::log(const Tile& x, SourceLine line) {
  return unary(MathOp::Log, x, {}, {}, line);
}
inline Tile Tl::sqrt(const Tile& x, SourceLine line) {
  return unary(MathOp::Sqrt, x, {}, {}, line);
}
inline Tile Tl::abs(const Tile& x, SourceLine line) {
  return unary(MathOp::Abs, x, {}, {}, line);
}
inline Tile Tl::sigmoid(const Tile& x, SourceLine line) {
  return unary(MathOp::Sigmoid, x, {}, {}, line);
}
inline Tile Tl::neg(const Tile& x, SourceLine line) {
  return unary(MathOp::Neg, x, {}, {}, line);
}
inline Tile Tl::cast(const Tile& x, DataType type, SourceLine line) {
  return unary(MathOp::Cast, x, type, {}, line);
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
inline Tile Tl::where(const Tile& condition, const Located& a, const Located& b, SourceLine line) {
  const Located first(condition, line);
  Tile result = begin_math(MathOp::Where, {&first, &a, &b}, {}, {}, line);
  finish(result);
  return result;
}

inline Tile Tl::sum(const Tile& x, Axis axis, SourceLine line) {
  return unary(MathOp::Sum, x, {}, axis, line);
}
inline Tile Tl::max(const Tile& x, Axis axis, SourceLine line) {
  return unary(MathOp::Max, x, {}, axis, line);
}
inline Tile Tl::min(const Tile& x, Axis axis, SourceLine line) {
  return unary(MathOp::Min, x, {}, axis, line);
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
