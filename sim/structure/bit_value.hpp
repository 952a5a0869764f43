// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/structure/inputs.hpp"

namespace kernbench::sim::structure {

/// A value of one bit as a function of signals: constant, a copy of one signal or its inverse, or
/// any other function, known by the signals that it may depend on and by the expression that it was
/// made of. Equal values are the same function; different ones may be.
struct BitValue {
  enum class Kind : std::uint8_t { Zero, One, Unknown, Copy, Function };

  Kind kind = Kind::Unknown;
  bool inverted = false;         ///< a copy's or a function's
  BitId source = 0;              ///< a copy's
  std::uint64_t expression = 0;  ///< a function's: hash of its operators and operands
  Inputs inputs = {};            ///< a function's

  static BitValue zero() { return {Kind::Zero}; }
  static BitValue one() { return {Kind::One}; }
  static BitValue constant(bool value) { return value ? one() : zero(); }
  static BitValue copy(BitId source) { return {Kind::Copy, false, source}; }

  [[nodiscard]] bool is_constant() const { return kind == Kind::Zero || kind == Kind::One; }
  /// Returns true for a function of nothing: a constant, or unknown bits.
  [[nodiscard]] bool depends_on_nothing() const;
  [[nodiscard]] bool depends_on(BitId bit) const;
  /// Returns the signals that the value depends on.
  [[nodiscard]] Inputs all_inputs() const;
  friend bool operator==(const BitValue&, const BitValue&) = default;
};

using BitValues = std::vector<BitValue>;  ///< least significant first

[[nodiscard]] BitValue bit_not(BitValue a);
[[nodiscard]] BitValue bit_and(const BitValue& a, const BitValue& b);
[[nodiscard]] BitValue bit_or(const BitValue& a, const BitValue& b);
[[nodiscard]] BitValue bit_xor(const BitValue& a, const BitValue& b);
/// Returns `a` where `condition` is 1, else `b`.
[[nodiscard]] BitValue bit_choose(const BitValue& condition, const BitValue& a, const BitValue& b);
/// Returns some function of the values. `what` tells different functions of the same values apart.
[[nodiscard]] BitValue function_of(std::uint64_t what, const BitValue& a, const BitValue& b);
[[nodiscard]] BitValue function_of(std::uint64_t what, const BitValues& values);
/// Returns a number for `function_of` from the numbers of an operator and, for example, a bit.
[[nodiscard]] std::uint64_t function_number(std::uint64_t op, std::uint64_t bit = 0);

/// Returns the number that constant bits form; std::nullopt for others or more than 64.
[[nodiscard]] std::optional<std::uint64_t> number(const BitValues& values);
[[nodiscard]] BitValues constant_bits(std::uint64_t value, std::size_t width);

}  // namespace kernbench::sim::structure
