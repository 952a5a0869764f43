// SPDX-License-Identifier: Apache-2.0
#include "sim/plain/bundles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.hpp"
#include "sim/dut/source_names.hpp"
#include "sim/structure/expressions.hpp"

namespace kernbench::sim::plain {
namespace {

using structure::Design;
using structure::Dimension;
using structure::Instance;
using structure::Module;
using structure::Node;
using structure::NotUnderstood;
using structure::Op;
using structure::Variable;

/// Finds a bundle by its name, which may lack the generate blocks around it.
const Bundle* find(const Bundles& bundles, const std::string& name) {
  const auto exact = bundles.find(name);
  if (exact != bundles.end()) return &exact->second;
  for (const auto& [key, bundle] : bundles) {
    if (key.ends_with("." + name)) return &bundle;
  }
  return nullptr;
}

Bundle with_range(Bundle bundle, const std::optional<Dimension>& range) {
  if (!range) return bundle;
  bundle.is_array = true;
  bundle.count = range->size();
  bundle.first = std::min(range->left, range->right);
  return bundle;
}

class Finder {
 public:
  Finder(const Design& design, const Module& root) : design_(design), root_(root) {}

  /// Visits a module. `inside` says that it is below the root, or the root itself; of a module
  /// around the root only what leads to the root is visited.
  void visit(const Module& module, const Bundles& ports, bool inside) {
    inside = inside || &module == &root_;
    const auto [entry, added] = found_.try_emplace(&module, ports);
    if (!added) return require_same(module, ports);
    // References of `entry` stay valid while others are added.
    Bundles& bundles = entry->second;
    for (const Instance& instance : module.instances) {
      const Module* child = design_.module(instance.module);
      if (child == nullptr || !child->interface) continue;
      require_plain(*child);
      Bundle bundle;
      bundle.interface = child;
      bundle.name = instance.name;
      bundles.emplace(instance.name, with_range(std::move(bundle), instance.range));
    }
    for (const Instance& instance : module.instances) {
      const Module* child = design_.module(instance.module);
      if (child != nullptr && (child->interface || !(inside || leads_to_root(*child)))) continue;
      if (child == nullptr) {
        if (!inside) continue;
        throw NotUnderstood(design_.at(instance.place) + ": an instance of an unknown module");
      }
      if (instance.range) {
        throw NotUnderstood(design_.at(instance.place) + ": an array of instances");
      }
      visit(*child, ports_of(*child, instance, bundles), inside);
    }
  }

  [[nodiscard]] std::unordered_map<const Module*, Bundles> take() { return std::move(found_); }

 private:
  bool leads_to_root(const Module& module) const {
    return &module == &root_ ||
           std::any_of(module.instances.begin(), module.instances.end(), [&](const Instance& one) {
             const Module* child = design_.module(one.module);
             return child != nullptr && child != &module && leads_to_root(*child);
           });
  }

  Bundles ports_of(const Module& child, const Instance& instance, const Bundles& bundles) const {
    Bundles ports;
    for (const structure::Pin& pin : instance.pins) {
      const Variable* port = child.variable(pin.name);
      if (port == nullptr || !port->type.interface) continue;
      if (pin.value == nullptr || port->type.dimensions.size() > 1) {
        throw NotUnderstood(
            fmt::format("{}: the connection of the interface {}", design_.at(pin.place), pin.name));
      }
      Bundle bundle;
      bundle.interface = part_of(design_, bundles, *pin.value).bundle->interface;
      bundle.name = port->name;
      bundle.is_port = true;
      bundle.modport = port->type.modport;
      const auto& dimensions = port->type.dimensions;
      ports.emplace(port->name, with_range(std::move(bundle),
                                           dimensions.empty() ? std::nullopt
                                                              : std::optional(dimensions.front())));
    }
    return ports;
  }

  void require_plain(const Module& interface) const {
    const bool logic = std::any_of(
        interface.processes.begin(), interface.processes.end(),
        [](const structure::Process& one) { return one.kind != structure::ProcessKind::Initial; });
    const auto port = std::find_if(
        interface.variables.begin(), interface.variables.end(), [](const Variable& one) {
          return one.direction != structure::Direction::None && !one.transient;
        });
    if (logic || port != interface.variables.end() || !interface.instances.empty()) {
      throw NotUnderstood(fmt::format("{}: an interface with {}", design_.at(interface.place),
                                      logic ? "logic" : "ports or instances"));
    }
  }

  void require_same(const Module& module, const Bundles& ports) const {
    const Bundles& known = found_.at(&module);
    for (const auto& [name, bundle] : ports) {
      const auto same = known.find(name);
      if (same == known.end() || same->second.interface != bundle.interface) {
        throw NotUnderstood(fmt::format("{}: the port {} is connected to interfaces of two kinds",
                                        design_.at(module.place), name));
      }
    }
  }

  const Design& design_;
  const Module& root_;
  std::unordered_map<const Module*, Bundles> found_;
};

}  // namespace

Part part_named(const Bundles& bundles, const std::string& name) {
  if (const Bundle* all = find(bundles, name)) return {all, std::nullopt};
  const auto bracket = name.rfind('[');
  if (name.ends_with("]") && bracket != std::string::npos) {
    const Bundle* array = find(bundles, name.substr(0, bracket));
    const auto index = common::parse_i64(name.substr(bracket + 1, name.size() - bracket - 2));
    if (array != nullptr && index && *index >= array->first &&
        *index < array->first + static_cast<int>(array->count)) {
      return {array, static_cast<unsigned>(*index - array->first)};
    }
  }
  throw NotUnderstood("a reference to the interface " + name);
}

Part part_of(const Design& design, const Bundles& bundles, const Node& value) {
  if (design.op(value) != Op::Element) {
    return part_named(bundles, source_name(design.text(value.name)));
  }
  Part part = part_of(design, bundles, value.children[0]);
  const auto index = structure::constant_value(design.text(value.children[1].name));
  if (part.position || !index || *index >= part.bundle->count) {
    throw NotUnderstood(design.at(value.place) + ": an element of an array of interfaces");
  }
  part.position = static_cast<unsigned>(*index);
  return part;
}

std::vector<const Variable*> signals_of(const Module& interface) {
  std::vector<const Variable*> signals;
  for (const Variable& variable : interface.variables) {
    if (variable.transient || interface.parameters.count(variable.name) != 0) continue;
    signals.push_back(&variable);
  }
  return signals;
}

std::unordered_map<const Module*, Bundles> find_bundles(const Design& design, const Module& root) {
  Finder finder(design, root);
  finder.visit(design.top(), {}, false);
  return finder.take();
}

}  // namespace kernbench::sim::plain
