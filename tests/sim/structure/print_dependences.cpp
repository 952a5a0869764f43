// SPDX-License-Identifier: Apache-2.0
// Prints the bits of inputs that each bit of an output may depend on, through registers and logic,
// as the structure check finds them: a line "MODULE OUTPUT BIT: INPUT BIT, INPUT BIT, ..." for each
// bit of an output of each module that the top instantiates. A module with something that the check
// does not understand has the line "MODULE ? PLACE: TEXT" instead.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "sim/structure/design.hpp"
#include "sim/structure/netlist.hpp"

namespace kernbench::sim::structure {
namespace {

std::vector<bool> cone(const Netlist& netlist, BitId from) {
  std::vector<bool> reached(netlist.bits());
  std::vector<BitId> todo = {from};
  while (!todo.empty()) {
    const BitId bit = todo.back();
    todo.pop_back();
    if (reached[bit]) continue;
    reached[bit] = true;
    for (const Driver* driver : netlist.drivers(bit)) {
      const std::vector<BitId> inputs = netlist.inputs(*driver);
      todo.insert(todo.end(), inputs.begin(), inputs.end());
    }
  }
  return reached;
}

void print_module(ModuleLogics& logics, const Module& module) {
  const Netlist netlist(logics, module, [](const Module&) { return false; });
  if (!netlist.problems().empty()) {
    fmt::print("{} ? {}\n", module.orig, netlist.problems().front());
    return;
  }
  for (const Variable& output : module.variables) {
    if (output.direction != Direction::Output || output.transient) continue;
    for (unsigned i = 0; i < output.type.bits(); ++i) {
      const std::vector<bool> before = cone(netlist, output.base + i);
      std::string inputs;
      for (const Variable& input : module.variables) {
        if (input.direction != Direction::Input || input.transient) continue;
        for (unsigned k = 0; k < input.type.bits(); ++k) {
          if (!before[input.base + k]) continue;
          inputs += fmt::format("{} {} {}", inputs.empty() ? "" : ",", input.name, k);
        }
      }
      fmt::print("{} {} {}:{}\n", module.orig, output.name, i, inputs);
    }
  }
}

void print(const std::string& path) {
  const Design design(path.ends_with(".json") ? read_json_dump(path) : read_xml_dump(path));
  ModuleLogics logics(design);
  std::set<const Module*> done;
  for (const Instance& instance : design.top().instances) {
    const Module* module = design.module(instance.module);
    if (module != nullptr && !module->interface && done.insert(module).second) {
      print_module(logics, *module);
    }
  }
}

}  // namespace
}  // namespace kernbench::sim::structure

int main(int count, char** arguments) {
  try {
    for (int i = 1; i < count; ++i) kernbench::sim::structure::print(arguments[i]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
