// SPDX-License-Identifier: Apache-2.0
// The processes and statements of a module in Verilog-2005. Loops are unrolled.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "sim/plain/logic_text.hpp"

namespace kernbench::sim::plain {
namespace {

using structure::BitValue;
using structure::BitValues;
using structure::Node;
using structure::Op;
using structure::Process;
using structure::ProcessKind;

constexpr int kMostIterations = 100'000;

std::string indent(int depth) {
  return std::string(static_cast<std::size_t>(depth) * 2, ' ');
}

}  // namespace

bool LogicText::is_counter(const Node& node) const {
  const Op op = design_.op(node);
  if (op != Op::Variable) {
    return !node.children.empty() && values_.is_region(node) && is_counter(node.children[0]);
  }
  const auto found = module_.variable_of.find(node.target);
  return found != module_.variable_of.end() &&
         counter_bits_.count(module_.variables[found->second].base) != 0;
}

void LogicText::find_counters_in(const Node& test) {
  if (design_.op(test) == Op::Variable) {
    const auto found = module_.variable_of.find(test.target);
    if (found != module_.variable_of.end() && module_.variables[found->second].transient) {
      counter_bits_.insert(module_.variables[found->second].base);
    }
  }
  for (const Node& child : test.children) find_counters_in(child);
}

void LogicText::find_counters(const Node& node) {
  const Op op = design_.op(node);
  for (const Node& child : node.children) {
    const bool test = (op == Op::While && design_.text(child.role) == "condp") ||
                      (op == Op::Loop && design_.op(child) == Op::LoopTest);
    test ? find_counters_in(child) : find_counters(child);
  }
}

std::string LogicText::process(const Process& process) {
  known_.clear();
  counter_bits_.clear();
  for (const Node* node : process.statements) find_counters(*node);
  std::string text;
  const Node* constant = process.kind == ProcessKind::Initial && process.statements.size() == 1 &&
                                 is_constant_assignment(*process.statements[0])
                             ? process.statements[0]
                             : nullptr;
  if (constant != nullptr) {
    const Node& to = constant->children[1];
    if (design_.op(to) == Op::Variable && to.target == 0) return text;
    if (!assigned_elsewhere(*constant)) {
      const Selection driven = selection(to);
      constants_.emplace_back(
          driven.vector.name,
          fmt::format("  assign {} = {};\n", text_of(driven), expression(constant->children[0])));
      return text;
    }
  }
  if (process.kind == ProcessKind::Assign) {
    for (const Node* node : process.statements) {
      if (design_.op(*node) == Op::Ignored) continue;
      if (design_.op(*node) != Op::Assign)
        refuse(*node, "a continuous " + design_.text(node->type));
      text += fmt::format("  assign {} = {};\n", target(node->children[1], false),
                          expression(node->children[0]));
    }
    return text;
  }
  const Node* reset = nullptr;
  for (const Node* item : process.edges) {
    if (process.edges.size() > 1 && reads(process, *item)) reset = item;
  }
  if (reset != nullptr) {
    text = with_reset(process, *reset);
  } else {
    for (const Node* node : process.statements) statement(*node, 2, text);
  }
  if (text.empty()) return text;
  if (process.kind == ProcessKind::Initial) return fmt::format("  initial begin\n{}  end\n", text);
  std::string edges;
  for (const Node* item : process.edges) {
    const std::string& edge = design_.text(item->detail);
    if (item->children.size() != 1 || edge == "BOTH") refuse(*item, "an edge of this kind");
    edges += fmt::format("{}{} {}", edges.empty() ? "" : " or ",
                         edge == "POS" ? "posedge" : "negedge", expression(item->children[0]));
  }
  return fmt::format("  always @{} begin\n{}  end\n", edges.empty() ? "*" : "(" + edges + ")",
                     text);
}

bool LogicText::reads(const Process& process, const Node& edge) {
  const Node& signal = edge.children.front();
  const std::function<bool(const Node&)> in = [&](const Node& node) {
    return (design_.op(node) == Op::Variable && node.target == signal.target) ||
           std::any_of(node.children.begin(), node.children.end(), in);
  };
  return design_.op(signal) == Op::Variable &&
         std::any_of(process.statements.begin(), process.statements.end(),
                     [&](const Node* node) { return in(*node); });
}

std::string LogicText::with_reset(const Process& process, const Node& edge) {
  const Node& signal = edge.children.front();
  const bool active = design_.text(edge.detail) == "POS";
  std::string text = fmt::format("    if ({}{}) begin\n", active ? "" : "!", expression(signal));
  for (const bool in_reset : {true, false}) {
    known_ = {{values_.base_of(signal), BitValue::constant(active == in_reset)}};
    for (const Node* node : process.statements) statement(*node, 3, text);
    text += in_reset ? "    end else begin\n" : "    end\n";
  }
  known_.clear();
  return text;
}

bool LogicText::is_constant_assignment(const Node& node) const {
  return design_.op(node) == Op::Assign && design_.op(node.children[0]) == Op::Constant;
}

std::string LogicText::constants() {
  std::string text;
  std::set<std::string> constant;
  for (const auto& [vector, assignment] : constants_) {
    constant.insert(vector);
    const structure::Variable* variable = module_.variable(vector);
    const bool inside = variable != nullptr && variable->direction == structure::Direction::None;
    // A signal of constants alone that nothing reads is left out.
    if (!inside || read_.count(vector) != 0 || driven_.count(vector) != 0) {
      text += assignment;
    } else {
      used_.erase(vector);
    }
  }
  for (const structure::Variable& variable : module_.variables) {
    if (variable.value == nullptr || variable.transient || read_.count(variable.name) == 0 ||
        driven_.count(variable.name) != 0 || constant.count(variable.name) != 0) {
      continue;
    }
    text +=
        fmt::format("  assign {} = {};\n", identifier(variable.name), expression(*variable.value));
  }
  return text;
}

bool LogicText::assigned_elsewhere(const Node& assignment) {
  const std::string name = selection(assignment.children[1]).vector.name;
  if (always_assigned_.empty()) {
    for (const Process& one : module_.processes) {
      if (one.kind != ProcessKind::Always) continue;
      for (const Node* node : one.statements) find_assigned(*node);
    }
    always_assigned_.insert("");
  }
  return always_assigned_.count(name) != 0;
}

void LogicText::find_assigned(const Node& node) {
  const Op op = design_.op(node);
  if (op == Op::Variable || op == Op::ForeignVariable) {
    unsigned position = 0;
    always_assigned_.insert(vector_of(node, position).name);
  }
  const bool assigns = op == Op::Assign || op == Op::AssignDelayed;
  const bool control = op == Op::If || op == Op::Case || op == Op::CaseItem || op == Op::While ||
                       op == Op::Loop || op == Op::Block;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (assigns ? i == 1 : control || op == Op::Bits || op == Op::Element || op == Op::Concat) {
      find_assigned(node.children[i]);
    }
  }
}

