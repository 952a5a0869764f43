// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/bit_value.hpp"

#include <algorithm>

#include "common/hash.hpp"

namespace kernbench::sim::structure {
namespace {

using Kind = BitValue::Kind;

bool is_zero(const BitValue& value) {
  return value.kind == Kind::Zero;
}

bool is_one(const BitValue& value) {
  return value.kind == Kind::One;
}

bool is_known(const BitValue& value) {
  return value.kind != Kind::Unknown;
}

/// Numbers of the functions made here, apart from those that `function_number` returns.
constexpr std::uint64_t kAnd = common::hash_bytes("and");
constexpr std::uint64_t kXor = common::hash_bytes("xor");
constexpr std::uint64_t kChoose = common::hash_bytes("choose");

/// Returns a number that is the same for equal values and, but for one chance in 2^64, differs
/// between others.
std::uint64_t identity(const BitValue& value) {
  const auto kind = static_cast<std::uint64_t>(value.kind) * 2 + (value.inverted ? 1 : 0);
  return common::mix64(common::mix64(kind + 1) + value.source + value.expression);
}

/// Returns true when one value is the inverse of the other for sure.
bool is_inverse(const BitValue& a, const BitValue& b) {
  return is_known(a) && a.kind == b.kind && a.inverted != b.inverted && a.source == b.source &&
         a.expression == b.expression && a.inputs == b.inputs;
}

}  // namespace

bool BitValue::depends_on_nothing() const {
  return kind != Kind::Copy && (kind != Kind::Function || inputs.empty());
}

bool BitValue::depends_on(BitId bit) const {
  if (kind == Kind::Copy) return source == bit;
  const std::vector<BitId>& bits = inputs.bits();
  return kind == Kind::Function && std::binary_search(bits.begin(), bits.end(), bit);
}

Inputs BitValue::all_inputs() const {
  if (kind == Kind::Copy) return Inputs(source);
  return kind == Kind::Function ? inputs : Inputs();
}

std::uint64_t function_number(std::uint64_t op, std::uint64_t bit) {
  return common::mix64(common::mix64(op + 1) + bit);
}

BitValue function_of(std::uint64_t what, const BitValue& a, const BitValue& b) {
  BitValue result;
  result.kind = Kind::Function;
  result.expression = common::mix64(common::mix64(what ^ identity(a)) + identity(b));
  result.inputs = Inputs::united(a.all_inputs(), b.all_inputs());
  return result;
}

BitValue function_of(std::uint64_t what, const BitValues& values) {
  BitValue result;
  result.kind = Kind::Function;
  result.expression = common::mix64(what + values.size());
  std::vector<Inputs> inputs;
  for (const BitValue& value : values) {
    result.expression = common::mix64(result.expression + identity(value));
    inputs.push_back(value.all_inputs());
  }
  result.inputs = Inputs::united(inputs);
  return result;
}

BitValue bit_not(BitValue a) {
  if (a.is_constant()) return BitValue::constant(is_zero(a));
  if (a.kind != Kind::Unknown) a.inverted = !a.inverted;
  return a;
}

BitValue bit_and(const BitValue& a, const BitValue& b) {
  if (is_zero(a) || is_zero(b) || is_inverse(a, b)) return BitValue::zero();
  if (is_one(a) || a == b) return b;
  if (is_one(b)) return a;
  const bool in_order = identity(a) < identity(b);
  return function_of(kAnd, in_order ? a : b, in_order ? b : a);
}

BitValue bit_or(const BitValue& a, const BitValue& b) {
  return bit_not(bit_and(bit_not(a), bit_not(b)));
}

BitValue bit_xor(const BitValue& a, const BitValue& b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (is_one(a)) return bit_not(b);
  if (is_one(b)) return bit_not(a);
  if (is_known(a) && a == b) return BitValue::zero();
  if (is_inverse(a, b)) return BitValue::one();
  const bool in_order = identity(a) < identity(b);
  return function_of(kXor, in_order ? a : b, in_order ? b : a);
}

BitValue bit_choose(const BitValue& condition, const BitValue& a, const BitValue& b) {
  if (is_one(condition) || a == b) return a;
  if (is_zero(condition)) return b;
  if (is_one(a)) return bit_or(condition, b);
  if (is_zero(a)) return bit_and(bit_not(condition), b);
  if (is_one(b)) return bit_or(bit_not(condition), a);
  if (is_zero(b)) return bit_and(condition, a);
  return function_of(function_number(kChoose, identity(condition)), condition,
                     function_of(kChoose, a, b));
}

std::optional<std::uint64_t> number(const BitValues& values) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].is_constant()) return std::nullopt;
    if (!is_one(values[i])) continue;
    if (i >= 64) return std::nullopt;
    result |= std::uint64_t{1} << i;
  }
  return result;
}

BitValues constant_bits(std::uint64_t value, std::size_t width) {
  BitValues bits(width, BitValue::zero());
  for (std::size_t i = 0; i < width && i < 64; ++i) {
    bits[i] = BitValue::constant(((value >> i) & 1) != 0);
  }
  return bits;
}

}  // namespace kernbench::sim::structure
