// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/simulation.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace kernbench::sim::structure {
namespace {

/// Returns true for a module that drives nothing, such as a checker that is bound to a node.
bool drives_nothing(const Module& module) {
  return !module.interface && std::all_of(module.variables.begin(), module.variables.end(),
                                          [](const Variable& variable) {
                                            return !variable.type.interface &&
                                                   (variable.direction == Direction::None ||
                                                    variable.direction == Direction::Input);
                                          });
}

void add_bits(std::vector<BitId>& bits, BitId first, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bits.push_back(first + i);
}

}  // namespace

Simulation::Simulation(ModuleLogics& logics, const Module& root)
    : netlist_(logics, root, drives_nothing),
      cell_of_(netlist_.bits(), kNoCell),
      register_of_(netlist_.bits(), kNoCell),
      readers_(netlist_.bits()) {
  if (!netlist_.problems().empty()) throw NotUnderstood(netlist_.problems().front());
  for (std::size_t at = 0; at < netlist_.placed().size(); ++at) {
    const Placed& one = netlist_.placed()[at];
    if (one.opaque) continue;
    if (one.logic == nullptr || !one.logic->interface_signals.empty()) {
      throw NotUnderstood(design().at(one.module->place) + ": an interface");
    }
    add_processes(at);
    add_connections(at);
  }
  order_cells();
}

Simulation::Runner& Simulation::runner(const Module& module) {
  std::unique_ptr<Runner>& found = runners_[&module];
  if (!found) found = std::make_unique<Runner>(design(), module);
  return *found;
}

void Simulation::read_variables(Cell& cell, const Node& node) {
  const Op op = design().op(node);
  if (op == Op::Variable) {
    const Placed& one = netlist_.placed()[cell.placed];
    const BitId base = runner(*one.module).statements.base_of(node);
    const unsigned bits = design().type_of(node).bits();
    for (unsigned i = 0; base + bits <= one.module->bits && i < bits; ++i) {
      const BitId local = base + i;
      const Variable* variable = one.module->variable_at(local);
      if (variable != nullptr && variable->transient) continue;
      cell.read_locals.emplace_back(local, netlist_.global(cell.placed, local));
    }
  }
  for (const Node& child : node.children) read_variables(cell, child);
}

void Simulation::add_inputs(Cell& cell, const BitValue& value) const {
  const std::vector<BitId> bits = netlist_.inputs(value, cell.placed);
  cell.reads.insert(cell.reads.end(), bits.begin(), bits.end());
}

void Simulation::add_processes(std::size_t placed) {
  const Placed& one = netlist_.placed()[placed];
  for (std::size_t i = 0; i < one.module->processes.size(); ++i) {
    const Process& process = one.module->processes[i];
    Cell cell;
    cell.placed = placed;
    cell.process = &process;
    cell.logic = &one.logic->processes.at(i);
    cell.place = process.place;
    cell.is_register = !process.edges.empty();
    for (const Node* statement : process.statements) read_variables(cell, *statement);
    for (const Target& target : cell.logic->targets) {
      cell.targets.push_back(netlist_.global(placed, target.bit));
      add_inputs(cell, target.value);
      if (cell.is_register) add_inputs(cell, target.in_reset);
    }
    // Verilator makes an assignment of a constant an initial one; others are of registers.
    if (process.kind == ProcessKind::Initial &&
        std::any_of(cell.targets.begin(), cell.targets.end(),
                    [&](BitId bit) { return !netlist_.drivers(bit).empty(); })) {
      continue;
    }
    std::sort(cell.targets.begin(), cell.targets.end());
    (cell.is_register ? registers_ : cells_).push_back(std::move(cell));
  }
}

void Simulation::add_connections(std::size_t placed) {
  const Placed& one = netlist_.placed()[placed];
  for (const InstanceLogic& instance : one.logic->instances) {
    if (instance.instance->range) throw NotUnderstood("an array of instances");
    const std::string path =
        one.path.empty() ? instance.instance->name : one.path + "." + instance.instance->name;
    const auto child = std::find_if(netlist_.placed().begin(), netlist_.placed().end(),
                                    [&](const Placed& other) { return other.path == path; });
    if (child == netlist_.placed().end()) throw NotUnderstood(path + ": an instance of nothing");
    for (const PinLogic& pin : instance.pins) {
      if (pin.port == nullptr || pin.pin->value == nullptr) continue;
      Cell cell;
      cell.placed = placed;
      cell.pin = &pin;
      cell.place = pin.pin->place;
      cell.port = child->base + pin.port->base;
      const unsigned bits = pin.port->type.bits();
      if (pin.port->direction == Direction::Input) {
        read_variables(cell, *pin.pin->value);
        for (const BitValue& value : pin.value) add_inputs(cell, value);
        add_bits(cell.targets, cell.port, bits);
      } else {
        add_bits(cell.reads, cell.port, bits);
        for (const BitId local : pin.driven) {
          cell.targets.push_back(netlist_.global(placed, local));
        }
      }
      cells_.push_back(std::move(cell));
    }
  }
}

