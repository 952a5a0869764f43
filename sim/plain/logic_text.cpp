// SPDX-License-Identifier: Apache-2.0
#include "sim/plain/logic_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "sim/dut/source_names.hpp"

namespace kernbench::sim::plain {
namespace {

using structure::BitValue;
using structure::BitValues;
using structure::Node;
using structure::NotUnderstood;
using structure::Op;

/// An operator: type of node, text, whether the operands are taken with a sign.
struct Operator {
  std::string_view type;
  std::string_view text;
  bool is_signed = false;
};

constexpr std::array kUnary = std::to_array<Operator>({{"NOT", "~"},
                                                       {"NEGATE", "-"},
                                                       {"LOGNOT", "!"},
                                                       {"REDAND", "&"},
                                                       {"REDOR", "|"},
                                                       {"REDXOR", "^"}});

/// Operators whose operands have the width of the result.
constexpr std::array kArithmetic = std::to_array<Operator>({{"AND", "&"},
                                                            {"OR", "|"},
                                                            {"XOR", "^"},
                                                            {"ADD", "+"},
                                                            {"SUB", "-"},
                                                            {"MUL", "*"},
                                                            {"MULS", "*"},
                                                            {"DIV", "/"},
                                                            {"MODDIV", "%"}});

/// Operators whose operands have the same width, and those of truth values.
constexpr std::array kComparisons = std::to_array<Operator>({{"EQ", "=="},
                                                             {"NEQ", "!="},
                                                             {"EQCASE", "==="},
                                                             {"NEQCASE", "!=="},
                                                             {"LT", "<"},
                                                             {"LTE", "<="},
                                                             {"GT", ">"},
                                                             {"GTE", ">="},
                                                             {"LTS", "<", true},
                                                             {"LTES", "<=", true},
                                                             {"GTS", ">", true},
                                                             {"GTES", ">=", true},
                                                             {"LOGAND", "&&"},
                                                             {"LOGOR", "||"}});

constexpr std::array kShifts = std::to_array<Operator>({{"SHIFTL", "<<"}, {"SHIFTR", ">>"}});

template <std::size_t kCount>
const Operator* find(const std::array<Operator, kCount>& operators, std::string_view type) {
  const auto found = std::find_if(operators.begin(), operators.end(),
                                  [&](const Operator& one) { return one.type == type; });
  return found == operators.end() ? nullptr : &*found;
}

std::string range(std::uint64_t start, unsigned width) {
  return width == 1 ? fmt::format("[{}]", start) : fmt::format("[{}:{}]", start + width - 1, start);
}

}  // namespace

std::string identifier(const std::string& name) {
  const auto is_letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const bool simple =
      !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
        return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '$';
      });
  return simple ? name : fmt::format("\\{} ", name);
}

LogicText::LogicText(const structure::Design& design, const structure::Module& module,
                     const Bundles& bundles)
    : design_(design), module_(module), bundles_(bundles), values_(design, logic_) {
  logic_.module = &module;
  logic_.bits = module.bits;
  // Variables of blocks lack the names of these: two may have one name.
  std::map<std::string, unsigned> seen;
  for (const structure::Variable& variable : module.variables) {
    if (variable.type.interface) continue;
    const unsigned times = ++seen[variable.name];
    names_.emplace(variable.base,
                   times == 1 ? variable.name : fmt::format("{}#{}", variable.name, times));
  }
}

void LogicText::refuse(const Node& node, const std::string& what) const {
  throw NotUnderstood(fmt::format("{}: {}", design_.at(node.place), what));
}

unsigned LogicText::width_of(const Node& node) const {
  return design_.type_of(node).bits();
}

std::string LogicText::signal_name(const Bundle& bundle, const std::string& signal) {
  return fmt::format("{}_{}", bundle.name, signal);
}

std::string LogicText::signal(const Part& part, const structure::Variable& variable) {
  const unsigned bits = variable.type.bits();
  Selection all{{signal_name(*part.bundle, variable.name), bits * part.bundle->count},
                std::uint64_t{bits} * part.position.value_or(0),
                {},
                part.position ? bits : bits * part.bundle->count};
  used_[all.vector.name] = all.vector.bits;
  return text_of(all);
}

LogicText::Vector LogicText::vector_of(const Node& reference, unsigned& position) {
  const unsigned bits = width_of(reference);
  if (design_.op(reference) == Op::ForeignVariable &&
      module_.variable_of.count(reference.target) == 0) {
    const Part part = part_named(bundles_, source_name(design_.text(reference.detail)));
    if (part.bundle->is_array && !part.position) refuse(reference, "a whole array of interfaces");
    position = part.position.value_or(0);
    return {signal_name(*part.bundle, design_.text(reference.name)), bits * part.bundle->count};
  }
  const auto found = names_.find(values_.base_of(reference));
  if (found == names_.end()) {
    refuse(reference, "a reference to " + design_.text(reference.name));
  }
  return {found->second, bits};
}

