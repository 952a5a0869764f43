// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/structure/module_logic.hpp"

namespace kernbench::sim::structure {

/// A construct that the interpreter does not know.
class NotUnderstood : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Values that a process assigned so far.
using Assigned = std::unordered_map<BitId, BitValue>;

/// A range of bits that an index may select. It may reach beyond the signal that it is part of,
/// whose bits are `low` to `end` - 1.
struct Range {
  std::int64_t start = 0;
  BitId low = 0;
  BitId end = 0;
  /// Returns bit `i` of the range, if the signal has it.
  [[nodiscard]] std::optional<BitId> bit(unsigned i) const {
    const std::int64_t at = start + i;
    if (at < low || at >= end) return std::nullopt;
    return static_cast<BitId>(at);
  }
};

/// Signals that an expression selects: one range of bits, or one of several that an index chooses.
struct Region {
  std::vector<Range> ranges;
  unsigned width = 0;
  BitValue index = BitValue::zero();  ///< chooses the range
  [[nodiscard]] bool exact() const { return ranges.size() == 1; }
};

/// Evaluates expressions of one module.
class Expressions {
 public:
  Expressions(const Design& design, ModuleLogic& logic);
  virtual ~Expressions() = default;
  Expressions(const Expressions&) = delete;
  Expressions& operator=(const Expressions&) = delete;

  [[nodiscard]] BitValues value(const Node& node, const Assigned& assigned);
  /// Returns the signals of a variable or a selection of one. Throws NotUnderstood for others.
  [[nodiscard]] Region region(const Node& node, const Assigned& assigned);
  [[nodiscard]] BitValue truth(const Node& node, const Assigned& assigned);
  /// Returns the first bit of a variable of this module or, if need be, a new copy of one.
  [[nodiscard]] BitId base_of(const Node& variable_or_reference);
  /// Returns true for a bit of a variable of a process or a function.
  [[nodiscard]] bool is_local(BitId bit) const;
  /// Returns true for a variable or a selection of one.
  [[nodiscard]] bool is_region(const Node& node) const;
  /// Returns the bits that a selection of bits selects.
  [[nodiscard]] std::size_t selected_width(const Node& node) const;

 protected:
  /// Returns the value of a function; `node` is the call.
  virtual BitValues call(const Node& node, const Assigned& assigned) = 0;
  [[nodiscard]] const Design& design() const { return design_; }
  [[nodiscard]] ModuleLogic& logic() { return logic_; }

 private:
  struct Stride;
  [[nodiscard]] BitValues read(const Region& region, const Assigned& assigned) const;
  [[nodiscard]] Stride stride(const Node& node, const Assigned& assigned);
  [[nodiscard]] Region selected(const Node& node, const Assigned& assigned);
  [[nodiscard]] BitValues selected_value(const Node& node, const Assigned& assigned);
  [[nodiscard]] BitValues constant(const Node& node) const;
  [[nodiscard]] BitValues bitwise(Op op, const BitValues& a, const BitValues& b) const;
  [[nodiscard]] BitValue compare(Op op, const BitValues& a, const BitValues& b) const;
  [[nodiscard]] BitValue matches_wildcards(const Node& node, const Assigned& assigned);
  /// Returns the rest of a division by `by`, which is smaller than it.
  [[nodiscard]] BitValues modulo(const Node& node, const BitValues& by, const Assigned& assigned);
  [[nodiscard]] BitValues any_function(const Node& node, const Assigned& assigned);
  [[nodiscard]] BitValues arithmetic(Op op, const BitValues& a, const BitValues& b,
                                     std::size_t width) const;
  [[nodiscard]] BitValues shifted(const Node& node, const Assigned& assigned);

  const Design& design_;
  ModuleLogic& logic_;
  std::map<std::pair<Name, Name>, BitId> interface_;  ///< by prefix and name
  std::unordered_map<Name, BitId> own_;               ///< variables of packages, by identity
  std::set<BitId> own_bits_;
};

}  // namespace kernbench::sim::structure