void Simulation::order_cells() {
  for (std::vector<Cell>* list : {&cells_, &registers_}) {
    for (Cell& cell : *list) {
      std::sort(cell.reads.begin(), cell.reads.end());
      cell.reads.erase(std::unique(cell.reads.begin(), cell.reads.end()), cell.reads.end());
    }
  }
  std::vector<std::size_t> driver(netlist_.bits(), kNoCell);
  std::vector<std::vector<std::size_t>> after(cells_.size());
  std::vector<std::size_t> waits(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    for (const BitId bit : cells_[i].targets) driver[bit] = i;
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    std::set<std::size_t> before;
    for (const BitId bit : cells_[i].reads) {
      if (driver[bit] != kNoCell && driver[bit] != i) before.insert(driver[bit]);
    }
    for (const std::size_t other : before) {
      after[other].push_back(i);
      ++waits[i];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (waits[i] == 0) order.push_back(i);
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    for (const std::size_t next : after[order[done]]) {
      if (--waits[next] == 0) order.push_back(next);
    }
  }
  // Two cells that wait for each other assign several bits each. No bit waits for itself.
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (waits[i] != 0) order.push_back(i);
  }
  std::vector<Cell> sorted;
  sorted.reserve(cells_.size());
  for (const std::size_t i : order) sorted.push_back(std::move(cells_[i]));
  cells_ = std::move(sorted);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    for (const BitId bit : cells_[i].targets) cell_of_[bit] = i;
    for (const BitId bit : cells_[i].reads) readers_[bit].push_back(i);
  }
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    for (const BitId bit : registers_[i].targets) register_of_[bit] = i;
  }
}

Simulation::Signal Simulation::signal(const std::string& path, const std::string& name) const {
  for (const Placed& one : netlist_.placed()) {
    if (one.path != path) continue;
    const Variable* variable = one.module->variable(name);
    if (variable == nullptr) return {};
    return {one.base + variable->base, variable->type.bits()};
  }
  return {};
}

Assigned Simulation::local_values(const Cell& cell, const Values& values) const {
  Assigned assigned;
  assigned.reserve(cell.read_locals.size());
  for (const auto& [local, global] : cell.read_locals) {
    assigned.emplace(local, BitValue::constant(values[global] != 0));
  }
  return assigned;
}

const Simulation::Executed& Simulation::run(const Cell& cell, const Values& values,
                                            const Variable* held) {
  // Most cells see few values of what they read. The connection of an output reads its port.
  std::string key;
  key.reserve(cell.read_locals.size() + cell.targets.size());
  for (const auto& [local, global] : cell.read_locals) key += static_cast<char>(values[global]);
  for (const BitId target : cell.targets) key += static_cast<char>(values[target]);
  if (held != nullptr) key += std::to_string(held->base);
  auto& memo = executed_[&cell];
  const std::size_t bytes = memo.size() * (key.size() + cell.targets.size());
  if (cell.read_locals.empty() || bytes > kMostRemembered) memo.clear();
  const auto [entry, added] = memo.try_emplace(std::move(key));
  if (added) {
    entry->second.values = execute(cell, values, held);
    if (cell.process != nullptr) {
      const Placed& one = netlist_.placed()[cell.placed];
      const auto& places = runner(*one.module).statements.places();
      for (const BitId target : cell.targets) {
        const auto place = places.find(target - one.base);
        entry->second.places.push_back(place == places.end() ? cell.place : place->second);
      }
    }
  }
  last_ = &entry->second;
  return *last_;
}

