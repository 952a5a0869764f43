// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kernbench::sim::structure {

/// Number of a bit of a signal, in its module or in the whole netlist.
using BitId = std::uint32_t;

/// A value of one bit as a function of signals: constant, a copy of one signal or its inverse, or
/// any other function, which is only known by the signals that it depends on.
struct BitValue {
  enum class Kind : std::uint8_t { Zero, One, Unknown, Copy, Function };

  Kind kind = Kind::Unknown;
  bool inverted = false;           ///< a copy's
  bool vague = false;              ///< may depend on fewer signals than `inputs` says
  BitId source = 0;                ///< a copy's
  std::vector<BitId> inputs = {};  ///< a function's; sorted

  static BitValue zero() { return {Kind::Zero}; }
  static BitValue one() { return {Kind::One}; }
  static BitValue constant(bool value) { return value ? one() : zero(); }
  static BitValue copy(BitId source) { return {Kind::Copy, false, false, source}; }

  [[nodiscard]] bool is_constant() const { return kind == Kind::Zero || kind == Kind::One; }
  /// Returns true for a function of nothing: a constant, or unknown bits.
  [[nodiscard]] bool depends_on_nothing() const;
  [[nodiscard]] bool depends_on(BitId bit) const;
  /// Returns the signals that the value depends on.
  [[nodiscard]] std::vector<BitId> all_inputs() const;
  friend bool operator==(const BitValue&, const BitValue&) = default;
};

using BitValues = std::vector<BitValue>;  ///< least significant first

[[nodiscard]] BitValue bit_not(BitValue a);
[[nodiscard]] BitValue bit_and(const BitValue& a, const BitValue& b);
[[nodiscard]] BitValue bit_or(const BitValue& a, const BitValue& b);
[[nodiscard]] BitValue bit_xor(const BitValue& a, const BitValue& b);
/// Returns `a` where `condition` is 1, else `b`.
[[nodiscard]] BitValue bit_choose(const BitValue& condition, const BitValue& a, const BitValue& b);
/// Returns some function of both.
[[nodiscard]] BitValue function_of(const BitValue& a, const BitValue& b);
[[nodiscard]] BitValue function_of(const BitValues& values);

/// Returns the number that constant bits form; std::nullopt for others or more than 64.
[[nodiscard]] std::optional<std::uint64_t> number(const BitValues& values);
[[nodiscard]] BitValues constant_bits(std::uint64_t value, std::size_t width);

}  // namespace kernbench::sim::structure
