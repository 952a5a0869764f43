// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "common/hash.hpp"
#include "common/numbers.hpp"
#include "sim/structure/fold.hpp"

namespace kernbench::sim::structure {
namespace {

/// Positions that an index may select at most; more are taken as one function of everything.
constexpr std::size_t kMostPositions = 4096;

/// Amounts of a shift at most; with more, each bit is a function of everything.
constexpr std::uint64_t kMostShifts = 64;

constexpr std::uint64_t kIndex = common::hash_bytes("index");

/// Returns the number of the function that an operator computes for a bit.
std::uint64_t number_of(Op op, std::size_t bit = 0) {
  return function_number(static_cast<std::uint64_t>(op), bit);
}

std::optional<unsigned> digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  return std::nullopt;
}

}  // namespace

/// The values that an index can have: `first`, `first + step`, ... up to `last`; a step of 0 means
/// `first` only.
struct Expressions::Stride {
  std::uint64_t first = 0;
  std::uint64_t step = 1;
  std::uint64_t last = kLargest;

  static constexpr std::uint64_t kLargest = std::uint64_t{1} << 31;

  /// Returns the values as an expression of `width` bits has them, which drops what does not fit.
  [[nodiscard]] Stride cut(std::size_t width) const {
    if (width >= 31) return last >= kLargest ? Stride{} : *this;
    const std::uint64_t limit = std::uint64_t{1} << width;
    if (last < limit) return *this;
    if (step == 0) return {first % limit, 0, first % limit};
    const std::uint64_t left = std::gcd(step, limit);
    return {first % left, left, limit - 1};
  }
};

Expressions::Expressions(const Design& design, ModuleLogic& logic)
    : design_(design), logic_(logic) {}

BitId Expressions::base_of(const Node& node) {
  const Name id = node.target != 0 ? node.target : node.id;
  const auto local = logic_.module->variable_of.find(id);
  if (local != logic_.module->variable_of.end()) {
    return logic_.module->variables[local->second].base;
  }
  const unsigned bits = design_.type_of(node).bits();
  if (design_.op(node) == Op::ForeignVariable) {
    const auto [entry, added] = interface_.emplace(std::pair{node.detail, node.name}, logic_.bits);
    if (added) {
      logic_.interface_signals.push_back(
          {design_.text(node.detail), design_.text(node.name), logic_.bits, bits});
      logic_.bits += bits;
    }
    return entry->second;
  }
  if (design_.is_package_variable(id)) {
    throw NotUnderstood(fmt::format("{}: a variable of a package, {}", design_.at(node.place),
                                    design_.text(node.name)));
  }
  const auto [entry, added] = own_.emplace(id, logic_.bits);
  for (unsigned i = 0; added && i < bits; ++i) own_bits_.insert(logic_.bits++);
  return entry->second;
}

bool Expressions::is_local(BitId bit) const {
  if (bit >= logic_.module->bits) return own_bits_.count(bit) != 0;
  const Variable* variable = logic_.module->variable_at(bit);
  return variable != nullptr && variable->transient;
}

bool Expressions::is_region(const Node& node) const {
  const Op op = design_.op(node);
  if (op == Op::Variable || op == Op::ForeignVariable) return true;
  return (op == Op::Bits || op == Op::Element) && !node.children.empty() &&
         is_region(node.children.front());
}

Region Expressions::region(const Node& node, const Assigned& assigned) {
  switch (design_.op(node)) {
    case Op::Variable:
    case Op::ForeignVariable: {
      const BitId base = base_of(node);
      const unsigned bits = design_.type_of(node).bits();
      return {{{base, base, base + bits}}, bits};
    }
    case Op::Bits:
    case Op::Element:
      return selected(node, assigned);
    default:
      throw NotUnderstood(
          fmt::format("{}: an assignment to {}", design_.at(node.place), design_.text(node.type)));
  }
}

