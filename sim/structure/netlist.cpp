// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/netlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/numbers.hpp"

namespace kernbench::sim::structure {
namespace {

/// Returns the interfaces whose name is `name[...]`, by rising index.
std::vector<std::size_t> elements(const std::map<std::string, std::size_t>& interfaces,
                                  const std::string& name) {
  std::map<std::int64_t, std::size_t> by_index;
  for (const auto& [key, placed] : interfaces) {
    if (key.size() <= name.size() + 2 || !key.starts_with(name + "[")) continue;
    const auto index = common::parse_i64(key.substr(name.size() + 1, key.size() - name.size() - 2));
    if (index) by_index.emplace(*index, placed);
  }
  std::vector<std::size_t> found;
  found.reserve(by_index.size());
  for (const auto& [index, placed] : by_index) found.push_back(placed);
  return found;
}

/// Finds an interface by its name, which may lack the generate blocks around it.
std::optional<std::size_t> find_interface(const std::map<std::string, std::size_t>& interfaces,
                                          const std::string& name) {
  const auto exact = interfaces.find(name);
  if (exact != interfaces.end()) return exact->second;
  for (const auto& [key, placed] : interfaces) {
    if (key.ends_with(fmt::format(".{}", name))) return placed;
  }
  return std::nullopt;
}

}  // namespace

const ModuleLogic& ModuleLogics::of(const Module& module) {
  std::unique_ptr<ModuleLogic>& logic = logics_[&module];
  if (!logic) logic = std::make_unique<ModuleLogic>(interpret(design_, module));
  return *logic;
}

Netlist::Netlist(ModuleLogics& logics, const Module& root, const IsOpaque& is_opaque)
    : logics_(logics) {
  Placed top;
  top.module = &root;
  place(std::move(top), is_opaque);
  for (std::size_t at = 0; at < placed_.size(); ++at) {
    if (placed_[at].logic != nullptr) alias_interface_signals(at);
  }
  for (std::size_t at = 0; at < placed_.size(); ++at) {
    if (placed_[at].logic != nullptr) add_processes(at);
  }
  for (const OutputPin& pin : outputs_) add(global(pin.placed, pin.local), pin.driver);
}

void Netlist::place(Placed one, const IsOpaque& is_opaque) {
  const std::size_t at = placed_.size();
  const Module& module = *one.module;
  one.base = bits();
  one.opaque = at != 0 && is_opaque(module);
  BitId count = module.bits;
  if (!one.opaque && !module.interface) {
    one.logic = &logics_.of(module);
    count = one.logic->bits;
  }
  owner_.insert(owner_.end(), count, at);
  for (BitId bit = 0; bit < count; ++bit) alias_.push_back(one.base + bit);
  initial_.resize(owner_.size());
  first_.resize(owner_.size(), kNone);
  for (const Variable& variable : module.variables) {
    if (variable.value == nullptr || variable.base + variable.type.bits() > count) continue;
    const auto first = initial_.begin() + static_cast<std::ptrdiff_t>(one.base + variable.base);
    std::fill(first, first + variable.type.bits(), true);
  }
  if (module.interface) {
    for (const Process& process : module.processes) {
      if (process.kind == ProcessKind::Initial) continue;
      problems_.push_back(design().at(process.place) + ": logic in an interface");
    }
  }
  placed_.push_back(std::move(one));
  if (placed_[at].logic != nullptr) place_instances(at, is_opaque);
}

void Netlist::place_instances(std::size_t at, const IsOpaque& is_opaque) {
  const ModuleLogic& logic = *placed_[at].logic;
  const std::string prefix = at == 0 ? "" : placed_[at].path + ".";
  // Interfaces first: the others are connected to them.
  for (const bool interfaces : {true, false}) {
    for (const InstanceLogic& one : logic.instances) {
      if (one.module == nullptr || one.module->interface != interfaces) continue;
      const auto& range = one.instance->range;
      for (unsigned copy = 0; copy < (range ? range->size() : 1); ++copy) {
        const std::string name =
            range ? fmt::format("{}[{}]", one.instance->name, range->index_at(copy))
                  : one.instance->name;
        Placed child;
        child.module = one.module;
        child.instance = one.instance;
        child.path = prefix + name;
        child.parent = at;
        if (!interfaces) child.interfaces = bindings(at, one);
        const std::size_t number = placed_.size();
        if (interfaces) placed_[at].interfaces.emplace(name, number);
        place(std::move(child), is_opaque);
        connect(at, number, one, copy);
      }
    }
  }
}

/// Returns the name of an interface, or of one of an array of them.
std::string Netlist::name_of_interface(const Node& node) const {
  if (design().op(node) != Op::Element) return source_name(design().text(node.name));
  const auto index = constant_value(design().text(node.children[1].name));
  return fmt::format("{}[{}]", name_of_interface(node.children[0]), index.value_or(0));
}

std::map<std::string, std::size_t> Netlist::bindings(std::size_t at,
                                                     const InstanceLogic& instance) const {
  std::map<std::string, std::size_t> bound;
  const std::map<std::string, std::size_t>& known = placed_[at].interfaces;
  for (const PinLogic& pin : instance.pins) {
    const Variable* port = instance.module->variable(pin.pin->name);
    if (port == nullptr || !port->type.interface || pin.pin->value == nullptr) continue;
    const std::string name = name_of_interface(*pin.pin->value);
    if (port->type.dimensions.empty()) {
      if (const auto found = find_interface(known, name)) bound[port->name] = *found;
      continue;
    }
    const Dimension& range = port->type.dimensions.front();
    const std::vector<std::size_t> all = elements(known, name);
    for (unsigned i = 0; i < range.size() && i < all.size(); ++i) {
      bound[fmt::format("{}[{}]", port->name, range.index_at(i))] = all[i];
    }
  }
  return bound;
}

void Netlist::connect(std::size_t at, std::size_t child, const InstanceLogic& instance,
                      unsigned copy) {
  for (const PinLogic& pin : instance.pins) {
    if (pin.port == nullptr || pin.port->type.interface) continue;
    const std::size_t width = pin.port->type.bits();
    const BitId port = placed_[child].base + pin.port->base;
    // Pins of an array of instances that are wider than the port have a part for each instance.
    const auto from = [&](std::size_t size) {
      return size >= width * (copy + 1) ? width * copy : 0;
    };
    for (unsigned i = 0; i < width; ++i) {
      Driver driver;
      driver.placed = at;
      driver.place = pin.pin->place;
      if (const std::size_t k = from(pin.value.size()) + i; k < pin.value.size()) {
        driver.value = &pin.value[k];
        add(port + i, driver);
      }
      if (const std::size_t k = from(pin.driven.size()) + i; k < pin.driven.size()) {
        driver.output = port + i;
        driver.placed = child;
        outputs_.push_back({at, pin.driven[k], driver});
      }
    }
  }
}

void Netlist::alias_interface_signals(std::size_t at) {
  const Placed& one = placed_[at];
  for (const InterfaceSignal& signal : one.logic->interface_signals) {
    const std::string name = source_name(signal.prefix);
    const auto found = find_interface(one.interfaces, name);
    const Variable* variable = found ? placed_[*found].module->variable(signal.name) : nullptr;
    if (variable == nullptr) {
      problems_.push_back(fmt::format("{}: the reference {}.{}", design().at(one.module->place),
                                      name, signal.name));
      continue;
    }
    for (unsigned i = 0; i < std::min(signal.bits, variable->type.bits()); ++i) {
      alias_[one.base + signal.base + i] = placed_[*found].base + variable->base + i;
    }
  }
}

void Netlist::add_processes(std::size_t at) {
  for (const ProcessLogic& process : placed_[at].logic->processes) {
    if (!process.not_understood.empty() && process.kind != ProcessKind::Initial) {
      problems_.push_back(process.not_understood);
    }
    for (const Target& target : process.targets) {
      const BitId bit = global(at, target.bit);
      if (process.kind == ProcessKind::Initial) {
        initial_[bit] = true;
        continue;
      }
      Driver driver;
      driver.target = &target;
      driver.process = &process;
      driver.placed = at;
      driver.place = target.place;
      add(bit, driver);
    }
  }
}

void Netlist::add(BitId bit, const Driver& driver) {
  next_.push_back(first_[bit]);
  first_[bit] = static_cast<std::uint32_t>(drivers_.size());
  drivers_.push_back(driver);
}

std::vector<const Driver*> Netlist::drivers(BitId bit) const {
  std::vector<const Driver*> found;
  for (std::uint32_t i = first_[alias_[bit]]; i != kNone; i = next_[i]) {
    found.push_back(&drivers_[i]);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

BitId Netlist::global(std::size_t placed, BitId local) const {
  return alias_[placed_[placed].base + local];
}

std::vector<BitId> Netlist::inputs(const BitValue& value, std::size_t placed) const {
  std::vector<BitId> bits = value.all_inputs().bits();
  for (BitId& bit : bits) bit = global(placed, bit);
  return bits;
}

std::vector<BitId> Netlist::inputs(const Driver& driver) const {
  if (driver.target != nullptr) {
    const Target& target = *driver.target;
    std::vector<BitId> bits = inputs(target.value, driver.placed);
    // The data loaded in reset, but for a register that keeps itself.
    const BitValue& reset = target.in_reset;
    if (reset.kind == BitValue::Kind::Function ||
        (reset.kind == BitValue::Kind::Copy && reset.source != target.bit)) {
      const std::vector<BitId> more = inputs(reset, driver.placed);
      bits.insert(bits.end(), more.begin(), more.end());
    }
    return bits;
  }
  if (driver.value != nullptr) return inputs(*driver.value, driver.placed);
  return {driver.output};
}

const Variable* Netlist::variable(BitId bit) const {
  const Placed& one = placed_[owner_[bit]];
  return one.module->variable_at(bit - one.base);
}

std::string Netlist::short_name(BitId bit) const {
  const Variable* found = variable(bit);
  if (found == nullptr) return "?";
  std::string text = found->name;
  unsigned at = bit - placed_[owner_[bit]].base - found->base;
  unsigned bits = found->type.bits();
  for (const Dimension& dimension : found->type.dimensions) {
    bits /= dimension.size();
    text += fmt::format("[{}]", dimension.index_at(at / bits));
    at %= bits;
  }
  if (bits > 1) text += fmt::format("[{}]", at);  // of a structure
  return text;
}

std::string Netlist::name(BitId bit) const {
  const std::string& path = placed_[owner_[bit]].path;
  return path.empty() ? short_name(bit) : path + "." + short_name(bit);
}

}  // namespace kernbench::sim::structure
