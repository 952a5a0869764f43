// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/plain/bundles.hpp"
#include "sim/structure/statements.hpp"

namespace kernbench::sim::plain {

/// Marks of the constants in a text, which constants that a parameter replaces are found by.
inline constexpr char kConstantBegins = '\x01';
inline constexpr char kConstantEnds = '\x02';

/// Returns a legal name, escaped if need be.
[[nodiscard]] std::string identifier(const std::string& name);

/// Writes the expressions and statements of one module as Verilog-2005. All methods throw
/// structure::NotUnderstood for what they cannot write.
class LogicText {
 public:
  LogicText(const structure::Design& design, const structure::Module& module,
            const Bundles& bundles);

  [[nodiscard]] std::string expression(const structure::Node& node);
  /// Returns the text of what an assignment or the output of an instance drives. `in_process` says
  /// that a process drives it.
  [[nodiscard]] std::string target(const structure::Node& node, bool in_process);
  /// Returns an assignment, an always block or an initial block. Assignments of constants alone are
  /// kept for constants().
  [[nodiscard]] std::string process(const structure::Process& process);
  /// Returns the assignments of constants to signals that are read. Some of those in generate
  /// blocks are known by the declarations alone: XML has them without the names of the blocks. Call
  /// behind all processes and instances.
  [[nodiscard]] std::string constants();

  /// Returns the name of a signal of a bundle, which is a vector of all elements.
  [[nodiscard]] static std::string signal_name(const Bundle& bundle, const std::string& signal);
  /// Returns the text of a signal of a bundle's part.
  [[nodiscard]] std::string signal(const Part& part, const structure::Variable& variable);

  /// Returns the declarations of the signals that the texts so far refer to, but for ports.
  [[nodiscard]] std::string declarations() const;
  /// Returns the declaration of a port: its direction, range and name.
  [[nodiscard]] std::string port(const std::string& direction, const std::string& name,
                                 unsigned bits) const;

 private:
  /// A vector of the module.
  struct Vector {
    std::string name;
    unsigned bits = 1;
  };
  /// Bits of a vector: `width` of them from `start`, plus `index` if that is not empty.
  struct Selection {
    Vector vector;
    std::uint64_t start = 0;
    std::string index;
    unsigned width = 1;
  };

  [[nodiscard]] Vector vector_of(const structure::Node& reference, unsigned& position);
  [[nodiscard]] Selection selection(const structure::Node& node);
  [[nodiscard]] static std::string text_of(const Selection& selection);
  [[nodiscard]] std::string index_text(const structure::Node& index);
  [[nodiscard]] std::string operation(const structure::Node& node);
  [[nodiscard]] std::string extension(const structure::Node& node);
  [[nodiscard]] std::string constant(const structure::BitValues& bits, char unknown = 'x') const;
  [[nodiscard]] bool is_counter(const structure::Node& node) const;
  void find_counters(const structure::Node& node);
  void find_counters_in(const structure::Node& test);
  /// Returns true if a process reads the signal of one of its edges, as it does with a reset.
  [[nodiscard]] bool reads(const structure::Process& process, const structure::Node& edge);
  /// Returns the statements of a process as they are in reset and otherwise, in the form that
  /// synthesis expects.
  [[nodiscard]] std::string with_reset(const structure::Process& process,
                                       const structure::Node& edge);
  [[nodiscard]] bool is_constant_assignment(const structure::Node& node) const;
  /// Returns true if an always block assigns to what this assignment assigns to.
  [[nodiscard]] bool assigned_elsewhere(const structure::Node& assignment);
  void find_assigned(const structure::Node& node);

  void statement(const structure::Node& node, int depth, std::string& text);
  void role(const structure::Node& node, std::string_view role, int depth, std::string& text);
  void assignment(const structure::Node& node, int depth, std::string& text);
  void branch(const structure::Node& node, int depth, std::string& text);
  void choice(const structure::Node& node, int depth, std::string& text);
  /// Forgets the counters that have another value in `other`, after branches.
  void keep_common(const structure::Assigned& other);
  void loop(const structure::Node& node, int depth, std::string& text);
  /// Runs the test of a loop. Returns false when the loop ends.
  [[nodiscard]] bool goes_on(const structure::Node& test);

  [[nodiscard]] unsigned width_of(const structure::Node& node) const;
  [[noreturn]] void refuse(const structure::Node& node, const std::string& what) const;

  const structure::Design& design_;
  const structure::Module& module_;
  const Bundles& bundles_;
  structure::ModuleLogic logic_;
  structure::Statements values_;
  structure::Assigned known_;  ///< known values: of the counters of loops, and of the reset
  std::set<structure::BitId> counter_bits_;                  ///< first bits of the counters
  std::unordered_map<structure::BitId, std::string> names_;  ///< names of variables, by first bit
  std::map<std::string, unsigned> used_;                     ///< vectors that the texts refer to
  std::set<std::string> always_assigned_;                    ///< vectors, or empty until asked for
  std::vector<std::pair<std::string, std::string>> constants_;  ///< vector, assignment
  std::set<std::string> read_;                                  ///< vectors
  std::set<std::string> driven_;                                ///< vectors that anything drives
  std::set<std::string> registers_;  ///< vectors that processes assign to
};

}  // namespace kernbench::sim::plain