Expressions::Stride Expressions::stride(const Node& node, const Assigned& assigned) {
  const BitValues bits = value(node, assigned);
  if (const auto exact = number(bits)) return Stride{*exact, 0, *exact}.cut(bits.size());
  std::size_t used = bits.size();  // without the bits on top that are always 0
  while (used > 0 && bits[used - 1].kind == BitValue::Kind::Zero) --used;
  const Stride any{0, 1, used < 31 ? (std::uint64_t{1} << used) - 1 : Stride::kLargest};
  const Op op = design_.op(node);
  const auto operand = [&](std::size_t i) { return stride(node.children[i], assigned); };
  if (op == Op::Extend) return operand(0);
  if (op == Op::Bits && number(value(node.children[1], assigned)) == 0) {
    return operand(0).cut(bits.size());
  }
  if (op == Op::Multiply || op == Op::ShiftLeft) {
    Stride a = operand(0);
    Stride b = operand(1);
    if (op == Op::Multiply && a.step == 0) std::swap(a, b);
    if (b.step != 0 || (op == Op::ShiftLeft && b.first >= 31)) return any;
    const std::uint64_t factor = op == Op::Multiply ? b.first : std::uint64_t{1} << b.first;
    if (factor == 0 || factor >= Stride::kLargest) return any;
    return Stride{a.first * factor, a.step * factor, a.last * factor}.cut(bits.size());
  }
  if (op == Op::Add) {
    const Stride a = operand(0);
    const Stride b = operand(1);
    return Stride{a.first + b.first, std::gcd(a.step, b.step), a.last + b.last}.cut(bits.size());
  }
  return any;
}

std::size_t Expressions::selected_width(const Node& node) const {
  if (node.children.size() > 2) {
    return constant_value(design_.text(node.children[2].name)).value_or(1);
  }
  return common::parse_u64(design_.text(node.detail)).value_or(1);
}

Region Expressions::selected(const Node& node, const Assigned& assigned) {
  const Node& from = node.children.front();
  const Node& index = node.children[1];
  const std::size_t index_width = design_.type_of(index).bits();
  Region whole = region(from, assigned);
  Region part;
  std::uint64_t unit = 1;
  if (design_.op(node) == Op::Bits) {
    part.width = static_cast<unsigned>(selected_width(node));
  } else {
    DataType element = design_.type_of(from);
    if (!element.dimensions.empty()) {
      unit = whole.width / element.dimensions.front().size();
    }
    part.width = static_cast<unsigned>(unit);
  }
  part.index = whole.index;
  // Verilator cuts an index to the bits that the signal needs, where the language lets a value
  // beyond the signal select nothing.
  const bool cut = design_.op(index) == Op::Bits && !is_region(index) &&
                   number(value(index.children[1], assigned)) == 0 &&
                   selected_width(index) == std::bit_width((whole.width - 1) / unit);
  const Stride at = stride(cut ? index.children.front() : index, assigned);
  if (at.step != 0) {
    const BitValues which = value(index, assigned);
    part.index = function_of(function_number(unit), part.index, function_of(kIndex, which));
  }
  for (const Range& range : whole.ranges) {
    const auto low = static_cast<BitId>(std::max<std::int64_t>(range.start, range.low));
    const auto end =
        static_cast<BitId>(std::min<std::int64_t>(range.start + whole.width, range.end));
    const auto add = [&](std::int64_t first) {
      part.ranges.push_back({range.start + first, low, end});
    };
    const std::int64_t width = part.width;
    if (at.step == 0) {
      const auto first = static_cast<std::int64_t>(at.first * unit);
      // An index with a sign may be below 0.
      const std::int64_t below =
          first - (std::int64_t{1} << std::min<std::size_t>(index_width, 62));
      if (below + width > 0 && below < 0 && first >= whole.width) {
        add(below);
      } else if (first < whole.width) {
        add(first);
      }
      continue;
    }
    const auto step = static_cast<std::int64_t>(at.step * unit);
    auto first = static_cast<std::int64_t>((at.first % at.step) * unit);
    if (design_.op(node) == Op::Bits) {
      while (first - step + width > 0) first -= step;
    } else {
      first = static_cast<std::int64_t>(at.first * unit);
    }
    const auto last = static_cast<std::int64_t>(at.last * unit);
    for (std::int64_t i = first; i < whole.width && i <= last; i += step) add(i);
  }
  if (part.ranges.size() > kMostPositions) {
    throw NotUnderstood(fmt::format("{}: an index with more than {} values", design_.at(node.place),
                                    kMostPositions));
  }
  return part;
}

