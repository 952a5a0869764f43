// SPDX-License-Identifier: Apache-2.0
#include "sim/plain/module_text.hpp"

#include <fmt/format.h>

#include <vector>

namespace kernbench::sim::plain {
namespace {

using structure::Design;
using structure::Direction;
using structure::Instance;
using structure::Module;
using structure::NotUnderstood;
using structure::Variable;

std::string direction_text(const Design& design, Direction direction, const structure::Place& at) {
  if (direction == Direction::Input) return "input ";
  if (direction == Direction::Output) return "output";
  throw NotUnderstood(design.at(at) + ": a port that is neither an input nor an output");
}

/// Returns the directions of a port that is an interface, by signal.
const structure::Modport& modport_of(const Design& design, const Bundle& port,
                                     const structure::Place& at) {
  for (const structure::Modport& modport : port.interface->modports) {
    if (modport.name == port.modport) return modport;
  }
  throw NotUnderstood(fmt::format("{}: the port {} without a modport", design.at(at), port.name));
}

std::string ports(const Design& design, const Module& module, const Bundles& bundles,
                  const LogicText& logic) {
  std::vector<std::string> lines;
  for (const Variable& variable : module.variables) {
    if (variable.transient) continue;
    if (!variable.type.interface) {
      if (variable.direction == Direction::None) continue;
      lines.push_back(logic.port(direction_text(design, variable.direction, variable.place),
                                 variable.name, variable.type.bits()));
      continue;
    }
    const auto found = bundles.find(variable.name);
    if (found == bundles.end() || !found->second.is_port) continue;  // stands for an instance
    const Bundle& port = found->second;
    const structure::Modport& modport = modport_of(design, port, variable.place);
    for (const Variable* signal : signals_of(*port.interface)) {
      const auto way = modport.signals.find(signal->name);
      if (way == modport.signals.end()) continue;
      lines.push_back(logic.port(direction_text(design, way->second.first, way->second.second),
                                 LogicText::signal_name(port, signal->name),
                                 signal->type.bits() * port.count));
    }
  }
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : ",\n") + line;
  return text;
}

std::string instance_text(const Design& design, const Instance& instance, const Module& child,
                          const Bundles& bundles, LogicText& logic, const std::string& kind) {
  std::string pins;
  const auto add = [&](const std::string& name, const std::string& value) {
    pins += fmt::format("{}    .{}({})", pins.empty() ? "" : ",\n", identifier(name), value);
  };
  for (const structure::Pin& pin : instance.pins) {
    const Variable* port = child.variable(pin.name);
    if (port == nullptr) {
      throw NotUnderstood(fmt::format("{}: the port {}", design.at(pin.place), pin.name));
    }
    if (!port->type.interface) {
      std::string value;
      if (pin.value != nullptr) {
        value = port->direction == Direction::Input ? logic.expression(*pin.value)
                                                    : logic.target(*pin.value, false);
      }
      add(port->name, value);
      continue;
    }
    const Part part = part_of(design, bundles, *pin.value);
    Bundle of_child;
    of_child.name = port->name;
    of_child.interface = part.bundle->interface;
    of_child.modport = port->type.modport;
    const structure::Modport& modport = modport_of(design, of_child, port->place);
    for (const Variable* signal : signals_of(*part.bundle->interface)) {
      if (modport.signals.count(signal->name) == 0) continue;
      add(LogicText::signal_name(of_child, signal->name), logic.signal(part, *signal));
    }
  }
  return fmt::format("  {} {} (\n{}\n  );\n", kind, identifier(instance.name), pins);
}

}  // namespace

std::string module_text(const Design& design, const Module& module, const Bundles& bundles,
                        const std::function<std::string(const Module&)>& instance_of) {
  LogicText logic(design, module, bundles);
  std::string body;
  for (const structure::Process& process : module.processes) body += logic.process(process);
  for (const Instance& instance : module.instances) {
    const Module& child = *design.module(instance.module);
    if (child.interface) continue;
    body += instance_text(design, instance, child, bundles, logic, instance_of(child));
  }
  body += logic.constants();
  // The ports and declarations follow from what the body refers to.
  return fmt::format(" (\n{}\n);\n{}{}endmodule\n", ports(design, module, bundles, logic),
                     logic.declarations(), body);
}

}  // namespace kernbench::sim::plain