LogicText::Selection LogicText::selection(const Node& node) {
  const Op op = design_.op(node);
  if (op == Op::Variable || op == Op::ForeignVariable) {
    unsigned position = 0;
    Selection all;
    all.width = width_of(node);
    all.vector = vector_of(node, position);
    all.start = std::uint64_t{position} * all.width;
    used_[all.vector.name] = all.vector.bits;
    return all;
  }
  Selection part = selection(node.children[0]);
  std::uint64_t unit = 1;
  const unsigned from = part.width;
  if (op == Op::Bits) {
    part.width = static_cast<unsigned>(values_.selected_width(node));
  } else {
    const structure::DataType& whole = design_.type_of(node.children[0]);
    if (whole.dimensions.empty()) refuse(node, "an element of no array");
    unit = from / whole.dimensions.front().size();
    part.width = static_cast<unsigned>(unit);
  }
  const Node& index = node.children[1];
  if (const auto at = structure::number(values_.value(index, known_))) {
    if (*at * unit + part.width > from) refuse(node, "an index beyond the signal");
    part.start += *at * unit;
    return part;
  }
  // An operand of a sum gets the width of the sum, and would not wrap at its own: braces keep it.
  std::string text = index_text(index);
  if (unit != 1) text = fmt::format("({{{}}} * 32'd{})", text, unit);
  part.index =
      part.index.empty() ? text : fmt::format("(32'd0 + {{{}}} + {{{}}})", part.index, text);
  return part;
}

std::string LogicText::index_text(const Node& index) {
  // Verilator cuts an index to the bits that the signal needs.
  const bool cut = design_.op(index) == Op::Bits && !values_.is_region(index) &&
                   structure::number(values_.value(index.children[1], known_)) == 0;
  return expression(cut ? index.children[0] : index);
}

std::string LogicText::text_of(const Selection& selection) {
  const std::string name = identifier(selection.vector.name);
  if (selection.index.empty()) {
    if (selection.width == selection.vector.bits) return name;
    return name + range(selection.start, selection.width);
  }
  const std::string at = selection.start == 0
                             ? selection.index
                             : fmt::format("32'd{} + {{{}}}", selection.start, selection.index);
  return selection.width == 1 ? fmt::format("{}[{}]", name, at)
                              : fmt::format("{}[{} +: {}]", name, at, selection.width);
}

std::string LogicText::constant(const BitValues& bits, char unknown) const {
  std::string digits;
  const bool known =
      std::all_of(bits.begin(), bits.end(), [](const BitValue& bit) { return bit.is_constant(); });
  if (known) {
    for (std::size_t at = 0; at < bits.size(); at += 4) {
      unsigned nibble = 0;
      for (std::size_t b = at; b < std::min(at + 4, bits.size()); ++b) {
        nibble |= (bits[b].kind == BitValue::Kind::One ? 1U : 0U) << (b - at);
      }
      digits.insert(digits.begin(), "0123456789abcdef"[nibble]);
    }
    const auto first = digits.find_first_not_of('0');
    digits = "h" + (first == std::string::npos ? "0" : digits.substr(first));
  } else {
    for (const BitValue& bit : bits) {
      digits.insert(digits.begin(), bit.kind == BitValue::Kind::One    ? '1'
                                    : bit.kind == BitValue::Kind::Zero ? '0'
                                                                       : unknown);
    }
    digits = "b" + digits;
  }
  return fmt::format("{}{}'{}{}", kConstantBegins, bits.size(), digits, kConstantEnds);
}

std::string LogicText::extension(const Node& node) {
  const Node& inner = node.children[0];
  const unsigned more = width_of(node) - width_of(inner);
  const std::string text = expression(inner);
  if (more == 0) return text;
  if (design_.op(node) == Op::Extend) return fmt::format("{{{}'h0, {}}}", more, text);
  if (!values_.is_region(inner)) refuse(node, "a sign extension of an expression");
  Selection sign = selection(inner);
  if (!sign.index.empty()) refuse(node, "a sign extension of a selection");
  sign.start += sign.width - 1;
  sign.width = 1;
  return fmt::format("{{{{{}{{{}}}}}, {}}}", more, text_of(sign), text);
}

