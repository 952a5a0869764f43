// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/structure/design.hpp"

namespace kernbench::sim::structure {

/// A part of a module: a signal, an instance or a process.
struct Item {
  std::string text;  ///< equal for equal parts, wherever they are
  std::string what;  ///< "an assignment to x"
  Place place;
};

struct ModuleText {
  std::vector<Item> items;
  std::string whole;  ///< hash of all items and of the modules below
};

/// Writes modules as texts, equal for equal modules of two elaborations. What decides about no
/// port, instance or signal of another module is left out.
class CanonicalText {
 public:
  explicit CanonicalText(const Design& design);

  [[nodiscard]] const Design& design() const { return design_; }
  [[nodiscard]] const ModuleText& of(const Module& module);

 private:
  struct Scope;
  void find_foreign(const Node& node);
  /// Returns true for a module that can change something outside.
  bool acts(const Module& module);
  [[nodiscard]] ModuleText make(const Module& module);
  std::string expression(const Node& node, Scope& scope);
  /// Returns an empty text for a statement without effect on a signal that counts.
  std::string statement(const Node& node, Scope& scope);
  std::string statements(const std::vector<Node>& nodes, std::string_view role, Scope& scope);
  std::string function(const Node& node);
  /// Returns true if an assignment drives a signal that counts.
  static bool drives(const Node& target, const Design& design, const Scope& scope);

  const Design& design_;
  std::unordered_map<const Module*, ModuleText> texts_;
  std::unordered_map<const Module*, bool> acts_;
  std::unordered_map<const Node*, std::string> functions_;
  /// Signals that a dotted name or another module refers to.
  std::unordered_set<Name> foreign_;
};

}  // namespace kernbench::sim::structure
