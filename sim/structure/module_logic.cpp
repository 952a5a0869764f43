// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/module_logic.hpp"

#include <algorithm>
#include <set>

#include "sim/structure/statements.hpp"

namespace kernbench::sim::structure {
namespace {

void collect_reads(const Design& design, const Node& node, Expressions& expressions,
                   std::vector<BitId>& reads) {
  const Op op = design.op(node);
  if (op == Op::Variable || op == Op::ForeignVariable) reads.push_back(expressions.base_of(node));
  for (const Node& child : node.children) collect_reads(design, child, expressions, reads);
}

/// Returns the value that was assigned to a bit; the bit itself if there was none.
BitValue value_in(const Assigned& assigned, BitId bit) {
  const auto found = assigned.find(bit);
  return found == assigned.end() ? BitValue::copy(bit) : found->second;
}

class Interpreter {
 public:
  Interpreter(const Design& design, const Module& module, const Assigned& constants)
      : design_(design), constants_(constants), statements_(design, logic_) {
    logic_.module = &module;
    logic_.bits = module.bits;
  }

  ModuleLogic run() {
    for (const Process& process : logic_.module->processes) interpret_process(process);
    for (const Instance& instance : logic_.module->instances) interpret_instance(instance);
    return std::move(logic_);
  }

 private:
  State run_process(const Process& process, Assigned assumed) {
    State state{std::move(assumed), {}};
    for (const Node* statement : process.statements) statements_.run(*statement, state);
    return state;
  }

  /// Returns the values that a process assigned, non-blocking assignments last.
  static Assigned outcome(State state, const Assigned& assumed) {
    for (auto& [bit, value] : state.later) {
      const auto [entry, added] = state.now.try_emplace(bit, value);
      if (added) continue;
      // Both kinds of assignment to one signal: either may have been the last.
      const auto known = assumed.find(bit);
      const bool blocking = known == assumed.end() || entry->second != known->second;
      entry->second = blocking ? function_of(0, entry->second, value) : value;
    }
    for (const auto& [bit, value] : assumed) {
      const auto same = state.now.find(bit);
      if (same != state.now.end() && same->second == value) state.now.erase(same);
    }
    return std::move(state.now);
  }

  void read_edges(const Process& process, ProcessLogic& result) {
    std::vector<BitId> reads;
    for (const Node* statement : process.statements) {
      collect_reads(design_, *statement, statements_, reads);
    }
    for (const Node* item : process.edges) {
      EdgeItem edge;
      const std::string& name = design_.text(item->detail);
      edge.rising = name != "NEG";
      edge.falling = name != "POS";
      edge.place = item->place;
      if (item->children.size() > 1) {
        throw NotUnderstood(design_.at(item->place) + ": an edge with a condition");
      }
      edge.signal = statements_.value(item->children.front(), {}).front();
      edge.is_reset = process.edges.size() > 1 && edge.signal.kind == BitValue::Kind::Copy &&
                      std::find(reads.begin(), reads.end(), edge.signal.source) != reads.end();
      result.edges.push_back(std::move(edge));
    }
  }

  void interpret_process(const Process& process) {
    ProcessLogic result;
    result.kind = process.kind;
    result.place = process.place;
    statements_.forget_places();
    try {
      read_edges(process, result);
      // While in reset, and otherwise.
      Assigned reset;
      Assigned running = constants_;
      for (const EdgeItem& edge : result.edges) {
        if (!edge.is_reset) continue;
        reset[edge.signal.source] = BitValue::constant(edge.rising != edge.signal.inverted);
        running[edge.signal.source] = BitValue::constant(edge.rising == edge.signal.inverted);
      }
      const Assigned values = outcome(run_process(process, running), running);
      const Assigned at_reset =
          reset.empty() ? Assigned{} : outcome(run_process(process, reset), reset);
      const std::set<BitId> kept = kept_locals(values, at_reset);
      for (const auto& [bit, place] : statements_.places()) {
        if (statements_.is_local(bit) && kept.count(bit) == 0) continue;
        result.targets.push_back({bit, place, value_in(values, bit), value_in(at_reset, bit)});
      }
    } catch (const NotUnderstood& error) {
      result.not_understood = error.what();
    }
    logic_.processes.push_back(std::move(result));
  }

  /// Returns the bits of local variables whose value from before the process is used: registers or
  /// latches. The others are only steps of a calculation.
  [[nodiscard]] std::set<BitId> kept_locals(const Assigned& values,
                                            const Assigned& at_reset) const {
    std::set<BitId> kept;
    std::vector<BitId> todo;
    for (const auto& [bit, place] : statements_.places()) {
      if (!statements_.is_local(bit)) todo.push_back(bit);
    }
    while (!todo.empty()) {
      const BitId bit = todo.back();
      todo.pop_back();
      for (const Assigned* outcome : {&values, &at_reset}) {
        for (const BitId input : value_in(*outcome, bit).all_inputs().bits()) {
          if (statements_.is_local(input) && kept.insert(input).second) todo.push_back(input);
        }
      }
    }
    return kept;
  }

  void interpret_instance(const Instance& instance) {
    InstanceLogic result;
    result.instance = &instance;
    result.module = design_.module(instance.module);
    for (const Pin& pin : instance.pins) {
      PinLogic one;
      one.pin = &pin;
      one.port = result.module == nullptr ? nullptr : result.module->variable(pin.name);
      const bool interface = one.port == nullptr || one.port->type.interface;
      if (pin.value != nullptr && !interface) {
        connect(*pin.value, one);
      }
      result.pins.push_back(std::move(one));
    }
    logic_.instances.push_back(std::move(result));
  }

  void connect(const Node& value, PinLogic& pin) {
    try {
      if (pin.port->direction == Direction::Input) {
        pin.value = statements_.value(value, constants_);
      } else {
        pin.driven = statements_.driven_by(value);
      }
    } catch (const NotUnderstood& error) {
      ProcessLogic& problem = logic_.processes.emplace_back();
      problem.place = value.place;
      problem.not_understood = error.what();
    }
  }

  const Design& design_;
  const Assigned& constants_;
  ModuleLogic logic_;
  Statements statements_;
};

}  // namespace

ModuleLogic interpret(const Design& design, const Module& module, const Assigned& constants) {
  return Interpreter(design, module, constants).run();
}

}  // namespace kernbench::sim::structure