std::string LogicText::operation(const Node& node) {
  const std::string& type = design_.text(node.type);
  const auto text = [&](std::size_t i) { return expression(node.children[i]); };
  const auto has_width = [&](std::size_t i, unsigned width) {
    if (width_of(node.children[i]) != width) {
      refuse(node, fmt::format("the operator {} with operands of other widths", type));
    }
  };
  if (const Operator* unary = find(kUnary, type)) {
    if (type == "NOT" || type == "NEGATE") has_width(0, width_of(node));
    return fmt::format("({}{})", unary->text, text(0));
  }
  if (const Operator* binary = find(kArithmetic, type)) {
    has_width(0, width_of(node));
    has_width(1, width_of(node));
    return fmt::format("({} {} {})", text(0), binary->text, text(1));
  }
  if (const Operator* compare = find(kComparisons, type)) {
    if (type != "LOGAND" && type != "LOGOR") has_width(1, width_of(node.children[0]));
    const auto operand = [&](std::size_t i) {
      return compare->is_signed ? fmt::format("$signed({})", text(i)) : text(i);
    };
    return fmt::format("({} {} {})", operand(0), compare->text, operand(1));
  }
  if (const Operator* shift = find(kShifts, type)) {
    has_width(0, width_of(node));
    return fmt::format("({} {} {})", text(0), shift->text, text(1));
  }
  refuse(node, fmt::format("the operator {}", type));
}

std::string LogicText::expression(const Node& node) {
  const Op op = design_.op(node);
  if (op == Op::Constant) return constant(values_.value(node, {}));
  if (!known_.empty()) {
    const BitValues bits = values_.value(node, known_);
    if (!bits.empty() && structure::number(bits)) return constant(bits);
  }
  if (values_.is_region(node)) {
    if (is_counter(node)) refuse(node, "a counter of a loop after the loop");
    const Selection part = selection(node);
    read_.insert(part.vector.name);
    return text_of(part);
  }
  switch (op) {
    case Op::Concat:
      return fmt::format("{{{}, {}}}", expression(node.children[0]), expression(node.children[1]));
    case Op::Replicate:
      return fmt::format("{{{}{{{}}}}}", width_of(node) / width_of(node.children[0]),
                         expression(node.children[0]));
    case Op::Extend:
    case Op::SignExtend:
      return extension(node);
    case Op::Same:
      if (width_of(node) != width_of(node.children[0])) refuse(node, "a cast");
      return expression(node.children[0]);
    case Op::Choose:
      if (const BitValue known = values_.truth(node.children[0], known_); known.is_constant()) {
        return expression(node.children[known.kind == BitValue::Kind::One ? 1 : 2]);
      }
      return fmt::format("({} ? {} : {})", expression(node.children[0]),
                         expression(node.children[1]), expression(node.children[2]));
    case Op::Clear:
      return constant(BitValues(width_of(node)));
    case Op::Bits:
      refuse(node, "bits of an expression");
    case Op::Call:
      refuse(node, "a call of " + design_.text(node.name));
    default:
      return operation(node);
  }
}

std::string LogicText::target(const Node& node, bool in_process) {
  if (design_.op(node) == Op::Concat) {
    return fmt::format("{{{}, {}}}", target(node.children[0], in_process),
                       target(node.children[1], in_process));
  }
  if (!values_.is_region(node)) refuse(node, "an assignment to " + design_.text(node.type));
  const Selection to = selection(node);
  driven_.insert(to.vector.name);
  if (in_process) registers_.insert(to.vector.name);
  if (!in_process && !to.index.empty()) refuse(node, "an index that varies");
  return text_of(to);
}

std::string LogicText::port(const std::string& direction, const std::string& name,
                            unsigned bits) const {
  return fmt::format("  {} {} {}{}", direction, registers_.count(name) != 0 ? "reg" : "wire",
                     bits == 1 ? "" : range(0, bits) + " ", identifier(name));
}

std::string LogicText::declarations() const {
  std::set<std::string> done;
  for (const structure::Variable& variable : module_.variables) {
    if (variable.direction != structure::Direction::None && !variable.transient) {
      done.insert(variable.name);
    }
  }
  for (const auto& [key, bundle] : bundles_) {
    if (!bundle.is_port) continue;
    for (const structure::Variable* one : signals_of(*bundle.interface)) {
      done.insert(signal_name(bundle, one->name));
    }
  }
  std::string text;
  const auto declare = [&](const std::string& name, unsigned bits) {
    if (used_.count(name) == 0 || !done.insert(name).second) return;
    text += fmt::format("  {} {}{};\n", registers_.count(name) != 0 ? "reg" : "wire",
                        bits == 1 ? "" : range(0, bits) + " ", identifier(name));
  };
  for (const structure::Variable& variable : module_.variables) {
    const auto name = names_.find(variable.base);
    if (!variable.type.interface && name != names_.end())
      declare(name->second, variable.type.bits());
  }
  for (const auto& [key, bundle] : bundles_) {
    for (const structure::Variable* one : signals_of(*bundle.interface)) {
      declare(signal_name(bundle, one->name), one->type.bits() * bundle.count);
    }
  }
  return text;
}

}  // namespace kernbench::sim::plain
