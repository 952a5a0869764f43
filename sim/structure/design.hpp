// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/structure/dump.hpp"

namespace kernbench::sim::structure {

/// Operators and statements that the check interprets. All others are functions of all their bits.
enum class Op : std::uint8_t {
  Other,
  // Leaves
  Constant,
  Variable,
  ForeignVariable,  ///< with a dotted prefix: in an interface or a generate block
  // Selections
  Bits,
  Element,
  Concat,
  Replicate,
  Extend,
  SignExtend,
  // Functions of bits
  And,
  Or,
  Xor,
  Not,
  LogicalAnd,
  LogicalOr,
  LogicalNot,
  Any,
  All,
  Equal,
  NotEqual,
  EqualWild,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  SignedLess,
  SignedLessEqual,
  SignedGreater,
  SignedGreaterEqual,
  Add,
  Subtract,
  Multiply,
  Modulo,  ///< without a sign
  ShiftLeft,
  ShiftRight,
  Choose,
  Call,
  Same,   ///< a cast, or an argument: the value of its operand
  Clear,  ///< the initial value of an automatic variable
  // Statements
  Assign,
  AssignDelayed,
  If,
  Case,
  CaseItem,
  While,
  Loop,
  LoopTest,
  Block,
  Jump,
  Start,    ///< the value with which a variable of a process starts
  Ignored,  ///< no effect on signals: messages, assertions, comments
};

/// A dimension of a signal. Bits are numbered from 0, element 0 of an unpacked dimension first.
struct Dimension {
  int left = 0;
  int right = 0;
  bool packed = false;

  [[nodiscard]] unsigned size() const;
  /// Returns the index in the sources of the element at a position.
  [[nodiscard]] int index_at(unsigned position) const;
};

struct DataType {
  std::vector<Dimension> dimensions;  ///< outermost first
  unsigned base_bits = 1;             ///< bits of an element of the innermost dimension
  bool interface = false;
  std::string modport;

  [[nodiscard]] unsigned bits() const;
};

enum class Direction : std::uint8_t { None, Input, Output, InOut };

struct Variable {
  std::string name;
  Place place;
  Direction direction = Direction::None;
  DataType type;
  bool transient = false;       ///< declared in a process or a function
  bool is_setting = false;      ///< a parameter that instances can set
  const Node* value = nullptr;  ///< a constant, declared with it or the only one ever assigned
  std::uint32_t base = 0;       ///< number of its first bit in the module
};

/// A connection of an instance; `value` is null for an open pin.
struct Pin {
  std::string name;
  Place place;
  const Node* value = nullptr;
};

struct Instance {
  std::string name;
  Place place;
  Name module = 0;
  std::optional<Dimension> range;  ///< an array's
  std::vector<Pin> pins;
};

enum class ProcessKind : std::uint8_t { Assign, Always, Initial };

/// A continuous assignment, an always block or an initial block.
struct Process {
  ProcessKind kind = ProcessKind::Assign;
  Place place;
  std::vector<const Node*> edges;       ///< items of the sensitivity list with an edge
  std::vector<const Node*> statements;  ///< in order
};

struct Modport {
  std::string name;
  Place place;
  std::map<std::string, std::pair<Direction, Place>> signals;
};

/// A module or interface after elaboration: one for each set of parameters.
struct Module {
  std::string name;
  std::string orig;  ///< name in the sources
  Place place;
  bool interface = false;
  std::vector<Variable> variables;
  std::unordered_map<Name, std::size_t> variable_of;  ///< identity to index in `variables`
  std::map<std::string, std::int64_t> parameters;
  std::vector<Instance> instances;
  std::vector<Process> processes;
  std::vector<Modport> modports;
  std::uint32_t bits = 0;  ///< the bits of all variables

  [[nodiscard]] const Variable* variable(const std::string& name) const;
  /// Returns the variable that a bit of the module belongs to; null for a bit of none.
  [[nodiscard]] const Variable* variable_at(std::uint32_t bit) const;
};

/// The elaborated design, over the nodes of the dump.
class Design {
 public:
  /// Throws common::BadInput when the dump has no top module.
  explicit Design(Dump dump);
  Design(const Design&) = delete;
  Design& operator=(const Design&) = delete;

  [[nodiscard]] const Dump& dump() const { return dump_; }
  [[nodiscard]] const Module& top() const { return modules_.at(top_); }
  [[nodiscard]] const Module* module(Name id) const;
  [[nodiscard]] const std::unordered_map<Name, Module>& modules() const { return modules_; }
  [[nodiscard]] Op op(const Node& node) const;
  [[nodiscard]] const std::string& text(Name name) const { return dump_.text(name); }
  [[nodiscard]] std::string at(const Place& place) const { return dump_.at(place); }
  [[nodiscard]] const Node* function(Name id) const;
  /// Returns true for a variable that a package declares, which any module may read and write.
  [[nodiscard]] bool is_package_variable(Name id) const {
    return package_variables_.count(id) != 0;
  }
  /// Returns the type of an expression or variable; a single bit when the dump does not say.
  [[nodiscard]] const DataType& type_of(const Node& node) const;

 private:
  void read_types(const Node& table);
  DataType make_type(const Node& node, const std::unordered_map<Name, const Node*>& all, int depth);
  void read_module(const Node& node);
  void read_items(const Node& parent, Module& module, const std::string& scope);
  void read_variable(const Node& node, Module& module, const std::string& scope, bool transient);
  void read_transients(const Node& node, Module& module);
  void read_instance(const Node& node, Module& module, const std::string& scope);
  void read_process(const Node& node, Module& module, ProcessKind kind);
  void read_modport(const Node& node, Module& module);
  [[nodiscard]] std::optional<Dimension> range_in(const Node& node) const;

  Dump dump_;
  std::vector<Op> ops_;  ///< by type of node
  std::unordered_map<Name, DataType> types_;
  std::unordered_map<Name, Module> modules_;
  std::unordered_map<Name, const Node*> functions_;
  std::unordered_set<Name> package_variables_;
  Name top_ = 0;
};

/// Returns the value of a constant such as "32'sh1f"; std::nullopt with unknown bits or more than
/// 64.
[[nodiscard]] std::optional<std::uint64_t> constant_value(const std::string& text);

}  // namespace kernbench::sim::structure
