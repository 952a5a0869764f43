// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/structure/netlist.hpp"
#include "sim/structure/statements.hpp"

namespace kernbench::sim::structure {

/// Executes a part of the elaborated design with known values, one process at a time: what a change
/// of one line would do is tried on it. It is thousands of times slower than a verilated model.
/// Instances without outputs are left out.
///
/// Values are those of the bits of a Netlist. A cycle is: set the inputs and registers, settle(),
/// then next() for each register. Values of a process may be forced, and take effect in what
/// depends on them.
class Simulation {
 public:
  /// A process, a connection of an instance, or a part of one that assigns to the same variable.
  struct Cell {
    std::size_t placed = 0;
    const Process* process = nullptr;     ///< null for a connection
    const ProcessLogic* logic = nullptr;  ///< logic of a process
    const PinLogic* pin = nullptr;        ///< logic of a connection
    BitId port = 0;                       ///< first bit of the connected port
    bool is_register = false;             ///< has a clock
    Place place;                          ///< place of the process or connection
    std::vector<BitId> reads;             ///< bits of the netlist that a target depends on
    std::vector<BitId> targets;           ///< bits of the netlist
    /// Bits that the interpreter is given: number in the module, number in the netlist.
    std::vector<std::pair<BitId, BitId>> read_locals;
  };
  using Values = std::vector<std::uint8_t>;

  /// Throws NotUnderstood for a module with interfaces, loops or constructs that the check does not
  /// know.
  Simulation(ModuleLogics& logics, const Module& root);

  [[nodiscard]] const Netlist& netlist() const { return netlist_; }
  [[nodiscard]] const Design& design() const { return netlist_.design(); }
  /// Returns the combinational cells, each behind those whose values it reads.
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] const std::vector<Cell>& registers() const { return registers_; }
  /// Returns the combinational cell or, if none, kNoCell, that drives a bit.
  [[nodiscard]] std::size_t cell_of(BitId bit) const { return cell_of_[bit]; }
  /// Returns the registers' cell that drives a bit, or kNoCell.
  [[nodiscard]] std::size_t register_of(BitId bit) const { return register_of_[bit]; }
  static constexpr std::size_t kNoCell = ~std::size_t{0};

  /// Returns the first bit of a variable: `path` is the instance below the root, "" for the root.
  /// Returns null bits if there is none.
  struct Signal {
    BitId base = 0;
    unsigned bits = 0;
  };
  [[nodiscard]] Signal signal(const std::string& path, const std::string& name) const;

  /// Computes all combinational values from the inputs and registers in `values`.
  void settle(Values& values);
  /// Returns the bits that the combinational process of a bit computes, if they are of several
  /// variables, so that one may depend on another; else none.
  [[nodiscard]] std::span<const BitId> computed_with(BitId bit) const;
  /// Changes one bit and what depends on it, also in its own process. A forced bit keeps its value.
  void force(Values& values, BitId bit, bool value);
  /// Computes what a cell of a register loads at an edge: a value for each of its targets.
  /// The reference is valid until the next call.
  [[nodiscard]] const std::vector<std::uint8_t>& next(const Cell& cell, const Values& values);
  /// Returns the place of the assignment that next() executed last for a bit; the cell's place if
  /// it executed none.
  [[nodiscard]] Place place_of_last(const Cell& cell, BitId bit) const;

 private:
  /// Interprets the statements of one module.
  struct Runner {
    Runner(const Design& design, const Module& module) : statements(design, logic) {
      logic.module = &module;
      logic.bits = module.bits;
    }
    ModuleLogic logic;
    Statements statements;
  };

  Runner& runner(const Module& module);
  void add_processes(std::size_t placed);
  void add_connections(std::size_t placed);
  /// Adds what a statement or expression reads to the bits that the interpreter is given.
  void read_variables(Cell& cell, const Node& node);
  void add_inputs(Cell& cell, const BitValue& value) const;
  void order_cells();
  [[nodiscard]] Assigned local_values(const Cell& cell, const Values& values) const;
  /// Result of a cell for some values.
  struct Executed {
    std::vector<std::uint8_t> values;  ///< by target
    std::vector<Place> places;         ///< last assignment that a process executed, by target
  };
  static constexpr std::size_t kMostRemembered = 1 << 20;  ///< bytes of a cell
  /// Executes a cell, unless it was executed with the same values before.
  ///
  /// With `held`, one of its variables keeps its value from the first assignment to it on.
  const Executed& run(const Cell& cell, const Values& values, const Variable* held = nullptr);
  [[nodiscard]] std::vector<std::uint8_t> execute(const Cell& cell, const Values& values,
                                                  const Variable* held);

  Netlist netlist_;
  std::unordered_map<const Module*, std::unique_ptr<Runner>> runners_;
  std::vector<Cell> cells_;
  std::vector<Cell> registers_;
  std::vector<std::size_t> cell_of_;
  std::vector<std::size_t> register_of_;
  std::vector<std::vector<std::size_t>> readers_;  ///< combinational cells that read a bit
  std::unordered_map<const Cell*, std::unordered_map<std::string, Executed>> executed_;
  const Executed* last_ = nullptr;
};

}  // namespace kernbench::sim::structure