BitValues Expressions::read(const Region& region, const Assigned& assigned) const {
  BitValues bits(region.width);
  for (unsigned i = 0; i < region.width; ++i) {
    bool first = true;
    for (const Range& range : region.ranges) {
      const std::optional<BitId> id = range.bit(i);
      BitValue one;
      if (id) {
        const auto known = assigned.find(*id);
        one = known != assigned.end() ? known->second : BitValue::copy(*id);
      }
      bits[i] = first ? std::move(one) : function_of(kIndex, bits[i], one);
      first = false;
    }
    if (!region.exact()) bits[i] = function_of(kIndex, bits[i], region.index);
  }
  return bits;
}

BitValues Expressions::selected_value(const Node& node, const Assigned& assigned) {
  if (is_region(node)) return read(selected(node, assigned), assigned);
  const BitValues from = value(node.children.front(), assigned);
  const std::size_t width = selected_width(node);
  const BitValues index = value(node.children[1], assigned);
  const auto at = number(index);
  const BitValue any =
      at ? BitValue{} : function_of(kIndex, function_of(kIndex, from), function_of(kIndex, index));
  BitValues bits(width);
  for (std::size_t i = 0; i < width; ++i) {
    if (!at) {
      bits[i] = function_of(function_number(kIndex, i), any, {});
    } else if (*at + i < from.size()) {
      bits[i] = from[*at + i];
    }
  }
  return bits;
}

BitValues Expressions::constant(const Node& node) const {
  const std::string& text = design_.text(node.name);
  const auto quote = text.find('\'');
  if (quote == std::string::npos) return constant_bits(0, 1);
  const std::size_t width = common::parse_u64(text.substr(0, quote)).value_or(1);
  const auto base = text.find_first_of("hbd", quote);
  BitValues bits(width, BitValue::zero());
  if (base == std::string::npos) return bits;
  const unsigned per_digit = text[base] == 'h' ? 4 : 1;
  std::size_t at = 0;
  for (std::size_t i = text.size(); i-- > base + 1; at += per_digit) {
    const auto nibble = digit(text[i]);
    for (unsigned b = 0; b < per_digit && at + b < width; ++b) {
      bits[at + b] = nibble ? BitValue::constant(((*nibble >> b) & 1) != 0) : BitValue{};
    }
  }
  return bits;
}

BitValue Expressions::truth(const Node& node, const Assigned& assigned) {
  BitValue any = BitValue::zero();
  for (const BitValue& bit : value(node, assigned)) any = bit_or(any, bit);
  return any;
}

BitValues Expressions::bitwise(Op op, const BitValues& a, const BitValues& b) const {
  BitValues bits(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const BitValue& left = i < a.size() ? a[i] : BitValue::zero();
    const BitValue& right = i < b.size() ? b[i] : BitValue::zero();
    bits[i] = op == Op::And  ? bit_and(left, right)
              : op == Op::Or ? bit_or(left, right)
                             : bit_xor(left, right);
  }
  return bits;
}

BitValue Expressions::compare(Op op, const BitValues& a, const BitValues& b) const {
  if (op == Op::Equal || op == Op::NotEqual) {
    BitValue differs = BitValue::zero();
    for (const BitValue& bit : bitwise(Op::Xor, a, b)) differs = bit_or(differs, bit);
    return op == Op::Equal ? bit_not(differs) : differs;
  }
  const auto left = number(a);
  const auto right = number(b);
  if (!left || !right) return function_of(number_of(op), function_of(0, a), function_of(0, b));
  const std::int64_t x = as_signed({*left, a.size()});
  const std::int64_t y = as_signed({*right, b.size()});
  switch (op) {
    case Op::Less:
      return BitValue::constant(*left < *right);
    case Op::LessEqual:
      return BitValue::constant(*left <= *right);
    case Op::Greater:
      return BitValue::constant(*left > *right);
    case Op::GreaterEqual:
      return BitValue::constant(*left >= *right);
    case Op::SignedLess:
      return BitValue::constant(x < y);
    case Op::SignedLessEqual:
      return BitValue::constant(x <= y);
    case Op::SignedGreater:
      return BitValue::constant(x > y);
    default:
      return BitValue::constant(x >= y);
  }
}

