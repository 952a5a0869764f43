// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "sim/structure/resolve_names.hpp"

namespace kernbench::sim::structure {
namespace {

using NamedOp = std::pair<std::string_view, Op>;
constexpr std::array kOps = std::to_array<NamedOp>({
    {"CONST", Op::Constant},
    {"VARREF", Op::Variable},
    {"VARXREF", Op::ForeignVariable},
    {"SEL", Op::Bits},
    {"ARRAYSEL", Op::Element},
    {"CONCAT", Op::Concat},
    {"REPLICATE", Op::Replicate},
    {"EXTEND", Op::Extend},
    {"EXTENDS", Op::SignExtend},
    {"AND", Op::And},
    {"OR", Op::Or},
    {"XOR", Op::Xor},
    {"NOT", Op::Not},
    {"LOGAND", Op::LogicalAnd},
    {"LOGOR", Op::LogicalOr},
    {"LOGNOT", Op::LogicalNot},
    {"REDOR", Op::Any},
    {"REDAND", Op::All},
    {"EQ", Op::Equal},
    {"EQCASE", Op::Equal},
    {"NEQ", Op::NotEqual},
    {"NEQCASE", Op::NotEqual},
    {"EQWILD", Op::EqualWild},
    {"LT", Op::Less},
    {"LTE", Op::LessEqual},
    {"GT", Op::Greater},
    {"GTE", Op::GreaterEqual},
    {"LTS", Op::SignedLess},
    {"LTES", Op::SignedLessEqual},
    {"GTS", Op::SignedGreater},
    {"GTES", Op::SignedGreaterEqual},
    {"ADD", Op::Add},
    {"SUB", Op::Subtract},
    {"MUL", Op::Multiply},
    {"MULS", Op::Multiply},
    {"MODDIV", Op::Modulo},
    {"SHIFTL", Op::ShiftLeft},
    {"SHIFTR", Op::ShiftRight},
    {"COND", Op::Choose},
    {"CONDBOUND", Op::Choose},
    {"FUNCREF", Op::Call},
    {"TASKREF", Op::Call},
    {"ARG", Op::Same},
    {"CCAST", Op::Same},
    {"CASTWRAP", Op::Same},
    {"CASTPACKED", Op::Same},
    {"CRESET", Op::Clear},
    {"ASSIGN", Op::Assign},
    {"ASSIGNW", Op::Assign},
    {"ASSIGNDLY", Op::AssignDelayed},
    {"IF", Op::If},
    {"CASE", Op::Case},
    {"CASEITEM", Op::CaseItem},
    {"WHILE", Op::While},
    {"LOOP", Op::Loop},
    {"LOOPTEST", Op::LoopTest},
    {"BEGIN", Op::Block},
    {"STMTEXPR", Op::Block},
    {"JUMPBLOCK", Op::Block},
    {"INITIALAUTOMATICSTMT", Op::Block},
    {"JUMPGO", Op::Jump},
    {"INITIALSTATICSTMT", Op::Start},
    {"JUMPLABEL", Op::Ignored},
    {"VAR", Op::Ignored},
    {"DISPLAY", Op::Ignored},
    {"STOP", Op::Ignored},
    {"FINISH", Op::Ignored},
    {"COMMENT", Op::Ignored},
    {"ASSERT", Op::Ignored},
    {"COVER", Op::Ignored},
});

Direction direction_of(const std::string& text) {
  if (text == "input" || text == "INPUT" || text == "in") return Direction::Input;
  if (text == "output" || text == "OUTPUT" || text == "out") return Direction::Output;
  if (text == "inout" || text == "INOUT") return Direction::InOut;
  return Direction::None;
}

bool is_parameter(const std::string& kind) {
  return kind == "GPARAM" || kind == "LPARAM" || kind == "GENVAR";
}

/// Reads "31:0"; one bit when there is no range.
Dimension bit_range(const std::string& text) {
  const auto colon = text.find(':');
  Dimension range;
  range.packed = true;
  range.left = static_cast<int>(common::parse_i64(text.substr(0, colon)).value_or(0));
  range.right = static_cast<int>(common::parse_i64(text.substr(colon + 1)).value_or(0));
  return range;
}

}  // namespace

std::optional<std::uint64_t> constant_value(const std::string& text) {
  const auto quote = text.find('\'');
  if (quote == std::string::npos) return std::nullopt;
  const auto base = text.find_first_of("hb", quote);
  if (base == std::string::npos || text[base] != 'h') return std::nullopt;
  return common::parse_u64(fmt::format("0x{}", text.substr(base + 1)));
}

unsigned Dimension::size() const {
  return static_cast<unsigned>(left > right ? left - right : right - left) + 1;
}

int Dimension::index_at(unsigned position) const {
  const int at = static_cast<int>(position);
  if (!packed) return std::min(left, right) + at;
  return left >= right ? right + at : right - at;
}

unsigned DataType::bits() const {
  unsigned bits = base_bits;
  for (const Dimension& dimension : dimensions) bits *= dimension.size();
  return bits;
}

const Variable* Module::variable(const std::string& wanted) const {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const Variable& one) { return one.name == wanted; });
  return found == variables.end() ? nullptr : &*found;
}