std::vector<std::uint8_t> Simulation::execute(const Cell& cell, const Values& values,
                                              const Variable* held) {
  std::vector<std::uint8_t> result(cell.targets.size());
  const auto known = [&](const BitValue& value, BitId target) -> std::uint8_t {
    if (value.kind == BitValue::Kind::One) return 1;
    if (value.kind == BitValue::Kind::Zero) return 0;
    return values[target];  // unknown, or kept
  };
  if (cell.pin != nullptr && cell.pin->port->direction != Direction::Input) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = values[cell.port + i];
    return result;
  }
  const Placed& one = netlist_.placed()[cell.placed];
  Statements& statements = runner(*one.module).statements;
  if (cell.pin != nullptr) {
    const BitValues bits = statements.value(*cell.pin->pin->value, local_values(cell, values));
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = i < bits.size() ? known(bits[i], cell.targets[i]) : 0;
    }
    return result;
  }
  State state;
  state.now = local_values(cell, values);
  statements.forget_places();
  Assigned bits;
  for (unsigned i = 0; held != nullptr && i < held->type.bits(); ++i) {
    const BitId local = held->base + i;
    bits.emplace(local, BitValue::constant(values[one.base + local] != 0));
  }
  statements.hold(std::move(bits));
  for (const Node* statement : cell.process->statements) statements.run(*statement, state);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const BitId target = cell.targets[i];
    const BitId local = target - one.base;
    result[i] = values[target];
    if (const auto later = state.later.find(local); later != state.later.end()) {
      result[i] = known(later->second, target);
    } else if (const auto now = state.now.find(local); now != state.now.end()) {
      result[i] = known(now->second, target);
    }
  }
  return result;
}

void Simulation::settle(Values& values) {
  // A second pass serves the cells whose order could not be told.
  for (int pass = 0; pass < 8; ++pass) {
    bool changed = false;
    for (const Cell& cell : cells_) {
      const std::vector<std::uint8_t>& result = run(cell, values).values;
      for (std::size_t i = 0; i < result.size(); ++i) {
        changed = changed || values[cell.targets[i]] != result[i];
        values[cell.targets[i]] = result[i];
      }
    }
    if (!changed) return;
  }
}

std::span<const BitId> Simulation::computed_with(BitId bit) const {
  if (cell_of_[bit] == kNoCell) return {};
  const Cell& cell = cells_[cell_of_[bit]];
  const std::vector<BitId>& bits = cell.targets;
  const bool several =
      cell.process != nullptr && netlist_.variable(bits.front()) != netlist_.variable(bits.back());
  return several ? std::span(bits) : std::span<const BitId>{};
}

void Simulation::force(Values& values, BitId bit, bool value) {
  if ((values[bit] != 0) == value) return;
  std::set<std::size_t> due(readers_[bit].begin(), readers_[bit].end());
  const Variable* held = computed_with(bit).empty() ? nullptr : netlist_.variable(bit);
  const auto others = [&](const auto& act) {
    const Cell& own = cells_[cell_of_[bit]];
    const std::vector<std::uint8_t>& result = run(own, values, held).values;
    for (std::size_t i = 0; i < result.size(); ++i) {
      const BitId target = own.targets[i];
      if (netlist_.variable(target) != held && values[target] != result[i]) act(target, result[i]);
    }
  };
  // A variable with several uses in its process has no one value that could be held.
  if (held != nullptr) others([&](BitId, std::uint8_t) { held = nullptr; });
  values[bit] = value ? 1 : 0;
  if (held != nullptr) {
    others([&](BitId target, std::uint8_t changed) {
      values[target] = changed;
      due.insert(readers_[target].begin(), readers_[target].end());
    });
  }
  for (std::size_t most = 16 * cells_.size(); !due.empty() && most != 0; --most) {
    const std::size_t at = *due.begin();
    due.erase(due.begin());
    const Cell& cell = cells_[at];
    const std::vector<std::uint8_t>& result = run(cell, values).values;
    for (std::size_t i = 0; i < result.size(); ++i) {
      const BitId target = cell.targets[i];
      if (target == bit || values[target] == result[i]) continue;
      values[target] = result[i];
      due.insert(readers_[target].begin(), readers_[target].end());
    }
  }
}

const std::vector<std::uint8_t>& Simulation::next(const Cell& cell, const Values& values) {
  return run(cell, values).values;
}

Place Simulation::place_of_last(const Cell& cell, BitId bit) const {
  const auto target = std::find(cell.targets.begin(), cell.targets.end(), bit);
  if (last_ == nullptr || last_->places.empty() || target == cell.targets.end()) return cell.place;
  return last_->places.at(static_cast<std::size_t>(target - cell.targets.begin()));
}

}  // namespace kernbench::sim::structure