BitValues Expressions::arithmetic(Op op, const BitValues& a, const BitValues& b,
                                  std::size_t width) const {
  const auto left = number(a);
  const auto right = number(b);
  if (left && right && width <= 64) {
    const std::uint64_t result = op == Op::Add        ? *left + *right
                                 : op == Op::Subtract ? *left - *right
                                                      : *left * *right;
    return constant_bits(result, width);
  }
  // A bit depends on the bits of its weight and below.
  BitValues bits(width);
  BitValue below = BitValue::zero();
  for (std::size_t i = 0; i < width; ++i) {
    if (i < a.size()) below = function_of(number_of(op, 2 * i), below, a[i]);
    if (i < b.size()) below = function_of(number_of(op, 2 * i + 1), below, b[i]);
    bits[i] = below;
  }
  return bits;
}

BitValues Expressions::shifted(const Node& node, const Assigned& assigned) {
  const BitValues a = value(node.children[0], assigned);
  const BitValues amount = value(node.children[1], assigned);
  const Op op = design_.op(node);
  // The bit that a shift by so many moves to `i`.
  const auto moved = [&](std::size_t i, std::uint64_t by) {
    if (op == Op::ShiftLeft) return by <= i ? a[i - by] : BitValue::zero();
    return by < a.size() - i ? a[i + by] : BitValue::zero();
  };
  BitValues bits(a.size(), BitValue::zero());
  if (const auto by = number(amount)) {
    for (std::size_t i = 0; i < a.size(); ++i) bits[i] = moved(i, *by);
    return bits;
  }
  const Stride at = stride(node.children[1], assigned);
  const std::uint64_t last = std::min<std::uint64_t>(at.last, a.size());
  if ((last - std::min(at.first, last)) / std::max<std::uint64_t>(at.step, 1) > kMostShifts) {
    const BitValue any = function_of(0, function_of(0, a), function_of(0, amount));
    for (std::size_t i = 0; i < a.size(); ++i) bits[i] = function_of(number_of(op, i), any, {});
    return bits;
  }
  const BitValue which = function_of(0, amount);
  for (std::size_t i = 0; i < a.size(); ++i) {
    BitValues sources;
    for (std::uint64_t by = at.first; by <= last; by += std::max<std::uint64_t>(at.step, 1)) {
      sources.push_back(moved(i, by));
    }
    bits[i] = function_of(number_of(op, i), function_of(0, sources), which);
  }
  return bits;
}

