// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/port_cone.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "sim/structure/netlist.hpp"

namespace kernbench::sim {
namespace {

/// Returns the module of a unit in RTL with other names: that of the link's depth, if it says so.
const structure::Module* module_of(const Recording& recording, const structure::Design& design) {
  const structure::Module* found = nullptr;
  for (const auto& [id, module] : design.modules()) {
    if (module.orig != recording.module) continue;
    const auto depth = module.parameters.find("IRS_DEEP");
    const bool is_other = depth != module.parameters.end() && recording.depth != 0 &&
                          depth->second != static_cast<std::int64_t>(recording.depth);
    if (!is_other && (found == nullptr || module.name < found->name)) found = &module;
  }
  return found;
}

/// Returns the first bit of a port of the root, or of the interface that is connected to it.
std::optional<structure::BitId> first_bit(const structure::Netlist& net, const UnitSignal& port) {
  for (const structure::Placed& one : net.placed()) {
    if (one.path != port.path) continue;
    const structure::Variable* variable = one.module->variable(port.name);
    if (variable == nullptr) return std::nullopt;
    return one.base + variable->base;
  }
  return std::nullopt;
}

// Most lines of functions that the lines of a cone call.
constexpr std::size_t kMostCalled = 4;

using structure::Node;
using structure::Op;

/// Appends the places of the assignments in the functions that an expression calls.
void add_functions(const structure::Design& design, const Node& node, std::set<const Node*>& known,
                   std::vector<structure::Place>& places) {
  const Op op = design.op(node);
  if (op == Op::Call) {
    const Node* function = design.function(node.target);
    if (function != nullptr && known.insert(function).second) {
      add_functions(design, *function, known, places);
    }
  }
  for (const Node& child : node.children) add_functions(design, child, known, places);
  if (op == Op::Assign && !known.empty()) places.push_back(node.place);
}

/// Returns the places of the assignments in the functions that an assignment calls.
std::vector<structure::Place> functions_of(const structure::Netlist& net,
                                           const structure::Driver& driver) {
  std::vector<structure::Place> places;
  const structure::Placed& one = net.placed()[driver.placed];
  if (driver.process == nullptr || one.logic == nullptr) return places;
  const auto number = static_cast<std::size_t>(driver.process - one.logic->processes.data());
  std::set<const Node*> known;
  const std::function<void(const Node&)> look = [&](const Node& node) {
    const Op op = net.design().op(node);
    if (op != Op::Assign && op != Op::AssignDelayed) {
      for (const Node& child : node.children) look(child);
    } else if (node.place == driver.place) {
      std::vector<structure::Place> own;
      add_functions(net.design(), node, known, own);
      for (const structure::Place& place : own) {
        if (place != driver.place) places.push_back(place);
      }
    }
  };
  for (const Node* statement : one.module->processes.at(number).statements) look(*statement);
  return places;
}

}  // namespace

SuspectList cone_of_port(const Recording& recording, const structure::Design& design) {
  const UnitSignal& port = recording.signals[recording.wrong->signal];
  const bool is_outside = recording.unit.kind == Unit::Kind::Users;
  const structure::Module* root = is_outside ? &design.top() : module_of(recording, design);
  structure::ModuleLogics logics(design);
  std::optional<structure::Netlist> elaborated;
  std::optional<structure::BitId> first;
  if (root != nullptr) {
    elaborated.emplace(logics, *root, [](const structure::Module&) { return false; });
    first = first_bit(*elaborated, port);
  }
  if (!first) {
    return {
        {},
        fmt::format("the elaborated design has no {} with a port {}", recording.module, port.name)};
  }
  const structure::Netlist& net = *elaborated;
  SuspectList list;
  std::vector<Suspect> called;  // lines of functions
  std::set<structure::BitId> seen;
  std::set<std::pair<std::uint32_t, std::uint32_t>> lines;
  std::vector<structure::BitId> front;
  for (unsigned i = 0; i < port.bits; ++i) front.push_back(*first + port.low + i);
  while (!front.empty() && list.lines.size() < kMostSuspects) {
    std::vector<structure::BitId> next;
    for (const structure::BitId bit : front) {
      if (!seen.insert(bit).second) continue;
      for (const structure::Driver* driver : net.drivers(bit)) {
        const std::vector<structure::BitId> inputs = net.inputs(*driver);
        next.insert(next.end(), inputs.begin(), inputs.end());
        if (!lines.insert({driver->place.file, driver->place.line}).second) continue;
        const structure::Variable* driven = net.variable(bit);
        const auto line_at = [&](const structure::Place& place) {
          Suspect one;
          one.file = design.dump().files.at(place.file);
          one.line = place.line;
          one.instance = net.placed()[driver->placed].path;
          if (driven != nullptr) one.signal = driven->name;
          return one;
        };
        list.lines.push_back(line_at(driver->place));
        for (const structure::Place& place : functions_of(net, *driver)) {
          const bool is_new = lines.insert({place.file, place.line}).second;
          if (is_new && called.size() < kMostCalled) called.push_back(line_at(place));
        }
      }
    }
    front = std::move(next);
  }
  if (list.lines.size() > kMostSuspects) list.lines.resize(kMostSuspects);
  list.lines.insert(list.lines.end(), called.begin(), called.end());
  if (list.lines.empty()) list.why_not = "nothing drives the first wrong port";
  return list;
}

}  // namespace kernbench::sim