void LogicText::role(const Node& node, std::string_view role, int depth, std::string& text) {
  for (const Node& child : node.children) {
    if (design_.text(child.role) == role) statement(child, depth, text);
  }
}

void LogicText::statement(const Node& node, int depth, std::string& text) {
  switch (design_.op(node)) {
    case Op::Assign:
    case Op::AssignDelayed:
      return assignment(node, depth, text);
    case Op::If:
      return branch(node, depth, text);
    case Op::Case:
      return choice(node, depth, text);
    case Op::While:
    case Op::Loop:
      return loop(node, depth, text);
    case Op::Block:
      if (design_.text(node.type) == "JUMPBLOCK") refuse(node, "a jump");
      for (const Node& child : node.children) statement(child, depth, text);
      return;
    case Op::Ignored:
    case Op::Start:
      return;
    default:
      refuse(node, "the statement " + design_.text(node.type));
  }
}

void LogicText::assignment(const Node& node, int depth, std::string& text) {
  const Node& to = node.children[1];
  if (is_counter(to)) {
    const BitValues bits = values_.value(node.children[0], known_);
    const bool known = std::all_of(bits.begin(), bits.end(), [](const BitValue& bit) {
      return bit.kind != BitValue::Kind::Function && bit.kind != BitValue::Kind::Copy;
    });
    if (!known || design_.op(to) != Op::Variable) refuse(node, "a loop without a constant bound");
    const structure::BitId base = values_.base_of(to);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      known_[base + static_cast<structure::BitId>(i)] = bits[i];
    }
    return;
  }
  text +=
      fmt::format("{}{} {} {};\n", indent(depth), target(to, true),
                  design_.op(node) == Op::AssignDelayed ? "<=" : "=", expression(node.children[0]));
}

