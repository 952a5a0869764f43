// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/fold.hpp"

#include <algorithm>
#include <bit>

namespace kernbench::sim::structure {
namespace {

std::optional<std::uint64_t> fold_one(std::string_view type, const Number& one) {
  if (type == "NEGATE") return 0 - one.value;
  if (type == "REDXOR") return std::popcount(one.value) % 2;
  if (type == "COUNTONES") return std::popcount(one.value);
  if (type == "ONEHOT") return std::has_single_bit(one.value) ? 1 : 0;
  if (type == "ONEHOT0") return std::popcount(one.value) <= 1 ? 1 : 0;
  if (type == "CLOG2") return one.value == 0 ? 0 : std::bit_width(one.value - 1);
  return std::nullopt;
}

std::optional<std::uint64_t> fold_two(std::string_view type, const Number& a, const Number& b) {
  const std::int64_t x = as_signed(a);
  const std::int64_t y = as_signed(b);
  if (type == "SHIFTRS") {
    return static_cast<std::uint64_t>(x >> std::min<std::uint64_t>(b.value, 63));
  }
  if (b.value == 0) return std::nullopt;
  if (type == "DIV") return a.value / b.value;
  if (type == "MODDIV") return a.value % b.value;
  // The quotient of the smallest number and -1 has no place in 64 bits.
  if (type == "DIVS")
    return y == -1 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x / y);
  if (type == "MODDIVS") return y == -1 ? 0 : static_cast<std::uint64_t>(x % y);
  return std::nullopt;
}

}  // namespace

std::int64_t as_signed(const Number& one) {
  const auto unused = one.bits < 64 ? 64 - static_cast<unsigned>(one.bits) : 0U;
  return static_cast<std::int64_t>(one.value << unused) >> unused;
}

std::optional<std::uint64_t> fold(std::string_view type, const std::vector<Number>& operands) {
  if (operands.size() == 1) return fold_one(type, operands[0]);
  if (operands.size() == 2) return fold_two(type, operands[0], operands[1]);
  return std::nullopt;
}

}  // namespace kernbench::sim::structure
