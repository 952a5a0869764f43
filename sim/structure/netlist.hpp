// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/dut/source_names.hpp"
#include "sim/structure/module_logic.hpp"

namespace kernbench::sim::structure {

/// The interpreted modules of a design, each interpreted once.
class ModuleLogics {
 public:
  explicit ModuleLogics(const Design& design) : design_(design) {}
  [[nodiscard]] const ModuleLogic& of(const Module& module);
  [[nodiscard]] const Design& design() const { return design_; }

 private:
  const Design& design_;
  std::unordered_map<const Module*, std::unique_ptr<ModuleLogic>> logics_;
};

/// An instance of a module or interface in the hierarchy.
struct Placed {
  const Module* module = nullptr;
  const ModuleLogic* logic = nullptr;  ///< null for an opaque instance and for an interface
  const Instance* instance = nullptr;  ///< null for the root
  std::string path;                    ///< below the root: "u_topo.g_y[0].u_irs"
  std::size_t parent = 0;
  BitId base = 0;       ///< number of its first bit in the netlist
  bool opaque = false;  ///< its ports only; what is inside is not part of the netlist
  std::map<std::string, std::size_t> interfaces;  ///< "node_if[3]" to the placed interface
};

/// A source of the value of one bit.
struct Driver {
  const Target* target = nullptr;         ///< an assignment, or
  const BitValue* value = nullptr;        ///< the value at an input pin, or
  BitId output = 0;                       ///< the output of an instance
  const ProcessLogic* process = nullptr;  ///< an assignment's
  std::size_t placed = 0;                 ///< whose signals the value is made of
  Place place;
};

/// An output pin: a local bit of the instance around it, and the driver.
struct OutputPin {
  std::size_t placed = 0;
  BitId local = 0;
  Driver driver;
};

/// A part of the design, flat: bits and what drives them.
class Netlist {
 public:
  using IsOpaque = std::function<bool(const Module&)>;

  /// `is_opaque` tells the modules whose inside is left out.
  Netlist(ModuleLogics& logics, const Module& root, const IsOpaque& is_opaque);

  [[nodiscard]] const Design& design() const { return logics_.design(); }
  [[nodiscard]] const std::vector<Placed>& placed() const { return placed_; }
  [[nodiscard]] BitId bits() const { return static_cast<BitId>(owner_.size()); }
  /// Returns the drivers of a bit; assignments of initial blocks are none.
  [[nodiscard]] std::vector<const Driver*> drivers(BitId bit) const;
  /// Returns true when an initial block, or its declaration, assigns the bit.
  [[nodiscard]] bool has_initial_value(BitId bit) const { return initial_[bit]; }
  /// Returns the signals that a driver's value depends on.
  [[nodiscard]] std::vector<BitId> inputs(const Driver& driver) const;
  [[nodiscard]] std::vector<BitId> inputs(const BitValue& value, std::size_t placed) const;
  /// Returns the bit of the netlist that a bit of an instance's module is.
  [[nodiscard]] BitId global(std::size_t placed, BitId local) const;
  /// Returns the bit itself or, for a reference to a signal of an interface, that signal's bit.
  [[nodiscard]] BitId global_alias(BitId bit) const { return alias_[bit]; }
  [[nodiscard]] std::size_t owner(BitId bit) const { return owner_[bit]; }
  /// Returns the variable that a bit belongs to; null for those of the interpreter.
  [[nodiscard]] const Variable* variable(BitId bit) const;
  /// Returns, for example, "u_topo.node_if[3].xo_vld[2]" without the root's part of the path.
  [[nodiscard]] std::string name(BitId bit) const;
  /// Returns the name of the bit within its module.
  [[nodiscard]] std::string short_name(BitId bit) const;
  /// Returns the constructs that were not understood, as text with file and line.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  void place(Placed one, const IsOpaque& is_opaque);
  void place_instances(std::size_t at, const IsOpaque& is_opaque);
  [[nodiscard]] std::string name_of_interface(const Node& node) const;
  [[nodiscard]] std::map<std::string, std::size_t> bindings(std::size_t at,
                                                            const InstanceLogic& instance) const;
  void connect(std::size_t at, std::size_t child, const InstanceLogic& instance, unsigned copy);
  void add_processes(std::size_t at);
  void alias_interface_signals(std::size_t at);
  void add(BitId bit, const Driver& driver);

  ModuleLogics& logics_;
  std::vector<Placed> placed_;
  std::vector<std::size_t> owner_;  ///< placed instance of each bit
  std::vector<BitId> alias_;        ///< the bit itself or, for interface signals, the interface's
  std::vector<bool> initial_;
  std::vector<OutputPin> outputs_;  ///< added when the interface signals are known
  std::vector<Driver> drivers_;
  std::vector<std::uint32_t> first_;  ///< first driver of each bit
  std::vector<std::uint32_t> next_;   ///< next driver of the same bit
  std::vector<std::string> problems_;
};

}  // namespace kernbench::sim::structure
