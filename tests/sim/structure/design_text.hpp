// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "sim/structure/netlist.hpp"
#include "sim/structure/trace.hpp"

namespace kernbench::sim::structure {

/// Returns the names of bits, joined by blanks.
inline std::string names_of(const Netlist& netlist, const std::vector<BitId>& bits) {
  std::set<std::string> names;
  for (const BitId bit : bits) names.insert(netlist.name(bit));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

/// Returns a line for each driver of each bit: place, kind of driver and inputs.
inline std::set<std::string> lines_of(const Netlist& netlist) {
  std::set<std::string> lines;
  for (BitId bit = 0; bit < netlist.bits(); ++bit) {
    const Variable* variable = netlist.variable(bit);
    if (variable == nullptr || variable->transient || netlist.global_alias(bit) != bit) continue;
    for (const Driver* driver : netlist.drivers(bit)) {
      std::string line = netlist.name(bit) + " =";
      const BitValue* value = driver->target != nullptr ? &driver->target->value : driver->value;
      if (value == nullptr || value->kind == BitValue::Kind::Copy) {
        line += value != nullptr && value->inverted ? " not" : "";
      } else {
        line += value->is_constant() ? " constant" : " f";
      }
      line += " " + names_of(netlist, netlist.inputs(*driver));
      if (driver->process != nullptr) {
        for (const EdgeItem& edge : driver->process->edges) {
          line += std::string(" @") + (edge.rising ? "+" : "") + (edge.falling ? "-" : "") +
                  names_of(netlist, netlist.inputs(edge.signal, driver->placed));
        }
      }
      line += " " + netlist.design().at(driver->place);
      lines.insert(line);
    }
  }
  return lines;
}

}  // namespace kernbench::sim::structure
