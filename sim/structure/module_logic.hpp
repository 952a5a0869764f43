// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/structure/bit_value.hpp"
#include "sim/structure/design.hpp"

namespace kernbench::sim::structure {

/// A signal of an interface, as a module refers to it: its bits follow those of the variables.
struct InterfaceSignal {
  std::string prefix;  ///< "node_if__BRA__3__KET__"
  std::string name;    ///< "xo_vld"
  BitId base = 0;
  unsigned bits = 0;
};

/// An assignment of a process to one bit.
struct Target {
  BitId bit = 0;
  Place place;
  BitValue value;     ///< after the process; of a register, while it is not in reset
  BitValue in_reset;  ///< while an asynchronous reset is active
};

struct EdgeItem {
  bool rising = false;
  bool falling = false;
  BitValue signal;
  Place place;
  bool is_reset = false;  ///< read by the process, which a clock is not
};

/// A process, interpreted.
struct ProcessLogic {
  ProcessKind kind = ProcessKind::Assign;
  Place place;
  std::vector<EdgeItem> edges;  ///< empty for combinational logic
  std::vector<Target> targets;
  std::string not_understood;  ///< the construct that could not be interpreted; empty: none

  [[nodiscard]] bool has_reset() const {  ///< asynchronous
    return std::any_of(edges.begin(), edges.end(),
                       [](const EdgeItem& edge) { return edge.is_reset; });
  }
};

/// A connection, interpreted: the value of an input or the signals behind an output.
struct PinLogic {
  const Pin* pin = nullptr;
  const Variable* port = nullptr;  ///< null for an interface
  BitValues value;                 ///< empty for an open pin
  std::vector<BitId> driven;       ///< an output's; empty for an open pin
};

struct InstanceLogic {
  const Instance* instance = nullptr;
  const Module* module = nullptr;
  std::vector<PinLogic> pins;
};

/// The logic of one module, bit by bit.
struct ModuleLogic {
  const Module* module = nullptr;
  std::vector<InterfaceSignal> interface_signals;
  BitId bits = 0;  ///< variables, interface signals and the interpreter's own
  std::vector<ProcessLogic> processes;
  std::vector<InstanceLogic> instances;
};

/// Interprets a module. `constants` are values of its signals that are taken for granted; what is
/// assigned to them is still told.
[[nodiscard]] ModuleLogic interpret(const Design& design, const Module& module,
                                    const std::unordered_map<BitId, BitValue>& constants = {});

}  // namespace kernbench::sim::structure
