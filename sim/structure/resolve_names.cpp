// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/resolve_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace kernbench::sim::structure {
namespace {

/// The names that a module, a generate block, a block of statements or a function declares.
struct Scope {
  const Scope* outer = nullptr;
  std::unordered_map<Name, Name> declared;  ///< name of a variable or function to its identity
  std::unordered_map<std::string, const Scope*> blocks;
};

/// Splits "g_a__BRA__0__KET__.g_b" or "g_a[0]__DOT__g_b" into "g_a[0]" and "g_b".
std::vector<std::string> block_path(std::string dotted) {
  for (const auto& [code, text] : {std::pair<std::string_view, std::string_view>{"__BRA__", "["},
                                   {"__KET__", "]"},
                                   {"__DOT__", "."}}) {
    for (auto at = dotted.find(code); at != std::string::npos; at = dotted.find(code)) {
      dotted.replace(at, code.size(), text);
    }
  }
  std::vector<std::string> path;
  for (std::size_t at = 0; at <= dotted.size();) {
    const auto dot = std::min(dotted.find('.', at), dotted.size());
    path.push_back(dotted.substr(at, dot - at));
    at = dot + 1;
  }
  return path;
}

class Resolver {
 public:
  explicit Resolver(Dump& dump)
      : dump_(dump),
        var_(dump.names.intern("VAR")),
        func_(dump.names.intern("FUNC")),
        task_(dump.names.intern("TASK")),
        begin_(dump.names.intern("BEGIN")),
        varref_(dump.names.intern("VARREF")),
        varxref_(dump.names.intern("VARXREF")),
        funcref_(dump.names.intern("FUNCREF")),
        taskref_(dump.names.intern("TASKREF")),
        package_(dump.names.intern("PACKAGE")) {}

  void run() {
    for (Node& module : dump_.root.children) {
      if (module.id == 0) module.id = module.name;
      if (module.type == package_) declare(module, packages_);
    }
    // All blocks first: one may be referred to before it is declared.
    for (Node& module : dump_.root.children) open_scope(module, packages_);
    for (Node& module : dump_.root.children) resolve(module, &packages_);
  }

 private:
  [[nodiscard]] bool is_scope(const Node& node) const {
    return node.type == begin_ || node.type == func_ || node.type == task_;
  }

  /// Declares in `scope` what the children of a node declare.
  void declare(Node& node, Scope& scope) {
    for (Node& child : node.children) {
      if (child.type == var_ || child.type == func_ || child.type == task_) {
        if (child.id == 0) child.id = dump_.names.intern(fmt::format("#{}", ++count_));
        scope.declared.emplace(child.name, child.id);
      }
    }
  }

  void open_scope(Node& node, Scope& outer) {
    Scope& scope = scopes_[&node];
    scope.outer = &outer;
    declare(node, scope);
    if (node.name != 0) outer.blocks.emplace(dump_.text(node.name), &scope);
    open_inner_scopes(node, scope);
  }

  void open_inner_scopes(Node& node, Scope& scope) {
    for (Node& child : node.children) {
      if (is_scope(child)) {
        open_scope(child, scope);
      } else {
        open_inner_scopes(child, scope);
      }
    }
  }

  void resolve(Node& node, const Scope* scope) {
    const auto own = scopes_.find(&node);
    if (own != scopes_.end()) scope = &own->second;
    if (node.type == varref_ || node.type == funcref_ || node.type == taskref_) {
      node.target = find(node.name, scope);
    } else if (node.type == varxref_) {
      node.target = find_in_block(node, scope);
    }
    for (Node& child : node.children) resolve(child, scope);
  }

  static Name find(Name name, const Scope* scope) {
    for (; scope != nullptr; scope = scope->outer) {
      const auto found = scope->declared.find(name);
      if (found != scope->declared.end()) return found->second;
    }
    return 0;
  }

  Name find_in_block(const Node& node, const Scope* scope) const {
    const std::vector<std::string> path = block_path(dump_.text(node.detail));
    for (; scope != nullptr; scope = scope->outer) {
      const Scope* inner = scope;
      for (const std::string& name : path) {
        const auto found = inner->blocks.find(name);
        inner = found == inner->blocks.end() ? nullptr : found->second;
        if (inner == nullptr) break;
      }
      if (inner == nullptr || scope->outer == nullptr) continue;
      const auto found = inner->declared.find(node.name);
      if (found != inner->declared.end()) return found->second;
    }
    return 0;
  }

  Dump& dump_;
  Name var_, func_, task_, begin_, varref_, varxref_, funcref_, taskref_, package_;
  std::unordered_map<const Node*, Scope> scopes_;
  Scope packages_;
  unsigned count_ = 0;
};

/// A module or a generate block, with the instances of interfaces that it declares.
struct InterfaceScope {
  const InterfaceScope* outer = nullptr;
  std::string path;  ///< generate blocks in the module: "g_y[0].g_x[1]."
  std::set<std::string> instances;
};

/// Writes the generate blocks before names of instances of interfaces in references, which leave
/// them out inside of the blocks.
class InterfaceNames {
 public:
  explicit InterfaceNames(Dump& dump)
      : dump_(dump),
        var_(dump.names.intern("VAR")),
        begin_(dump.names.intern("BEGIN")),
        generate_(dump.names.intern("GENBLOCK")),
        varref_(dump.names.intern("VARREF")),
        varxref_(dump.names.intern("VARXREF")) {}

  void run() {
    for (Node& module : dump_.root.children) enter(module, {});
  }

 private:
  /// The end of the name of the variable that stands for an instance of an interface.
  static constexpr std::string_view kVariable = "__Viftop";

  void enter(Node& block, InterfaceScope scope) {
    for (const Node& child : block.children) {
      if (child.type != var_) continue;
      // JSON has the end in the original name alone.
      for (const Name name : {child.name, child.orig}) {
        if (!dump_.text(name).ends_with(kVariable)) continue;
        scope.instances.insert(instance_of(dump_.text(name)));
      }
    }
    for (Node& child : block.children) visit(child, scope);
  }

  void visit(Node& node, const InterfaceScope& scope) {
    const bool block = node.type == begin_ || node.type == generate_;
    if (block && node.name != 0) {
      return enter(node, {&scope, scope.path + dump_.text(node.name) + ".", {}});
    }
    if (node.type == varref_) add_path(node.name, scope);
    if (node.type == varxref_) add_path(node.detail, scope);
    for (Node& child : node.children) visit(child, scope);
  }

  void add_path(Name& name, const InterfaceScope& inner) {
    const std::string text = dump_.text(name);
    for (const InterfaceScope* scope = &inner; scope != nullptr; scope = scope->outer) {
      if (scope->instances.count(instance_of(text)) == 0) continue;
      name = dump_.names.intern(scope->path + text);
      return;
    }
  }

  /// Returns "links" for "links__BRA__3__KET__" and "links__Viftop".
  static std::string instance_of(const std::string& name) {
    return name.substr(0, std::min(name.find("__BRA__"), name.find(kVariable)));
  }

  Dump& dump_;
  Name var_, begin_, generate_, varref_, varxref_;
};

}  // namespace

void resolve_names(Dump& dump) {
  if (dump.by_name) Resolver(dump).run();
  InterfaceNames(dump).run();
}

}  // namespace kernbench::sim::structure
