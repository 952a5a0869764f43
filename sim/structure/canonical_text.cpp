// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/canonical_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "common/hash.hpp"

namespace kernbench::sim::structure {
namespace {

std::string type_text(const DataType& type) {
  std::string text;
  for (const Dimension& dimension : type.dimensions) {
    text += fmt::format("{}{}:{}{}", dimension.packed ? "[" : "<", dimension.left, dimension.right,
                        dimension.packed ? "]" : ">");
  }
  return text + fmt::format(" {} {} {}", type.base_bits, type.interface, type.modport);
}

bool is_at_port(const Variable& variable) {
  return variable.direction != Direction::None || variable.type.interface;
}

/// Returns the name of the first signal that an assignment in the node drives; empty without one.
std::string first_target(const Design& design, const Node& node) {
  const Op op = design.op(node);
  if (op == Op::Variable || op == Op::ForeignVariable) return design.text(node.name);
  const bool assigns = (op == Op::Assign || op == Op::AssignDelayed) && node.children.size() > 1;
  const bool leaf = op == Op::Bits || op == Op::Element || op == Op::Concat;
  if (assigns) return first_target(design, node.children[1]);
  for (const Node& child : node.children) {
    const Op inner = design.op(child);
    if (!leaf && (inner == Op::Variable || inner == Op::ForeignVariable)) continue;
    std::string name = first_target(design, child);
    if (!name.empty()) return name;
  }
  return {};
}

}  // namespace

/// The place of a statement.
struct CanonicalText::Scope {
  const Module* module = nullptr;  ///< null in a function, in which all counts
  bool all = false;                ///< all signals count
  std::set<Name> counts;           ///< signals that do
  std::set<Name> read;             ///< by what was written
  bool effect = false;             ///< something that counts is assigned or called
};

CanonicalText::CanonicalText(const Design& design) : design_(design) {
  find_foreign(design.dump().root);
}

void CanonicalText::find_foreign(const Node& node) {
  if (design_.op(node) == Op::ForeignVariable) foreign_.insert(node.target);
  for (const Node& child : node.children) find_foreign(child);
}

bool CanonicalText::drives(const Node& target, const Design& design, const Scope& scope) {
  const Op op = design.op(target);
  if (op == Op::ForeignVariable) return true;
  if (op == Op::Variable) {
    return scope.all || scope.counts.count(target.target) != 0 ||
           design.is_package_variable(target.target) ||
           (scope.module != nullptr && scope.module->variable_of.count(target.target) == 0);
  }
  // The index of an element counts as a target too: rather too much than too little.
  return std::any_of(target.children.begin(), target.children.end(),
                     [&](const Node& child) { return drives(child, design, scope); });
}

std::string CanonicalText::expression(const Node& node, Scope& scope) {
  const Op op = design_.op(node);
  std::string text = "(" + design_.text(node.type);
  if (op == Op::Variable || op == Op::ForeignVariable) {
    scope.read.insert(node.target);
    std::string name = design_.text(node.name);
    if (scope.module != nullptr) {
      const auto found = scope.module->variable_of.find(node.target);
      if (found != scope.module->variable_of.end()) {
        name = scope.module->variables[found->second].name;
      }
    }
    text += fmt::format(" {} {}", design_.text(node.detail), name);
  } else if (op == Op::Call) {
    text += fmt::format(" {} {}", design_.text(node.name), function(node));
  } else {
    text += fmt::format(" {} {}", design_.text(node.name), design_.text(node.detail));
  }
  text += fmt::format(" {}", design_.type_of(node).bits());
  for (const Node& child : node.children) text += expression(child, scope);
  return text + ")";
}

std::string CanonicalText::function(const Node& node) {
  const Node* function = design_.function(node.target);
  if (function == nullptr) return {};
  const auto known = functions_.find(function);
  if (known != functions_.end()) return known->second;
  functions_[function] = "itself";  // a function that calls itself
  Scope scope;
  scope.all = true;
  std::string text = statements(function->children, {}, scope);
  for (const Node& child : function->children) {
    if (design_.text(child.type) != "VAR" || design_.text(child.detail).empty()) continue;
    text += fmt::format("{} {} {};", design_.text(child.detail), design_.text(child.name),
                        type_text(design_.type_of(child)));
  }
  return functions_[function] = text;
}

std::string CanonicalText::statements(const std::vector<Node>& nodes, std::string_view role,
                                      Scope& scope) {
  std::string text;
  for (const Node& node : nodes) {
    if (role.empty() || design_.text(node.role) == role) text += statement(node, scope);
  }
  return text;
}

std::string CanonicalText::statement(const Node& node, Scope& scope) {
  switch (design_.op(node)) {
    case Op::Ignored:
      return {};
    case Op::Assign:
    case Op::AssignDelayed:
      if (node.children.size() < 2) break;
      if (!drives(node.children[1], design_, scope)) return {};
      scope.effect = true;
      // An assignment of a process, or a continuous one.
      return fmt::format("{}{}{};", expression(node.children[1], scope),
                         design_.op(node) == Op::AssignDelayed ? "<=" : "=",
                         expression(node.children[0], scope));
    case Op::If: {
      Scope inner = scope;
      const std::string yes = statements(node.children, "thensp", inner);
      const std::string no = statements(node.children, "elsesp", inner);
      if (yes.empty() && no.empty()) return {};
      scope = inner;
      return fmt::format("if{}{{{}}}{{{}}}", expression(node.children.front(), scope), yes, no);
    }
    case Op::Case: {
      Scope inner = scope;
      std::string items;
      bool any = false;
      for (const Node& item : node.children) {
        if (design_.op(item) != Op::CaseItem) continue;
        std::string body;
        for (const Node& child : item.children) {
          if (design_.text(child.role) == "stmtsp") {
            body += statement(child, inner);
          } else {
            items += expression(child, inner);
          }
        }
        any = any || !body.empty();
        items += "{" + body + "}";
      }
      if (!any) return {};
      scope = inner;
      std::string value;
      for (const Node& child : node.children) {
        if (design_.op(child) != Op::CaseItem) value += expression(child, scope);
      }
      return fmt::format("case{}{{{}}}", value, items);
    }
    case Op::Block: {
      // The call of an expression that is a statement.
      std::string text;
      for (const Node& child : node.children) text += statement(child, scope);
      return text;
    }
    case Op::While:
    case Op::Loop: {
      Scope inner = scope;
      std::string body;
      for (const Node& child : node.children) {
        const std::string& role = design_.text(child.role);
        if (role == "condp" || design_.op(child) == Op::LoopTest) {
          body += expression(child, inner);
        } else {
          body += role + statement(child, inner);
        }
      }
      if (!inner.effect) return {};
      scope = inner;
      return fmt::format("loop{{{}}}", body);
    }
    case Op::Jump:
      return "jump;";
    case Op::Call: {
      const Node* called = design_.function(node.target);
      // A task with nothing but messages.
      if (called != nullptr && function(node).find('(') == std::string::npos) return {};
      scope.effect = true;
      return expression(node, scope) + ";";
    }
    default:
      break;
  }
  scope.effect = true;
  return expression(node, scope) + ";";
}

bool CanonicalText::acts(const Module& module) {
  const auto known = acts_.find(&module);
  if (known != acts_.end()) return known->second;
  acts_[&module] = true;  // a damaged dump could say that a module contains itself
  bool result =
      module.interface ||
      std::any_of(module.variables.begin(), module.variables.end(),
                  [&](const Variable& variable) {
                    return variable.type.interface || (variable.direction != Direction::None &&
                                                       variable.direction != Direction::Input);
                  }) ||
      std::any_of(module.variable_of.begin(), module.variable_of.end(),
                  [&](const auto& one) { return foreign_.count(one.first) != 0; });
  for (const Instance& instance : module.instances) {
    const Module* child = result ? nullptr : design_.module(instance.module);
    result = result || child == nullptr || acts(*child);
  }
  for (const Process& process : module.processes) {
    Scope scope;
    scope.module = &module;
    for (const Node* node : process.statements) (void)statement(*node, scope);
    result = result || scope.effect;
  }
  return acts_[&module] = result;
}

const ModuleText& CanonicalText::of(const Module& module) {
  const auto known = texts_.find(&module);
  if (known != texts_.end()) return known->second;
  ModuleText text = make(module);
  return texts_[&module] = std::move(text);
}

ModuleText CanonicalText::make(const Module& module) {
  Scope scope;
  scope.module = &module;
  scope.all = module.interface || &module == &design_.top();
  for (const auto& [id, index] : module.variable_of) {
    if (is_at_port(module.variables[index]) || foreign_.count(id) != 0) scope.counts.insert(id);
  }
  ModuleText result;
  std::vector<std::string> below;
  for (const Instance& instance : module.instances) {
    const Module* child = design_.module(instance.module);
    if (child != nullptr && !acts(*child)) continue;
    std::string text = "instance " + instance.name;
    if (instance.range) text += fmt::format("<{}:{}>", instance.range->left, instance.range->right);
    std::vector<std::string> pins;
    for (const Pin& pin : instance.pins) {
      pins.push_back(fmt::format(".{}({})", pin.name,
                                 pin.value != nullptr ? expression(*pin.value, scope) : ""));
    }
    std::sort(pins.begin(), pins.end());
    for (const std::string& pin : pins) text += pin;
    const std::string name = child != nullptr ? child->orig : "?";
    if (child != nullptr) below.push_back(instance.name + "\n" + of(*child).whole);
    result.items.push_back({fmt::format("{} {}", text, name),
                            fmt::format("instance {} of {}", instance.name, name), instance.place});
  }
  // A signal counts if it decides about one that counts.
  std::size_t before = 0;
  std::vector<Item> processes;
  do {
    scope.counts.insert(scope.read.begin(), scope.read.end());
    before = scope.counts.size();
    processes.clear();
    for (const Process& process : module.processes) {
      scope.effect = false;
      std::string text;
      for (const Node* node : process.statements) text += statement(*node, scope);
      if (!scope.effect) continue;
      for (const Node* edge : process.edges) text += " @" + expression(*edge, scope);
      std::string target;
      for (const Node* node : process.statements) {
        if (target.empty()) target = first_target(design_, *node);
      }
      const bool initial = process.kind == ProcessKind::Initial;
      processes.push_back({fmt::format("{} {}", initial ? "initial" : "always", text),
                           fmt::format("an assignment to {}", target.empty() ? "?" : target),
                           process.place});
    }
    for (const Name name : scope.read) scope.counts.insert(name);
  } while (scope.counts.size() != before);
  for (const auto& [id, index] : module.variable_of) {
    const Variable& variable = module.variables[index];
    if (!scope.all && !is_at_port(variable) && scope.counts.count(id) == 0) continue;
    if (variable.transient || module.parameters.count(variable.name) != 0) continue;
    result.items.push_back(
        {fmt::format("signal {} {} {}", variable.name, static_cast<int>(variable.direction),
                     type_text(variable.type)),
         "signal " + variable.name, variable.place});
  }
  for (const Modport& modport : module.modports) {
    std::string text = "modport " + modport.name;
    for (const auto& [name, way] : modport.signals) {
      text += fmt::format(" {} {}", name, static_cast<int>(way.first));
    }
    result.items.push_back({text, "modport " + modport.name, modport.place});
  }
  result.items.insert(result.items.end(), processes.begin(), processes.end());
  std::vector<std::string> lines;
  for (const Item& item : result.items) lines.push_back(item.text);
  std::sort(lines.begin(), lines.end());
  std::sort(below.begin(), below.end());
  common::ByteHash hash;
  hash.add(module.orig + "\n");
  for (const std::string& line : lines) hash.add(line + "\n");
  for (const std::string& line : below) hash.add(line + "\n");
  result.whole = common::hex64(hash.value());
  return result;
}

}  // namespace kernbench::sim::structure