void LogicText::keep_common(const structure::Assigned& other) {
  std::erase_if(known_, [&](const auto& one) {
    const auto same = other.find(one.first);
    return same == other.end() || same->second != one.second;
  });
}

void LogicText::branch(const Node& node, int depth, std::string& text) {
  if (const BitValue known = values_.truth(node.children[0], known_); known.is_constant()) {
    return role(node, known.kind == BitValue::Kind::One ? "thensp" : "elsesp", depth, text);
  }
  std::string yes;
  std::string no;
  const structure::Assigned before = known_;
  const std::string condition = expression(node.children[0]);
  role(node, "thensp", depth + 1, yes);
  const structure::Assigned taken = std::exchange(known_, before);
  role(node, "elsesp", depth + 1, no);
  keep_common(taken);
  if (yes.empty() && no.empty()) return;
  text += fmt::format("{}if ({}) begin\n{}{}end", indent(depth), condition, yes, indent(depth));
  text += no.empty() ? "\n" : fmt::format(" else begin\n{}{}end\n", no, indent(depth));
}

void LogicText::choice(const Node& node, int depth, std::string& text) {
  std::string items;
  std::string otherwise;
  bool wild = false;
  const std::string subject = expression(node.children[0]);
  const structure::Assigned before = known_;
  structure::Assigned common = before;
  for (const Node& item : node.children) {
    if (design_.op(item) != Op::CaseItem) continue;
    known_ = before;
    std::string labels;
    for (const Node& label : item.children) {
      if (design_.text(label.role) != "condsp") continue;
      const bool fixed = design_.op(label) == Op::Constant;
      const BitValues bits = fixed ? values_.value(label, {}) : BitValues{};
      wild = wild || std::any_of(bits.begin(), bits.end(),
                                 [](const BitValue& bit) { return !bit.is_constant(); });
      labels += fmt::format("{}{}", labels.empty() ? "" : ", ",
                            fixed ? constant(bits, '?') : expression(label));
    }
    std::string body;
    role(item, "stmtsp", depth + 2, body);
    keep_common(common);
    common = known_;
    (labels.empty() ? otherwise : items) +=
        fmt::format("{}{}: begin\n{}{}end\n", indent(depth + 1),
                    labels.empty() ? "default" : labels, body, indent(depth + 1));
  }
  text += fmt::format("{}{} ({})\n{}{}{}endcase\n", indent(depth), wild ? "casez" : "case", subject,
                      items, otherwise, indent(depth));
  known_ = common;
}

bool LogicText::goes_on(const Node& test) {
  const BitValue condition = values_.truth(test, known_);
  if (!condition.is_constant()) refuse(test, "a loop without a constant bound");
  return condition.kind == BitValue::Kind::One;
}

void LogicText::loop(const Node& node, int depth, std::string& text) {
  for (int i = 0; i < kMostIterations; ++i) {
    if (design_.op(node) == Op::Loop) {
      for (const Node& child : node.children) {
        if (design_.op(child) != Op::LoopTest) {
          statement(child, depth, text);
        } else if (!goes_on(child.children.front())) {
          return;
        }
      }
      continue;
    }
    role(node, "precondsp", depth, text);
    for (const Node& child : node.children) {
      if (design_.text(child.role) == "condp" && !goes_on(child)) return;
    }
    role(node, "stmtsp", depth, text);
    role(node, "incsp", depth, text);
  }
  refuse(node, fmt::format("a loop of more than {} iterations", kMostIterations));
}

}  // namespace kernbench::sim::plain