const Variable* Module::variable_at(std::uint32_t bit) const {
  if (bit >= bits) return nullptr;
  const auto next = std::upper_bound(
      variables.begin(), variables.end(), bit,
      [](std::uint32_t wanted, const Variable& variable) { return wanted < variable.base; });
  return next == variables.begin() ? nullptr : &*std::prev(next);
}

Design::Design(Dump dump) : dump_(std::move(dump)) {
  resolve_names(dump_);
  for (const auto& [name, op] : kOps) {
    const Name type = dump_.names.intern(name);
    if (type >= ops_.size()) ops_.resize(type + 1);
    ops_[type] = op;
  }
  for (const Node& node : dump_.root.children) {
    if (text(node.type) == "TYPETABLE") read_types(node);
  }
  for (const Node& node : dump_.root.children) {
    const std::string& type = text(node.type);
    if (type == "MODULE" || type == "IFACE" || type == "PACKAGE") read_module(node);
  }
  if (top_ == 0) throw common::BadInput("the dump of the design has no top module");
}

const Module* Design::module(Name id) const {
  const auto found = modules_.find(id);
  return found == modules_.end() ? nullptr : &found->second;
}

const Node* Design::function(Name id) const {
  const auto found = functions_.find(id);
  return found == functions_.end() ? nullptr : found->second;
}

Op Design::op(const Node& node) const {
  return node.type < ops_.size() ? ops_[node.type] : Op::Other;
}

const DataType& Design::type_of(const Node& node) const {
  static const DataType kBit;
  const auto found = types_.find(node.dtype);
  return found == types_.end() ? kBit : found->second;
}

void Design::read_types(const Node& table) {
  std::unordered_map<Name, const Node*> all;
  for (const Node& node : table.children) all.emplace(node.id, &node);
  for (const auto& [id, node] : all) types_.emplace(id, make_type(*node, all, 0));
}

DataType Design::make_type(const Node& node, const std::unordered_map<Name, const Node*>& all,
                           int depth) {
  constexpr int kDeepest = 64;  // a type cannot contain itself; a damaged dump could say so
  const std::string& kind = text(node.type);
  DataType type;
  const auto inner = all.find(node.target);
  if (kind == "BASICDTYPE") {
    if (!text(node.detail).empty()) type.dimensions.push_back(bit_range(text(node.detail)));
    return type;
  }
  if (kind == "IFACEREFDTYPE") {
    type.interface = true;
    type.modport = text(node.extra);
    return type;
  }
  if (kind == "STRUCTDTYPE" || kind == "UNIONDTYPE") {
    type.base_bits = 0;
    for (const Node& member : node.children) {
      const auto of = all.find(member.target);
      if (of == all.end() || depth > kDeepest) continue;
      const unsigned bits = make_type(*of->second, all, depth + 1).bits();
      type.base_bits =
          kind == "UNIONDTYPE" ? std::max(type.base_bits, bits) : type.base_bits + bits;
    }
    return type;
  }
  if (inner == all.end() || depth > kDeepest) return type;
  type = make_type(*inner->second, all, depth + 1);
  if (kind == "UNPACKARRAYDTYPE" || kind == "PACKARRAYDTYPE") {
    auto range = range_in(node);
    if (!range) return type;
    range->packed = kind == "PACKARRAYDTYPE";
    type.dimensions.insert(type.dimensions.begin(), *range);
  }
  return type;
}

std::optional<Dimension> Design::range_in(const Node& node) const {
  for (const Node& child : node.children) {
    if (text(child.type) != "RANGE" || child.children.size() < 2) continue;
    std::array<int, 2> ends{};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto value = constant_value(text(child.children[i].name));
      if (!value) return std::nullopt;
      ends[i] = static_cast<int>(static_cast<std::int32_t>(*value));
    }
    return Dimension{ends[0], ends[1], false};
  }
  return std::nullopt;
}