BitValues Expressions::value(const Node& node, const Assigned& assigned) {
  const Op op = design_.op(node);
  const auto operand = [&](std::size_t i) -> BitValues {
    return i < node.children.size() ? value(node.children[i], assigned) : BitValues{};
  };
  const std::size_t width = design_.type_of(node).bits();
  switch (op) {
    case Op::Constant:
      return constant(node);
    case Op::Variable:
    case Op::ForeignVariable:
      return read(region(node, assigned), assigned);
    case Op::Bits:
    case Op::Element:
      return selected_value(node, assigned);
    case Op::Concat: {
      BitValues bits = operand(1);
      const BitValues high = operand(0);
      bits.insert(bits.end(), high.begin(), high.end());
      return bits;
    }
    case Op::Replicate: {
      const BitValues once = operand(0);
      BitValues bits;
      while (bits.size() + once.size() <= width && !once.empty()) {
        bits.insert(bits.end(), once.begin(), once.end());
      }
      return bits;
    }
    case Op::Extend:
    case Op::SignExtend:
    case Op::Same: {
      BitValues bits = operand(0);
      if (bits.empty()) return bits;
      if (op == Op::Same) return bits.size() == width ? bits : any_function(node, assigned);
      bits.resize(width, op == Op::Extend ? BitValue::zero() : bits.back());
      return bits;
    }
    case Op::And:
    case Op::Or:
    case Op::Xor:
      return bitwise(op, operand(0), operand(1));
    case Op::Not: {
      BitValues bits = operand(0);
      for (BitValue& bit : bits) bit = bit_not(std::move(bit));
      return bits;
    }
    case Op::LogicalAnd:
      return {bit_and(truth(node.children[0], assigned), truth(node.children[1], assigned))};
    case Op::LogicalOr:
      return {bit_or(truth(node.children[0], assigned), truth(node.children[1], assigned))};
    case Op::LogicalNot:
      return {bit_not(truth(node.children[0], assigned))};
    case Op::Any:
      return {truth(node.children[0], assigned)};
    case Op::All: {
      BitValue all = BitValue::one();
      for (const BitValue& bit : operand(0)) all = bit_and(all, bit);
      return {all};
    }
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::SignedLess:
    case Op::SignedLessEqual:
    case Op::SignedGreater:
    case Op::SignedGreaterEqual:
      return {compare(op, operand(0), operand(1))};
    case Op::EqualWild:
      return {matches_wildcards(node, assigned)};
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
      return arithmetic(op, operand(0), operand(1), width);
    case Op::Modulo:
      return modulo(node, operand(1), assigned);
    case Op::ShiftLeft:
    case Op::ShiftRight:
      return shifted(node, assigned);
    case Op::Choose: {
      const BitValue condition = truth(node.children[0], assigned);
      const BitValues a = operand(1);
      const BitValues b = operand(2);
      BitValues bits(std::min(a.size(), b.size()));
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = bit_choose(condition, a[i], b[i]);
      return bits;
    }
    case Op::Call:
      return call(node, assigned);
    case Op::Clear:
      return BitValues(width, BitValue{});
    default:
      return any_function(node, assigned);
  }
}

BitValue Expressions::matches_wildcards(const Node& node, const Assigned& assigned) {
  const BitValues a = value(node.children[0], assigned);
  const BitValues b = value(node.children[1], assigned);
  const bool literal = design_.op(node.children[1]) == Op::Constant;
  BitValue differs = BitValue::zero();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (literal && b[i].kind == BitValue::Kind::Unknown) continue;
    differs = bit_or(differs, bit_xor(a[i], b[i]));
  }
  return bit_not(differs);
}

BitValues Expressions::modulo(const Node& node, const BitValues& by, const Assigned& assigned) {
  BitValues bits = any_function(node, assigned);
  const auto below = number(by);
  if (!below || *below == 0) return bits;
  for (std::size_t i = static_cast<std::size_t>(std::bit_width(*below - 1)); i < bits.size(); ++i) {
    bits[i] = BitValue::zero();
  }
  return bits;
}

BitValues Expressions::any_function(const Node& node, const Assigned& assigned) {
  BitValues all;
  std::vector<Number> numbers;
  for (const Node& child : node.children) {
    const Op op = design_.op(child);
    if (op == Op::Assign || op == Op::AssignDelayed || op == Op::If || op == Op::Block) {
      throw NotUnderstood(
          fmt::format("{}: the expression {}", design_.at(node.place), design_.text(node.type)));
    }
    const BitValues bits = value(child, assigned);
    const auto exact = number(bits);
    if (exact) numbers.push_back({*exact, bits.size()});
    all.insert(all.end(), bits.begin(), bits.end());
  }
  if (numbers.size() == node.children.size()) {
    if (const auto result = fold(design_.text(node.type), numbers)) {
      return constant_bits(*result, design_.type_of(node).bits());
    }
  }
  const BitValue any = function_of(common::hash_bytes(design_.text(node.type)), all);
  BitValues bits(design_.type_of(node).bits());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = function_of(number_of(Op::Other, i), any, {});
  }
  return bits;
}

}  // namespace kernbench::sim::structure
