// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/bit_value.hpp"

#include <algorithm>
#include <iterator>

namespace kernbench::sim::structure {
namespace {

using Kind = BitValue::Kind;

bool is_zero(const BitValue& value) {
  return value.kind == Kind::Zero;
}

bool is_one(const BitValue& value) {
  return value.kind == Kind::One;
}

}  // namespace

bool BitValue::depends_on_nothing() const {
  return kind != Kind::Copy && (kind != Kind::Function || inputs.empty());
}

bool BitValue::depends_on(BitId bit) const {
  if (kind == Kind::Copy) return source == bit;
  return kind == Kind::Function && std::binary_search(inputs.begin(), inputs.end(), bit);
}

std::vector<BitId> BitValue::all_inputs() const {
  if (kind == Kind::Copy) return {source};
  return kind == Kind::Function ? inputs : std::vector<BitId>{};
}

BitValue function_of(const BitValue& a, const BitValue& b) {
  BitValue result;
  result.kind = Kind::Function;
  result.vague = a.vague || b.vague;
  const std::vector<BitId> left = a.all_inputs();
  const std::vector<BitId> right = b.all_inputs();
  std::set_union(left.begin(), left.end(), right.begin(), right.end(),
                 std::back_inserter(result.inputs));
  return result;
}

BitValue function_of(const BitValues& values) {
  BitValue result;
  result.kind = Kind::Function;
  for (const BitValue& value : values) {
    result.vague = result.vague || value.vague;
    const std::vector<BitId> inputs = value.all_inputs();
    result.inputs.insert(result.inputs.end(), inputs.begin(), inputs.end());
  }
  std::sort(result.inputs.begin(), result.inputs.end());
  result.inputs.erase(std::unique(result.inputs.begin(), result.inputs.end()), result.inputs.end());
  return result;
}

BitValue bit_not(BitValue a) {
  if (a.is_constant()) return BitValue::constant(is_zero(a));
  if (a.kind == Kind::Copy) a.inverted = !a.inverted;
  return a;
}

BitValue bit_and(const BitValue& a, const BitValue& b) {
  if (is_zero(a) || is_zero(b)) return BitValue::zero();
  if (is_one(a) || a == b) return b;
  if (is_one(b)) return a;
  return function_of(a, b);
}

BitValue bit_or(const BitValue& a, const BitValue& b) {
  return bit_not(bit_and(bit_not(a), bit_not(b)));
}

BitValue bit_xor(const BitValue& a, const BitValue& b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (is_one(a)) return bit_not(b);
  if (is_one(b)) return bit_not(a);
  return function_of(a, b);
}

BitValue bit_choose(const BitValue& condition, const BitValue& a, const BitValue& b) {
  if (is_one(condition) || a == b) return a;
  if (is_zero(condition)) return b;
  if (is_one(a) && is_zero(b)) return condition;
  if (is_zero(a) && is_one(b)) return bit_not(condition);
  return function_of(condition, function_of(a, b));
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