void Design::read_module(const Node& node) {
  Module& module = modules_[node.id];
  module.name = text(node.name);
  module.orig = text(node.orig);
  module.place = node.place;
  module.interface = text(node.type) == "IFACE";
  read_items(node, module, {});
  for (const Node& child : node.children) {
    const std::string& kind = text(child.extra);
    if (text(node.type) == "PACKAGE" && text(child.type) == "VAR" && !is_parameter(kind)) {
      package_variables_.insert(child.id);
    }
  }
  // JSON lists the top module first, XML marks it.
  if (text(node.type) == "MODULE" && (text(node.extra) == "TOP" || (!dump_.by_name && top_ == 0))) {
    top_ = node.id;
  }
}

void Design::read_items(const Node& parent, Module& module, const std::string& scope) {
  for (const Node& node : parent.children) {
    const std::string& type = text(node.type);
    if (type == "VAR") {
      read_variable(node, module, scope, false);
    } else if (type == "BEGIN" || type == "GENBLOCK") {
      // The block of an "else if" has no name and no scope.
      read_items(node, module, node.name == 0 ? scope : scope + text(node.name) + ".");
    } else if (type == "CELL") {
      read_instance(node, module, scope);
    } else if (type == "ALWAYS" || type == "ALWAYSPUBLIC") {
      read_process(node, module,
                   text(node.extra) == "cont_assign" ? ProcessKind::Assign : ProcessKind::Always);
    } else if (type == "ASSIGNW" || type == "ASSIGNALIAS") {
      Process& process = module.processes.emplace_back();
      process.place = node.place;
      process.statements.push_back(&node);
    } else if (type == "INITIAL" || type == "INITIALSTATIC") {
      read_process(node, module, ProcessKind::Initial);
    } else if (type == "FUNC" || type == "TASK") {
      functions_.emplace(node.id, &node);
      read_transients(node, module);
    } else if (type == "MODPORT") {
      read_modport(node, module);
    }
  }
}

void Design::read_variable(const Node& node, Module& module, const std::string& scope,
                           bool transient) {
  Variable variable;
  variable.name = scope + text(node.name);
  variable.place = node.place;
  variable.direction = direction_of(text(node.detail));
  variable.type = type_of(node);
  variable.transient = transient;
  const auto constant = std::find_if(node.children.begin(), node.children.end(),
                                     [&](const Node& one) { return op(one) == Op::Constant; });
  if (constant != node.children.end()) variable.value = &*constant;
  const std::string& kind = text(node.extra);
  variable.is_setting = kind == "GPARAM";
  if (is_parameter(kind)) {
    for (const Node& child : node.children) {
      const auto value = constant_value(text(child.name));
      if (value && op(child) == Op::Constant) {
        module.parameters[text(node.orig)] = static_cast<std::int64_t>(*value);
      }
    }
  }
  variable.base = module.bits;
  if (!variable.type.interface) module.bits += variable.type.bits();
  module.variable_of.emplace(node.id, module.variables.size());
  module.variables.push_back(std::move(variable));
}

void Design::read_transients(const Node& node, Module& module) {
  for (const Node& child : node.children) {
    if (text(child.type) == "VAR") {
      read_variable(child, module, {}, true);
    } else {
      read_transients(child, module);
    }
  }
}

void Design::read_instance(const Node& node, Module& module, const std::string& scope) {
  Instance instance;
  instance.name = scope + text(node.name);
  instance.place = node.place;
  instance.module = node.target;
  instance.range = range_in(node);
  for (const Node& child : node.children) {
    if (text(child.type) != "PIN") continue;
    instance.pins.push_back({text(child.name), child.place,
                             child.children.empty() ? nullptr : &child.children.front()});
  }
  module.instances.push_back(std::move(instance));
}

void Design::read_process(const Node& node, Module& module, ProcessKind kind) {
  Process process;
  process.kind = kind;
  process.place = node.place;
  for (const Node& child : node.children) {
    if (text(child.type) != "SENTREE") {
      process.statements.push_back(&child);
      continue;
    }
    for (const Node& item : child.children) {
      const std::string& edge = text(item.detail);
      if (edge == "POS" || edge == "NEG" || edge == "BOTH") process.edges.push_back(&item);
    }
  }
  read_transients(node, module);
  module.processes.push_back(std::move(process));
}

void Design::read_modport(const Node& node, Module& module) {
  Modport modport{text(node.name), node.place, {}};
  for (const Node& child : node.children) {
    modport.signals.emplace(text(child.name),
                            std::pair{direction_of(text(child.detail)), child.place});
  }
  module.modports.push_back(std::move(modport));
}

}  // namespace kernbench::sim::structure
